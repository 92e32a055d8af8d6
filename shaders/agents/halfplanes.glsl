// Velocities in half planes: a linear program in two unknowns, and what comes nearest where it has no solution.
//
// Reference: package avoid, orca.go, leastWrong. Source: van den Berg, Guy, Lin and Manocha 2011, sections 5.1 and 5.3.

// What rounding adds to how far a velocity is on a line's wrong side, as a share of the magnitudes that come into it: the
// velocity was put on some line, a sum of two products, and is held against another, three roundings each. Within
// that it counts as being on the line: else of two lines that are the same but for rounding the second would look
// for where both cross.
const float ROUNDING = 8.0 / 16777216.0;

// The border of a half plane: good velocities are left of it, seen along its direction, which has length 1.
struct Line {
    vec2 point;
    vec2 direction;
};

// The agent's lines, first the walls', then those of its neighbours, in order. A method says what a neighbour's is.
// They are kept where lists of neighbours are short, and made anew each time where they are long: memory of
// an invocation is small.
uint wallLines = 0u;
#if NEIGHBOR_ROOM <= 64
Line lines[WALL_ROOM + NEIGHBOR_ROOM];
#else
Line lines[WALL_ROOM];
#endif

Line neighborLine(Self self, Neighbor n);

Line lineAt(Self self, uint i) {
#if NEIGHBOR_ROOM <= 64
    return lines[i];
#else
    return i < wallLines ? lines[i] : neighborLine(self, neighborAt(i - wallLines));
#endif
}

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

// What keeps an agent off a wall: the half plane of its nearest point, for as long as stopping takes; out of it, if it is in
// the agent's disc, within a step, but with no more than half of what the agent can change.
Line wallLine(Self self, Wall w) {
    vec2 q = nearestOf(w);
    vec2 ahead = toWall(w, q);
    float room = length(q) - self.radius;
    float speed = room < 0.0 ? -min(-room / self.timestep, 0.5 * self.manner.maxAcceleration * self.timestep) : room / stoppingOf(self);
    return leftOf(ahead * speed, -ahead);
}

// Makes the agent's lines, and returns how many they are.
uint makeLines(Self self) {
    wallLines = 0u;
    for (uint i = 0u; i < wallCount(); i++) {
        Wall w = wallAt(i);
        if (!isBehind(w)) {
            lines[wallLines] = wallLine(self, w);
            wallLines++;
        }
    }
    uint n = neighborCount();
#if NEIGHBOR_ROOM <= 64
    for (uint i = 0u; i < n; i++) {
        lines[wallLines + i] = neighborLine(self, neighborAt(i));
    }
#endif
    return wallLines + n;
}

// What a linear program is about: velocities on the good side of the lines; or, to wrong the line `amid` less than
// others, of the lines half way between it and them, but of the first `fixedLines` themselves.
struct Program {
    bool halfway;
    Line amid;
    uint fixedLines;
};

// A line of a program. The line half way is that on which both are as wrong. Of parallel ones that look the same way
// there is none: false.
bool lineOf(Self self, Program p, uint i, out Line l) {
    l = lineAt(self, i);
    if (!p.halfway || i < p.fixedLines) {
        return true;
    }
    float slope = cross2(p.amid.direction, l.direction);
    vec2 along = l.direction - p.amid.direction;
    float square = dot(along, along);
    vec2 meet = slope == 0.0
        ? 0.5 * (p.amid.point + l.point)
        : p.amid.point + p.amid.direction * (cross2(l.direction, p.amid.point - l.point) / slope);
    l = Line(meet, along * inversesqrt(square));
    return square > 0.0;
}

// The part of a line within reach and on the good side of a program's lines before `last`; empty, x > y, if none is.
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

// The velocity within reach and on the good side of a program's lines before `last` that is nearest to `aim`, or,
// half way, that goes farthest along `aim`, of length 1. If a line leaves nothing, `failed` is its index and the
// result what there was before; else `failed` is last.
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

// The velocity on the good side of all of the agent's lines that is nearest to the desired one; or, if there is none, the
// one that is least on the wrong side of the line on whose it is most. Lines of walls hold if they can.
vec2 leastWrong(Self self, Reach reach, vec2 desired) {
    uint count = makeLines(self);
    uint failed;
    Program all = Program(false, Line(vec2(0.0), vec2(0.0)), 0u);
    vec2 v = solve(self, all, count, reach, desired, failed);
    uint fixedLines = failed < wallLines ? 0u : wallLines;
    float far = 0.0;
    for (uint i = max(failed, fixedLines); i < count; i++) {
        Line l = lineAt(self, i);
        if (surelyWrong(l, v) > far) {
            uint stuck;
            vec2 inwards = vec2(-l.direction.y, l.direction.x);
            vec2 moved = solve(self, Program(true, l, fixedLines), i, reach, inwards, stuck);
            v = stuck == i ? moved : v;
            far = wrong(l, v);
        }
    }
    return v;
}
