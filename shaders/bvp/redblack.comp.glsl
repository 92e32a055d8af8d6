#version 450 core
// Over-relaxation by colours, as on a chessboard, with a factor for each cell.
//
// Reads: walkers, settings, potentials. Writes: potentials.
// Reference: bvp.Relax of bvp.RedBlack, bit for bit.

#include "bvp/relax.glsl"
#include "bvp/board.glsl"

// The highest bit below i that is set, and the lowest above; there is one.
int below(uvec2 bits, int i) {
    uint high = i > 32 ? bits.y & ((1u << (i - 32)) - 1u) : 0u;
    uint low = i > 31 ? bits.x : bits.x & ((1u << i) - 1u);
    return high != 0u ? 32 + findMSB(high) : findMSB(low);
}

int above(uvec2 bits, int i) {
    uint low = i < 31 ? bits.x & ~((2u << i) - 1u) : 0u;
    uint high = i > 31 ? bits.y & ~((2u << (i - 32)) - 1u) : bits.y;
    return low != 0u ? findLSB(low) : 32 + findLSB(high);
}

shared float cosines[EDGE]; // cos(pi / (n + 1)) for n free cells in a row

void findCosines() {
    for (uint n = gl_LocalInvocationIndex; n < uint(EDGE); n += uint(MAPS * TEAM)) {
        precise float part = PI * reciprocal(float(n + 1u));
        cosines[n] = direction(part).x;
    }
    sync();
}

// How many free cells are in a row about the free cell i.
int freeAbout(uvec2 bits, int i) {
    return above(bits, i) - below(bits, i) - 1;
}

float factorOf(ivec2 cell) {
    precise float r = s.radii.x * cosines[freeAbout(rowAt(cell.y), cell.x)] + s.radii.y * cosines[freeAbout(columnAt(cell.x), cell.y)];
    precise float left = 1.0 - r * r;
    precise float factor = 2.0 * reciprocal(1.0 + root(left));
    return factor;
}

void main() {
    findCosines();
    arrive();
    uint at[2 * SLOTS];
    float factors[2 * SLOTS];
    for (int k = 0; k < 2 * SLOTS; k++) {
        ivec2 cell;
        bool relaxed = cellOf(k / SLOTS, k % SLOTS, cell);
        at[k] = base + uint(cell.y * cells + cell.x);
        factors[k] = relaxed ? factorOf(cell) : 0.0;
    }
    for (uint done = 0u; done < longest; done++) {
        for (int colour = 0; colour < 2; colour++) {
            for (int k = 0; k < SLOTS; k++) {
                float factor = factors[colour * SLOTS + k];
                if (factor > 0.0 && done < remaining) {
                    uint i = at[colour * SLOTS + k];
                    precise float moved = q[i] + factor * (mean(i) - q[i]);
                    q[i] = bounded(moved);
                }
            }
            sync();
        }
    }
    leave();
}
