#version 450 core
// The greatest distance of a map: the bits of floats that are not negative are ordered as they are.
//
// reads: field. writes: peak, zero before.

layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2DArray field;
layout(std430) buffer Peak { uint peak; };

uniform int mapLayer;

shared uint most;

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        most = 0u;
    }
    barrier();
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(texel, textureSize(field, 0).xy))) {
        vec4 known = texelFetch(field, ivec3(texel, mapLayer), 0);
        if (known.w == STATE_REACHED) {
            atomicMax(most, floatBitsToUint(known.z));
        }
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicMax(peak, most);
    }
}
