#version 450 core
// Wavefront, sorting by generator: writes what is drawn, each in its place, with all that drawing needs.
//
// reads: generators, faces, lit, front. reads and writes: tally. writes: shards.

#include <Generator>
#include <Face>
#include <Lit>
#include <Shard>
#include "include/numbers.glsl"
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
        Generator g = generators[l.generator];
        if (g.distance != l.distance) {
            continue;
        }
        Face f = faces[l.face];
        ivec2 a = ivec2(f.ax, f.ay);
        ivec2 b = ivec2(f.bx, f.by);
        ivec2 c = ivec2(f.cx, f.cy);
        // Turned so that light comes in by the edge from c to a.
        if (l.entry != 2u) {
            ivec2 first = a;
            a = l.entry == 0u ? b : c;
            b = l.entry == 0u ? c : first;
            c = l.entry == 0u ? first : ivec2(f.bx, f.by);
        }
        uint place = atomicAdd(tally[l.generator], 1u);
        shards[place] = Shard(g.position, g.distance, l.generator - slotBase(l.generator), g.x, g.y, a.x, a.y, b.x, b.y, c.x, c.y,
            l.rightX, l.rightY, l.leftX, l.leftY);
    }
}
