// Where an agent has been of late; see Rest in Go.
// Needs: <Agent>, <Rest>, and `clock` and `patience`.

// The rest of an agent that is there, after this step.
Rest restOf(Rest rest, Agent a, float radius, bool anew) {
    precise vec2 gone = a.position - vec2(rest.x, rest.y);
    precise float far = gone.x * gone.x + gone.y * gone.y;
    bool begins = anew || a.entered == clock || (far > 0.0 && far >= radius * radius);
    return begins ? Rest(a.position.x, a.position.y, clock) : rest;
}

// Whether an agent of such a rest is stuck.
bool isStuck(Agent a, Rest rest) {
    return a.status == STATUS_WALKING && a.arrivals == 0u && clock - rest.since >= patience;
}
