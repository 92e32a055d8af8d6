// Package agents moves crowds in GPU memory: which way agents want to go, how they avoid others,
// and how they move. Package spawn, below, places them.
//
// # A step
//
// An agent keeps its slot in every buffer for life (state.go). A step is stages, methods of
// Crowd, in the order of engine/frame.go:
//
//   - Apply: change. What the host does to agents: new ones, goals, places (change.go). Slots and
//     growth are in slots.go.
//   - Displace: displace. Agents that walls have come to cover go to free ground, those that moving
//     walls have met to where they did.
//   - Enter: enter. Agents wait while their place to enter is occupied.
//   - Escape: escape. Agents inside the clearance of a map find the way out.
//   - Guide: guide, guidebymap, guidesearch. Preferred velocities from the shortest path map at
//     each agent, arrivals, next goals: Guidance.
//   - Serve: serve, admit. Agents that goals serve, and those in lines before them: serve.go.
//   - Sort: cellscount, cellsdivide, cellsparts, cellsscan, cellsbodies. Agents that are there
//     become bodies, sorted into cells (include/bodies.glsl).
//   - FindNeighbors, FindWalls: neighbors, neighborsagain; nearwalls, nearwallslist,
//     neighborsight, neighborspast. Lists of what is near.
//   - Local maps, which find what they need in StepContext.
//   - Avoid: wishes, where any agent claims the right of way; then rvo, clearpath, orca: a
//     dispatch for each method that occurs. New velocities.
//   - Integrate: integrate, integratedeferred. Moves agents, cut at walls.
//   - Separate: contactbodies, contactpush, contactmove, contactdeferred. Separates agents that
//     overlap.
//   - CountStatuses, MeasureContacts: tally, measure. See Counters and Tally.
//   - CompareStates: events, areas. What has happened to single agents, three steps later
//     (TakeEvents).
//
// Where agents are watched (watch.go), watch copies their states into records after Guide and in
// End, methods of Avoid keep what they compare, watchlists their lists: see Reasons.
//
// The passes are compute shaders of shaders/agents; each has the name of its input. pathfollow
// and path write the paths of chosen agents for drawing, on the present maps, and drawlist lists
// the agents to be drawn.
//
// Software renderers run both sides of every branch. So work that few agents need is done by a
// deferred pass, for these agents only (deferred.go). guide defers agents that walk by a map to
// guidebymap. That defers agents that see no generator near them to guidesearch, which asks about a
// slice of all generators in each dispatch. integrate and contactmove defer agents that have walls
// near, nearwalls those with walls to list. Nothing depends on the order of a queue, or on how
// long slices are.
//
// # Avoiding each other
//
// scenes.AvoidanceMethods is the registry of methods: names, parameters, limits and defaults
// belong to the document, which this package imports. methods in avoid.go has a line for each,
// with what its shader needs. A method sees the frozen state before the step (avoid.glsl), and
// writes a velocity and nothing else: agents/reference has the plain forms. The integration
// bounds it by acceleration and greatest speed. An agent without a method walks as if alone:
// others avoid it, and contacts do not move it. Of two agents that hold each other up, the one
// with less left to walk has the right of way; see terms in agents/reference/situation.go. Walls
// of obstacles that move (SetMotions) count as agents that do not evade, with the velocity of their
// point nearest to the agent.
//
// Methods leave overlaps, so the contact pass ends a step: it takes discs off walls; then come
// rounds in which each agent finds where the others are, and then goes where they push it, as far
// as walls allow, until no pair overlaps by more than 1% of the sum of their radii or the scene's
// contactRounds are done. A round dispatches the next one. An agent that contacts have moved has
// the velocity of the step as it went, up to its greatest speed: else methods would see agents
// that are held up as walking on. In heaps of thousands each agent is pushed by a few hundred
// others, and rounds end after 2^32 pairs.
//
// # Reading the map
//
// A texel stores one generator, the parent of its center. Next to the border of two regions an
// agent's own may be that of a texel beside it (Farias and Kallmann 2018, section 5.1), so an
// agent compares the generators of the 3 x 3 texels around it with its present target and that
// one's parent, and takes, among those that it sees, the one with the shortest path over it.
// Standing on a corner, it goes on to the corner's parent. An agent that keeps clear of walls
// heads past corners, for the tangent to a circle of its radius about them. An agent that sees
// none looks further: in two larger squares of texels, then, in one step of 16, among all
// generators of the layer, unless the texels around it say that no source reaches this ground
// (shaders/agents/route.glsl). Without a path it stands still and is counted as lost.
//
// Positions are float32 meters from the domain's corner. What decides about sides is the nearest
// point of the exact lattice, which stays in closed free space and passes no wall. Where a place
// belongs to several free sectors, the agent carries which one it is in (see Agent.FromX).
//
// # Tests, and size
//
// Tests hold every pass against a plain Go form of it, in a file of the same stem,
// contact_reference_test.go of contact.go, which asks all pairs and all walls: these forms need
// the records of this package, and no production code needs them. Their rules of sight
// (sight_reference_test.go) judge by every wall alone, and so are independent of those of package
// geom, which walk over triangles, and of those of the shaders.
//
// The package has more than ten files and 2,000 lines: the passes of a step share one set of
// buffers, and a file has one stage.
package agents
