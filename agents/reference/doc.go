// Package reference says how an agent keeps clear of others: for each method the plain form of
// what the device computes, an agent at a time, in float64. Tests alone import it.
//
// A method is a function from a Situation, which is what one agent knows, to a new velocity: RVO,
// ClearPath, ORCA. It is given the frozen state of a step, and it moves nothing.
//
// # Velocity obstacles
//
// While two discs keep their velocities, they meet within a time T if and only if the velocity of
// one relative to the other lies in a cone, with its apex at zero, that is tangent to the disc of
// their summed radii around the other's place, cut off before that disc divided by T. A static
// wall forbids such a cone, too: of the segment grown by the agent's radius. An agent that
// expects the other to do half of the evading puts the cone's apex half way between both
// velocities instead of at the other's: twice the change of its own velocity then has to be
// outside of it.
package reference
