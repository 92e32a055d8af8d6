#version 450 core
// Finds what chosen agents walk to on the maps and walls of now, as their next step would, and
// begins the strips of their ways, which path.comp goes on with: for all, and then for those for
// which guidesearch.comp has searched. Targets of the last step are hints only: their maps may have
// been replaced since. An agent that is not on its way, that walls have come to lie on, that leaves
// a clearance, explores, or sees no generator gets a strip of no points.
//
// Reads: traits, agents after the step, stages, generators, walls, the map's parents and field.
// Reads and writes: searches, with the chosen indices: as `best` they keep the generator that the
// strip goes on over, or NONE. Writes: points, stride + 2 for each chosen, and the draw command of
// each strip.
// Reference: agents.Reference.Guide.

#include <Traits>
#include <Agent>
#include <Stage>
#include <Generator>
#include <Command>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/generators.glsl"
#include "agents/texels.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Agents { Agent agents[]; };
layout(std430) readonly buffer Stages { Stage stages[]; };
layout(std430) readonly buffer Generators { Generator generators[]; };
layout(std430) writeonly buffer Points { vec2 points[]; };
layout(std430) writeonly buffer Commands { Command commands[]; };

uniform uint count;  // of chosen agents
uniform uint first;  // of this dispatch
uniform uint stride; // generators of a layer
uniform bool buried; // no ground is free
uniform uint pass;   // STEERING for all, or those that wait for this one, a search that is done

#include "agents/deferred.glsl"
#include "agents/search.glsl"
#include "agents/route.glsl"

void main() {
    bool searched = pass != STEERING;
    uint id = searched ? queuedFor(pass) : first + gl_GlobalInvocationID.x;
    if (id >= count || gl_WorkGroupID.y > 0u) { // searches have more rows of groups
        return;
    }
    Search chosen = searchOf(id);
    Agent a = agents[chosen.agent];
    Traits t = traits[chosen.agent];
    uint strip = id * (stride + 2u);
    uint length = 0u;
    uint target = NONE;
    if (a.status == STATUS_WALKING && !buried) {
        points[strip] = a.position;
        if (a.layer == OWN_POINT) {
            points[strip + 1u] = t.own;
            length = 2u;
        } else if (a.target != ELSEWHERE && isFree(wallGrid, onLattice(a.position))) {
            Stage stage = stages[t.firstStage + a.stage];
            bool straight = t.steering != STEERING_SPM;
            seek(a, stage, straight);
            s.target = a.target;
            Route route = NO_ROUTE;
            if (searched) {
                route = routeFound(chosen, stage, straight);
            } else {
                route = routeFor(stage, straight, a.lost, NO_ROUTE);
            }
            if (route.open) {
                search(SEARCHING, id, chosen.agent, 0u, a.stage, shortest);
                return;
            }
            target = route.target;
            length = target < stride ? 1u : 0u;
        }
    }
    chosen.best = target < stride ? target : NONE;
    keepSearch(id, chosen);
    commands[id] = Command(length, 1u, strip, 0u);
}
