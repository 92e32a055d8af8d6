// Velocities in half planes: a linear program in two unknowns, and what comes nearest where it has
// no solution.
//
// Reference: package agents/reference, orca.go, leastWrong. Source: van den Berg, Guy, Lin and
// Manocha 2011, sections 5.1 and 5.3.

#include "include/branch.glsl"

// What rounding adds to how far a velocity is on a line's wrong side, as a share of the magnitudes
// that come into it: the velocity was put on some line, a sum of two products, and is held against
// another, three roundings each. Within that it counts as being on the line: else of two lines that
// are the same but for rounding the second would look for where both cross.
const float ROUNDING = 8.0 / 16777216.0;

// The border of a half plane: good velocities are left of it, seen along its direction, which has
// length 1.
struct Line {
    vec2 point;
    vec2 direction;
};

// The agent's lines: those of walls, then for each neighbor one for this step, then for each one
// that the method says. They are kept where lists of neighbors are short, and made anew each time
// where they are long: memory of an invocation is small.
uint wallLines = 0u;
uint neighborLines = 0u;
uint linedWalls = 0u; // a bit for each wall that has a line
#if NEIGHBOR_CAPACITY <= 64
Line lines[WALL_CAPACITY + 2 * NEIGHBOR_CAPACITY];
#else
Line lines[WALL_CAPACITY];
#endif

Line neighborLine(Self self, Neighbor n);

// The line through a point with its good side in a direction.
Line leftOf(vec2 point, vec2 good) {
    return Line(point, vec2(good.y, -good.x));
}

// How far v is on a line's wrong side.
float wrong(Line l, vec2 v) {
    return cross2(l.direction, l.point - v);
}

// The same, as much of it as is no rounding.
float surelyWrong(Line l, vec2 v) {
    return wrong(l, v) - ROUNDING * (abs(l.point.x) + abs(l.point.y) + abs(v.x) + abs(v.y));
}

// What keeps an agent off a wall: the half plane of its nearest point, for as long as stopping
// takes; out of it, if it is in the agent's disc, within a step, but with no more than half of what
// the agent can change.
Line ownWallLine(Self self, Wall w) {
    vec2 q = nearestOf(w);
    vec2 ahead = toWall(w, q);
    float room = length(q) - self.radius;
    float speed = room < 0.0 ? -min(-room / self.timestep, 0.5 * self.params.maxAcceleration * self.timestep) : room / outlookOn(self, w);
    return leftOf(w.velocity + ahead * speed, -ahead);
}

// By how much walls that lie on a line may not, as rounding has it, m.
const float CONVEX_SLACK = 1e-3;

// The half plane of all walls with a velocity, as one obstacle: the border of their truncated cone
// that the agent's velocity is to get past first. `first` is the nearest of them. False where they
// do not lie beyond its nearest point, as inside of something that moves.
bool moverLine(Self self, vec2 velocity, out uint first, out Line l) {
    vec2 q = vec2(0.0);
    vec2 ahead = vec2(0.0);
    vec4 tangents = vec4(0.0);
    bool convex = true;
    first = NONE;
    uint walled = wallCount();
    for (uint i = 0u; i < walled; i++) {
        Wall w = wallAt(i);
        vec2 p = nearestOf(w);
        float far = length(p);
        if (w.velocity == velocity && !isBehind(w) && far > self.radius) {
            bool begins = first == NONE;
            first = begins ? i : first;
            q = begins ? p : q;
            ahead = begins ? toWall(w, p) : ahead;
            vec4 own = widest(tangentsOf(self, w.a), tangentsOf(self, w.b));
            tangents = begins ? own : widest(tangents, own);
            convex = convex && min(dot(ahead, w.a - q), dot(ahead, w.b - q)) >= -CONVEX_SLACK;
        }
    }
    vec2 left = vec2(tangents.y, -tangents.x);
    vec2 right = vec2(-tangents.w, tangents.z);
    vec3 cut = vec3(ahead, dot(ahead, velocity) + (length(q) - self.radius) / horizonOf(self));
    float leastDeep = dot(cut.xy, self.velocity) - cut.z;
    for (int side = 0; side < 2; side++) {
        vec2 normal = side == 0 ? left : right;
        float offset = dot(normal, velocity);
        float deep = dot(normal, self.velocity) - offset;
        cut = deep < leastDeep ? vec3(normal, offset) : cut;
        leastDeep = min(leastDeep, deep);
    }
    l = leftOf(cut.xy * cut.z, -cut.xy);
    return convex;
}

