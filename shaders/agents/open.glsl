// Moves where no wall is near, which need no cutting.
// Needs: agents/place.glsl, agents/records.glsl.

// Where an agent is; see Agent.
struct Footing {
    vec2 position; // m
    ivec2 at;      // the lattice point of position
    ivec2 from;
    int perturbation;
};

// Moves an agent by a displacement, m, as move would, where no wall is within a margin, in lattice
// steps, of the way; else not, and returns false.
bool movesInTheOpen(inout Footing f, vec2 displacement, int margin) {
    precise vec2 wished = f.position + displacement;
    vec2 position = clamp(wished, vec2(0.0), onGround(latticeSize));
    ivec2 p = onLattice(position);
    bool open = clearOfWalls(f.at, min(f.at, p) - margin, max(f.at, p) + margin); // no wall is between them, and they are on none
    bool stays = p == f.at;
    f.from = open && !stays ? f.at : f.from;
    f.perturbation = open && !stays ? -1 : f.perturbation;
    f.position = open ? position : f.position;
    f.at = open ? p : f.at;
    return open;
}
