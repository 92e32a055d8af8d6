// How walls move: those of obstacles that do.
// Reference: agents.Motion.

uniform bool wallsMove; // some do

#include "agents/wallmotions.glsl"

// The velocities of both ends of the wall of a record, m/s.
vec4 motionOf(uint record) {
    vec4 velocities = vec4(0.0);
    if (wallsMove) {
        velocities = texelFetch(wallMotions, int(record) * 2);
    }
    return velocities;
}

// The velocity of the point that is a share of the wall away from its first end. Where both ends
// have the same, it is that, to the bit; so it is at the ends.
vec2 motionAt(vec4 velocities, float share) {
    return share < 1.0 ? velocities.xy + (velocities.zw - velocities.xy) * share : velocities.zw;
}
