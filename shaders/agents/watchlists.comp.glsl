#version 450 core
// Copies what the methods of watched agents had before them into their records, after all methods:
// lists of neighbors and walls, wishes, and the velocities that were chosen.
//
// Reads: what agents/avoid.glsl reads. Writes: reasons.
// Reference: TestReasonsOfSituations.

#include "agents/avoid.glsl"

void main() {
    Self self;
    bool avoids = look(gl_GlobalInvocationID.x, self);
    ownReasons = avoids ? reasonsOf(self.id) : NONE;
    BRANCH (ownReasons != NONE) {
        uint near = neighborCount();
        uint walled = wallCount();
        keep(REASON_LISTS, uvec4(self.params.method, near, walled, 0u));
        keep(REASON_CHOSEN, vec4(guidance[self.id].velocity, self.wish));
        uint most = min(near, reasonNeighbors);
        for (uint i = 0u; i < most; i++) {
            Neighbor n = neighborAt(i);
            keep(REASON_HEAD + 2u * i, vec4(n.position, n.velocity));
            keep(REASON_HEAD + 2u * i + 1u, uvec4(floatBitsToUint(n.radius), n.id, n.shares ? 1u : 0u, 0u));
        }
        for (uint i = 0u; i < walled; i++) {
            Wall w = wallAt(i);
            uint row = REASON_HEAD + 2u * (reasonNeighbors + i);
            keep(row, vec4(w.a, w.b));
            keep(row + 1u, vec4(w.velocity, 0.0, 0.0));
        }
    }
}
