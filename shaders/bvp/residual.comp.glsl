#version 450 core
// The most by which a free cell of each map differs from what equation 3 asks of it.
//
// Reads: walkers, settings, potentials. Writes: residuals.
// Reference: bvp.Residual, bit for bit.

#include "bvp/map.glsl"
#include "bvp/tile.glsl"

layout(std430) readonly buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer SettingsOf { Settings settings[]; };
layout(std430) readonly buffer Potentials { uint potentials[]; };
layout(std430) writeonly buffer Residuals { float residuals[]; };

shared uint largest[MAPS]; // bits of a float that is at least 0, which compare as it does

float at(uint k) {
    return uintBitsToFloat(potentials[k] & ~FIXED);
}

void main() {
    join();
    uint self = walkerOf(map);
    Walker w = walkers[self];
    Settings s = settings[w.settings];
    if (lane == 0u) {
        largest[crew] = 0u;
    }
    sync();
    for (uint k = lane; k < w.cells * w.cells; k += uint(CREW)) {
        uint i = w.first + k;
        if ((potentials[i] & FIXED) == 0u) {
            precise float across = s.weights.x * at(i + 1u) + s.weights.y * at(i - 1u);
            precise float along = s.weights.z * at(i + w.cells) + s.weights.w * at(i - w.cells);
            precise float off = (across + along) - at(i);
            atomicMax(largest[crew], floatBitsToUint(abs(off)));
        }
    }
    sync();
    if (exists() && lane == 0u) {
        residuals[self] = uintBitsToFloat(largest[crew]);
    }
}
