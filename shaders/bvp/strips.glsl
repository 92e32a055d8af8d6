// Maps in strips: each invocation keeps WIDE columns of cells side by side, ROWS cells of each, in
// variables of its own. Of what it sets it writes to shared memory what others read, the cells
// around the edge, and reads there those beside. So a cell that is set costs about one access of
// shared memory, instead of five to read its neighbors and one to write it.
//
// Arrays are indexed by constants once loops over the strip are unrolled, so they need no memory.
// Compilers see for themselves that it pays; that of NVIDIA is asked to.
#pragma optionNV(unroll all)

const int PITCH = WIDE * COLUMNS + 2;
const int ROOM = PITCH * (STRIPS * ROWS + 2);

#include "bvp/relax.glsl"

uint origin = 0u;          // in q, of the cell south-west of the strip
float own[ROWS + 2][WIDE]; // the strip, with a row before and one behind it

uint placeOf(int r, int c) {
    return origin + uint((r + 1) * PITCH + c + 1);
}

ivec2 cellOf(int r, int c) {
    int k = int(placeOf(r, c) - base);
    return ivec2(k % PITCH, k / PITCH);
}

float westOf(int r, int c) {
    return c == 0 ? q[placeOf(r, -1)] : own[r + 1][max(c - 1, 0)];
}

float eastOf(int r, int c) {
    return c == WIDE - 1 ? q[placeOf(r, WIDE)] : own[r + 1][min(c + 1, WIDE - 1)];
}

// Writes a cell that was set to shared memory, if others read it.
void publish(int r, int c) {
    if (c == 0 || c == WIDE - 1 || (STRIPS > 1 && (r == 0 || r == ROWS - 1))) {
        q[placeOf(r, c)] = own[r + 1][c];
    }
}

// Reads the rows before and behind the strip.
void fetchEnds() {
    for (int c = 0; c < WIDE; c++) {
        own[0][c] = q[placeOf(-1, c)];
        own[ROWS + 1][c] = q[placeOf(ROWS, c)];
    }
}

void findStrip() {
    ivec2 corner = ivec2(WIDE * (int(lane) % COLUMNS), ROWS * (int(lane) / COLUMNS));
    origin = base + uint(corner.y * PITCH + corner.x);
}

void takeStrip() {
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < WIDE; c++) {
            own[r + 1][c] = q[placeOf(r, c)];
        }
    }
    fetchEnds();
}

// Begins a pass over the strip: others have set cells since the last one.
void comeBack() {
    if (STRIPS > 1) {
        fetchEnds();
    }
}

void giveStrip() {
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < WIDE; c++) {
            q[placeOf(r, c)] = own[r + 1][c];
        }
    }
    sync();
    leave();
}

// Whether relaxation sets a cell.
bool isFree(ivec2 cell) {
    return max(cell.x, cell.y) < cells && !isSet(rowAt(cell.y), cell.x);
}

// Equation 3: what a cell of the strip has to be.
float mean(int r, int c) {
    precise float across = s.weights.x * eastOf(r, c) + s.weights.y * westOf(r, c);
    precise float along = s.weights.z * own[r + 2][c] + s.weights.w * own[r][c];
    precise float sum = across + along;
    return sum;
}
