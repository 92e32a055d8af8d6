// Why watched agents move as they do. Each pass records what it computes where it computes it, so
// that the record is of what counted, and nothing but the CPU reads it.
//
// A record is `reasonRows` rows of four words; records are sorted by slot, the first word.
// Passes
// are compiled with WATCHED 0 until an agent is watched: then nothing is left of what keeps
// reasons.
// That is faster than a test of `watched`: software OpenGL compiles ClearPath in half the time.
// Layout: reasonHead and reasonShape in agents/watch.go.
// Needs: include/numbers.glsl, include/branch.glsl.

layout(std430) buffer Reasons { uvec4 reasons[]; };

uniform uint watched;           // agents
uniform uint reasonRows;        // of a record
uniform uint reasonNeighbors;   // that a record holds at most
uniform uint reasonConstraints; // the same
uniform uint reasonCandidates;  // the same

// The first row of the agent's record, or NONE where it is not watched.
#if WATCHED
uint ownReasons = NONE;
#else
const uint ownReasons = NONE;
#endif

// The first row of an agent's record, or NONE.
uint reasonsOf(uint slot) {
    uint at = NONE;
    BRANCH (watched > 0u) {
        uint low = 0u;
        uint high = watched;
        for (uint turn = 0u; turn < REASON_TURNS; turn++) {
            uint middle = (low + high) / 2u;
            bool above = low < high && reasons[middle * reasonRows].x < slot;
            high = above ? high : middle;
            low = above ? middle + 1u : low;
        }
        at = low < watched && reasons[low * reasonRows].x == slot ? low * reasonRows : NONE;
    }
    return at;
}

// Puts a row into the agent's record.
void keep(uint row, uvec4 words) {
    reasons[ownReasons + row] = words;
}

void keep(uint row, vec4 numbers) {
    keep(row, floatBitsToUint(numbers));
}
