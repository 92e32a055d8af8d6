// The maps that agents follow: generators, what they light, and how long the paths over them are.
//
// A generator is a point with its free sector, or a beam. Over a beam the path leads to the foot point of
// one's place on it, so only an agent at right angles to it, on its left, has a path over it.
// Needs: <Generator>, include/numbers.glsl, include/walls.glsl, agents/place.glsl.
//
// POINT_SOURCES_ONLY is 1 where no generator is a beam and all maps are of the ground that agents
// walk on: what does not concern those is left out then.

#include "include/branch.glsl"

uniform bool cleared; // some map is of ground other than that which agents walk on

// How far from a beam one has arrived whatever the radius. Agents stand on the lattice, but their
// feet do not. At least one of the four lattice points around a foot lies on the light side, less
// than sqrt(2) away, and the aim, which is the foot rounded, less than sqrt(1/2). From L steps away
// both are ahead together while L^2 - (sqrt(2) + sqrt(1/2)) L - 1 > 0, that is from 2.52 steps on.
const double BEAM_REACH = 3.0lf; // lattice steps

ivec2 placeOf(Generator g) {
    return ivec2(g.x, g.y);
}

bool isBeam(Generator g) {
    return POINT_SOURCES_ONLY == 0 && g.kind == SECTOR_BEAM;
}

// The grid of the ground that a layer's map is of.
ivec4 gridOf(uint layer) {
    return POINT_SOURCES_ONLY == 0 && cleared ? wallRecord(int(layer)) : wallGrid;
}

// The rules under which a generator lights an agent at q that came from `from`.
uint lights(ivec4 grid, Generator g, ivec2 q, ivec2 from, int perturbation) {
    bool other = POINT_SOURCES_ONLY == 0 && grid.w != wallGrid.w;
    uint rules = litBy(grid, other, placeOf(g), g.kind, ivec2(g.fromX, g.fromY), ivec2(g.toX, g.toY), q, from, perturbation);
    BRANCH (isBeam(g)) {
        rules = litByBeam(grid, other, placeOf(g), ivec2(g.toX, g.toY), q, from, perturbation);
    }
    return rules;
}

// Length of the path from q over a generator, were it in sight, in meters; infinite beside a beam.
double lengthOver(Generator g, ivec2 q) {
    dvec2 d = dvec2(placeOf(g) - q);
    precise double straight = sqrt(d.x * d.x + d.y * d.y) * latticeStep();
    BRANCH (isBeam(g)) {
        ivec2 a = placeOf(g);
        ivec2 b = ivec2(g.toX, g.toY);
        dvec2 along = dvec2(b - a);
        double across = cross64(a, b, q);
        bool over = across >= 0.0lf && dot64(a, b, q) >= 0.0lf && dot64(b, a, q) >= 0.0lf;
        precise double high = across / sqrt(along.x * along.x + along.y * along.y) * latticeStep();
        straight = over ? high : double(INFINITY);
    }
    precise double total = double(g.distance) + straight;
    return total;
}

// Where the path from q over a generator leads to first, in meters.
vec2 aimOver(Generator g, ivec2 q) {
    vec2 aim = onGround(placeOf(g));
    BRANCH (isBeam(g)) {
        precise dvec2 foot = footOn(placeOf(g), ivec2(g.toX, g.toY), q) * latticeStep();
        aim = vec2(foot);
    }
    return aim;
}
