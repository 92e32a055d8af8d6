#version 450 core
// Adds every agent to a grid of cells over the screen: its weight, that times its speed, and that times how much it is to be
// shaded. The weight is shared by the four cells around it. Sums are of whole units, so that the order of additions is no matter.
//
// reads: agents, traits. writes: sums, three a cell, zero before.

#include <Agent>
#include <Traits>
#include "include/status.glsl"
#include "render/agent.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer Agents { Agent agents[]; };
layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) buffer Sums { uint sums[]; };

uniform uint agentCount;
uniform mat4 viewMatrix;
uniform vec2 viewSize;   // pixels
uniform float pixelRatio;
uniform float scale;     // pixels a meter
uniform float behind;    // seconds of the last step that are still to be shown
uniform ivec2 cells;     // of the grid, its margin included
uniform float cellWidth; // pixels
uniform float unit;      // units of an agent's weight
uniform float speedUnit; // units of a meter a second
uniform bool discs;      // larger agents are drawn as discs

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= agentCount || !isThere(agents[id].status)) {
        return;
    }
    Agent a = agents[id];
    vec4 clip = viewMatrix * vec4(a.position - behind * a.velocity, 0.0, 1.0);
    vec2 at = (clip.xy * 0.5 + 0.5) * viewSize / cellWidth + float(MARGIN) - 0.5; // from the middle of cell 0
    ivec2 low = ivec2(floor(at));
    if (any(lessThan(low, ivec2(0))) || any(greaterThanEqual(low, cells - 1))) {
        return;
    }
    vec2 share = at - vec2(low);
    float speed = min(length(a.velocity), SPEED_MOST);
    float shaded = discs ? 1.0 - discShare(traits[id].radius * scale / pixelRatio) : 1.0;
    for (int i = 0; i < 4; i++) {
        ivec2 side = ivec2(i & 1, i >> 1);
        vec2 part = mix(1.0 - share, share, vec2(side));
        float weight = part.x * part.y;
        uint cell = 3u * uint((low.y + side.y) * cells.x + low.x + side.x);
        atomicAdd(sums[cell], uint(weight * unit + 0.5));
        atomicAdd(sums[cell + 1u], uint(weight * speed * speedUnit + 0.5));
        atomicAdd(sums[cell + 2u], uint(weight * shaded * unit + 0.5));
    }
}
