// Voronoi cells of sources: light of a source does not go on where another source is nearer that sees
// as much.
//
// A source sees all of the triangles that it is in. Where it is nearer to a point X of a side than
// the source of a window that crosses the side at X, it has a shorter path to all that the window
// lights through X. The points that are nearer to one than to another by more than a constant are
// convex (one side of a branch of a hyperbola): if both ends of what a window crosses are among
// them, so is all between.
//
// Reads: sites, generators. Reference: spm/voronoi.go, which does this for the triangle that light
// comes from.
// Needs: <Generator>, <Window>, include/exact.glsl, include/ray.glsl, include/light.glsl.

// First of each slot where its part begins and ends. Then by half-edge, 3 * triangle + side, the
// sources of the triangle whose Voronoi cell in it reaches the side: no other source there is
// nearest to any of its points.
layout(std430) readonly buffer Sites { uvec2 sites[]; };

uniform float slackOfAll; // more than what lengths of paths may be off, lattice steps

// Sites that are tested for a side, evenly chosen: windows may be wider than need be. With the two searches that find them they take at most twice as many turns, and 64.
const uint MOST_TESTED = 64u;
const uint NARROW_TURNS = 2u * MOST_TESTED + 64u;

// Where the sites at a half-edge begin in a part.
uint sitesFrom(uvec2 part, uint halfEdge) {
    uint low = part.x;
    uint high = part.y;
    while (low < high) {
        turnsLeft--;
        uint middle = (low + high) / 2u;
        bool before = sites[middle].x < halfEdge;
        low = before ? middle + 1u : low;
        high = before ? high : middle;
    }
    return low;
}

// How far a source's place is from where its rays part, in lattice steps.
float moved(Generator g, vec2 place) {
    return distance(place, vec2(g.x, g.y));
}

// Narrows a window that crosses the side a b of a triangle to where no other site of the triangle is
// nearer, or to somewhat more. It returns false where nothing is left.
bool narrow(inout Window w, uvec2 part, uint halfEdge, Generator g, vec2 a, vec2 b) {
    uint begin = sitesFrom(part, halfEdge);
    uint end = sitesFrom(part, halfEdge + 1u);
    uint every = max((end - begin) / MOST_TESTED, 1u);
    ivec2 at = ivec2(g.x, g.y);
    vec2 own = g.position / latticeStep;
    bool left = true;
    for (uint i = begin; i < end && left; i += every) {
        turnsLeft--;
        uint other = sites[i].y;
        Generator site = generators[other];
        vec2 place = site.position / latticeStep;
        // Lengths are from where sources were given, rays part from the lattice.
        float slack = slackOfAll + 2.0 * (moved(g, own) + moved(site, place));
        ivec2 rightBound = ivec2(w.rightX, w.rightY);
        ivec2 leftBound = ivec2(w.leftX, w.leftY);
        vec2 r = meet(vec2(rightBound - at), vec2(rightBound), a, b);
        vec2 l = meet(vec2(leftBound - at), vec2(leftBound), a, b);
        bool rightLost = distance(place, r) + slack < distance(own, r);
        bool leftLost = distance(place, l) + slack < distance(own, l);
        left = !(rightLost && leftLost);
        if (rightLost != leftLost && other != w.generator) {
            // Up to where a line bounds the site's cell, as in voronoi.cut, squared lengths being
            // linear along the side.
            vec2 lost = rightLost ? r : l;
            vec2 kept = rightLost ? l : r;
            vec2 to = place - own;
            vec2 middle = 0.5 * (place + own);
            float most = slack * (distance(own, r) + distance(own, l) + distance(place, r) + distance(place, l));
            float f = 2.0 * dot(lost - middle, to) - most;
            float k = 2.0 * dot(kept - middle, to) - most;
            vec2 border = lost + clamp(f / (f - k), 0.0, 1.0) * (kept - lost);
            // A ray goes through a lattice point. Where it crosses the side after rounding the
            // site has to be nearer still.
            ivec2 bound = ivec2(floor(border + 0.5));
            vec2 crossed = meet(vec2(bound - at), vec2(bound), a, b);
            bool within = sideOf(rightBound - at, at, bound) > 0 && sideOf(leftBound - at, at, bound) < 0;
            if (f > 0.0 && k < 0.0 && within && distance(place, crossed) + 0.5 * slack < distance(own, crossed)) {
                w.rightX = rightLost ? bound.x : w.rightX;
                w.rightY = rightLost ? bound.y : w.rightY;
                w.leftX = rightLost ? w.leftX : bound.x;
                w.leftY = rightLost ? w.leftY : bound.y;
            }
        }
    }
    return left;
}
