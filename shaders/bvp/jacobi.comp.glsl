#version 450 core
// Jacobi's method mixed with that of Gauss and Seidel: all cells at once, in place, from whatever their neighbours hold. What it
// gives after so many relaxations depends on which invocation comes first.
//
// Reads: walkers, settings, potentials. Writes: potentials.
// Reference: bvp.Relax of bvp.JacobiGS, in what both converge to. Paper: Fischer et al. 2009, section 5.

#include "bvp/strips.glsl"

void main() {
    arrive();
    takeStrip();
    bool westFree[ROWS];
    bool eastFree[ROWS];
    for (int r = 0; r < ROWS; r++) {
        westFree[r] = isFree(corner + ivec2(0, r));
        eastFree[r] = isFree(corner + ivec2(1, r));
    }
    for (uint done = 0u; done < longest; done++) {
        if (done < remaining) {
            fetchEnds();
            for (int r = 0; r < ROWS; r++) {
                float western = bounded(mean(east[r + 1], westOf(r), west[r + 2], west[r]));
                west[r + 1] = westFree[r] ? western : west[r + 1];
                float eastern = bounded(mean(eastOf(r), west[r + 1], east[r + 2], east[r]));
                east[r + 1] = eastFree[r] ? eastern : east[r + 1];
                storeWest(r);
                storeEast(r);
            }
        }
        sync();
    }
    leave();
}
