#version 450 core
// Sorting agents into cells, 4: turns the counts of parts into where each begins. One work group
// goes over all parts.
//
// Reads and writes: parts.

#include "include/scan.glsl"

layout(local_size_x = SCAN_SIZE) in;

layout(std430) buffer Parts { uint parts[]; };

uniform uint nowhere; // the last part, of no cell; its number is that of the others

void main() {
    uint me = gl_LocalInvocationIndex;
    uint all = nowhere + 1u;
    uint share = (all + SCAN_SIZE - 1u) / SCAN_SIZE;
    uint first = min(me * share, all);
    uint last = min(first + share, all);
    uint sum = 0u;
    for (uint i = first; i < last; i++) {
        sum += parts[i];
    }
    scan(sum);
    uint start = sums[me] - sum;
    for (uint i = first; i < last; i++) {
        uint n = parts[i];
        parts[i] = start;
        start += n;
    }
}
