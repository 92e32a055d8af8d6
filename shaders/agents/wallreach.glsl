// How far walls matter to a body that avoids others.
// Needs: agents/cells.glsl, agents/neighbors.glsl, agents/place.glsl.

#include "agents/motions.glsl"

uniform float timestep; // s

// How far a body can come before it stops, having begun a step later, or looks ahead, with its
// radius, m.
float reachAmongWalls(uint body, AvoidanceParams m) {
    vec2 measures = vec2(uintBitsToFloat(texelFetch(spotsOf, int(body) * 2).z), uintBitsToFloat(texelFetch(spotsOf, int(body) * 2 + 1).z));
    precise float stops = measures.y / m.maxAcceleration + timestep;
    float horizon = min(max(m.timeHorizon, timestep), stops);
    precise float reach = measures.y * horizon + measures.x;
    return reach;
}

// How far away walls that move count, given how far others do, m.
float reachAmongMovers(float reach, AvoidanceParams m) {
    return wallsMove ? max(reach, m.neighborDistance) : reach;
}

// How far from a body walls may hide its neighbors, in lattice steps: sight is between lattice
// points, each less than a step from its place. The last one of its list is the farthest; 0 without
// any.
int stepsToNeighbors(uint body, vec2 place) {
    uint last = neighbors[body];
    vec2 other = positionAt(last > 0u ? neighbors[last * count + body] : body);
    int steps = stepsOf(double(reachOf(squaredDistance(other, place)))) + 1;
    return last > 0u ? steps : 0;
}
