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
// Passes are compute shaders of shaders/agents. Each has the name of its shader in its inputs and
// in its stage, a method of Crowd; engine/frame.go has the stages in order:
//
//   - Displace: displace. Agents that walls have come to cover go to free ground.
//   - Enter: enter. Agents wait while their place to enter is occupied.
//   - Escape: escape. Agents inside the clearance of a map find the way out.
//   - Guide: guide, guidebymap, guidesearch. Reads the shortest path map at each agent and writes
//     Guidance: the preferred velocity, the target, what is left to walk. Here arrivals are
//     noticed and itineraries go on.
//   - Sort: cellscount, cellsdivide, cellsparts, cellsscan, cellsbodies. Agents that are there
//     become bodies, sorted into cells (include/bodies.glsl).
//   - FindNeighbors, FindWalls: neighbors, neighborsagain; nearwalls, nearwallslist,
//     neighborsight, neighborspast. Lists of what is near.
//   - Local maps, which find what they need in StepContext.
//   - Avoid: wishes, where any agent claims the right of way; then rvo, clearpath, orca: a
//     dispatch for each method that occurs. New velocities.
//   - Integrate: integrate, integratedeferred. Moves agents, cut at walls.
//   - Separate: contactbodies, contactpush, contactmove, contactdeferred. Separates
//     agents that overlap.
//   - CountStatuses, MeasureContacts: tally, measure. See Counters and Tally.
//
// Only Displace, Integrate and Separate move agents. pathfollow and path write the paths of chosen
// agents for drawing, on the maps of now.
//
// An agent that sees no generator nearby has to ask all of its layer, and one that walks straight
// all of its sources. Such agents wait for guidesearch, which asks about a slice of the generators
// in each dispatch, so that none is long however many agents and generators there are; then
// guidebymap goes on with them. What they find does not depend on how long slices are.
//
// Software renderers run both sides of every branch, and a turn more of loops that ask at their
// beginning. So what few agents need is a deferred pass, for those few (deferred.glsl,
// deferred.go): guide defers agents that walk by a map to guidebymap, integrate and contactmove
// those that have walls near to integratedeferred and contactdeferred, nearwalls to nearwallslist.
// Nothing depends on the order of a queue.
//
// # Avoiding each other
//
// AvoidanceParams say how the agents of a profile avoid others. A method sees the frozen state
// before the step (avoid.glsl), and writes a new velocity and nothing else: agents/reference has
// their plain forms. The integration bounds it by acceleration and greatest speed. An agent without
// a method walks as if alone: others avoid it, and it is immovable: it pushes others and is not
// pushed.
//
// Of two agents that hold each other up, by ClearPath and ORCA, the one with less left to walk has
// the right of way, and the other one gives way: see terms in agents/reference/situation.go. What
// it claims is its preferred velocity as far as walls near it allow (Guidance.Wish). So arches
// before doors and fronts in corridors do not last. While agents make the speed that they prefer,
// nothing of it applies.
//
// Walls of obstacles that move (SetMotions) count as agents do that do not evade: within the
// distance of the parameters and horizon, with their velocity. All others are looked at as far
// ahead as it takes to stop.
//
// Methods leave overlaps, so the contact pass ends a step: it takes discs off walls; then come
// rounds in which each agent finds where the others are, and then goes where they push it, as far
// as walls allow, and off the walls, until no pair overlaps by more than 1% of the sum of their
// radii or the scene's contactRounds are done. A round dispatches the next one, so that a step
// without overlaps costs one look around and nothing waits. An agent that contacts have moved has
// the velocity of the step as it went, up to its greatest speed: else methods would see agents that
// are held up as walking on, and walk into them in each step. Contacts put an agent no farther from
// where it began the step than its own move is long and half the largest radius. Agents are found
// by the cells of before the step, further away by as much as an agent can have moved. In heaps of
// thousands each agent is pushed by a few hundred others, and rounds end after 2^32 pairs, so that
// no step takes forever.
//
// # Reading the map
//
// A texel stores one generator, the parent of its centre. Next to the border of
// two regions an agent's own may be that of a texel beside it (Farias and
// Kallmann 2018, section 5.1), so an agent compares the generators of the 3 x 3
// texels around it with its present target and that one's parent, and takes,
// among those that it sees, the one with the shortest way over it. Sight is
// exact, by the rule of shaders/include/sight.glsl, with walls found by a grid.
// Standing on a corner, it goes on to the corner's parent. An agent that keeps clear of walls
// cannot stand on one of theirs, and heads past it, for the tangent to a circle of
// its radius about it. An agent that sees none looks further, and stands still, counted as
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
// Spawn runs on the CPU. Tests hold every pass against a plain Go form of it, in a file of the same
// stem, contact_reference_test.go of contact.go: they ask all pairs and all walls. Random
// numbers are counter-based (Philox), never float atomics: the same scene gives
// the same run.
package agents
