#version 450 core
// Wavefront, sorting by generator: writes what is drawn, each in its place, with all that drawing needs.
//
// reads: generators, faces, lit, front. reads and writes: tally. writes: shards.

#include <Generator>
#include <Face>
#include <Lit>
#include <Shard>
#include "include/front.glsl"

layout(local_size_x = GROUP) in;

layout(std430, binding = BIND_FACES) readonly buffer Faces { Face faces[]; };
layout(std430, binding = BIND_TALLY) buffer Tally { uint tally[]; };
layout(std430, binding = BIND_SHARDS) writeonly buffer Shards { Shard shards[]; };

void main() {
    uint total = min(front.lit, front.litRoom);
    uint threads = gl_NumWorkGroups.x * GROUP;
    for (uint i = gl_GlobalInvocationID.x; i < total; i += threads) {
        Lit l = lit[i];
        Generator g = generators[base + l.generator];
        if (g.distance != l.distance) {
            continue;
        }
        Face f = faces[l.face];
        uint place = atomicAdd(tally[l.generator], 1u);
        shards[place] = Shard(g.position, g.distance, l.generator, g.x, g.y, f.ax, f.ay, f.bx, f.by, f.cx, f.cy,
            l.rightX, l.rightY, l.leftX, l.leftY);
    }
}
