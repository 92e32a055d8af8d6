#version 450 core
// Makes the equations of a level from those of the level before: its nodes' parts are to be multiplied by a factor each.
//
// Reads: nodes, edges, flows, states and resistances of the level before. Writes: states of nodes, flows.
// Reference: bvp.relaxer.coarsen, bit for bit.

#include "bvp/hierarchy.glsl"

void main() {
    uint whole = first + gl_GlobalInvocationID.x;
    if (whole >= end) {
        return;
    }
    uint low = joints[whole].firstPart;
    uint high = joints[whole + 1u].firstPart;
    int highest = unitOf(knots[low]);
    for (uint n = low; n < high; n++) {
        highest = max(highest, unitOf(knots[n]));
    }
    // What flows out, to goals, and what is missing, all weighted with q.
    precise float leaving = 0.0;
    precise float endings = 0.0;
    precise float missing = 0.0;
    for (uint n = low; n < high; n++) {
        KnotState k = knots[n];
        precise float weight = power(2 * (unitOf(k) - highest)) * k.x;
        float ending = endingAt(k);
        precise float lacks = k.d * k.x - ending;
        precise float leaves = 0.0;
        for (uint e = joints[n].firstEdge; e < joints[n + 1u].firstEdge; e++) {
            float v = flowTo(k, e);
            lacks -= v;
            if (links[e].above != INSIDE) {
                leaves += v;
            }
        }
        endings += weight * ending;
        leaving += weight * leaves;
        missing += weight * lacks;
    }
    precise float least = -(ROUGH * (leaving + endings));
    bool even = missing >= least;
    for (uint e = joints[whole].firstEdge; e < joints[whole + 1u].firstEdge; e++) {
        flows[e] = 0.0;
    }
    precise float diagonal = endings;
    for (uint n = low; n < high; n++) {
        KnotState k = knots[n];
        float weight = power(2 * (unitOf(k) - highest));
        for (uint e = joints[n].firstEdge; e < joints[n + 1u].firstEdge; e++) {
            uint above = links[e].above;
            if (above == INSIDE) {
                continue;
            }
            precise float flow = k.x * flowTo(k, e);
            if (even) {
                uint to = toOf(e);
                int d = directionOf(e);
                precise float beyond = behind[to][d] * power(2 * (unitOf(k) - unitOf(knots[to])));
                precise vec2 sides = min(flow * vec2(behind[n][d ^ 1], beyond), MOST_BEHIND);
                float lesser = min(sides.x, sides.y);
                precise float greater = min(max(sides.x, sides.y), LOPSIDED * lesser);
                precise float around = (1.0 + lesser) + greater;
                flow *= reciprocal(around);
            }
            flow *= weight;
            precise float sum = flows[above] + flow;
            flows[above] = sum;
            diagonal += flow;
        }
    }
    precise float whatLeaves = diagonal + missing;
    precise float bound = LEAST_DIAGONAL * diagonal;
    knots[whole] = KnotState(1.0, 0, highest, endings, max(max(whatLeaves, bound), TINY));
}
