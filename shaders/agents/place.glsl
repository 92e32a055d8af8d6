// Places of agents: local meters as float32, and the lattice point they stand
// for in all tests of sides.

uniform uvec2 latticeStepBits; // bits of the float64 that is one step, m
uniform ivec2 latticeSize;     // upper right corner of the domain
uniform ivec4 wallGrid;        // where the walls are that agents are cut at; see include/walls.glsl

double latticeStep() {
    return packDouble2x32(latticeStepBits);
}

// The lattice point nearest to a place, halves rounded up, kept in the domain.
ivec2 onLattice(vec2 place) {
    precise dvec2 steps = floor(dvec2(place) / latticeStep() + 0.5lf);
    return ivec2(clamp(steps, dvec2(0.0lf), dvec2(latticeSize)));
}

// The place of a lattice point. onLattice gives the point back: the place has 24
// bits, the lattice 20.
vec2 onGround(ivec2 point) {
    precise dvec2 place = dvec2(point) * latticeStep();
    return vec2(place);
}

// Lattice steps that are at least a length, and no more than about the lattice.
int stepsOf(double length) {
    return int(min(ceil(length / latticeStep()), 2097152.0lf)) + 1;
}
