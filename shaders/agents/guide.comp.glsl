#version 450 core
// Computes the guidance of agents that stand, and of those that walk straight to their own goal
// point. Agents that walk by a map are deferred to guidebymap.comp.
//
// Reads: traits, agents before the step, stages. Writes: guidance.
// Reference: agents.Reference.Guide.

#include <Traits>
#include <Agent>
#include <Guidance>
#include <Stage>
#include "include/numbers.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) writeonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430) readonly buffer Stages { Stage stages[]; };

uniform uint count;  // agents
uniform uint clock;  // this step
uniform bool buried; // no ground is free

#include "agents/wish.glsl"
#include "agents/deferred.glsl"

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Agent a = before[id];
    Traits t = traits[id];
    bool enters = a.status == STATUS_WAITING && clock >= t.entry && a.lost == 0u;
    uint status = enters ? STATUS_WALKING : a.status;
    bool walks = status == STATUS_WALKING && !buried;
    // An own point is the only stage of an itinerary.
    Stage stage = stages[t.firstStage];
    if (walks && stage.layer != OWN_POINT) {
        queueFor(STEERING, id);
        return;
    }
    Guidance g = Guidance(vec2(0.0), vec2(0.0), vec2(0.0), INFINITY, NONE, a.layer, a.stage, status, a.arrivals);
    if (walks) {
        g.distance = distance(a.position, t.own);
        g.preferred = wishFor(t, a.position, t.own);
        bool arrives = g.distance <= stage.arrivalRadius;
        // A loop of one goal ends where it begins: it is reached once.
        bool ends = arrives && t.onArrival != ON_ARRIVAL_LOOP;
        g.arrivals = ends ? a.arrivals + 1u : (arrives ? 1u : a.arrivals);
        g.status = ends ? (t.onArrival == ON_ARRIVAL_STAY ? STATUS_ARRIVED : STATUS_LEFT) : status;
        g.preferred = ends ? vec2(0.0) : g.preferred;
    }
    g.velocity = g.preferred; // unless others have to be avoided
    guidance[id] = g;
}
