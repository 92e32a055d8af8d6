#version 450 core
// Computes the preferred velocities of agents that walk to a goal: straight to the nearest source
// (direct), or along the shortest path map (spm). They are those that guide.comp has deferred, and
// then those for which guidesearch.comp has searched: an agent that comes to a search leaves what
// it knows in its guidance, and goes on from there with what the search has found.
//
// Reads: traits, params, agents before the step, stages, generators, walls, the map's
// parents and field, searches, and what escape.comp has left in the guidance. Writes: guidance, and
// searches to be done.
// Reference: agents.Reference.Guide. Paper: Farias and Kallmann 2018, section
// 5.1: an agent near the border of two regions compares the parents of the
// texels around it and takes the nearest that it sees.
//
// Where a layer's map is of ground with a clearance, sight is decided by the walls of that ground.
// An agent inside the clearance goes the way out that escape.comp has found for the stage that it
// begins the step in.

#include "include/branch.glsl"
#include <Traits>
#include <Agent>
#include <Guidance>
#include <Stage>
#include <Generator>
#include <AvoidanceParams>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/generators.glsl"
#include "agents/texels.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) buffer GuidanceOf { Guidance guidance[]; };
layout(std430) readonly buffer Stages { Stage stages[]; };
layout(std430) readonly buffer Generators { Generator generators[]; };
layout(std430) readonly buffer Params { AvoidanceParams params[]; };

uniform uint count;   // agents
uniform uint stride;  // generators of a layer
uniform bool mapUnchanged; // the map is that of the step before
uniform bool avoids;  // any agent avoids others
uniform uint pass;    // agents are those that wait for this one: STEERING, or a search that is done
uniform uint next;    // agents that come to a search wait for this one

#include "agents/wish.glsl"
#include "agents/deferred.glsl"
#include "agents/search.glsl"
#include "agents/route.glsl"

// On which side of the way to a corner both of its walls lie: 1 left, -1 right, 0 where they do not
// lie on one.
int wallsBeside(Generator corner) {
    double from = cross64(s.at, placeOf(corner), ivec2(corner.fromX, corner.fromY));
    double to = cross64(s.at, placeOf(corner), ivec2(corner.toX, corner.toY));
    return min(from, to) >= 0.0lf && max(from, to) > 0.0lf ? 1 : (max(from, to) <= 0.0lf && min(from, to) < 0.0lf ? -1 : 0);
}

// An agent that keeps clear of walls cannot come to a corner of theirs, and where the corner itself
// stops it, its wish to get there leads nowhere. It wishes to come past it: along the tangent to a
// circle of its radius about it, on the side where the walls are not. Of maps with a clearance the
// corners are away from walls.
vec2 wishAlong(Route route, Stage stage, Traits t, vec2 place) {
    Generator corner = generators[s.base + min(route.target, stride - 1u)];
    bool keeps = avoids && params[t.profile].method != 0u;
    bool bare = POINT_SOURCES_ONLY == 1 || gridOf(stage.layer).w == wallGrid.w;
    int side = route.target >= stage.sources && route.target < stride && keeps && bare ? wallsBeside(corner) : 0;
    vec2 wish = wishFor(t, place, route.aim);
    precise vec2 d = route.aim - place;
    precise float straight = sqrt(d.x * d.x + d.y * d.y);
    if (side != 0 && straight > 0.0) {
        float sine = min(t.radius / straight, 1.0);
        precise float cosine = sqrt(max(1.0 - sine * sine, 0.0));
        float turned = side > 0 ? -sine : sine;
        vec2 u = d / straight;
        precise vec2 tangent = vec2(u.x * cosine - u.y * turned, u.y * cosine + u.x * turned);
        wish = tangent * min(t.preferredSpeed, t.maxSpeed);
    }
    return wish;
}

void main() {
    uint id = gl_WorkGroupID.y == 0u ? queuedFor(pass) : NONE; // searches have more rows of groups
    if (id == NONE) {
        return;
    }
    Agent a = before[id];
    Traits t = traits[id];
    bool searched = pass != STEERING;
    Search found;
    Guidance g = Guidance(vec2(0.0), vec2(0.0), vec2(0.0), INFINITY, NONE, a.layer, a.stage, STATUS_WALKING, a.arrivals);
    Route wayOut = NO_ROUTE;
    BRANCH (POINT_SOURCES_ONLY == 0 && cleared && !searched) {
        Guidance escape = guidance[id];
        wayOut = Route(escape.target == WAY_OUT, double(INFINITY), escape.target, escape.preferred, 0.0, false);
    }
    uint turn = 0u;
    if (searched) {
        found = searchOf(id);
        g = guidance[id];
        turn = found.turn;
    }
    s.target = turn == 0u ? a.target : NONE;
    s.known = mapUnchanged && a.sees != 0u ? s.target : NONE;

    // An agent that has arrived goes on to the next stage at once, but to one only: a loop
    // of goals close together must end.
    for (uint arrivals = turn; arrivals < 2u; arrivals++) {
        Stage stage = stages[t.firstStage + g.stage];
        bool straight = t.steering != STEERING_SPM;
        g.layer = stage.layer;
        seek(a, stage, straight);
        Route route = NO_ROUTE;
        if (searched) {
            route = routeFound(found, stage, straight);
        } else {
            route = routeFor(stage, straight, a.lost, arrivals == 0u ? wayOut : NO_ROUTE);
        }
        searched = false;
        if (route.open) {
            guidance[id] = g;
            search(next, id, id, arrivals, g.stage, shortest);
            return;
        }
        g.target = route.target;
        g.distance = float(route.left);
        g.preferred = route.found ? wishAlong(route, stage, t, a.position) : vec2(0.0);
        if (!(g.distance <= max(stage.arrivalRadius, route.slack)) || arrivals == 1u) {
            break;
        }
        if (g.stage + 1u < t.stages) {
            g.stage++;
            s.target = NONE;
            s.known = NONE;
            continue;
        }
        if (t.onArrival == ON_ARRIVAL_LOOP) {
            // A loop of one goal ends where it begins: it is reached once.
            if (t.stages == 1u) {
                g.arrivals = 1u;
                break;
            }
            g.arrivals++;
            g.stage = 0u;
            s.target = NONE;
            s.known = NONE;
            continue;
        }
        g.arrivals++;
        g.status = t.onArrival == ON_ARRIVAL_STAY ? STATUS_ARRIVED : STATUS_LEFT;
        g.preferred = vec2(0.0);
        break;
    }
    g.velocity = g.preferred; // unless others have to be avoided
    guidance[id] = g;
}
