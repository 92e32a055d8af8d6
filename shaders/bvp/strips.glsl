// Maps in strips: each invocation keeps two columns of cells side by side, ROWS cells of each, in variables of its own. What it sets
// it writes to shared memory too, and reads there what others have set: the cells beside its own, and those at the ends. That is
// one cell read and one written for each that is set, instead of five and one.
//
// Arrays are indexed by constants once loops of ROWS turns are unrolled, so they need no memory.

const int PITCH = 2 * COLUMNS + 2;
const int ROOM = PITCH * (TEAM / COLUMNS * ROWS + 2);

#include "bvp/relax.glsl"

ivec2 corner = ivec2(0); // the strip's first cell: odd numbers both
uint origin = 0u;        // in q, of the cell south-west of it
float west[ROWS + 2];    // the strip's first column, and the cells before and behind it
float east[ROWS + 2];    // the second one

uint placeOf(int r, int column) {
    return origin + uint((r + 1) * PITCH + column);
}

float westOf(int r) {
    return q[placeOf(r, 0)];
}

float eastOf(int r) {
    return q[placeOf(r, 3)];
}

void storeWest(int r) {
    q[placeOf(r, 1)] = west[r + 1];
}

void storeEast(int r) {
    q[placeOf(r, 2)] = east[r + 1];
}

// Reads the cells before and behind the strip.
void fetchEnds() {
    west[0] = q[placeOf(-1, 1)];
    east[0] = q[placeOf(-1, 2)];
    west[ROWS + 1] = q[placeOf(ROWS, 1)];
    east[ROWS + 1] = q[placeOf(ROWS, 2)];
}

void takeStrip() {
    corner = ivec2(1 + 2 * (int(lane) % COLUMNS), 1 + ROWS * (int(lane) / COLUMNS));
    origin = base + uint((corner.y - 1) * PITCH + corner.x - 1);
    for (int r = 0; r < ROWS; r++) {
        west[r + 1] = q[placeOf(r, 1)];
        east[r + 1] = q[placeOf(r, 2)];
    }
}

bool isFree(ivec2 cell) {
    return cell.x < cells - 1 && cell.y < cells - 1 && !isSet(rowAt(cell.y), cell.x);
}

// Equation 3: what a cell has to be.
float mean(float eastern, float western, float northern, float southern) {
    precise float across = s.weights.x * eastern + s.weights.y * western;
    precise float along = s.weights.z * northern + s.weights.w * southern;
    precise float sum = across + along;
    return sum;
}
