#version 450 core
// Wavefront, start: sources offer their distance to the corners of the triangles that they are in.
//
// reads: generators, and the queue of offers that the first wave does not read. reads and writes:
// front, reach. writes: offers.

#include <Generator>
#include <Face>
#include <Window>
#include <Lit>
#include <Offer>
#include "include/numbers.glsl"
#include "include/exact.glsl"
#include "include/ray.glsl"
#include "include/light.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer Generators { Generator generators[]; };

uniform uint count;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        Offer o = offers[front.offerCapacity + i];
        Generator g = generators[o.generator];
        offer(0u, o.corner, o.generator, g.distance + straightTo(g, generators[o.corner].position));
    }
}
