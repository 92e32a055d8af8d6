// Numbers that mean the same in every shader.

const float INFINITY = uintBitsToFloat(0x7f800000u);
const uint NONE = 0xffffffffu; // no index: no parent, no neighbour
