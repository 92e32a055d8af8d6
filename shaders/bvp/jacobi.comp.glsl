#version 450 core
// Jacobi's method mixed with that of Gauss and Seidel: all cells at once, in place, from whatever
// their neighbors hold. What it gives after so many relaxations depends on which invocation comes
// first.
//
// Reads: walkers, settings, potentials. Writes: potentials.
// Reference: reference.Relax by jacobi-gs, in what both converge to. Paper: Fischer et al. 2009,
// section 5.

#include "bvp/strips.glsl"

void main() {
    arrive();
    load();
    findStrip();
    takeStrip();
    uint relaxed[ROWS]; // a bit for each column; drivers have failed on an array of bools
    for (int r = 0; r < ROWS; r++) {
        relaxed[r] = 0u;
        for (int c = 0; c < WIDE; c++) {
            relaxed[r] |= uint(isFree(cellOf(r, c))) << c;
        }
    }
    for (uint done = 0u; done < longest; done++) {
        if (done < remaining) {
            comeBack();
            for (int r = 0; r < ROWS; r++) {
                for (int c = 0; c < WIDE; c++) {
                    float wanted = bounded(mean(r, c));
                    own[r + 1][c] = (relaxed[r] >> c & 1u) != 0u ? wanted : own[r + 1][c];
                    publish(r, c);
                }
            }
        }
        sync();
    }
    giveStrip();
}
