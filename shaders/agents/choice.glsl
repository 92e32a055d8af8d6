// What watched agents choose their velocities among: constraints and candidates, kept by the
// method that makes them. Included by agents/avoid.glsl.

// A method that tries again, and goes back to an earlier attempt, keeps attempts in two halves.
uint keptHalf = 0u;
uint constraintCount = 0u;
uint candidateCount = 0u;

// The row of a record where a half begins.
uint halfRow() {
    return REASON_HEAD + 2u * (reasonNeighbors + WALL_CAPACITY) + keptHalf * (3u * reasonConstraints + reasonCandidates);
}

// Begins an attempt.
void keepNone() {
    constraintCount = 0u;
    candidateCount = 0u;
}

// Keeps the next constraint, of the neighbor or the wall with an index.
void keepConstraint(uint kind, uint index, vec4 a, vec4 b, float c) {
    if (constraintCount < reasonConstraints) {
        uint row = halfRow() + 3u * constraintCount;
        keep(row, uvec4(kind, index, floatBitsToUint(c), 0u));
        keep(row + 1u, a);
        keep(row + 2u, b);
    }
    constraintCount++;
}

// Keeps a candidate by its number: its velocity, m/s, its cost, and what became of it.
void keepCandidate(uint number, vec2 velocity, float cost, uint state) {
    if (number < reasonCandidates) {
        keep(halfRow() + 3u * reasonConstraints + number, uvec4(floatBitsToUint(velocity), floatBitsToUint(cost), state));
    }
}

// Keeps the next candidate.
void keepNext(vec2 velocity, float cost, uint state) {
    keepCandidate(candidateCount, velocity, cost, state);
    candidateCount++;
}

// Keeps what the method has come to: the velocity that it aimed at, and the number of the
// candidate that it has chosen.
void keepOutcome(uint outcome, vec2 desired, uint chosen) {
    keep(REASON_OUTCOME, uvec4(outcome, keptHalf, constraintCount, candidateCount));
    keep(REASON_DESIRED, uvec4(floatBitsToUint(desired), chosen, 0u));
}
