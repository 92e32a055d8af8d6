// The records of the grids of walls: see include/walls.glsl. Texels, because software renderers fetch them several times as fast
// as elements of storage buffers.

uniform usamplerBuffer wallRecords;

ivec4 wallRecord(int i) {
    return ivec4(texelFetch(wallRecords, i));
}
