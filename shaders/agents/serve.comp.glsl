#version 450 core
// Holds agents at goals that serve, and has others wait in a line: see serve.go. An agent has arrived
// where its guidance goes on to the next stage. That is taken back until its service is over.
//
// Reads: traits, agents before the step, stages, the table of services, lines. Reads and writes:
// guidance, desks. Writes: the lines after the step, but for those that join.

#include "include/branch.glsl"
#include <Traits>
#include <Agent>
#include <Guidance>
#include <Stage>
#include <DeskState>
#include <InLine>
#include "include/numbers.glsl"
#include "include/rand.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) readonly buffer Stages { Stage stages[]; };
layout(std430) readonly buffer Table { uint table[]; }; // of each layer places, then times in steps
layout(std430) readonly buffer Lines { InLine lines[]; };
layout(std430) buffer GuidanceOf { Guidance guidance[]; };
layout(std430) buffer Desks { DeskState desks[]; };
layout(std430) writeonly buffer Next { InLine next[]; };

uniform uint count;  // agents
uniform uint layers; // of the maps
uniform uint clock;  // this step
uniform float horizon; // the longest one of all profiles, s
uniform uvec2 seed;

#include "agents/wish.glsl"
#include "agents/shortened.glsl"
#include "agents/line.glsl"

float gapBetween(uint id, uint other) {
    precise vec2 d = before[id].position - before[other].position;
    precise float apart = sqrt(d.x * d.x + d.y * d.y);
    return apart - traits[id].radius - traits[other].radius;
}

// How far apart the centers of agents of a line want to be.
float spacing(Traits t, uint other) {
    return t.radius + traits[other].radius + LINE_GAP;
}

// The velocity by which an agent comes to its place in the line. It slows down so that it would not
// reach the disc ahead within the time horizon: methods then neither turn it aside nor push that.
vec2 closingUp(uint id, Agent a, Traits t, uint other) {
    vec2 behind = vec2(lines[other].behindX, lines[other].behindY);
    precise vec2 spot = before[other].position + behind * spacing(t, other);
    precise vec2 d = spot - a.position;
    precise float off = sqrt(d.x * d.x + d.y * d.y);
    // Behind one that has never walked no side is the right one.
    bool stays = off <= 0.5 * LINE_GAP || (behind == vec2(0.0) && gapBetween(id, other) <= LINE_GAP);
    return stays ? vec2(0.0) : shortened(wishFor(t, a.position, spot), (off + LINE_GAP) / horizon);
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    InLine was = lines[id];
    InLine here = InLine(was.behindX, was.behindY, was.left, was.target, 0u, was.ahead, 0u, 0u);
    Agent a = before[id];
    Traits t = traits[id];
    Guidance g = guidance[id];
    Stage stage = stages[t.firstStage + a.stage];
    bool walks = a.status == STATUS_WALKING || (a.status == STATUS_WAITING && g.status != STATUS_WAITING);
    uint layer = stage.layer;
    uint places = walks && layer < layers ? table[layer * (1u + TIME_PARTS)] : 0u;
    if (places == 0u) {
        next[id] = here;
        return;
    }
    bool arrived = g.stage != a.stage || g.arrivals != a.arrivals || g.status != STATUS_WALKING;
    precise float squared = g.preferred.x * g.preferred.x + g.preferred.y * g.preferred.y;
    bool walked = !arrived && g.target != NONE && squared > 0.0;
    here.behindX = walked ? -g.preferred.x / sqrt(squared) : was.behindX;
    here.behindY = walked ? -g.preferred.y / sqrt(squared) : was.behindY;
    here.left = arrived ? 0.0 : g.distance;
    here.target = walked ? g.target : was.target;

    bool waited = was.line == layer + 1u;
    bool unlimited = places == 0xffffffffu;
    uint ahead = waited ? stillAhead(was.ahead, layer + 1u) : 0u;
    bool there = ahead != 0u && lines[ahead - 1u].line == layer + 1u;
    // One that was there before comes again behind: nothing is ahead any more.
    bool late = there && lines[ahead - 1u].since >= was.since;
    ahead = late ? 0u : ahead;
    bool first = ahead == 0u || (there && lines[ahead - 1u].until != 0u);
    uint until = waited ? was.until : 0u;
    bool isCalled = until == 0u && (waited ? first && (unlimited || desks[layer].called < places) : unlimited && arrived);
    BRANCH (isCalled) {
        uint part = philox(uvec4(STREAM_SERVICE, id, clock, 0u), seed).x % TIME_PARTS;
        until = clock + table[layer * (1u + TIME_PARTS) + 1u + part] - 1u;
    }

    bool member = waited || isCalled;
    bool served = member && until != 0u && arrived && clock >= until;
    if (served) {
        next[id] = here;
        return;
    }
    if (member) {
        here.line = layer + 1u;
        here.ahead = ahead;
        here.until = until;
        here.since = waited ? was.since : clock;
        if (until != 0u) {
            atomicAdd(desks[layer].counts, 1u);
        }
    } else {
        uint last = desks[layer].last;
        uint other = max(last, 1u) - 1u;
        float gap = gapBetween(id, other);
        bool near = last != 0u && (gap <= LINE_REACH || g.distance <= stage.arrivalRadius + 2.0 * t.radius + LINE_GAP);
        if (arrived || near) {
            // The nearest to the last one, in tenths of a meter, then the lowest slot.
            uint off = last == 0u ? 0u : uint(clamp(10.0 * gap, 0.0, 254.0));
            atomicMax(desks[layer].joins, ~(off << 24 | id));
        }
    }
    next[id] = here;

    bool waits = member && until == 0u;
    bool follows = waits && ahead != 0u && there;
    uint other = max(ahead, 1u) - 1u;
    bool far = follows && walked && g.target != lines[other].target && g.distance > lines[other].left + 2.0 * spacing(t, other);
    if (arrived || (waits && !far)) {
        vec2 wish = follows ? closingUp(id, a, t, other) : vec2(0.0);
        g.stage = a.stage;
        g.layer = layer;
        g.arrivals = a.arrivals;
        g.status = STATUS_WALKING;
        g.target = IN_SERVICE;
        g.distance = arrived ? 0.0 : g.distance;
        g.preferred = wish;
        g.velocity = wish;
        guidance[id] = g;
    }
}
