#version 450 core
// Wavefront, sorting by generator: counts what each generator lights, without what it lit at a distance that turned out
// too long. Drawn in order of generators, the depth test keeps the lowest index where two are equally near.
//
// reads: generators, lit, front. writes: tally.

#include <Generator>
#include <Lit>
#include "include/numbers.glsl"
#include "include/front.glsl"

layout(local_size_x = GROUP) in;

layout(std430, binding = BIND_TALLY) buffer Tally { uint tally[]; };

void main() {
    uint total = min(front.lit, front.litRoom);
    uint threads = gl_NumWorkGroups.x * GROUP;
    for (uint i = gl_GlobalInvocationID.x; i < total; i += threads) {
        uint g = lit[i].generator;
        if (generators[g].distance == lit[i].distance) {
            atomicAdd(tally[g], 1u);
        }
    }
}
