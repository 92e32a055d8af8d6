// Work groups on maps: MAPS maps each, CREW invocations a map, none of more than EDGE cells along a side. Every invocation has to come by
// every sync(), so a crew without a map goes along and does nothing.
//
// Needs: bvp/map.glsl.

layout(local_size_x = MAPS * CREW) in;

uniform uint firstWalker; // of this dispatch
uniform uint walkerCount;

uint lane = 0u; // of the crew
uint crew = 0u; // of the work group
uint map = 0u;  // of the crew, counted from the dispatch's first; crews beyond the last have none

// False too for invocations that a device adds to fill its vectors, so that they leave loops at once.
bool exists() {
    return map < walkerCount && crew < uint(MAPS);
}

// The walker of a map; the last one's for those beyond.
uint walkerOf(uint map) {
    return firstWalker + min(map, walkerCount - 1u);
}

void join() {
    crew = gl_LocalInvocationIndex / uint(CREW);
    lane = gl_LocalInvocationIndex % uint(CREW);
    map = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(MAPS) + crew;
}

void sync() {
    memoryBarrierShared();
    barrier();
}
