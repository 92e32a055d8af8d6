// Which cell, and which part of it, a place lies in: see include/bodies.glsl.

uniform float cellsPerMeter;
uniform ivec2 cellCount; // columns, rows

struct Cell {
    ivec2 at;
    uint first; // part
    uint side;  // in parts
};

ivec2 cellOf(vec2 place) {
    precise vec2 scaled = place * cellsPerMeter;
    return clamp(ivec2(clamp(scaled, vec2(0.0), vec2(cellCount))), ivec2(0), cellCount - 1);
}

// The column (axis 0) or row (axis 1) of parts of a cell in which a coordinate lies; the nearest
// one if it lies beside the cell.
uint partOf(Cell cell, float coordinate, int axis) {
    precise float scaled = coordinate * cellsPerMeter;
    precise float inside = (scaled - float(cell.at[axis])) * float(cell.side);
    return min(uint(clamp(inside, 0.0, float(cell.side))), cell.side - 1u);
}
