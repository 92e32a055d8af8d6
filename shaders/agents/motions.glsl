// How walls move: those of obstacles that do.
// Reference: agents.Motion.

uniform bool wallsMove;                                              // some do
uniform samplerBuffer wallVelocities; // of each record of walls, m/s

// The velocity of the wall of a record.
vec2 motionOf(uint record) {
    vec2 velocity = vec2(0.0);
    if (wallsMove) {
        velocity = texelFetch(wallVelocities, int(record)).xy;
    }
    return velocity;
}
