#version 450 core
// Over-relaxation by colors, as on a chessboard, with a factor for each cell.
//
// Reads: walkers, settings, potentials. Writes: potentials.
// Reference: reference.Relax by red-black, bit for bit.

#include "bvp/strips.glsl"

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
    for (uint n = gl_LocalInvocationIndex; n < uint(EDGE); n += uint(MAPS * TILE)) {
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
    if (!isFree(cell)) {
        return 0.0;
    }
    precise float r = s.radii.x * cosines[freeAbout(rowAt(cell.y), cell.x)] + s.radii.y * cosines[freeAbout(columnAt(cell.x), cell.y)];
    precise float left = 1.0 - r * r;
    precise float factor = 2.0 * reciprocal(1.0 + root(left));
    return factor;
}

// Cells that are fixed have a factor of 0, which leaves them as they are.
float factors[ROWS][WIDE];

// Through q, where any invocation may find the factor of any cell: as long as that is, it is not to
// be repeated for each cell of a strip.
void findFactors() {
    for (int k = int(lane); k < ROOM; k += TILE) {
        q[base + uint(k)] = factorOf(ivec2(k % PITCH, k / PITCH));
    }
    sync();
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < WIDE; c++) {
            factors[r][c] = q[placeOf(r, c)];
        }
    }
    sync();
}

// Strips begin at odd columns and odd rows, so that their first cells have color 0.
void relaxColour(int color) {
    comeBack();
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < WIDE; c++) {
            if (((r + c) & 1) == color) {
                float before = own[r + 1][c];
                precise float moved = before + factors[r][c] * (mean(r, c) - before);
                own[r + 1][c] = bounded(moved);
                publish(r, c);
            }
        }
    }
}

void main() {
    findCosines();
    arrive();
    findStrip();
    findFactors();
    load();
    takeStrip();
    for (uint done = 0u; done < longest; done++) {
        bool relaxes = done < remaining;
        if (relaxes) {
            relaxColour(0);
        }
        sync();
        if (relaxes) {
            relaxColour(1);
        }
        sync();
    }
    giveStrip();
}
