// The rounds of the contact pass: what is dispatched for each, and how much work was done.
// Needs: ROUND_FIRST.

// Work done, low and high word, then three counts of work groups for every dispatch: of push, move,
// push, move and so on. A dispatch that is not needed has none.
layout(std430) buffer Rounds { uint rounds[]; };

void addWork(uint amount) {
    uint before = atomicAdd(rounds[0], amount);
    if (before + amount < before) {
        atomicAdd(rounds[1], 1u);
    }
}
