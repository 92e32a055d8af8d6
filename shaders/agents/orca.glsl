// Optimal reciprocal collision avoidance: the half planes that neighbors leave.
//
// Reference: reference.ORCA. Source: van den Berg, Guy, Lin and Manocha 2011, Reciprocal n-body
// collision avoidance, section 4.

// The half plane of section 4: with w the relative velocity's nearest way out of the truncated
// velocity obstacle, the agent does its share of w.
Line neighborLine(Self self, Neighbor n) {
    float sum = self.radius + n.radius;
    float square = dot(n.position, n.position);
    vec2 outwards;
    float route; // to the obstacle's border
    bool overlap = square <= sum * sum;
    Terms t = termsOf(self, n);
    vec2 relative = t.own - t.other;
    float inverse = 1.0 / (overlap ? self.timestep : horizonOf(self));
    vec2 w = relative - n.position * inverse; // from the middle of the cut-off disc
    float along = dot(w, n.position);
    float far = length(w);
    if (overlap || along < 0.0 && along * along > sum * sum * dot(w, w)) {
        outwards = far > 0.0 ? w / far : apart(self.id, n.id);
        route = sum * inverse - far;
    } else {
        // The nearer leg: that on whose side w is; exactly ahead, the left one, for both.
        float distance = sqrt(square);
        float side = cross2(n.position, w) >= 0.0 ? 1.0 : -1.0;
        float sine = sum / distance;
        float cosine = sqrt((distance - sum) * (distance + sum)) / distance;
        vec2 edge = turned(n.position / distance, side * sine, cosine);
        outwards = side * vec2(-edge.y, edge.x);
        route = -dot(relative, outwards);
    }
    return leftOf(t.own + outwards * (t.share * route), outwards);
}

// The velocity nearest to the desired one in the half planes that all neighbors and walls leave,
// within reach; or the least wrong one.
vec2 orca(Self self) {
    return leastWrong(self, reachOf(self), desiredBy(self));
}
