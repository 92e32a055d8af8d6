#version 450 core
// Makes of every generator of a layer what drawing needs of it, once a frame, so that no pixel has to follow parents.
//
// The color of a corner's region is chosen by a hash of the corner's place alone, that of a source's by the source's number: a
// region keeps its color whatever moves elsewhere. A line between regions separates two that have the same one.
//
// reads: generators. writes: cones, tree (a generator's place and its parent's, that of a beam the foot on its leg), feet (only these).

#include <Generator>
#include <Cone>
#include "include/numbers.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer Generators { Generator generators[]; };
layout(std430) writeonly buffer Cones { Cone cones[]; };
layout(std430) writeonly buffer Tree { vec4 tree[]; };
layout(std430) writeonly buffer Feet { vec2 feet[]; };

uniform uint generatorBase; // first record of the layer
uniform uint generatorCount;
uniform float latticeStep; // meters

const vec2 NOWHERE = vec2(-1e9); // meters, out of every picture

// Neighboring places get unlike words: odd multipliers spread the coordinates, shifts bring the high bits down.
uint hash(ivec2 place) {
    uint h = uint(place.x) * 0x9E3779B9u ^ uint(place.y) * 0xC2B2AE35u;
    h = (h ^ h >> 16) * 0x7FEB352Du;
    return h ^ h >> 13;
}

// The parent of a generator; a source has none, though its record may name itself.
uint parentOf(uint index) {
    if (index == NONE) {
        return NONE;
    }
    uint parent = generators[generatorBase + index].parent;
    return parent == index ? NONE : parent;
}

// The number of a generator's color.
uint tintOf(uint index) {
    Generator g = generators[generatorBase + index];
    return parentOf(index) == NONE ? index % TINTS : hash(ivec2(g.x, g.y)) % (TINTS * SHADES);
}

float cross2(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

// The leg of a beam from end to end, meters.
vec2 legOf(Generator g) {
    return vec2(g.toX - g.x, g.toY - g.y) * latticeStep;
}

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= generatorCount) {
        return;
    }
    Generator g = generators[generatorBase + index];
    Cone c;
    c.position = g.position;
    c.distance = g.distance;
    c.parent = parentOf(index);
    c.second = parentOf(c.parent);
    c.third = parentOf(c.second);
    c.along = vec2(0.0);
    c.wall = vec2(0.0);
    c.turn = 0.0;
    tree[index] = vec4(NOWHERE, NOWHERE);
    feet[index] = NOWHERE;
    if (g.kind == KIND_BEAM) {
        c.along = legOf(g);
        c.turn = 2.0;
    } else if (c.parent != NONE) {
        Generator p = generators[generatorBase + c.parent];
        vec2 foot = p.position;
        c.along = g.position - foot;
        if (p.kind == KIND_BEAM) {
            vec2 leg = legOf(p);
            foot += leg * dot(c.along, leg) / dot(leg, leg);
            c.along = vec2(-leg.y, leg.x); // as all light of the beam
            feet[index] = foot;
        }
        tree[index] = vec4(g.position, foot);
        vec2 from = vec2(g.fromX - g.x, g.fromY - g.y);
        vec2 to = vec2(g.toX - g.x, g.toY - g.y);
        // Paths turn towards the obstacle, which lies where both of its walls do.
        c.turn = cross2(c.along, normalize(from) + normalize(to)) > 0.0 ? 1.0 : -1.0;
        c.wall = c.turn > 0.0 ? to : from;
    }

    c.tint = tintOf(index);
    cones[index] = c;
}
