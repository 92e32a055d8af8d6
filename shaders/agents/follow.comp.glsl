#version 450 core
// Writes the paths of chosen agents as line strips: from the agent over the generator that it walks to on the maps and walls of
// now, as its next step would find it, and from parent to parent to the source. Targets of the last step are hints only: their
// maps may have been replaced since. A path visits a generator at most once, so stride + 2 points hold it, and nothing is cut
// off. An agent that is not on its way, that walls have come to lie on, that leaves a clearance, explores, or sees no
// generator gets a strip of no points. Over a beam the path leads to the foot, on the beam, of the point before it.
//
// Reads: the chosen indices, traits, agents after the step, stages, generators, walls, the map's parents and field. Writes:
// points, stride + 2 for each chosen, and the draw command of each strip.
// Reference: agents.Reference.Steer, and parents.

#include <Traits>
#include <Agent>
#include <Stage>
#include <Generator>
#include <Command>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/guide.glsl"
#include "agents/texels.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = TRAITS_BINDING) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = BEFORE_BINDING) readonly buffer Agents { Agent agents[]; };
layout(std430, binding = STAGES_BINDING) readonly buffer Stages { Stage stages[]; };
layout(std430, binding = CHOSEN_BINDING) readonly buffer Chosen { uint chosen[]; };
layout(std430, binding = GENERATORS_BINDING) readonly buffer Generators { Generator generators[]; };
layout(std430, binding = POINTS_BINDING) writeonly buffer Points { vec2 points[]; };
layout(std430, binding = COMMANDS_BINDING) writeonly buffer Commands { Command commands[]; };

uniform uint count;  // of chosen agents
uniform uint stride; // generators of a layer
uniform bool buried; // no ground is free

#include "agents/way.glsl"

// The generator that an agent walks to, or NONE.
uint targetOf(Agent a, Traits t) {
    s.at = onLattice(a.position);
    s.from = ivec2(a.fromX, a.fromY);
    s.lean = a.lean;
    s.texel = texelOf(a.position);
    s.target = a.target;
    s.base = a.layer * stride;
    s.layer = int(a.layer);
    bool straight = t.steering != STEERING_SPM;
    ivec4 ground = gridOf(a.layer);
    s.grid = straight ? wallGrid : ground;
    s.open = s.grid.w != ground.w;
    uint target = NONE;
    if (a.target != ELSEWHERE && isFree(wallGrid, s.at)) {
        target = wayFor(stages[t.firstStage + a.stage], straight, a.lost, NO_WAY).target;
    }
    return target;
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    uint first = id * (stride + 2u);
    uint length = 0u;
    Agent a = agents[chosen[id]];
    Traits t = traits[chosen[id]];
    if (a.status == STATUS_WALKING && !buried) {
        points[first] = a.position;
        if (a.layer == OWN_POINT) {
            points[first + 1u] = t.own;
            length = 2u;
        } else {
            uint index = targetOf(a, t);
            vec2 at = a.position;
            for (length = index < stride ? 1u : 0u; length < stride + 2u && index < stride; length++) {
                Generator g = generators[a.layer * stride + index];
                if (isBeam(g)) {
                    vec2 a = onGround(placeOf(g));
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
