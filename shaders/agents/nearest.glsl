// The nearest free ground to a place, on a grid of walls.
//
// Free ground that is nearest to a covered place is on a wall. So every wall offers the lattice points around the point of
// it that is nearest, and its ends, which are always free; of what is free and accepted the nearest to the place
// counts, ties by x, then y. Walls come by growing rings of cells, on which the distance of every cell from the nearest one
// with walls skips most. (Mesa's software renderer ends all loops after 65,535 turns in one invocation.) What is found is less than 2.2 steps (half a step
// of rounding and one to a neighbour along each axis, 1.5 sqrt(2)) farther away than the nearest free point of the plane,
// unless free ground is so narrow there that it holds no lattice point.
// Reference: agents.barriers.nearestFree.
//
// The including stage defines accepts.
// Needs: include/walls.glsl, agents/place.glsl.

bool accepts(ivec2 p);

// A cell of the ring around the middle, by its place in it, counter-clockwise from the lower left.
ivec2 cellOfRing(ivec2 middle, int ring, int place) {
    int side = ring == 0 ? 0 : place / (2 * ring);
    int along = ring == 0 ? 0 : place % (2 * ring) - ring;
    return middle + (side == 0 ? ivec2(along, -ring) : side == 1 ? ivec2(ring, along) : side == 2 ? ivec2(-along, ring) : ivec2(-ring, -along));
}

// Whether there is such a point, for q in the domain.
bool nearestFree(ivec4 grid, ivec2 q, out ivec2 nearest) {
    nearest = q;
    double best = -1.0lf; // squared distance of nearest, exact; negative: none yet
    ivec2 middle = min(q >> grid.x, grid.yz - 1);
    ivec2 farther = max(middle, grid.yz - 1 - middle);
    int last = max(farther.x, farther.y);
    int ring = walls[grid.w + middle.y * grid.y + middle.x].w; // all within are empty
    bool more = ring <= last;
    while (more) {
        int places = max(8 * ring, 1);
        int place = 0;
        while (place < places) {
            ivec2 cell = cellOfRing(middle, ring, place);
            ivec2 inside = clamp(cell, ivec2(0), grid.yz - 1);
            ivec2 outside = abs(cell - inside);
            ivec4 entry = walls[grid.w + inside.y * grid.y + inside.x];
            // Cells so near, along the ring too, are empty or outside.
            int far = cell == inside ? entry.w : max(outside.x, outside.y);
            place += max(far, 1);
            ivec2 list = cell == inside ? entry.xy + grid.w : ivec2(0);
            for (int i = list.x; i < list.y; i++) {
                ivec4 w = walls[i];
                dvec2 foot = footOn(w.xy, w.zw, q);
                double off = distance(foot, dvec2(q)) - 3.0lf;
                int offers = best >= 0.0lf && off > 0.0lf && off * off > best ? 0 : 11;
                for (int k = 0; k < offers; k++) {
                    ivec2 p = ivec2(floor(foot + 0.5lf)) + ivec2(k % 3, k / 3) - 1;
                    p = k == 9 ? w.xy : (k == 10 ? w.zw : p);
                    dvec2 d = dvec2(p - q);
                    double squared = d.x * d.x + d.y * d.y;
                    bool nearer = best < 0.0lf || squared < best ||
                        (squared == best && (p.x < nearest.x || (p.x == nearest.x && p.y < nearest.y)));
                    nearer = nearer && all(greaterThanEqual(p, ivec2(0))) && all(lessThanEqual(p, latticeSize));
                    for (bool look = nearer; look; look = false) {
                        if (isFree(grid, p) && accepts(p)) {
                            best = squared;
                            nearest = p;
                        }
                    }
                }
            }
        }
        // What is beyond this ring is at least so many cells away, and its offers less than three steps nearer.
        double beyond = double(ring) * double(1 << grid.x) - 3.0lf;
        more = ring < last && !(best >= 0.0lf && beyond > 0.0lf && best <= beyond * beyond);
        ring++;
    }
    return best >= 0.0lf;
}
