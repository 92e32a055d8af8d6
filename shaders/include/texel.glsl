// Where texels lie. Go's twin: spm.Extent. A map of `size` texels along the domain's longer side:
// texel (i, j) is centered (i + 1/2, j + 1/2) cells from the domain's corner.

uniform int mapSize;      // texels along the domain's longer side
uniform float mapCell;    // meters
uniform ivec2 mapSteps;   // 2^19 / mapSize, whole part and rest
uniform float mapInverse; // 1 / (2 mapSize)

// The lattice point nearest to a texel's center, for side tests: (2 i + 1) 2^19 / size. With 2^19 =
// q size + r that is (2 i + 1) q and ((2 i + 1) 2 r + size) / (2 size), rounded down, whose
// numerator is below 2^31: i < size <= 2^14. The quotient, below 2^15, comes out of floats with an
// error of 2^-7, so rounded down it is off by one at most, which its rest shows. There are no ties
// to round: one would need size to divide by 2^20.
ivec2 texelLattice(ivec2 texel) {
    ivec2 odd = 2 * texel + 1;
    int divisor = 2 * mapSize;
    ivec2 numerator = odd * (2 * mapSteps.y) + mapSize;
    ivec2 quotient = ivec2(vec2(numerator) * mapInverse);
    ivec2 rest = numerator - quotient * divisor;
    return odd * mapSteps.x + quotient + ivec2(greaterThanEqual(rest, ivec2(divisor))) - ivec2(lessThan(rest, ivec2(0)));
}

// The texel's center in meters from the domain's corner.
vec2 texelCenter(ivec2 texel) {
    return (vec2(texel) + 0.5) * mapCell;
}
