// Sight between cells of a grid.
//
// A stage defines, before it includes this file:
//     uint waysOf(uint cell);  // a bit for each way: east, west, north, south
// Reference: inSight of bvp/reference/explore.go.

// Whether ways lead along the line from one cell to another, of a grid with so many columns.
// Through a corner of cells the line goes along x first.
bool openLine(ivec2 from, ivec2 to, int columns) {
    ivec2 n = abs(to - from);
    ivec2 step = sign(to - from);
    uvec2 bits = uvec2(step.x > 0 ? 1u : 2u, step.y > 0 ? 4u : 8u);
    ivec2 done = ivec2(0);
    ivec2 at = from;
    bool open = true;
    for (int k = n.x + n.y; k > 0 && open; k--) {
        bool across = done.y == n.y || (done.x < n.x && (1 + 2 * done.x) * n.y <= (1 + 2 * done.y) * n.x);
        open = (waysOf(uint(at.y * columns + at.x)) & (across ? bits.x : bits.y)) != 0u;
        at += across ? ivec2(step.x, 0) : ivec2(0, step.y);
        done += across ? ivec2(1, 0) : ivec2(0, 1);
    }
    return open;
}
