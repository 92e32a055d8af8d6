#version 450 core
// Wavefront, sorting by generator: writes what is drawn, each in its place, with all that drawing
// needs. Of a page of lit parts what belongs into a page of shards.
//
// reads: generators, faces, lit, tally. writes: shards.

#include <Generator>
#include <Face>
#include <Lit>
#include <Shard>
#include "include/numbers.glsl"
#include "include/exact.glsl"
#include "include/ray.glsl"
#include "include/slot.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer Generators { Generator generators[]; };
layout(std430) readonly buffer LitParts { Lit lit[]; };
layout(std430) readonly buffer Faces { Face faces[]; };
layout(std430) readonly buffer Tally { uint tally[]; };
layout(std430) writeonly buffer Shards { Shard shards[]; };

uniform uint litCount;   // in the page
uniform uint first;      // of the page of shards
uniform uint pageLength; // in shards

void main() {
    uint threads = gl_NumWorkGroups.x * GROUP;
    for (uint i = gl_GlobalInvocationID.x; i < litCount; i += threads) {
        Lit l = lit[i];
        uint place = tally[l.generator] + l.bits - first;
        if (l.bits == NONE || place >= pageLength) {
            continue;
        }
        Generator g = generators[l.generator];
        Face f = faces[l.face];
        ivec2 a = ivec2(f.ax, f.ay);
        ivec2 b = ivec2(f.bx, f.by);
        ivec2 c = ivec2(f.cx, f.cy);
        // Turned so that light comes in by the edge from c to a. Where it starts from a segment, so
        // that it leaves by the edge from a to b, and there is no c.
        uint side = l.entry >= FROM_SEGMENT ? l.entry - FROM_SEGMENT : l.entry;
        uint entry = l.entry >= FROM_SEGMENT ? 0u : 2u;
        if (side != entry) {
            ivec2 old = a;
            bool next = side == (entry == 2u ? 0u : 1u);
            a = next ? b : c;
            b = next ? c : old;
            c = next ? old : ivec2(f.bx, f.by);
        }
        c = l.entry >= FROM_SEGMENT ? b : c;
        ivec2 right = ivec2(l.rightX, l.rightY);
        ivec2 left = ivec2(l.leftX, l.leftY);
        ivec2 ahead = raysOf(g).ahead;
        if (l.entry == WHOLE_FACE) { // no rays but a box
            ahead = left;
            left = right;
            right = ivec2(g.x, g.y);
        }
        shards[place] = Shard(g.position, g.distance, l.generator - slotBase(l.generator), g.x, g.y, a.x, a.y, b.x, b.y, c.x, c.y,
            right.x, right.y, left.x, left.y, ahead.x, ahead.y);
    }
}
