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
// Passes are compute shaders of shaders/agents, in the order of Crowd.Step:
//
//  1. displace        after walls have changed: puts whom they cover on free ground
//  2. enter           holds back whoever is to enter where somebody stands
//  3. escape          where maps keep a clearance: finds the way out for who stands
//     inside it
//  4. steer           reads the shortest path map at each agent and writes
//     Guidance: the preferred velocity, the target, what is left to walk; here
//     arrivals are noticed and itineraries go on
//  5. cells           sorts who is there into cells (include/bodies.glsl), as bodies
//  6. neighbors       lists, for who avoids others, those near him, and the walls
//  7. local           the Steerer's own passes, where there is one
//  8. avoid           what agents wish for among walls, where any claims the right of way; then
//     a dispatch for each method that occurs: new velocities
//  9. integrate       moves each agent, cuts moves at walls
//  10. contact        parts people whose discs overlap
//  11. tally, measure count: see Counters and Tally
//
// Passes 2, 6, 8 and 10 are left out where nobody avoids others, 5 where nobody steers or measures either, measuring where
// nobody asks for it. Only 9 and 10 move agents, and 1 those that walls have come to lie on.
// follow and path write the ways of chosen agents for drawing, on the maps of now.
//
// An agent that sees no generator nearby has to ask all of its layer, and one that walks straight
// all of its sources. Such agents wait for search, which asks about a slice of the generators in each
// dispatch, so that none is long however many agents and generators there are; then steerbymap goes
// on with them. What they find does not depend on how long slices are.
//
// Software renderers run both sides of every branch, and a turn more of loops that ask at their beginning. So what few
// need is a dispatch of its own, for those few: steer leaves who follows a map to steerbymap, integrate and contactmove
// who has walls near to integratepast and contactpast, nearwalls to wallslist (later.glsl, waits.go). Nothing depends on
// the order in which they wait.
//
// # Avoiding each other
//
// A AvoidanceParams says how the agents of a profile avoid others. A method sees the frozen state
// before the step (avoid.glsl), and writes a new velocity and nothing else: package avoid
// has their plain forms. The integration bounds it by acceleration and greatest speed.
// Who has no method walks as if alone: others avoid him, and he pushes and is not pushed.
//
// Of two agents that hold each other up, by ClearPath and ORCA, the one with less left to walk has the
// right of way, and the other one gives way: see terms in agents/avoid/situation.go. What it claims
// is its preferred velocity as far as walls near it allow (Guidance.Wish). So arches before doors
// and fronts in corridors do not last. While agents make the speed that they prefer, nothing of it applies.
//
// Walls of obstacles that move (SetMotions) count as others do who do not evade: within the distance of the parameters and
// horizon, with their velocity. All others are looked at as far ahead as it takes to stop.
//
// Methods leave overlaps, so the contact pass ends a step: it takes discs off walls; then come rounds in which each agent looks where
// the others are, and then goes where they push it, as far as walls allow, and off the walls, until no pair overlaps by
// more than 1% of the sum of their radii or the scene's contactRounds are done. A round dispatches
// the next one, so that a step without overlaps costs one look around and nothing waits.
// An agent that contacts have moved has the velocity of the step as it went, up to its greatest speed: else methods would see agents
// that are held up as walking on, and walk into them in each step. Contacts put an agent no farther from where it began the step
// than its own move is long and
// half the largest radius. People are found by the cells of before the step, further away by as much as
// anybody can have moved. In heaps of thousands everybody is pushed by a few hundred
// others, and rounds end after 2^32 pairs, so that no step takes forever.
//
// # Reading the map
//
// A texel stores one generator, the parent of its centre. Next to the border of
// two regions an agent's own may be that of a texel beside it (Farias and
// Kallmann 2018, section 5.1), so an agent compares the generators of the 3 x 3
// texels around it with its present target and that one's parent, and takes,
// among those that it sees, the one with the shortest way over it. Sight is
// exact, by the rule of shaders/include/sight.glsl, with walls found by a grid.
// Standing on a corner, it goes on to the corner's parent. Who keeps clear of walls
// cannot stand on one of theirs, and heads past it, for the tangent to a circle of
// his radius about it. Who sees none looks further, and stands still, counted as
// lost, where no source can be reached.
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