// The half plane of a wall; false where the agent is behind it, or another wall's is for both.
bool wallLine(Self self, uint i, out Line l) {
    Wall w = wallAt(i);
    l = ownWallLine(self, w);
    bool holds = !isBehind(w);
    bool moves = holds && w.velocity != vec2(0.0) && length(nearestOf(w)) > self.radius;
    BRANCH (moves) {
        uint first;
        Line together;
        if (moverLine(self, w.velocity, first, together)) {
            l = together;
            holds = i == first;
        }
    }
    return holds;
}

// What does not touch a neighbor within the step, if it does as much, or parts within the step
// where both overlap.
Line stepLine(Self self, Neighbor n) {
    Terms t = plainTerms(self, n);
    vec2 ahead = toNeighbor(self, n);
    float room = length(n.position) - self.radius - n.radius;
    return leftOf(apexOf(t) + ahead * (t.share * room / self.timestep), -ahead);
}

// Makes the agent's lines.
void makeLines(Self self) {
    uint walled = wallCount();
    wallLines = 0u;
    linedWalls = 0u;
    for (uint i = 0u; i < walled; i++) {
        Line l;
        if (wallLine(self, i, l)) {
            lines[wallLines] = l;
            wallLines++;
            linedWalls |= 1u << i;
        }
    }
    uint near = neighborCount();
    neighborLines = near;
#if NEIGHBOR_CAPACITY <= 64
    for (uint i = 0u; i < near; i++) {
        Neighbor n = neighborAt(i);
        lines[wallLines + i] = stepLine(self, n);
        lines[wallLines + near + i] = neighborLine(self, n);
    }
#endif
}

// What a linear program is about: velocities on the good side of lines, the walls', the first
// `steps` of this step, and then the others; or, to wrong the line `amid` less than others, of the
// lines half way between it and them, but of the first `fixedLines` themselves.
struct Program {
    uint steps;
    bool halfway;
    Line amid;
    uint fixedLines;
};

// A line of a program. The line half way is that on which both are as wrong. Of parallel ones that
// look the same way there is none: false.
bool lineOf(Self self, Program p, uint i, out Line l) {
    uint k = i < wallLines + p.steps ? i : i - p.steps + neighborLines;
#if NEIGHBOR_CAPACITY <= 64
    l = lines[k];
#else
    if (k < wallLines) {
        l = lines[k];
    } else if (k < wallLines + neighborLines) {
        l = stepLine(self, neighborAt(k - wallLines));
    } else {
        l = neighborLine(self, neighborAt(k - wallLines - neighborLines));
    }
#endif
    if (!p.halfway || i < p.fixedLines) {
        return true;
    }
    // Where both are as wrong: cross2(l.direction - amid.direction, v) is constant. Not through the
    // point where they cross, which may be far away.
    vec2 along = l.direction - p.amid.direction;
    float square = dot(along, along);
    float off = cross2(l.direction, l.point) - cross2(p.amid.direction, p.amid.point);
    l = Line(vec2(-along.y, along.x) * (off / square), along * inversesqrt(square));
    return square > 0.0;
}

// The part of a line within reach and on the good side of a program's lines before `last`; empty, x
// > y, if none is.
vec2 partOf(Self self, Program p, Line l, uint last, Reach reach) {
    vec2 part = chord(reach, l.point, l.direction);
    for (uint i = 0u; i < last && part.x <= part.y; i++) {
        Line other;
        if (lineOf(self, p, i, other)) {
            float slope = cross2(l.direction, other.direction);
            float room = cross2(other.direction, l.point - other.point);
            float t = room / slope;
            part.y = slope > 0.0 ? min(part.y, t) : part.y;
            part.x = slope < 0.0 ? max(part.x, t) : part.x;
            part = slope == 0.0 && room < 0.0 ? vec2(1.0, -1.0) : part;
        }
    }
    return part;
}

