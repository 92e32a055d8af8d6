// Moves that walls cut: of agents by their velocity, or pushed by others.
//
// What holds before and after: the lattice point that an agent stands for is in closed free space,
// and on the way from one to the other it passes no wall, not even one of no thickness, and slips
// through no point where obstacles touch.
// Needs: <Generator>, include/numbers.glsl, include/walls.glsl, agents/place.glsl,
// agents/generators.glsl.
// Reference: agents.Reference.advance.

#include "include/branch.glsl"

// An agent that moves.
struct Mover {
    vec2 position; // m
    ivec2 at;      // the lattice point of position
    ivec2 from;
    int perturbation;
    bool led;      // wants to keep sight of the guide
    Generator guide;
    ivec4 grid;    // the walls past which the guide is seen
    bool sees;     // is known to see the guide
};

// A mover at a place, come from a lattice point, with its perturbation and no guide.
Mover moverAt(vec2 position, ivec2 from, int perturbation) {
    Mover m;
    m.position = position;
    m.at = onLattice(position);
    m.from = from;
    m.perturbation = perturbation;
    m.led = false;
    m.grid = wallGrid;
    m.sees = false;
    return m;
}

// The perturbation of the mover at p, once it has gone there, keeping its guide in sight if
// wanted: 0 if it cannot.
int leanAt(Mover m, ivec2 p, bool keepSight) {
    uint rules = reaches(wallGrid, m.at, m.from, m.perturbation, p);
    int perturbation = 0;
    // The rules one by one, the left one first.
    while (rules != 0u && perturbation == 0) {
        int back = (rules & LEFT_RULE) != 0u ? -1 : 1;
        rules &= back < 0 ? ~LEFT_RULE : ~RIGHT_RULE;
        bool seen = !keepSight || lights(POINT_SOURCES_ONLY == 0 ? m.grid : wallGrid, m.guide, p, m.at, back) != 0u;
        perturbation = seen ? back : 0;
    }
    return perturbation;
}

// Walls are in the order of their ends.
bool sooner(ivec4 a, ivec4 b) {
    for (int k = 0; k < 4; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k];
        }
    }
    return false;
}

// The walls on the way from q to p: how far they allow to go, as a share of the
// way, under the rules that the mover's sector allows; -1 and the wall that leads
// on furthest if it is the walls it stands on that are in the way. Of walls that
// meet there the first one counts, in the order of walls.
double shareUntilWall(Mover m, ivec2 p, out ivec2 along) {
    ivec2 q = m.at;
    uint leanings = inOwnSector(wallGrid, q, m.from, m.perturbation, p);
    double firstLeft = (leanings & LEANING_LEFT) != 0u ? 1.0lf : -1.0lf;
    double firstRight = (leanings & LEANING_RIGHT) != 0u ? 1.0lf : -1.0lf;
    ivec4 metLeft = ivec4(0); // no wall
    ivec4 metRight = ivec4(0);
    Slabs s = slabs(wallGrid, q, p);
    int across = s.steep ? wallGrid.y : wallGrid.z;
    int slabStep = s.steep ? wallGrid.y : 1;
    int cellStep = s.steep ? 1 : wallGrid.y;
    int steps = leanings == 0u ? -1 : abs(s.last - s.current);
    for (int k = 0; k <= steps; k++, s.current += s.stride) {
        ivec2 range = slabRange(wallGrid, s, q, p, 1);
        for (int cell = max(range.x, 0); cell <= min(range.y, across - 1); cell++) {
            ivec2 list = wallRecord(wallGrid.w + s.current * slabStep + cell * cellStep).xy + wallGrid.w;
            for (int i = list.x; i < list.y; i++) {
                ivec4 w = wallRecord(i);
                uint rules = hides(q, p, w.xy, w.zw);
                double before = cross64(w.xy, w.zw, q);
                double share = before / (before - cross64(w.xy, w.zw, p));
                if ((rules & LEFT_RULE) != 0u && (share < firstLeft || (share == firstLeft && sooner(w, metLeft)))) {
                    firstLeft = share;
                    metLeft = w;
                }
                if ((rules & RIGHT_RULE) != 0u && (share < firstRight || (share == firstRight && sooner(w, metRight)))) {
                    firstRight = share;
                    metRight = w;
                }
            }
        }
    }
    ivec4 met = firstLeft >= firstRight ? metLeft : metRight;
    along = met.zw - met.xy;
    if (leanings != 0u) {
        return max(firstLeft, firstRight);
    }
    float best = 0.0;
    ivec2 list = leanings == 0u ? listAt(wallGrid, q) : ivec2(0);
    for (int i = list.x; i < list.y; i++) {
        ivec4 w = wallRecord(i);
        for (int k = 0; k < 2; k++) {
            ivec2 r = (k == 0 ? w.xy : w.zw) - q;
            float ahead = dot(vec2(p - q), vec2(r) / length(vec2(r)));
            if (touches(w, q) && r != ivec2(0) && ahead > best) {
                best = ahead;
                along = r;
            }
        }
    }
    return -1.0lf;
}

