#version 450 core
// Takes trails a step further: line strips of the places where agents have walked, the newest place last. The places before it are a gap apart;
// when there are too many, every second one goes and the gap doubles.
//
// Reads: agents after the step. Writes: trails, and their points, CAPACITY for each.

#include <Agent>
#include <Trail>
#include "include/status.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer Agents { Agent agents[]; };
layout(std430) buffer Trails { Trail trails[]; };
layout(std430) buffer Points { vec2 points[]; };

uniform uint trailCount;
uniform float timestep;
uniform float leastGap; // m

const float PUSH = 0.5; // m that contacts push an agent in a step, at most

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= trailCount) {
        return;
    }
    Trail t = trails[id];
    Agent a = agents[t.agent];
    if (!isThere(a.status)) {
        return;
    }
    uint last = t.first + t.count - 1u;
    float leap = 2.0 * length(a.velocity) * timestep + PUSH;
    if (t.count == 0u || distance(points[last], a.position) > leap) {
        // It has begun, or begins again elsewhere.
        points[t.first] = a.position;
        points[t.first + 1u] = a.position;
        t.count = 2u;
        t.gap = leastGap;
    } else {
        points[last] = a.position;
        if (distance(points[last - 1u], a.position) >= t.gap) {
            if (t.count == CAPACITY) {
                for (uint k = 1u; k < CAPACITY / 2u; k++) {
                    points[t.first + k] = points[t.first + 2u * k];
                }
                t.count = CAPACITY / 2u;
                t.gap *= 2.0;
            }
            points[t.first + t.count] = a.position;
            t.count++;
        }
    }
    trails[id] = t;
}
