#version 450 core
// The velocities that agents would choose without neighbors: the preferred ones, as far as walls
// near them allow. Methods read those of neighbors, too, so all are made before any agent decides.
//
// Reads: what agents/avoid.glsl reads. Writes: guidance[].wish.
// Reference: reference.Wish.

#include "agents/avoid.glsl"
#include "agents/situation.glsl"
#include "agents/reach.glsl"
#include "agents/halfplanes.glsl"
#include "agents/orca.glsl"
#include "include/branch.glsl"

void main() {
    Self self;
    BRANCH (look(gl_GlobalInvocationID.x, self)) {
        vec2 wish = self.preferred;
        uint walled = wallCount();
        for (uint i = 0u; i < walled; i++) {
            Line l;
            float off = wallLine(self, i, l) ? max(wrong(l, wish), 0.0) : 0.0;
            wish += vec2(-l.direction.y, l.direction.x) * off;
        }
        guidance[self.id].wish = wish;
    }
}
