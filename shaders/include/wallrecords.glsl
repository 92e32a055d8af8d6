// The records of the grids of walls: see include/walls.glsl.

uniform usamplerBuffer wallRecords;

ivec4 wallRecord(int i) {
    return ivec4(texelFetch(wallRecords, i));
}
