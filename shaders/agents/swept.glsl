// Where walls that have moved since the step before meet a place: see Crowd.SetMotions.
//
// In the obstacle's frame a place goes from where the obstacle would have taken it with it to where
// it is. A wall that it passes on the way, from the free side, meets it there.
// Reference: agents.Reference.meetsWall.
// Needs: include/walls.glsl, agents/place.glsl, agents/wallmotions.glsl.

uniform int swept; // by how much walls have moved at most, along either axis, in lattice steps; 0: none has

// By how much a place may be behind a wall that it has not passed, in lattice steps: it was put on
// the wall and rounded, as the wall's ends are, before and after it moved.
const double SWEPT_SLACK = 3.0lf;

// How far along its way a place meets a wall whose ends have moved by so much, 0 to 1; 2 if it does
// not. And where: a step off on the free side.
double meeting(ivec4 w, dvec4 moved, dvec2 at, out dvec2 met) {
    precise dvec2 before = dvec2(w.xy) - moved.xy;
    precise dvec2 u = dvec2(w.zw) - moved.zw - before;
    precise dvec2 turned = moved.zw - moved.xy;
    precise dvec2 off = at - before;
    precise double square = u.x * u.x + u.y * u.y;
    // turned / u * off, of complex numbers
    precise dvec2 quotient = dvec2(turned.x * u.x + turned.y * u.y, turned.y * u.x - turned.x * u.y) / square;
    precise dvec2 start = at + moved.xy + dvec2(quotient.x * off.x - quotient.y * off.y, quotient.x * off.y + quotient.y * off.x);
    precise dvec2 d = dvec2(w.zw - w.xy);
    precise double length2 = d.x * d.x + d.y * d.y;
    precise double len = sqrt(length2);
    dvec2 s = start - dvec2(w.xy);
    dvec2 e = at - dvec2(w.xy);
    precise double sideBefore = d.x * s.y - d.y * s.x;
    precise double side = d.x * e.y - d.y * e.x;
    precise double part = clamp(sideBefore / (sideBefore - side), 0.0lf, 1.0lf);
    precise dvec2 m = start + (at - start) * part;
    precise double along = (m.x - double(w.x)) * d.x + (m.y - double(w.y)) * d.y;
    precise double slack = SWEPT_SLACK * len;
    precise dvec2 free = m + dvec2(-d.y, d.x) / len;
    met = free;
    bool meets = square > 0.0lf && sideBefore >= -slack && side < 0.0lf && along >= -slack && along <= length2 + slack;
    return meets ? part : 2.0lf;
}

// Whether a wall that has not moved stands between two places, the second behind it.
bool standsBetween(ivec4 w, ivec2 from, ivec2 to) {
    double sides = cross64(from, to, w.xy) * cross64(from, to, w.zw);
    return cross64(w.xy, w.zw, from) >= 0.0lf && cross64(w.xy, w.zw, to) < 0.0lf && sides <= 0.0lf;
}

// Whether a wall meets a place, and where the first one does, unless one that has not moved stands
// between.
bool meetsWall(ivec2 at, out ivec2 place) {
    place = at;
    ivec4 range = ivec4(max(at - swept - 4, ivec2(0)) >> wallGrid.x, min((at + swept + 4) >> wallGrid.x, wallGrid.yz - 1));
    double first = 2.0lf;
    bool meets = false;
    for (int turn = 0; turn < 2 && (turn == 0 || meets); turn++) {
        for (int row = range.y; row <= range.w; row++) {
            for (int column = range.x; column <= range.z;) {
                ivec4 cell = wallRecord(wallGrid.w + row * wallGrid.y + column);
                column += max(cell.w, 1);
                for (int i = cell.x + wallGrid.w; i < cell.y + wallGrid.w; i++) {
                    ivec4 w = wallRecord(i);
                    vec4 by = texelFetch(wallMotions, i * 2 + 1);
                    bool stood = by == vec4(0.0);
                    BRANCH (turn == 0 && !stood) {
                        dvec2 met;
                        double part = meeting(w, dvec4(by) / latticeStep(), dvec2(at), met);
                        ivec2 there = clamp(ivec2(floor(met + 0.5lf)), ivec2(0), latticeSize);
                        bool less = there.x < place.x || (there.x == place.x && there.y < place.y);
                        bool sooner = part < first || (part == first && part < 2.0lf && less);
                        first = sooner ? part : first;
                        place = sooner ? there : place;
                        meets = meets || sooner;
                    }
                    meets = meets && !(turn == 1 && stood && standsBetween(w, at, place));
                }
            }
        }
    }
    place = meets ? place : at;
    return meets;
}
