#version 450 core
// Wavefront, corners: one with a shorter distance, or a parent of lower index at the same, becomes
// a generator again and lights the triangles around it that lie in its taut wedge. What an
// invocation has no turns left for, or finds the page of lit parts full for, is offered again.
//
// reads: faces. writes: windows, lit. reads and writes: offers, generators, front, reach.

#include <Generator>
#include <Cone>
#include <Face>
#include <Window>
#include <Lit>
#include <Offer>
#include "include/numbers.glsl"
#include "include/sight.glsl"
#include "include/cone.glsl"
#include "include/taut.glsl"
#include "include/ray.glsl"
#include "include/light.glsl"

layout(local_size_x = GROUP) in;

layout(std430) buffer Generators { Generator generators[]; };

uniform float latticeStep; // m

void offerTo(uint queue, uint corner, Cone c) {
    offer(queue, corner, c.index, c.distance + distance(c.position, generators[corner].position));
}

// Lights the corner's fan from the half-edge `from` on. Returns where the rest begins that has to
// wait, -1 where none has.
int lightFan(Cone c, int from) {
    ivec2 at = ivec2(c.x, c.y);
    ivec2 wedgeRight = ivec2(c.rightX, c.rightY);
    ivec2 wedgeLeft = ivec2(c.leftX, c.leftY);
    bool cut = c.wedge == WEDGE_TAUT;
    uint queue = (wave + 1u) & 1u;
    uint slot = c.index / stride;
    uint base = slot * stride;
    uint firstFace = front.slots[slot].firstFace;
    // From the triangle beside the wall `from`, counter-clockwise, to the one beside the wall `to`.
    int h = from;
    while (h >= 0 && turnsLeft > 0u) {
        turnsLeft--;
        uint t = uint(h) / 3u;
        int i = h - int(3u * t);
        t += firstFace;
        Face f = faces[t];
        int j = after(i);
        int k = after(j);
        ivec2 right = faceVertex(f, j);
        ivec2 left = faceVertex(f, k);
        bool rightSeen = !cut || inWedge(at, wedgeRight, wedgeLeft, right);
        bool leftSeen = !cut || inWedge(at, wedgeRight, wedgeLeft, left);
        // What the wedge leaves of the triangle's angle. Both are narrower than pi: a border of
        // what they have in common is a border of one that lies in the other.
        ivec2 r = rightSeen ? right : wedgeRight;
        ivec2 l = leftSeen ? left : wedgeLeft;
        bool overlap = (rightSeen || inWedge(at, right, left, wedgeRight)) && (leftSeen || inWedge(at, right, left, wedgeLeft));
        if (overlap && orient(at, r, l) > 0) {
            uint part;
            if (!reserve(1u, part)) {
                return h;
            }
            light(part, c.index, c.distance, t, i, r, l);
            int entry = faceAcross(f, j);
            if (entry >= 0) {
                float key = c.distance + nearestOn(Rays(at, ivec2(0)), vec2(right), vec2(left)) * latticeStep;
                push(Window(c.index, c.distance, entry, key, r.x, r.y, l.x, l.y), slot);
            }
        }
        if (rightSeen && faceCorner(f, j, base) != NONE) {
            offerTo(queue, faceCorner(f, j, base), c);
        }
        if (leftSeen && faceCorner(f, k, base) != NONE) {
            offerTo(queue, faceCorner(f, k, base), c);
        }
        h = faceAcross(f, k);
    }
    return h;
}

void main() {
    uint queue = wave & 1u;
    uint total = min(front.offers[queue], front.offerCapacity);
    uint threads = gl_NumWorkGroups.x * GROUP;
    for (uint n = gl_GlobalInvocationID.x; n < total; n += threads) {
        Offer o = offers[queue * front.offerCapacity + n];
        if (reach[REACH * o.corner + REACH_LEAST] != o.bits || reach[REACH * o.corner + REACH_TIE + queue] != o.generator) {
            continue; // another generator offers less, or the same with a lower index
        }
        Generator g = generators[o.corner];
        float d = uintBitsToFloat(o.bits);
        uint parent = o.generator - slotBase(o.corner);
        bool rest = g.distance == d && g.parent == parent && reach[REACH * o.corner + REACH_REST] != NONE;
        if (g.distance == d && g.parent <= parent && !rest) {
            continue; // expanded in an earlier wave
        }
        if (turnsLeft == 0u) {
            offer(queue ^ 1u, o.corner, o.generator, d);
            continue;
        }
        if (atomicExchange(reach[REACH * o.corner + REACH_WAVE], wave + 1u) == wave + 1u) {
            continue; // the same offer came twice
        }
        generators[o.corner].distance = d;
        generators[o.corner].parent = parent;
        Cone c = coneOf(g, o.corner, d);
        tautWedge(c, generators[o.generator]);
        int from = int(reach[REACH * o.corner + (rest ? REACH_REST : REACH_FAN)]);
        int end = c.wedge != WEDGE_EMPTY ? lightFan(c, from) : -1;
        reach[REACH * o.corner + REACH_REST] = uint(end);
        if (end >= 0) {
            offer(queue ^ 1u, o.corner, o.generator, d);
        }
    }
}
