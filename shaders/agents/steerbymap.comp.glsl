#version 450 core
// Tells agents that walk to a goal their preferred velocity: straight to the nearest source
// (direct), or along the shortest path map (spm). They are those whom steer.comp has left.
//
// Reads: traits, manners, agents before the step, stages, generators, walls, the map's
// parents and field, and what escape.comp has left in the guidance. Writes: guidance.
// Reference: agents.Reference.Steer. Paper: Farias and Kallmann 2018, section
// 5.1: an agent near the border of two regions compares the parents of the
// texels around it and takes the nearest that it sees.
//
// Where a layer's map is of ground with a clearance, sight is decided by the walls of that ground. Who stands inside the
// clearance goes the way out that escape.comp has found for the stage that he begins the step in.

#include <Traits>
#include <Agent>
#include <Guidance>
#include <Stage>
#include <Generator>
#include <Manner>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/guide.glsl"
#include "agents/texels.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430, binding = TRAITS_BINDING) readonly buffer TraitsOf { Traits traits[]; };
layout(std430, binding = BEFORE_BINDING) readonly buffer Before { Agent before[]; };
layout(std430, binding = GUIDANCE_BINDING) buffer GuidanceOf { Guidance guidance[]; };
layout(std430, binding = STAGES_BINDING) readonly buffer Stages { Stage stages[]; };
layout(std430, binding = GENERATORS_BINDING) readonly buffer Generators { Generator generators[]; };
layout(std430, binding = STEER_MANNERS_BINDING) readonly buffer Manners { Manner manners[]; };

uniform uint count;   // agents
uniform uint stride;  // generators of a layer
uniform bool trusted; // the map is that of the step before
uniform bool avoids;  // anybody avoids others: there are manners

#include "agents/wish.glsl"
#include "agents/later.glsl"
#include "agents/way.glsl"

// On which side of the way to a corner both of its walls lie: 1 left, -1 right, 0 where they do not lie on one.
int wallsBeside(Generator corner) {
    double from = cross64(s.at, placeOf(corner), ivec2(corner.fromX, corner.fromY));
    double to = cross64(s.at, placeOf(corner), ivec2(corner.toX, corner.toY));
    return min(from, to) >= 0.0lf && max(from, to) > 0.0lf ? 1 : (max(from, to) <= 0.0lf && min(from, to) < 0.0lf ? -1 : 0);
}

// Who keeps clear of walls cannot come to a corner of theirs, and where the corner itself stops him, his wish to get there
// leads nowhere. He wishes to come past it: along the tangent to a circle of his radius about it, on the side where the walls are
// not. Of maps with a clearance the corners are away from walls.
vec2 wishAlong(Way way, Stage stage, Traits t, vec2 place) {
    Generator corner = generators[s.base + min(way.target, stride - 1u)];
    bool keeps = avoids && manners[t.profile].method != 0u;
    bool bare = PLAIN == 1 || gridOf(stage.layer).w == wallGrid.w;
    int side = way.target >= stage.sources && way.target < stride && keeps && bare ? wallsBeside(corner) : 0;
    vec2 wish = wishFor(t, place, way.aim);
    precise vec2 d = way.aim - place;
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
    uint id = queuedFor(STEERING);
    if (id == NONE) {
        return;
    }
    Agent a = before[id];
    Traits t = traits[id];
    Guidance g = Guidance(vec2(0.0), vec2(0.0), INFINITY, NONE, a.layer, a.stage, STATUS_WALKING, a.arrivals);
    s.at = onLattice(a.position);
    s.from = ivec2(a.fromX, a.fromY);
    s.lean = a.lean;
    s.texel = texelOf(a.position);
    s.target = a.target;
    s.known = trusted && a.sees != 0u ? a.target : NONE;
    Way wayOut = NO_WAY;
    for (bool look = PLAIN == 0 && cleared; look; look = false) {
        Guidance found = guidance[id];
        wayOut = Way(found.target == WAY_OUT, double(INFINITY), found.target, found.preferred, 0.0);
    }

    // Who has arrived goes on to the next stage at once, but to one only: a loop
    // of goals close together must end.
    for (int arrivals = 0; arrivals < 2; arrivals++) {
        Stage stage = stages[t.firstStage + g.stage];
        g.layer = stage.layer;
        s.layer = int(stage.layer);
        s.base = stage.layer * stride;
        // Who walks straight does not mind clearances.
        bool straight = t.steering != STEERING_SPM;
        ivec4 ground = gridOf(stage.layer);
        s.grid = straight ? wallGrid : ground;
        s.open = s.grid.w != ground.w;
        Way way = wayFor(stage, straight, a.lost, arrivals == 0 ? wayOut : NO_WAY);
        g.target = way.target;
        g.distance = float(way.left);
        g.preferred = way.found ? wishAlong(way, stage, t, a.position) : vec2(0.0);
        if (!(g.distance <= max(stage.arrivalRadius, way.slack)) || arrivals == 1) {
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
