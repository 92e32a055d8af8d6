#version 450 core
// Lists the agents that have come into areas or gone out of them, and that have passed gates, since
// the step before: by where they were at the end of that step, so that what the host moves counts,
// too. It appends to the events of the step.
//
// Reads: agents after the step, areas. Reads and writes: presence, the list of events.
// Reference: agents.Reference.Areas.

#include <Agent>
#include <Presence>
#include "include/status.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer After { Agent after[]; };
layout(std430) readonly buffer Corners { vec2 corners[]; };
layout(std430) readonly buffer Ranges { uvec2 ranges[]; }; // first corner, how many
layout(std430) buffer PresenceOf { Presence presence[]; };
layout(std430) buffer List { uint list[]; }; // how many, then slots, kinds and areas

uniform uint count; // agents
uniform uint areas;
uniform uint fresh; // bits of areas that no step has looked at
uniform uint room;  // entries of the list

// The side of a line on which a point is: above 0 on the left of the way from a to b.
float side(vec2 a, vec2 b, vec2 p) {
    precise vec2 along = b - a;
    precise vec2 to = p - a;
    precise float one = along.x * to.y;
    precise float other = along.y * to.x;
    precise float sum = one - other;
    return sum;
}

// Whether a ray from the point to the right crosses the edge. Edges that areas share have the same
// answer for both, so that a point between two areas is in one of them.
bool crosses(vec2 a, vec2 b, vec2 p) {
    bool up = a.y < b.y;
    vec2 low = up ? a : b;
    vec2 high = up ? b : a;
    return low.y <= p.y && p.y < high.y && side(low, high, p) > 0.0;
}

bool contains(uvec2 range, vec2 p) {
    bool inside = false;
    vec2 a = corners[range.x + range.y - 1u];
    for (uint i = 0u; i < range.y; i++) {
        vec2 b = corners[range.x + i];
        inside = inside != crosses(a, b, p);
        a = b;
    }
    return inside;
}

void report(uint id, uint kind, uint area) {
    uint n = atomicAdd(list[0], 1u);
    if (n < room) {
        list[1u + 3u * n] = id;
        list[2u + 3u * n] = kind;
        list[3u + 3u * n] = area;
    }
}

// What an agent that went from one place to another did at a gate.
uint passage(uvec2 range, vec2 from, vec2 to) {
    vec2 a = corners[range.x];
    vec2 b = corners[range.x + 1u];
    bool wasLeft = side(a, b, from) > 0.0;
    bool isLeft = side(a, b, to) > 0.0;
    bool through = (side(from, to, a) > 0.0) != (side(from, to, b) > 0.0);
    return wasLeft == isLeft || !through ? 0u : isLeft ? EVENT_CAME_IN : EVENT_WENT_OUT;
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Presence was = presence[id];
    Agent a = after[id];
    bool there = isThere(a.status);
    bool wasThere = was.there == 1u && fresh != 0xffffffffu;
    uint before = was.inside & ~fresh;
    uint inside = 0u;
    for (uint k = 0u; k < areas; k++) {
        uvec2 range = ranges[k];
        uint bit = 1u << k;
        uint kind = 0u;
        if (range.y == 2u) {
            kind = there && wasThere ? passage(range, vec2(was.x, was.y), a.position) : 0u;
        } else if (range.y > 2u) {
            bool is = there && contains(range, a.position);
            inside |= is ? bit : 0u;
            kind = is == ((before & bit) != 0u) ? 0u : is ? EVENT_CAME_IN : EVENT_WENT_OUT;
        }
        if (kind != 0u) {
            report(id, kind, k);
        }
    }
    presence[id] = Presence(inside, there ? 1u : 0u, a.position.x, a.position.y);
}
