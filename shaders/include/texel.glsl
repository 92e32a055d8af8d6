// Where texels lie. Go's twin: spm.Extent.
// A map of `size` texels along the domain's longer side: texel (i, j) is centred (i + 1/2, j + 1/2) cells from the
// domain's corner.

uniform int mapSize;   // texels along the domain's longer side
uniform float mapCell; // metres

// The lattice point nearest to a texel's centre, for side tests: (2 i + 1) 2^19 / size. In doubles, because the product has up
// to 34 bits. There are no ties to round: one would need size to divide by 2^20, and it is at most 2^14. The fraction is so at
// least 2^-15 away from one half, and an error of the quotient, 2^-32 at most, cannot matter.
ivec2 texelLattice(ivec2 texel) {
    dvec2 scaled = dvec2(2 * texel + 1) * 524288.0lf / double(mapSize);
    return ivec2(floor(scaled + 0.5lf));
}

// The texel's centre in metres from the domain's corner.
vec2 texelCentre(ivec2 texel) {
    return (vec2(texel) + 0.5) * mapCell;
}
