// Questions that take long are answered in several passes: an invocation stops after so many turns
// of its loops, and keeps its state for the next pass. So no dispatch is long, and no device ends
// loops early.

// Of each question a word that is 0 where it is answered, then of each the next word, and so on.
layout(std430) buffer Rests { uint rests[]; };

// Of each pass but the first the dispatch: as many work groups as have questions left.
layout(std430) buffer Passes { uint passes[]; };

uniform uint pass;
uniform uint first;     // question of the pass
uniform uint count;     // of questions in the pass
uniform uint restCapacity;  // questions that rests holds
uniform uint mostTurns; // of an invocation in the pass; a turn may have a few short loops in it

uint turns = 0u;

uint restAt(uint w) { return w * restCapacity + gl_GlobalInvocationID.x; }

// Whether this invocation has a question that is not answered.
bool hasQuestion() {
    return gl_GlobalInvocationID.x < count && (pass == 0u || rests[restAt(0u)] != 0u);
}

// Has the next pass go on with the question, which needs `word` for it.
void goOn(uint word) {
    rests[restAt(0u)] = word;
    atomicMax(passes[3u * pass + 3u], gl_WorkGroupID.x + 1u);
}
