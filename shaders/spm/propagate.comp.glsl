#version 450 core
// Wavefront, a wave: carries windows through triangles. Windows that are farther than the wave
// reaches are put off, and so are those that an invocation has no turns left for or that find the
// page of lit parts full.
//
// A window enters a triangle, lights its part of it, sees the opposite vertex if that lies between
// its rays, and leaves by one or two edges. It is dropped where another corner's distance, known
// before, beats it strictly at every point of the entering edge that it could pass (see beaten).
// Those of sources are narrowed to where no source of the triangle is nearer.
//
// reads: faces, generators, sites. writes: lit, offers. reads and writes: windows, front, reach.
// reference: geom.Viewer, spm/exact/solve.go. paper: Farias and Kallmann 2018 for what is computed;
// Xin and Wang 2009 for the filter.

#include <Generator>
#include <Face>
#include <Window>
#include <Lit>
#include <Offer>
#include "include/numbers.glsl"
#include "include/sight.glsl"
#include "include/ray.glsl"
#include "include/light.glsl"

layout(local_size_x = GROUP) in;

layout(std430) readonly buffer Generators { Generator generators[]; };

uniform float latticeStep; // m

// Where the ray of that direction through a point meets the line a b, in lattice steps.
vec2 meet(vec2 direction, vec2 through, vec2 a, vec2 b) {
    vec2 e = b - a;
    float denominator = direction.x * e.y - direction.y * e.x;
    if (denominator == 0.0) {
        return a;
    }
    vec2 o = through - a;
    return a + clamp((direction.x * o.y - direction.y * o.x) / denominator, 0.0, 1.0) * e;
}

// Whether a corner at v, with its distance, beats the generator at the point p of the edge by more
// than rounding: float32 distances carry 2^-24 for each edge of a path, and p as computed is off by
// as little; 2^-16 is past what a hundred edges can add up to.
bool beats(float dv, vec2 v, float dg, Rays rays, vec2 p) {
    return dv + distance(v, p) * latticeStep < (dg + straight(rays, p) * latticeStep) * (1.0 - 1.0 / 65536.0);
}

#include "spm/voronoi.glsl"

// What a step into a triangle takes at most.
const uint STEP_TURNS = 1u + 3u * NARROW_TURNS;

float known(uint corner) {
    return corner == NONE ? INFINITY : generators[corner].distance;
}

// A window whose rays cross the edge a b between left and right carries no shortest path if the far
// end is reached sooner over an end of the edge: with |X| the distance from where a ray begins to
// X, for every X between, |X| >= |far| - |X far| and |a X| = |a far| - |X far|.
bool beaten(float dg, Rays rays, Face f, int e, uint base, ivec2 left, ivec2 right) {
    vec2 a = vec2(faceVertex(f, e));
    vec2 b = vec2(faceVertex(f, after(e)));
    vec2 l = meet(vec2(directionOf(rays, left)), vec2(left), a, b);
    vec2 r = meet(vec2(directionOf(rays, right)), vec2(right), a, b);
    return beats(known(faceCorner(f, e, base)), a, dg, rays, r) || beats(known(faceCorner(f, after(e), base)), b, dg, rays, l);
}

void main() {
    uint queue = wave & 1u;
    uint total = min(front.windows[queue], front.windowCapacity);
    uint threads = gl_NumWorkGroups.x * GROUP;
    for (uint w = gl_GlobalInvocationID.x; w < total; w += threads) {
        Window next = windows[queue * front.windowCapacity + w];
        Generator g = generators[next.generator];
        if (g.distance != next.distance) {
            continue; // a shorter path to the generator was found since
        }
        Rays rays = raysOf(g);
        uint slot = next.generator / stride;
        uint base = slot * stride;
        uint firstFace = front.slots[slot].firstFace;
        uvec2 sitesOf = sites[slot];
        float farthest = uintBitsToFloat(front.slots[slot].leastKey[queue]) + front.slots[slot].waveStep;
        bool alive = true;
        while (alive) {
            if (next.key > farthest || turnsLeft < STEP_TURNS) {
                push(next, slot);
                break;
            }
            turnsLeft--;
            uint t = uint(next.entry) / 3u;
            int e = next.entry - int(3u * t);
            t += firstFace;
            Face f = faces[t];
            bool contested = rays.ahead == ivec2(0) && g.distance == 0.0 && sitesOf.x < sitesOf.y;
            if (contested && !narrow(next, sitesOf, uint(next.entry), g, vec2(faceVertex(f, e)), vec2(faceVertex(f, after(e))))) {
                break;
            }
            ivec2 left = ivec2(next.leftX, next.leftY);
            ivec2 right = ivec2(next.rightX, next.rightY);
            if (beaten(g.distance, rays, f, e, base, left, right)) {
                break;
            }
            int rightEdge = after(e);
            int apex = after(rightEdge);
            ivec2 p = faceVertex(f, apex);
            int fromLeft = sideOf(directionOf(rays, left), left, p);
            int fromRight = sideOf(directionOf(rays, right), right, p);
            // Of a light field what leaves by either edge is a part of its own: drawing needs a side
            // for the source segment.
            bool twice = rays.ahead != ivec2(0) && fromLeft < 0 && fromRight > 0;
            uint part;
            if (!reserve(twice ? 2u : 1u, part)) {
                push(next, slot);
                break;
            }
            light(part, next.generator, g.distance, t, e, right, twice ? p : left);
            if (twice) {
                light(part + 1u, next.generator, g.distance, t, e, p, left);
            }
            uint corner = faceCorner(f, apex, base);
            if (corner != NONE && fromLeft <= 0 && fromRight >= 0) {
                offer(queue, corner, next.generator, g.distance + straightTo(g, generators[corner].position));
            }
            Window one = next;
            Window two = next;
            one.entry = fromLeft < 0 ? faceAcross(f, apex) : -1;
            two.entry = fromRight > 0 ? faceAcross(f, rightEdge) : -1;
            if (fromRight > 0) { // the apex is left of the right ray: what leaves by the left edge is bounded by it
                one.rightX = p.x;
                one.rightY = p.y;
            }
            if (fromLeft < 0) {
                two.leftX = p.x;
                two.leftY = p.y;
            }
            uint first = 3u * (uint(next.entry) / 3u);
            if (contested && one.entry >= 0 && !narrow(one, sitesOf, first + uint(apex), g, vec2(p), vec2(faceVertex(f, e)))) {
                one.entry = -1;
            }
            if (contested && two.entry >= 0 && !narrow(two, sitesOf, first + uint(rightEdge), g, vec2(faceVertex(f, rightEdge)), vec2(p))) {
                two.entry = -1;
            }
            if (one.entry >= 0) {
                one.key = max(next.key, g.distance + nearestOn(rays, vec2(p), vec2(faceVertex(f, e))) * latticeStep);
            }
            if (two.entry >= 0) {
                two.key = max(next.key, g.distance + nearestOn(rays, vec2(p), vec2(faceVertex(f, rightEdge))) * latticeStep);
            }
            if (one.entry >= 0 && two.entry >= 0) {
                push(two, slot);
            }
            alive = one.entry >= 0 || two.entry >= 0;
            if (one.entry >= 0) {
                next = one;
            } else {
                next = two;
            }
        }
    }
}
