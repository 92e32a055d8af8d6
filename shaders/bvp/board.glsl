// The cells of a map as on a chessboard: each invocation has SLOTS cells of each colour, the same ones all the time.
//
// Needs: bvp/relax.glsl.

// The cell in a slot, and whether it is a free one.
bool cellOf(int colour, int slot, out ivec2 cell) {
    int across = (cells - 1) / 2; // cells of a colour in a row, at most
    int n = int(lane) + slot * TEAM;
    int row = 1 + n / across;
    cell = ivec2(1 + 2 * (n % across) + ((row + 1 + colour) & 1), row);
    bool inside = cell.x < cells - 1 && cell.y < cells - 1;
    cell = inside ? cell : ivec2(1);
    return inside && !isSet(rowAt(cell.y), cell.x);
}
