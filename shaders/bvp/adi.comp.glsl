#version 450 core
// The alternating direction method of Peaceman and Rachford: all rows of a map at once, each solved
// as a whole by one invocation, then all columns.
//
// Reads: walkers, settings, potentials. Writes: potentials.
// Reference: reference.Relax by adi, bit for bit.

const int PITCH = EDGE;
const int ROOM = EDGE * EDGE;

#include "bvp/relax.glsl"

shared float right[MAPS * ROOM]; // right sides, then what eliminating leaves

// Solves diagonal q - ahead q[next] - behind q[last] = right for the free cells of a line.
void solve(uint first, uint stride, uvec2 bits, float diagonal, float ahead, float behind) {
    precise float c = 0.0;
    precise float d = 0.0;
    for (int i = 0; i < cells; i++) {
        uint k = first + uint(i) * stride;
        precise float denominator = diagonal - behind * c;
        float r = reciprocal(denominator);
        precise float reduced = (right[k] + behind * d) * r;
        bool isFixed = isSet(bits, i);
        c = isFixed ? 0.0 : ahead * r;
        d = isFixed ? q[k] : reduced;
        q[k] = d;
        right[k] = c;
    }
    precise float v = d;
    for (int i = cells - 2; i >= 0; i--) {
        uint k = first + uint(i) * stride;
        v = q[k] + right[k] * v;
        q[k] = bounded(v);
    }
}

void main() {
    arrive();
    load();
    for (uint done = 0u; done < longest; done++) {
        bool relaxed = done < remaining;
        precise float at = s.shift.x;
        for (uint k = 0u; k < (relaxations + done) % uint(SHIFTS); k++) {
            at *= s.shift.y;
        }
        precise float low = at - 0.5;
        precise float high = at + 0.5;
        for (int along = 0; along < 2; along++) {
            uint stride = along == 0 ? 1u : uint(PITCH);
            uint across = along == 0 ? uint(PITCH) : 1u;
            vec4 w = along == 0 ? s.weights : s.weights.zwxy;
            for (int k = int(lane); k < cells * cells && relaxed; k += TILE) {
                ivec2 cell = ivec2(k % cells, k / cells);
                uint i = base + uint(cell.y * PITCH + cell.x);
                if (!isSet(rowAt(cell.y), cell.x)) {
                    precise float sides = w.z * q[i + across] + w.w * q[i - across];
                    precise float sum = low * q[i] + sides;
                    right[i] = sum;
                }
            }
            sync();
            for (int line = 1 + int(lane); line < cells - 1 && relaxed; line += TILE) {
                uvec2 bits = along == 0 ? rowAt(line) : columnAt(line);
                solve(base + uint(line) * across, stride, bits, high, w.x, w.y);
            }
            sync();
        }
    }
    leave();
}
