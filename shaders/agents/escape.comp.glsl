#version 450 core
// Finds the way out for agents that stand inside the clearance of their goal's map: the nearest
// place on the map's ground that they see past the real walls, and from where a source can be
// reached as far as texels say.
//
// Reads: traits, agents before the step, stages, walls, the map's parents and field. Writes:
// guidance of those agents, for guide.comp: WAY_OUT as target and the place instead of a velocity,
// or no target. An agent that sees no way out looks for one only in two steps of 16: in the second
// because an agent that turns to a new goal has its clearance only then.
// Reference: agents.Reference.Guide.

#include "include/branch.glsl"
#include <Traits>
#include <Agent>
#include <Guidance>
#include <Stage>
#include "include/numbers.glsl"
#include "include/walls.glsl"
#include "agents/place.glsl"
#include "agents/nearest.glsl"
#include "agents/texels.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) readonly buffer TraitsOf { Traits traits[]; };
layout(std430) readonly buffer Before { Agent before[]; };
layout(std430) writeonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430) readonly buffer Stages { Stage stages[]; };

uniform uint count; // agents
uniform uint first; // of this dispatch
uniform uint clock; // this step

// An agent that looks for the way out.
ivec2 at = ivec2(0);
ivec2 from = ivec2(0);
int perturbation = 0;
int layer = 0;
bool sure = true; // wants no unreached ground beside the place: it might belong to that

bool accepts(ivec2 p) {
    uint states = around(layer, texelOf(onGround(p)));
    bool promising = sure ? (states & SOME_UNREACHED) == 0u : states != SOME_UNREACHED;
    return promising && reaches(wallGrid, at, from, perturbation, p) != 0u;
}

void main() {
    uint id = first + gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Agent a = before[id];
    Traits t = traits[id];
    uint goal = stages[t.firstStage + a.stage].layer;
    bool walks = a.status == STATUS_WALKING || (a.status == STATUS_WAITING && clock >= t.entry && a.lost == 0u);
    BRANCH (walks && t.steering == STEERING_SPM && goal != OWN_POINT) {
        ivec4 grid = wallRecord(int(goal));
        at = onLattice(a.position);
        from = ivec2(a.fromX, a.fromY);
        perturbation = a.perturbation;
        layer = int(goal);
        bool inside = grid.w != wallGrid.w && !isFree(grid, at);
        ivec2 place = at;
        bool found = false;
        for (int try = inside && (a.lost & 15u) < 2u ? 0 : 2; try < 2 && !found; try++) {
            sure = try == 0;
            found = nearestFree(grid, at, place);
        }
        guidance[id].target = found ? WAY_OUT : NONE;
        guidance[id].preferred = onGround(place);
    }
}
