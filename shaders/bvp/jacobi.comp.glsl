#version 450 core
// Jacobi's method mixed with that of Gauss and Seidel: all cells at once, in place, from whatever their neighbours hold. What it
// gives after so many relaxations depends on which invocation comes first.
//
// Reads: walkers, settings, potentials. Writes: potentials.
// Reference: bvp.Relax of bvp.JacobiGS, in what both converge to. Paper: Fischer et al. 2009, section 5.

#include "bvp/relax.glsl"
#include "bvp/board.glsl"

void main() {
    arrive();
    uint at[2 * SLOTS];
    bool relaxed[2 * SLOTS];
    for (int k = 0; k < 2 * SLOTS; k++) {
        ivec2 cell;
        relaxed[k] = cellOf(k / SLOTS, k % SLOTS, cell);
        at[k] = base + uint(cell.y * cells + cell.x);
    }
    for (uint done = 0u; done < longest; done++) {
        for (int k = 0; k < 2 * SLOTS; k++) {
            if (relaxed[k] && done < remaining) {
                q[at[k]] = bounded(mean(at[k]));
            }
        }
        sync();
    }
    leave();
}
