#version 450 core
// Takes the strips of chosen agents' ways further, from parent to parent to the source, by so many
// points. A path visits a generator at most once, as distances fall, so stride + 2 points hold it,
// and nothing is cut off: as many dispatches as stride + 2 points take end it. Over a beam the path
// leads to the foot, on the beam, of the point before it.
//
// Reads: agents after the step, generators. Reads and writes: points, the strips' draw commands,
// and the generators that they go on over, as pathfollow.comp keeps them.

#include <Agent>
#include <Generator>
#include <Command>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/generators.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer Agents { Agent agents[]; };
layout(std430) readonly buffer Generators { Generator generators[]; };
layout(std430) buffer Points { vec2 points[]; };
layout(std430) buffer Commands { Command commands[]; };

uniform uint count;  // of chosen agents
uniform uint stride; // generators of a layer
uniform uint slice;  // points

#include "agents/deferred.glsl"
#include "agents/search.glsl"

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Search chosen = searchOf(id);
    Command strip = commands[id];
    if (chosen.best == NONE || strip.count == 0u) {
        return;
    }
    uint base = agents[chosen.agent].layer * stride;
    vec2 at = points[strip.first + strip.count - 1u];
    uint end = min(strip.count + slice, stride + 2u);
    for (; strip.count < end && chosen.best < stride; strip.count++) {
        Generator g = generators[base + chosen.best];
        if (isBeam(g)) {
            vec2 a = onGround(placeOf(g));
            vec2 along = onGround(ivec2(g.toX, g.toY)) - a;
            at = a + along * clamp(dot(at - a, along) / dot(along, along), 0.0, 1.0);
        } else {
            at = g.position;
        }
        points[strip.first + strip.count] = at;
        chosen.best = g.parent == chosen.best ? NONE : g.parent;
    }
    keepSearch(id, chosen);
    commands[id] = strip;
}
