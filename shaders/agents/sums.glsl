// Sums of two words among the counters.
// Needs: counters.

// Adds to the sum whose first word that counter is.
void addWide(uint counter, uint amount) {
    uint before = atomicAdd(counters[counter], amount);
    if (before + amount < before) {
        atomicAdd(counters[counter + 1u], 1u);
    }
}
