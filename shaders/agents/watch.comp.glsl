#version 450 core
// Copies the states of watched agents into their records: what the map led them to, once
// guidance is known, which begins the record of the step; and where they have come to, at the
// end of the step.
//
// Reads: traits, agents before or after the step, guidance, generators. Writes: reasons.
// Reference: TestWatching.

#include "include/branch.glsl"
#include <Traits>
#include <Agent>
#include <Guidance>
#include <Generator>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/generators.glsl"
#include "agents/reasons.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Agents { Agent agents[]; };
layout(std430) readonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430) readonly buffer Generators { Generator generators[]; };

uniform uint stride;          // generators of a layer
uniform uint slots[REASON_MOST]; // of the watched agents, in order
uniform bool ends;            // the step ends

void begin(uint slot) {
    Agent a = agents[slot];
    Traits t = traits[slot];
    Guidance g = guidance[slot];
    for (uint row = 1u; row < REASON_GUIDED; row++) {
        keep(row, uvec4(0u));
    }
    vec2 corner = vec2(0.0);
    bool routed = g.status == STATUS_WALKING;
    if (g.layer == OWN_POINT) {
        corner = t.own;
    } else if (g.target < stride) {
        corner = aimOver(generators[g.layer * stride + g.target], onLattice(a.position));
    } else {
        routed = false;
    }
    keep(0u, uvec4(slot, a.status, a.lost, routed ? 1u : 0u));
    keep(REASON_GUIDED, uvec4(floatBitsToUint(vec3(g.preferred, g.distance)), g.target));
    keep(REASON_GUIDED + 1u, uvec4(g.layer, g.stage, g.status, floatBitsToUint(t.preferredSpeed)));
    keep(REASON_GUIDED + 2u, vec4(corner, a.position));
    keep(REASON_GUIDED + 3u, vec4(a.velocity, t.radius, t.maxSpeed));
}

void end(uint slot) {
    Agent a = agents[slot];
    Guidance g = guidance[slot];
    keep(REASON_MOVED, uvec4(floatBitsToUint(g.preferred), g.target, a.status));
    keep(REASON_MOVED + 1u, vec4(a.position, a.velocity));
    keep(REASON_MOVED + 2u, uvec4(floatBitsToUint(a.pushed), a.lost, a.arrivals));
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= watched) {
        return;
    }
    ownReasons = i * reasonRows;
    if (ends) {
        end(slots[i]);
    } else {
        begin(slots[i]);
    }
}
