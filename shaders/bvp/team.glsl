// Work groups on maps: MAPS maps each, TEAM invocations a map, none of more than EDGE cells along a side. Every invocation has to come by
// every sync(), so a team without a map goes along and does nothing.
//
// Needs: bvp/map.glsl.

layout(local_size_x = MAPS * TEAM) in;

uniform uint firstWalker; // of this dispatch
uniform uint walkerCount;

uint lane = 0u; // of the team
uint team = 0u; // of the work group
uint map = 0u;  // of the team, counted from the dispatch's first; teams beyond the last have none

bool exists() {
    return map < walkerCount;
}

// The walker of a map; the last one's for those beyond.
uint walkerOf(uint map) {
    return firstWalker + min(map, walkerCount - 1u);
}

void join() {
    team = gl_LocalInvocationIndex / uint(TEAM);
    lane = gl_LocalInvocationIndex % uint(TEAM);
    map = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(MAPS) + team;
}

void sync() {
    memoryBarrierShared();
    barrier();
}
