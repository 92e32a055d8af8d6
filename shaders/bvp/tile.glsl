// Work groups on maps: MAPS maps each, a tile of TILE invocations a map, none of more than EDGE
// cells along a side. Every invocation has to come by every sync(), so a tile without a map idles.
//
// Needs: bvp/map.glsl.

layout(local_size_x = MAPS * TILE) in;

uniform uint firstWalker; // of this dispatch
uniform uint walkerCount;

uint lane = 0u; // of the tile
uint tile = 0u; // of the work group
uint map = 0u;  // of the tile, counted from the dispatch's first; tiles beyond the last have none

// False too for invocations that a device adds to fill its vectors, so that they leave loops at
// once.
bool exists() {
    return map < walkerCount && tile < uint(MAPS);
}

// The walker of a map; the last one's for those beyond.
uint walkerOf(uint map) {
    return firstWalker + min(map, walkerCount - 1u);
}

void join() {
    tile = gl_LocalInvocationIndex / uint(TILE);
    lane = gl_LocalInvocationIndex % uint(TILE);
    map = gl_WorkGroupID.x * uint(MAPS) + tile;
}

void sync() {
    memoryBarrierShared();
    barrier();
}
