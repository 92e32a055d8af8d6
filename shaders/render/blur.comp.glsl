#version 450 core
// Spreads the sums of cells along rows, then, in a second run, along columns: together a Gaussian of SPREAD cells.
//
// reads: sums, whole units before the first run, bits of floats after it. writes: spread, bits of floats.

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer Sums { uint sums[]; };
layout(std430) writeonly buffer Spread { uint spread[]; };

uniform ivec2 cells;
uniform bool rows; // the first run

// Sharing weights among four cells and mixing four cells for a pixel spread by a sixth of a cell's square each.
const float VARIANCE = SPREAD * SPREAD - 1.0 / 3.0;

void main() {
    ivec2 cell = ivec2(int(gl_GlobalInvocationID.x) % cells.x, int(gl_GlobalInvocationID.x) / cells.x);
    if (cell.y >= cells.y) {
        return;
    }
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (int k = -MARGIN; k <= MARGIN; k++) {
        float weight = exp(-0.5 * float(k * k) / VARIANCE);
        total += weight;
        ivec2 other = cell + (rows ? ivec2(k, 0) : ivec2(0, k));
        if (all(greaterThanEqual(other, ivec2(0))) && all(lessThan(other, cells))) {
            int at = 3 * (other.y * cells.x + other.x);
            uvec3 bits = uvec3(sums[at], sums[at + 1], sums[at + 2]);
            sum += weight * (rows ? vec3(bits) : uintBitsToFloat(bits));
        }
    }
    uvec3 bits = floatBitsToUint(sum / total);
    int at = 3 * int(gl_GlobalInvocationID.x);
    spread[at] = bits.x;
    spread[at + 1] = bits.y;
    spread[at + 2] = bits.z;
}
