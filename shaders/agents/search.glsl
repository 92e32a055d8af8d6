// Searches of all generators of a layer, for agents that see none of those nearby. A search takes
// as many passes as it needs: each asks about some generators, and what it has found is kept here.
// Needs: agents/deferred.glsl.

// A search, with generators by their index in the layer, or NONE.
struct Search {
    uint agent;
    uint turn;       // how often the agent has arrived in this step
    uint stage;      // in its itinerary
    double shortest; // of the ways over generators nearby, seen or not, m
    uint best;       // of the shortest way over generators in sight, of equal ones the first
    uint nearest;    // the same over all, seen or not

    // Corners whose ways are as long as the shortest but for a part of a texel, the nearest first.
    // Along walls that are a hair out of line with one another, ground narrower than texels has a
    // corner that no texel names: ways over it and over the far one that texels name differ by next
    // to nothing.
    uint bends[BENDS];
};

// What a search takes in the buffer of queues.
const uint SEARCH_WORDS = 7u + uint(BENDS);

// Where the search of a body begins: after the two queues.
uint searchAt(uint body) {
    return 2u * count + body * SEARCH_WORDS;
}

Search searchOf(uint body) {
    uint at = searchAt(body);
    Search found;
    found.agent = queues[at];
    found.turn = queues[at + 1u];
    found.stage = queues[at + 2u];
    found.shortest = packDouble2x32(uvec2(queues[at + 3u], queues[at + 4u]));
    found.best = queues[at + 5u];
    found.nearest = queues[at + 6u];
    for (int i = 0; i < BENDS; i++) {
        found.bends[i] = queues[at + 7u + uint(i)];
    }
    return found;
}

void keepSearch(uint body, Search found) {
    uint at = searchAt(body);
    uvec2 shortest = unpackDouble2x32(found.shortest);
    queues[at] = found.agent;
    queues[at + 1u] = found.turn;
    queues[at + 2u] = found.stage;
    queues[at + 3u] = shortest.x;
    queues[at + 4u] = shortest.y;
    queues[at + 5u] = found.best;
    queues[at + 6u] = found.nearest;
    for (int i = 0; i < BENDS; i++) {
        queues[at + 7u + uint(i)] = found.bends[i];
    }
}

// Has a body wait for a pass that searches for it.
void search(uint pass, uint body, uint agent, uint turn, uint stage, double shortest) {
    Search begun;
    begun.agent = agent;
    begun.turn = turn;
    begun.stage = stage;
    begun.shortest = shortest;
    begun.best = NONE;
    begun.nearest = NONE;
    for (int i = 0; i < BENDS; i++) {
        begun.bends[i] = NONE;
    }
    keepSearch(body, begun);
    queueFor(pass, body);
}
