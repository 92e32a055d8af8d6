// Package agents moves crowds: where people start, which way they want to go,
// and how they get there, all in GPU memory.
//
// # State
//
// An agent keeps its slot in every buffer for life. Traits hold what stays the
// same, Agent what changes; of Agent there are two buffers, before and after a
// step. Statuses go Waiting, Walking, then Arrived or Left.
//
// # A step
//
//  1. displace.comp   after walls have changed: puts whom they cover on free ground
//  2. escape.comp     where maps keep a clearance: finds the way out for who stands
//     inside it
//  3. steer.comp      reads the shortest path map at each agent and writes
//     Guidance: the preferred velocity, the target, what is left to walk; here
//     arrivals are noticed and itineraries go on
//  4. integrate.comp  moves each agent, cuts moves at walls, counts
//
// Only the integration moves agents. follow.comp writes the ways of chosen agents for
// drawing.
//
// # Reading the map
//
// A texel stores one generator, the parent of its centre. Next to the border of
// two regions an agent's own may be that of a texel beside it (Farias and
// Kallmann 2018, section 5.1), so an agent compares the generators of the 3 x 3
// texels around it with its present target and that one's parent, and takes,
// among those that it sees, the one with the shortest way over it. Sight is
// exact, by the rule of shaders/include/sight.glsl, with walls found by a grid.
// Standing on a corner, it goes on to the corner's parent. Who sees none looks
// further, and stands still, counted as lost, where no source can be reached.
//
// # Where an agent is
//
// Positions are float32 metres from the domain's corner; what decides about
// sides is the nearest point of the exact lattice, which stays in closed free
// space and passes no wall. On walls of no thickness, and where obstacles touch
// in a point, a place belongs to several free sectors; the agent carries where it
// came from, so that it is in one of them (see Agent.From).
//
// # Reference
//
// Spawn runs on the CPU. Reference is the plain Go form of the passes. Random
// numbers are counter-based (Philox), never float atomics: the same scene gives
// the same run.
package agents
