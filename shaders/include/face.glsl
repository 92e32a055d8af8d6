// A triangle of the ground by index of vertex or side; side i runs from vertex i to vertex
// after(i).
//
// Needs <Face>, include/numbers.glsl.

ivec2 faceVertex(Face f, int i) {
    return i == 0 ? ivec2(f.ax, f.ay) : i == 1 ? ivec2(f.bx, f.by) : ivec2(f.cx, f.cy);
}

// The half-edge behind a side, 3 * triangle + side; -1 behind walls.
int faceAcross(Face f, int i) {
    return i == 0 ? f.across0 : i == 1 ? f.across1 : f.across2;
}

// The record of the corner at a vertex, where those of the layer begin at base; NONE where there is
// none.
uint faceCorner(Face f, int i, uint base) {
    uint corner = i == 0 ? f.corner0 : i == 1 ? f.corner1 : f.corner2;
    return corner == NONE ? NONE : base + corner;
}

int after(int i) {
    return i == 2 ? 0 : i + 1;
}
