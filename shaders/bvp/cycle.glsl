// What a cycle does to nodes of a level, each by itself.
//
// Needs: bvp/hierarchy.glsl.

// The imbalance before each cycle, as the bits of a float.
layout(std430) readonly buffer Imbalances { uint imbalances[]; };

uniform uint cycle;

// Whether there is nothing left to do in this cycle.
bool hasConverged() {
    return uintBitsToFloat(imbalances[cycle]) <= ENOUGH;
}

// Sets a node to what its equation asks.
void smoothNode(uint n) {
    NodeState k = states[n];
    precise float sum = endingAt(k);
    for (uint e = nodes[n].firstEdge; e < nodes[n + 1u].firstEdge; e++) {
        sum += flowTo(k, e);
    }
    if (sum >= TINY) {
        precise float x = sum * reciprocal(k.d);
        states[n] = withValue(k, x, k.e);
    }
}

// Finds for a node, in each direction, the resistance between it and the middle of its lane.
void resistNode(uint n) {
    NodeState k = states[n];
    precise vec4 sums = vec4(0.0);
    for (uint e = nodes[n].firstEdge; e < nodes[n + 1u].firstEdge; e++) {
        precise float flow = k.x * flowTo(k, e);
        if (edges[e].above != INSIDE || flow < TINY) {
            continue;
        }
        NodeState other = states[toOf(e)];
        precise float ratio = k.x * reciprocal(other.x) * power(min(unitOf(k) - unitOf(other), 40));
        precise float share = reciprocal(1.0 + ratio * ratio);
        precise float resistance = share * reciprocal(flow);
        int d = directionOf(e);
        sums += vec4(d == 0, d == 1, d == 2, d == 3) * resistance;
    }
    behind[n] = sums;
}

// Makes the equation of a node from those of its parts, which are to be multiplied by a factor
// each.
void coarsenNode(uint whole) {
    uint low = nodes[whole].firstPart;
    uint high = nodes[whole + 1u].firstPart;
    int highest = unitOf(states[low]);
    for (uint n = low; n < high; n++) {
        highest = max(highest, unitOf(states[n]));
    }
    // What flows out, to goals, and what is missing, all weighted with q.
    precise float leaving = 0.0;
    precise float endings = 0.0;
    precise float missing = 0.0;
    for (uint n = low; n < high; n++) {
        NodeState k = states[n];
        precise float weight = power(2 * (unitOf(k) - highest)) * k.x;
        float ending = endingAt(k);
        precise float lacks = k.d * k.x - ending;
        precise float leaves = 0.0;
        for (uint e = nodes[n].firstEdge; e < nodes[n + 1u].firstEdge; e++) {
            float v = flowTo(k, e);
            lacks -= v;
            if (edges[e].above != INSIDE) {
                leaves += v;
            }
        }
        endings += weight * ending;
        leaving += weight * leaves;
        missing += weight * lacks;
    }
    precise float least = -(ROUGH * (leaving + endings));
    bool even = missing >= least;
    for (uint e = nodes[whole].firstEdge; e < nodes[whole + 1u].firstEdge; e++) {
        flows[e] = 0.0;
    }
    precise float diagonal = endings;
    for (uint n = low; n < high; n++) {
        NodeState k = states[n];
        float weight = power(2 * (unitOf(k) - highest));
        for (uint e = nodes[n].firstEdge; e < nodes[n + 1u].firstEdge; e++) {
            uint above = edges[e].above;
            if (above == INSIDE) {
                continue;
            }
            precise float flow = k.x * flowTo(k, e);
            if (even) {
                uint to = toOf(e);
                int d = directionOf(e);
                precise float beyond = behind[to][d] * power(2 * (unitOf(k) - unitOf(states[to])));
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
    states[whole] = NodeState(1.0, 0, highest, endings, max(max(whatLeaves, bound), TINY));
}

// Multiplies a node by the factor of the one that it is a part of.
void correctNode(uint n) {
    NodeState k = states[n];
    NodeState whole = states[nodes[n].whole];
    precise float x = k.x * whole.x;
    states[n] = withValue(k, x, k.e + whole.e);
}
