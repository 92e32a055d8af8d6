// What a local map is, of a walker and its settings.
//
// Reference: bvp/reference/potential.go, the frame of bvp/reference/stamp.go.

#include <Walker>
#include <Settings>
#include "bvp/elementary.glsl"

const uint FIXED = 0x80000000u; // a cell that relaxation leaves alone: the sign of its float

const int BORDER = 0;
const int UPDATE = 2;

int zoneOf(int cells, ivec2 cell) {
    ivec2 inwards = min(cell, cells - 1 - cell);
    return min(min(inwards.x, inwards.y), UPDATE);
}

// Whether the agent stands in the column or row.
bool near(int cells, int i) {
    return abs(2 * i + 1 - cells) <= 1;
}

bool isOwn(int cells, ivec2 cell) {
    return near(cells, cell.x) && near(cells, cell.y);
}

// A potential as it is stored: 0 to 1, none between 0 and TINY.
float bounded(float q) {
    q = clamp(q, 0.0, 1.0);
    return q < TINY ? 0.0 : q;
}

// The vector from one place to another, and whether it is long enough to have a direction.
vec2 towards(vec2 from, vec2 to, out bool there) {
    precise vec2 u = to - from;
    there = max(abs(u.x), abs(u.y)) >= TINY;
    return u;
}

// A map laid about its walker: cell (i, j) is the closed square from i, j to i+1, j+1.
struct Frame {
    int cells;
    vec2 at;      // the walker, m
    float middle; // where it is in the map, cells
    float heading;
    vec2 look;    // its heading, as a unit vector
    vec2 mind;    // about which it has agents in mind besides, by robust rules: to its guide's point
    float cellsPerMeter;
    float view;
    bool robust; // rescues are on
};

// How many steps a robust agent stands before it looks all round, until it has walked for as long.
uint patienceOf(Settings s) {
    return max(uint(s.stepsPerSecond), 1u);
}

Frame frameOf(Walker w, Settings s) {
    bool there;
    vec2 u = towards(w.position, w.guide, there);
    float heading = w.heading != NO_HEADING ? w.heading : (there ? angle(u) : 0.0);
    vec2 look = direction(heading);
    bool robust = (s.flags & ROBUST) != 0u;
    precise float squared = u.x * u.x + u.y * u.y;
    precise vec2 mind = robust && there ? u * reciprocal(root(squared)) : look;
    float view = robust && w.stood >= patienceOf(s) ? -2.0 : s.view;
    return Frame(int(s.cells), w.position, 0.5 * float(s.cells), heading, look, mind, s.cellsPerMeter, view, robust);
}

// Where in the map a place of the ground is.
vec2 placeIn(Frame f, vec2 p) {
    precise vec2 place = (p - f.at) * f.cellsPerMeter + f.middle;
    return place;
}

// A part of a cell by robust rules; by the papers' all from a least part on, or nothing.
float portion(Frame f, float share, float least) {
    return f.robust ? share : (share >= least ? 1.0 : 0.0);
}

// How much of a cell lies in the view cone about a direction, 0 to 1.
float coneShare(Frame f, vec2 look, ivec2 cell) {
    vec2 off = 0.5 * vec2(2 * cell + 1 - f.cells);
    precise float ahead = off.x * look.x + off.y * look.y;
    precise float side = off.y * look.x - off.x * look.y;
    precise float sine2 = 1.0 - f.view * f.view;
    float sine = root(sine2);
    precise float inwards = ahead * sine - abs(side) * f.view;
    precise float onwards = ahead * f.view + abs(side) * sine;
    precise float share = inwards + 0.5;
    bool whole = f.view < -1.0 || (onwards < 0.0 && inwards > 0.0);
    return whole ? 1.0 : (onwards < 0.0 ? 0.0 : portion(f, clamp(share, 0.0, 1.0), 0.5));
}
