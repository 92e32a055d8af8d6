// Takes a disc off the walls that it overlaps.
//
// A wall leaves a half plane to the center of a disc: beside the wall that on its free side at a
// distance of the radius, beyond an end that away from the end. The center comes out of the deepest
// overlap by the shortest way; where that ends inside the half plane of the overlap before, it goes
// to the point where the borders of both cross: the corner of two walls takes two turns, whatever
// its angle. Between walls that are parallel, less than a diameter apart, there is no such point;
// it goes midway. What is least deep in OFF_TURNS turns counts, so that a disc in a pocket too
// small for it stays where it fits best.
//
// Sides are those of the lattice point that the disc stands for, exactly: a place may be on the far
// side of a wall by rounding.
// Needs: include/walls.glsl, agents/place.glsl, agents/move.glsl (sooner).
// Reference: agents.barriers.off.

// The half plane that a wall leaves: normal . p >= least, lattice steps.
struct Bound {
    dvec2 normal;
    double least;
    double depth;  // by which the disc overlaps the wall; negative: none
    double span;   // over which the normal is known
};

// The deepest of the overlaps with a disc at p that stands for `at`.
Bound deepestBound(dvec2 p, ivec2 at, double radius) {
    Bound best = Bound(dvec2(0.0lf), 0.0lf, -1.0lf, 0.0lf);
    ivec4 deepest = ivec4(0);
    ivec2 from = max(ivec2(floor(clamp(p - radius, dvec2(0.0lf), dvec2(latticeSize)))) >> wallGrid.x, ivec2(0));
    ivec2 to = min(ivec2(ceil(clamp(p + radius, dvec2(0.0lf), dvec2(latticeSize)))) >> wallGrid.x, wallGrid.yz - 1);
    for (int row = from.y; row <= to.y; row++) {
        for (int column = from.x; column <= to.x; column++) {
            ivec2 list = wallRecord(wallGrid.w + row * wallGrid.y + column).xy + wallGrid.w;
            for (int i = list.x; i < list.y; i++) {
                ivec4 w = wallRecord(i);
                precise dvec2 along = dvec2(w.zw - w.xy);
                precise dvec2 ofA = p - dvec2(w.xy);
                precise dvec2 ofB = p - dvec2(w.zw);
                precise double length2 = along.x * along.x + along.y * along.y;
                precise double ahead = ofA.x * along.x + ofA.y * along.y;
                bool beside = ahead > 0.0lf && ahead < length2;
                precise dvec2 off = ahead > 0.0lf ? ofB : ofA;
                precise double off2 = off.x * off.x + off.y * off.y;
                // An end nearer than a place is rounded by gives no direction.
                bool square = beside || off2 <= 0.5lf;
                precise double far = sqrt(square ? length2 : off2);
                precise dvec2 normal = (square ? dvec2(-along.y, along.x) : off) / far;
                precise double distance = normal.x * off.x + normal.y * off.y;
                precise double depth = radius - distance;
                precise double least = normal.x * p.x + normal.y * p.y + depth;
                bool deeper = depth > best.depth || (depth == best.depth && sooner(w, deepest));
                if (deeper && orient(w.xy, w.zw, at) >= 0) {
                    best = Bound(normal, least, depth, far);
                    deepest = w;
                }
            }
        }
    }
    return best;
}

// Where a disc of a radius in meters goes that is at a place in meters: there, where it overlaps no
// wall by more than 1% of it.
vec2 offWalls(vec2 place, float radius) {
    ivec2 at = onLattice(place);
    precise dvec2 p = dvec2(place) / latticeStep();
    precise double reach = double(radius) / latticeStep();
    precise double allowed = 0.01lf * reach;
    dvec2 best = p;
    double least = -1.0lf; // depth at best; negative: p is the first place
    Bound before = Bound(dvec2(0.0lf), 0.0lf, 0.0lf, 0.0lf);
    bool moved = false;
    bool deep = true;
    for (int turn = 0; turn < OFF_TURNS && deep; turn++) {
        Bound b = deepestBound(p, at, reach);
        deep = b.depth > allowed;
        bool better = turn > 0 && b.depth < least;
        best = better ? p : best;
        moved = moved || better;
        least = turn == 0 || better ? b.depth : least;
        precise dvec2 outside = p + b.normal * b.depth;
        precise double slip = before.least - (before.normal.x * outside.x + before.normal.y * outside.y);
        precise double sine = before.normal.x * b.normal.y - before.normal.y * b.normal.x;
        // Ends of walls are snapped to within half a step along each axis, and so is the place
        // beyond an end: that turns the normals by less than sqrt(2) over the lengths.
        bool parallel = turn > 0 && sine * sine * b.span * b.span * before.span * before.span <= 2.0lf * (b.span + before.span) * (b.span + before.span);
        precise dvec2 crossing = dvec2(before.least * b.normal.y - b.least * before.normal.y, before.normal.x * b.least - b.normal.x * before.least) / sine;
        precise dvec2 midway = p + b.normal * (0.5lf * b.depth);
        p = turn > 0 && slip > 0.0lf ? (parallel ? midway : crossing) : outside;
        before = b;
    }
    precise dvec2 gone = best * latticeStep();
    return moved ? vec2(gone) : place;
}
