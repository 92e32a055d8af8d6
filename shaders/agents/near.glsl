// Visits all bodies whose disc may overlap a disc, at the end of a step.
//
// Agents have moved since they were sorted into cells, by no more than `drift`, so that much
// further away are they looked for. Eight at a time, since devices may end long loops:
// more than 100,000 bodies may be near. Where one does, or after MOST_TURNS, nothing that was found
// may be used, as it would depend on the order in which bodies lie.
//
// The including stage defines meet, and meetCloser if it has those looked at closer, and calls
// visit.
// Needs: agents/cells.glsl.

#include "include/branch.glsl"

uniform float largest; // the largest radius, m
uniform float drift;   // m

// Of up to four bodies, of a row of so many: those that there are, with their ids, and their
// squared distances from the visitor. Returns those to be looked at closer: bits 1, 2, 4, 8.
uint meet(uvec4 others, bvec4 there, uvec4 ids, vec4 squared, vec4 radii, uint row);

#if defined(CLOSER)
// Of one that is to be looked at closer, if there is any.
void meetCloser(uint other, bool any);
#endif

// How many bodies it has looked at.
uint looks = 0u;

uint meetFour(vec2 place, uint first, uint last, uint row) {
    uvec4 others = first + uvec4(0u, 1u, 2u, 3u);
    bvec4 there = lessThan(others, uvec4(last));
    others = min(others, uvec4(max(last, 1u) - 1u));
    Spot a = spotAt(others.x);
    Spot b = spotAt(others.y);
    Spot c = spotAt(others.z);
    Spot d = spotAt(others.w);
    precise vec4 dx = place.x - vec4(a.position.x, b.position.x, c.position.x, d.position.x);
    precise vec4 dy = place.y - vec4(a.position.y, b.position.y, c.position.y, d.position.y);
    precise vec4 squared = dx * dx + dy * dy;
    return meet(others, there, uvec4(a.id, b.id, c.id, d.id), squared, vec4(a.radius, b.radius, c.radius, d.radius), row);
}

// Whether all were visited. One loop over runs and bodies alike, so that invocations that come upon
// a long run at different times still go through it together. Bodies that few need closer come one by
// one.
bool visit(vec2 place, float radius, bool enters) {
    float w = radius + largest + drift;
    Walk walk = walkFrom(place);
    uvec2 run = uvec2(0u);
    uint row = 0u; // its length
    bool more;
    uint turns = 0u;
    do {
        BRANCH (run.x >= run.y) {
            run = nextRun(walk, w);
            run.y = enters ? run.y : run.x;
            row = run.y - run.x;
            looks += row;
        }
        uint closer = meetFour(place, run.x, run.y, row);
        closer |= meetFour(place, run.x + 4u, run.y, row) << 4;
#if defined(CLOSER)
        do {
            meetCloser(min(run.x + uint(max(findLSB(closer), 0)), max(run.y, 1u) - 1u), closer != 0u);
            closer &= closer - 1u;
        } while (closer != 0u);
#endif
        run.x = min(run.x + 8u, run.y);
        more = enters && (walk.more || run.x < run.y);
        turns++;
    } while (more && turns < MOST_TURNS);
    return !more;
}
