// The nearest free ground to a place, on a grid of walls.
//
// Free ground that is nearest to a covered place is on a wall. So every wall offers the lattice points around the point of
// it that is nearest, and its ends, which are always free; of what is free and accepted the nearest to the place
// counts, ties by x, then y. Walls come by growing rings of cells. What is found is less than 2.2 steps (half a step
// of rounding and one to a neighbour along each axis, 1.5 sqrt(2)) farther away than the nearest free point of the plane,
// unless free ground is so narrow there that it holds no lattice point.
// Reference: agents.barriers.nearestFree.
//
// The including stage defines accepts.
// Needs: include/walls.glsl, agents/place.glsl.

bool accepts(ivec2 p);

// Whether there is such a point, for q in the domain.
bool nearestFree(ivec4 grid, ivec2 q, out ivec2 nearest) {
    nearest = q;
    double best = -1.0lf; // squared distance of nearest, exact; negative: none yet
    ivec2 middle = min(q >> grid.x, grid.yz - 1);
    ivec2 farther = max(middle, grid.yz - 1 - middle);
    int last = max(farther.x, farther.y);
    bool more = true;
    for (int ring = 0; more; ring++) {
        ivec2 low = max(middle - ring, ivec2(0));
        ivec2 high = min(middle + ring, grid.yz - 1);
        for (int y = low.y; y <= high.y; y++) {
            bool edge = abs(y - middle.y) == ring;
            for (int x = edge ? low.x : middle.x - ring; x <= high.x; x += edge ? 1 : max(2 * ring, 1)) {
                int cell = grid.w + y * grid.y + x;
                ivec2 list = x < 0 ? ivec2(0) : walls[max(cell, 0)].xy + grid.w;
                for (int i = list.x; i < list.y; i++) {
                    ivec4 w = walls[i];
                    dvec2 foot = footOn(w.xy, w.zw, q);
                    double off = distance(foot, dvec2(q)) - 3.0lf;
                    int offers = best >= 0.0lf && off > 0.0lf && off * off > best ? 0 : 11;
                    for (int k = 0; k < offers; k++) {
                        ivec2 p = ivec2(floor(foot + 0.5lf)) + ivec2(k % 3, k / 3) - 1;
                        p = k == 9 ? w.xy : (k == 10 ? w.zw : p);
                        dvec2 d = dvec2(p - q);
                        double far = d.x * d.x + d.y * d.y;
                        bool nearer = best < 0.0lf || far < best ||
                            (far == best && (p.x < nearest.x || (p.x == nearest.x && p.y < nearest.y)));
                        nearer = nearer && all(greaterThanEqual(p, ivec2(0))) && all(lessThanEqual(p, latticeSize));
                        for (bool look = nearer; look; look = false) {
                            if (isFree(grid, p) && accepts(p)) {
                                best = far;
                                nearest = p;
                            }
                        }
                    }
                }
            }
        }
        // What is beyond this ring is at least so many cells away, and its offers less than three steps nearer.
        double beyond = double(ring) * double(1 << grid.x) - 3.0lf;
        more = ring < last && !(best >= 0.0lf && beyond > 0.0lf && best <= beyond * beyond);
    }
    return best >= 0.0lf;
}
