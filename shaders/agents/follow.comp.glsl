#version 450 core
// Writes the ways of chosen agents as line strips: from the agent over its
// target and from parent to parent to the source. A way visits a generator at
// most once, so stride + 2 points hold it, and nothing is cut off. Who is not
// on its way, or sees none, gets a strip of no points. Over a beam the way leads to
// the foot, on the beam, of the point before it.
//
// Reads: the chosen indices, traits, agents after the step, generators. Writes:
// points, stride + 2 for each chosen, and the draw command of each strip.

#include <Traits>
#include <Agent>
#include <Generator>
#include <Command>
#include "include/numbers.glsl"
#include "agents/place.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = TRAITS_BINDING) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = BEFORE_BINDING) readonly buffer Agents { Agent agents[]; };
layout(std430, binding = CHOSEN_BINDING) readonly buffer Chosen { uint chosen[]; };
layout(std430, binding = GENERATORS_BINDING) readonly buffer Generators { Generator generators[]; };
layout(std430, binding = POINTS_BINDING) writeonly buffer Points { vec2 points[]; };
layout(std430, binding = COMMANDS_BINDING) writeonly buffer Commands { Command commands[]; };

uniform uint count;  // of chosen agents
uniform uint stride; // generators of a layer

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    uint first = id * (stride + 2u);
    uint length = 0u;
    Agent a = agents[chosen[id]];
    if (a.status == STATUS_WALKING) {
        points[first] = a.position;
        if (a.layer == OWN_POINT) {
            points[first + 1u] = traits[chosen[id]].own;
            length = 2u;
        } else if (a.target < stride) {
            uint index = a.target;
            vec2 at = a.position;
            for (length = 1u; length < stride + 2u && index < stride; length++) {
                Generator g = generators[a.layer * stride + index];
                if (g.kind == SECTOR_BEAM) {
                    vec2 a = onGround(ivec2(g.x, g.y));
                    vec2 along = onGround(ivec2(g.toX, g.toY)) - a;
                    at = a + along * clamp(dot(at - a, along) / dot(along, along), 0.0, 1.0);
                } else {
                    at = g.position;
                }
                points[first + length] = at;
                index = g.parent == index ? NONE : g.parent;
            }
        }
    }
    commands[id] = Command(length, 1u, first, 0u);
}
