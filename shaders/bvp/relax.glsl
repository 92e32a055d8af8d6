// The frame of a relaxation: maps in shared memory, how often they are relaxed, and back.
//
// A method says how maps lie there, PITCH cells a row in ROOM cells, includes this file and defines
// main: arrive, load, then relax while there is something to do, then leave.
// Reads: walkers, settings, potentials. Writes: potentials.
// Reference: bvp/reference/relax.go.

#include "bvp/map.glsl"
#include "bvp/tile.glsl"

layout(std430) readonly buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer SettingsOf { Settings settings[]; };
layout(std430) buffer Potentials { uint potentials[]; };

uniform uint method;      // of this program
uniform uint relaxations; // that were done before this dispatch
uniform uint most;        // that this dispatch does at most

shared float q[MAPS * ROOM];
shared uint fixedRows[MAPS * EDGE * 2];    // 64 bits for the columns of each row
shared uint fixedColumns[MAPS * EDGE * 2]; // and the same by columns

Settings s;
int cells = 0;
uint base = 0u;      // of the tile's map in q
uint potential = 0u; // of the walker's map in potentials
uint remaining = 0u; // relaxations of this map in this dispatch
uint longest = 0u;   // of all maps of the work group

// How many relaxations a map gets in this dispatch: none if it is another method's, if there is no map, or
// its walker is not there.
uint share(uint map) {
    Walker w = walkers[walkerOf(map)];
    Settings own = settings[w.settings];
    bool there = map < walkerCount && w.body != NOT_THERE && own.method == method;
    return there ? min(max(own.relaxations, relaxations) - relaxations, most) : 0u;
}

void arrive() {
    join();
    Walker w = walkers[walkerOf(map)];
    s = settings[w.settings];
    cells = int(s.cells);
    base = tile * uint(ROOM);
    potential = w.first;
    longest = 0u;
    for (uint k = 0u; k < uint(MAPS); k++) {
        longest = max(longest, share(map - tile + k));
    }
    remaining = share(map);
    for (uint k = lane; k < uint(EDGE * 2); k += uint(TILE)) {
        fixedRows[tile * uint(EDGE * 2) + k] = 0u;
        fixedColumns[tile * uint(EDGE * 2) + k] = 0u;
    }
    sync();
    for (int k = int(lane); k < cells * cells; k += TILE) {
        if ((potentials[potential + uint(k)] & FIXED) != 0u) {
            ivec2 cell = ivec2(k % cells, k / cells);
            atomicOr(fixedRows[(tile * uint(EDGE) + uint(cell.y)) * 2u + uint(cell.x >> 5)], 1u << (cell.x & 31));
            atomicOr(fixedColumns[(tile * uint(EDGE) + uint(cell.x)) * 2u + uint(cell.y >> 5)], 1u << (cell.y & 31));
        }
    }
    sync();
}

// Takes the map to shared memory, with nothing around it.
void load() {
    for (int k = int(lane); k < ROOM; k += TILE) {
        ivec2 cell = ivec2(k % PITCH, k / PITCH);
        bool inside = cell.x < cells && cell.y < cells;
        uint word = inside ? potentials[potential + uint(cell.y * cells + cell.x)] : 0u;
        q[base + uint(k)] = uintBitsToFloat(word & ~FIXED);
    }
    sync();
}

uvec2 rowAt(int j) {
    uint at = (tile * uint(EDGE) + uint(j)) * 2u;
    return uvec2(fixedRows[at], fixedRows[at + 1u]);
}

uvec2 columnAt(int i) {
    uint at = (tile * uint(EDGE) + uint(i)) * 2u;
    return uvec2(fixedColumns[at], fixedColumns[at + 1u]);
}

bool isSet(uvec2 bits, int i) {
    return ((i < 32 ? bits.x : bits.y) >> (i & 31) & 1u) != 0u;
}

void leave() {
    for (int k = int(lane); k < cells * cells && remaining > 0u; k += TILE) {
        ivec2 cell = ivec2(k % cells, k / cells);
        if (!isSet(rowAt(cell.y), cell.x)) {
            potentials[potential + uint(k)] = floatBitsToUint(q[base + uint(cell.y * PITCH + cell.x)]);
        }
    }
}
