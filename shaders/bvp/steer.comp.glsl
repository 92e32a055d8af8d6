#version 450 core
// Turns every walker to where its potential rises, and gives it its velocity.
//
// Reads: walkers, settings, potentials. Writes: of walkers heading and how long they have stood, of
// guidance the velocities, counters of flat maps, reasons.
// Reference: reference.Steer. Paper: Fischer et al. 2009, equations 3 to 5; Dapper et al. 2007,
// section 5.

#include <Guidance>
#include "include/numbers.glsl"
#include "include/branch.glsl"
#include "bvp/map.glsl"
#include "agents/reasons.glsl"

layout(local_size_x = GROUP_SIZE) in;

layout(std430) buffer Walkers { Walker walkers[]; };
layout(std430) readonly buffer SettingsOf { Settings settings[]; };
layout(std430) readonly buffer Potentials { uint potentials[]; };
layout(std430) writeonly buffer GuidanceOf { Guidance guidance[]; };
layout(std430) buffer CountersOf { uint counters[]; };

uniform uint firstWalker; // of this dispatch
uniform uint walkerCount;
uniform uvec2 flatWords; // counters of this step, and of all

float at(uint k) {
    return uintBitsToFloat(potentials[k] & ~FIXED);
}

// Twice the gradient; the sum of four where the agent stands at a corner.
vec2 gradient(uint first, int cells) {
    int a = (cells - 1) / 2;
    uint n = uint(cells);
    if ((cells & 1) == 1) {
        uint k = first + uint(a * cells + a);
        return vec2(at(k + 1u) - at(k - 1u), at(k + n) - at(k - n));
    }
    precise vec2 sum = vec2(0.0);
    for (int i = a; i <= a + 1; i++) {
        uint row = first + uint(i * cells + a);
        uint column = first + uint(a * cells + i);
        precise vec2 outer = vec2(at(row + 2u) - at(row), at(column + 2u * n) - at(column));
        precise vec2 inner = vec2(at(row + 1u) - at(row - 1u), at(column + n) - at(column - n));
        precise vec2 both = outer + inner;
        sum += both;
    }
    return sum;
}

// Whether all cells beside those that the agent stands in are obstacles.
bool enclosed(uint first, int cells) {
    int a = (cells - 1) / 2;
    int b = cells / 2;
    bool taken = true;
    for (int i = a; i <= b; i++) {
        uint south = first + uint((a - 1) * cells + i);
        uint north = first + uint((b + 1) * cells + i);
        uint west = first + uint(i * cells + a - 1);
        uint east = first + uint(i * cells + b + 1);
        taken = taken && potentials[south] == FIXED && potentials[north] == FIXED && potentials[west] == FIXED && potentials[east] == FIXED;
    }
    return taken;
}

// Which of the cells that the agent stands in a place of the ground is in, as an index.
bool ownCell(Frame f, vec2 goal, out uint k) {
    vec2 p = placeIn(f, goal);
    vec2 low = vec2(float((f.cells - 1) / 2));
    vec2 high = vec2(float(f.cells / 2 + 1));
    bool inside = all(greaterThanEqual(p, low)) && all(lessThan(p, high));
    ivec2 cell = inside ? ivec2(p) : ivec2(0);
    k = uint(cell.y * f.cells + cell.x);
    return inside;
}

// A map more without a gradient; the sum over steps has two words.
void countFlat() {
    atomicAdd(counters[flatWords.x], 1u);
    if (atomicAdd(counters[flatWords.y], 1u) == 0xffffffffu) {
        atomicAdd(counters[flatWords.y + 1u], 1u);
    }
}

// The heading after a step, of one that is off the wish by an angle. Fischer averages angles, along
// the shorter arc; Dapper vectors, see reference.Steer.
float turned(Settings s, float heading, float off) {
    precise float rest = 1.0 - s.inertia;
    precise float angles = rest * off;
    precise vec2 sum = rest * direction(off) + vec2(s.inertia, 0.0);
    precise float next = heading + ((s.flags & VECTOR) != 0u ? angle(sum) : angles);
    return wrapped(next);
}

void main() {
    uint self = firstWalker + gl_GlobalInvocationID.x;
    if (gl_GlobalInvocationID.x >= walkerCount) {
        return;
    }
    Walker w = walkers[self];
    if (w.body == NOT_THERE) {
        return;
    }
    Settings s = settings[w.settings];
    Frame f = frameOf(w, s);
    vec2 g = gradient(w.first, f.cells);
    float wish = f.heading;
    float speed = w.speed;
    bool isFlat = g == vec2(0.0);
    if (isFlat) {
        countFlat();
        bool there;
        vec2 u = towards(w.position, w.guide, there);
        bool stands = f.robust && enclosed(w.first, f.cells);
        speed = stands ? 0.0 : speed;
        wish = f.robust && there && !stands ? angle(u) : wish;
    } else {
        wish = angle(g);
    }
    for (int k = f.robust ? 0 : 2; k < 2; k++) {
        vec2 goal = k == 0 ? w.guide : w.goal;
        uint own;
        if (!ownCell(f, goal, own) || (potentials[w.first + own] & FIXED) == 0u) {
            continue;
        }
        bool there;
        vec2 u = towards(w.position, goal, there);
        precise float squared = u.x * u.x + u.y * u.y;
        precise float whole = root(squared) * s.stepsPerSecond;
        speed = there ? min(w.speed, whole) : 0.0;
        wish = there ? angle(u) : wish;
    }
    precise float difference = wish - f.heading;
    float off = wrapped(difference);
    float heading = turned(s, f.heading, off);
    precise float controlled = speed * max(direction(off).x, 0.0);
    speed = (s.flags & SPEED_CONTROL) != 0u ? controlled : speed;
    precise vec2 velocity = speed * direction(heading);
    walkers[self].heading = heading;
    precise float much = speed * STANDING;
    walkers[self].stood = much < w.speed ? min(w.stood + 1u, 2u * patienceOf(s)) : max(w.stood, 1u) - 1u;
    ownReasons = reasonsOf(w.agent);
    BRANCH (ownReasons != NONE) {
        keep(REASON_LOCAL, uvec4(self + 1u, floatBitsToUint(vec3(f.cellsPerMeter, g))));
        keep(REASON_LOCAL + 1u, uvec4(floatBitsToUint(vec3(w.guide, heading)), uint(f.cells)));
    }
    guidance[w.agent].preferred = velocity;
    guidance[w.agent].velocity = velocity;
}