// The velocity within reach and on the good side of a program's lines before `last` that is nearest
// to `aim`, or, half way, that goes farthest along `aim`, of length 1. If a line leaves nothing,
// `failed` is its index and the result what there was before; else `failed` is last.
vec2 solve(Self self, Program p, uint last, Reach reach, vec2 aim, out uint failed) {
    vec2 best = p.halfway ? farthestWithin(reach, aim) : nearestWithin(reach, aim);
    failed = last;
    for (uint i = 0u; i < failed; i++) {
        Line l;
        if (lineOf(self, p, i, l) && surelyWrong(l, best) > 0.0) {
            vec2 part = partOf(self, p, l, i, reach);
            float end = dot(l.direction, aim) > 0.0 ? part.y : part.x;
            float t = p.halfway ? end : clamp(dot(l.direction, aim - l.point), part.x, part.y);
            bool some = part.x <= part.y;
            best = some ? l.point + l.direction * t : best;
            failed = some ? failed : i;
        }
    }
    return best;
}

// Keeps a line of the agent's, if it is watched.
void keepLine(uint kind, uint index, Line l) {
    keepConstraint(kind, index, vec4(l.point, l.direction), vec4(0.0), 0.0);
}

// Keeps the lines that a program is about.
void keepLines(Self self, Program p) {
    keepNone();
    uint walls = linedWalls;
    uint last = wallLines + p.steps + neighborLines;
    for (uint i = 0u; i < last; i++) {
        Line l;
        lineOf(self, p, i, l);
        uint k = i - wallLines;
        if (i < wallLines) {
            k = uint(findLSB(walls));
            walls &= walls - 1u;
        }
        bool step = k < p.steps;
        keepLine(i < wallLines ? LINE_OF_WALL : (step ? LINE_OF_STEP : LINE_OF_NEIGHBOR), i < wallLines || step ? k : k - p.steps, l);
    }
}

// The velocity on the good side of all of the agent's lines that is nearest to the desired one. If
// there is none, the one that is least on the wrong side of the line on whose it is most, of those
// on the good side of the lines of walls and of this step; if there is none such, of those of
// walls; if there is none, of all.
vec2 leastWrong(Self self, Reach reach, vec2 desired) {
    makeLines(self);
    Program p = Program(0u, false, Line(vec2(0.0), vec2(0.0)), 0u);
    uint last = wallLines + neighborLines;
    uint fixedLines = 0u;
    uint failed = 0u;
    vec2 v = vec2(0.0);
    // All lines; then those of walls and of this step; then those that are to hold, and all others.
    for (uint attempt = 0u; attempt < 3u; attempt++) {
        v = solve(self, p, last, reach, desired, failed);
        bool holds = failed == last;
        if (attempt == 0u && holds) {
            break;
        }
        if (attempt == 0u) {
            p.steps = neighborLines;
        } else if (attempt == 1u) {
            p.steps = holds ? neighborLines : 0u;
            fixedLines = wallLines + p.steps;
            last = fixedLines + neighborLines;
        }
    }
    BRANCH (ownReasons != NONE) {
        keepLines(self, p);
        uint kept = failed < fixedLines ? KEEPS_NONE : (p.steps > 0u ? KEEPS_STEP : KEEPS_WALLS);
        keepOutcome(failed == last ? KEEPS_ALL : kept, desired, NONE);
    }
    fixedLines = failed < fixedLines ? 0u : fixedLines;
    float far = 0.0;
    for (uint i = max(failed, fixedLines); i < last; i++) {
        Line l;
        lineOf(self, p, i, l);
        if (surelyWrong(l, v) > far) {
            uint stuck;
            vec2 inwards = vec2(-l.direction.y, l.direction.x);
            vec2 moved = solve(self, Program(p.steps, true, l, fixedLines), i, reach, inwards, stuck);
            v = stuck == i ? moved : v;
            far = wrong(l, v);
        }
    }
    return v;
}
