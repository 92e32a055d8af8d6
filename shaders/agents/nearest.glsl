// The nearest free ground to a place, on a grid of walls.
//
// Free ground that is nearest to a covered place is on a wall. So every wall offers, of the lattice
// points around the point of it that is nearest, the free one nearest to the place, and the end
// that it begins with, which is always free. Of what is accepted the nearest counts, ties by x,
// then y. Without a choice that is less than 2.2 steps (half a step of rounding and one to a
// neighbor along each axis, 1.5 sqrt(2)) farther away than the nearest free point of the plane,
// unless free ground is so narrow there that it holds no lattice point. Nothing is accepted from
// more than SEARCH times as far away as the nearest of all offers.
//
// Walls come by growing rings of cells, on which the distance of every cell from the nearest one
// with walls skips most. It takes many of the loop turns that a device allows an invocation: so it
// belongs in a pass of its own.
// Reference: agents.barriers.nearestFree.
//
// The including stage defines accepts.
// Needs: include/walls.glsl, agents/place.glsl.

#include "include/branch.glsl"

bool accepts(ivec2 p);

// A cell of the ring around the middle, by its place in it, counter-clockwise from the lower left.
ivec2 cellOfRing(ivec2 middle, int ring, int place) {
    int side = ring == 0 ? 0 : place / (2 * ring);
    int along = ring == 0 ? 0 : place % (2 * ring) - ring;
    return middle + (side == 0 ? ivec2(along, -ring) : side == 1 ? ivec2(ring, along) : side == 2 ? ivec2(-along, ring) : ivec2(-ring, -along));
}

const double SEARCH = 16.0lf;

double squaredDistance(ivec2 p, ivec2 q) {
    dvec2 d = dvec2(p - q);
    return d.x * d.x + d.y * d.y;
}

// Whether p comes before `other` in order of distance from q.
bool nearer(ivec2 q, ivec2 p, ivec2 other) {
    double d = squaredDistance(p, q) - squaredDistance(other, q);
    return d < 0.0lf || (d == 0.0lf && (p.x < other.x || (p.x == other.x && p.y < other.y)));
}

// Whether there is such a point, for q in the domain.
bool nearestFree(ivec4 grid, ivec2 q, out ivec2 nearest) {
    nearest = q;
    double best = -1.0lf; // squared distance of nearest, exact; negative: none yet
    double first = -1.0lf; // of all offers
    ivec2 middle = min(q >> grid.x, grid.yz - 1);
    ivec2 farther = max(middle, grid.yz - 1 - middle);
    int last = max(farther.x, farther.y);
    int ring = wallRecord(grid.w + middle.y * grid.y + middle.x).w; // all within are empty
    bool more = ring <= last;
    while (more) {
        int places = max(8 * ring, 1);
        int place = 0;
        while (place < places) {
            ivec2 cell = cellOfRing(middle, ring, place);
            ivec2 inside = clamp(cell, ivec2(0), grid.yz - 1);
            ivec2 outside = abs(cell - inside);
            ivec4 entry = wallRecord(grid.w + inside.y * grid.y + inside.x);
            // Cells so near, along the ring too, are empty or outside.
            int far = cell == inside ? entry.w : max(outside.x, outside.y);
            place += max(far, 1);
            ivec2 list = cell == inside ? entry.xy + grid.w : ivec2(0);
            for (int i = list.x; i < list.y; i++) {
                ivec4 w = wallRecord(i);
                dvec2 foot = footOn(w.xy, w.zw, q);
                double off = distance(foot, dvec2(q)) - 3.0lf;
                bool hopeless = best >= 0.0lf && off > 0.0lf && off * off > best;
                for (int offer = hopeless ? 2 : 0; offer < 2; offer++) {
                    ivec2 p = w.xy;
                    bool there = offer == 1;
                    for (int k = 0; k < (offer == 0 ? 9 : 0); k++) {
                        ivec2 other = ivec2(floor(foot + 0.5lf)) + ivec2(k % 3, k / 3) - 1;
                        bool inside = all(greaterThanEqual(other, ivec2(0))) && all(lessThanEqual(other, latticeSize));
                        bool better = (!there || nearer(q, other, p)) && (best < 0.0lf || nearer(q, other, nearest));
                        BRANCH (inside && better) {
                            bool open = isFree(grid, other);
                            p = open ? other : p;
                            there = there || open;
                        }
                    }
                    double squared = squaredDistance(p, q);
                    first = there && (first < 0.0lf || squared < first) ? squared : first;
                    BRANCH (there && (best < 0.0lf || nearer(q, p, nearest))) {
                        if (accepts(p)) {
                            best = squared;
                            nearest = p;
                        }
                    }
                }
            }
        }
        // What is beyond this ring is at least so many cells away, and its offers less than three
        // steps nearer.
        double beyond = double(ring) * double(1 << grid.x) - 3.0lf;
        double enough = best >= 0.0lf ? best : first * SEARCH * SEARCH;
        more = ring < last && !(first >= 0.0lf && beyond > 0.0lf && enough <= beyond * beyond);
        ring++;
    }
    return best >= 0.0lf && best <= first * SEARCH * SEARCH;
}