// The neighbor with the given rank, of the nine lattice points around `end`, in
// order of their distance from it, ties by their order row by row; the middle
// one for a rank below 0.
ivec2 neighborOf(dvec2 end, int rank) {
    ivec2 middle = ivec2(floor(end + 0.5lf));
    vec2 off = vec2(dvec2(middle) - end);
    int best = 4;
    for (int k = rank < 0 ? 9 : 0; k < 9; k++) {
        vec2 mine = off + vec2(k % 3 - 1, k / 3 - 1);
        precise float d = mine.x * mine.x + mine.y * mine.y;
        int before = 0;
        for (int j = 0; j < 9; j++) {
            vec2 other = off + vec2(j % 3 - 1, j / 3 - 1);
            precise float e = other.x * other.x + other.y * other.y;
            before += int(j != k && (e < d || (e == d && j < k)));
        }
        best = before == rank ? k : best;
    }
    return middle + ivec2(best % 3, best / 3) - 1;
}

// Moves by a displacement in meters, then by what the first wall leaves of it
// along that wall. Returns whether a wall was met.
bool move(inout Mover m, vec2 displacement) {
    bool cut = false;
    // Twice: to the end of the move, else as far as the wall allows.
    precise dvec2 end;
    ivec2 p;
    vec2 position;
    vec2 along;
    double share;
    for (int phase = 0; phase < 4; phase++) {
        bool whole = (phase & 1) == 0;
        if (whole) {
            precise vec2 wished = m.position + displacement;
            position = clamp(wished, vec2(0.0), onGround(latticeSize));
            p = onLattice(position);
            end = dvec2(p);
            share = 1.0lf;
            if (p == m.at) {
                m.position = position;
                return cut;
            }
        }
        // Lattice points to go to, the best first. In sight of the guide: the end
        // itself, its neighbors, since rounding may have put the end behind a wall
        // that the way runs along, or out of sight; on the way to the guide (but not
        // for one off it) points further on and the guide's own place,
        // since a crack may have no lattice point for long. Then the end and its
        // neighbors, in sight or not. Never backwards.
        const int FURTHER = 10;
        const int OWN_PLACE = FURTHER + HOP;
        const int UNSEEN = OWN_PLACE + 1;
        ivec2 goal = m.led ? placeOf(m.guide) : m.at;
        BRANCH (m.led && isBeam(m.guide)) {
            goal = ivec2(floor(footOn(placeOf(m.guide), ivec2(m.guide.toX, m.guide.toY), m.at) + 0.5lf));
        }
        dvec2 toGoal = dvec2(goal - m.at);
        double distanceToGoal = sqrt(toGoal.x * toGoal.x + toGoal.y * toGoal.y);
        // Rounding moves the ends of a move by less than a step.
        bool onWay = whole && m.led && abs(cross64(m.at, goal, p)) <= 2.0lf * distanceToGoal;
        int perturbation = 0;
        ivec2 best = p;
        int last = share < 0.0lf ? 0 : UNSEEN + 10;
        int attempt = (m.led ? 0 : UNSEEN) + (whole ? 0 : 1);
        while (attempt < last && perturbation == 0) {
            bool further = attempt >= FURTHER && attempt < UNSEEN;
            best = neighborOf(end, further ? -1 : (attempt < FURTHER ? attempt : attempt - UNSEEN) - 1);
            if (further) {
                double ahead = double(attempt - FURTHER + 1);
                precise dvec2 point = dvec2(m.at) + toGoal * (ahead / distanceToGoal);
                best = attempt == OWN_PLACE ? goal : ivec2(floor(point + 0.5lf));
                if ((attempt == OWN_PLACE ? distanceToGoal > double(HOP) : ahead >= distanceToGoal)) {
                    best = m.at;
                }
            }
            if (all(greaterThanEqual(best, ivec2(0))) && all(lessThanEqual(best, latticeSize)) && dot64(m.at, best, p) > 0.0lf) {
                perturbation = leanAt(m, best, attempt < OWN_PLACE);
            }
            bool seen = attempt < OWN_PLACE;
            m.sees = perturbation != 0 ? seen && m.led : m.sees;
            attempt = attempt == FURTHER - 1 && !onWay ? UNSEEN : attempt + 1;
        }
        if (perturbation != 0) {
            m.position = best == p ? position : onGround(best);
            m.from = m.at;
            m.at = best;
            m.perturbation = perturbation;
            if (whole) {
                return cut;
            }
        }
        if (whole) {
            cut = true;
            ivec2 wall;
            share = shareUntilWall(m, p, wall);
            if (wall == ivec2(0)) {
                return cut;
            }
            end = dvec2(m.at) + max(share, 0.0lf) * dvec2(p - m.at);
            along = vec2(wall) / length(vec2(wall));
        } else {
            displacement = along * dot(displacement * float(1.0lf - max(share, 0.0lf)), along);
        }
    }
    return cut;
}
