#version 450 core
// Wavefront, sorting by generator: counts and numbers what each generator lights, without what it
// lit at a distance that turned out too long. Drawn in order of generators, the depth test keeps
// the lowest index where two are equally near.
//
// reads: generators. reads and writes: lit. writes: tally.

#include <Generator>
#include <Lit>
#include "include/numbers.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer Generators { Generator generators[]; };
layout(std430) buffer LitParts { Lit lit[]; };
layout(std430) buffer Tally { uint tally[]; };

uniform uint litCount; // in the page

void main() {
    uint threads = gl_NumWorkGroups.x * GROUP;
    for (uint i = gl_GlobalInvocationID.x; i < litCount; i += threads) {
        uint g = lit[i].generator;
        bool holds = floatBitsToUint(generators[g].distance) == lit[i].bits;
        lit[i].bits = holds ? atomicAdd(tally[g], 1u) : NONE;
    }
}
