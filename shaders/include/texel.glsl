// Where texels lie. Go's twin: spm.Extent.
// A map of `size` texels along the domain's longer side: texel (i, j) is centred (i + 1/2, j + 1/2) cells from the
// domain's corner.

uniform int mapSize;   // texels along the domain's longer side
uniform float mapCell; // metres

// The lattice point nearest to a texel's centre, for side tests: (2 i + 1) 2^19 / size, rounded half up. In doubles,
// because the product has up to 34 bits; the quotient's error (2^-32 at most) cannot matter, since a fraction with
// a denominator of at most 2^14 that is not a tie is at least 2^-15 away from one, and a tie is exact.
ivec2 texelLattice(ivec2 texel) {
    dvec2 scaled = dvec2(2 * texel + 1) * 524288.0lf / double(mapSize);
    return ivec2(floor(scaled + 0.5lf));
}

// The texel's centre in metres from the domain's corner.
vec2 texelCentre(ivec2 texel) {
    return (vec2(texel) + 0.5) * mapCell;
}
