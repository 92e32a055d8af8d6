// Numbers that mean the same in every shader.

#define INFINITY uintBitsToFloat(0x7f800000u)
const uint NONE = 0xffffffffu; // no index: no parent, no neighbor

// A product and a difference, each rounded once. A compiler follows `precise` back through all that
// its operands are made of. Here it ends at the parameters; at the end of a long program, whose
// result goes back into the buffer that the operands come from, one takes minutes over it.
vec2 product(vec2 a, float b) {
    precise vec2 result = a * b;
    return result;
}

vec2 difference(vec2 a, vec2 b) {
    precise vec2 result = a - b;
    return result;
}
