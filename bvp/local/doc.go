// Package local steers agents by small maps of their own (Fischer et al. 2009; Dapper et al. 2007).
// An agent with a map is a walker.
//
// # A step
//
// Before a step package engine writes the inputs of all walkers (walkerinput); those of explorers
// follow from what their team knows (sense, explore, exploreguide). Maps.Step then runs
//
//   - stamp: what each walker sees, and its goals, into the cells of its map;
//   - relax: redblack, jacobi or adi, by the method of the profile;
//   - steer: along the gradient at the walker: heading, and velocities in agents.Guidance.
//
// A map is a run of words in one of the buffers of Maps, from Walker.First on, cells row by row
// from the lowest: the bits of a float32, with FixedBit in cells that relaxation leaves alone.
// Where agents get other maps, move keeps what they have.
//
// # A map
//
// A map has 5 to 63 cells along a side and lies about its agent along the axes. Its outermost ring,
// the border, is obstacle but for the intermediate goal: a piece of the border three cells long
// around the place where the line to the guide's point leaves the map. A cell that the piece covers
// in part has that part as its potential. The ring inside the border is always free, so that the
// goal is felt behind what blocks the way. In the rest, the update zone, whatever is seen takes the
// cells that it touches: walls, and agents, also those behind walls. Then the final goal takes the
// four cells with their middles about it, each by how near it is. What is outside the view cone
// is not stamped. No obstacle takes the cells that the agent itself stands in.
//
// PARTS OF CELLS: cells that an obstacle ends less than half a cell before, and cells on the edge
// of the view cone, are taken in part (see reference.Stamp), so that the gradient is continuous in
// the agent's place and heading: cells that come and go would turn it to and fro. A goal that took
// one cell turned agents by 20 to 40 degrees whenever it came to lie in the next one. By the
// papers' rules an obstacle takes all of a cell or nothing, a goal one cell, and the intermediate
// goal three; and the global map's ascent is that of the cell that the agent is in, not
// interpolated.
//
// Agents behind walls are stamped, too, but hardly take cells on this side: the centers of agents
// are outside obstacles, so a disc ends inside a wall that is as thick as its radius, and reaches
// past a thinner one by the difference.
//
// # Rescues
//
// With scenes.RulesRobust agents have what the papers do not, to keep them from waiting and from
// running astray; with scenes.RulesPaper none of it (flag Robust). Each is named in capitals.
//
// LOOKING ROUND: an agent that has stood for a second looks all round for a while, or crowds that
// meet would wait for each other forever.
//
// KEEPING IN MIND: an agent that has turned aside keeps in mind the agents that are in its way:
// besides those in the view cone about its heading it has those in the cone about the way to its
// guide's point in its map. Without, what made it turn is gone from the map as soon as it has
// turned, so that it turns back, and sees it again: in streets that cross, without avoidance, each
// of two hundred agents turned back 20 times, not 14, and pairs had 908 contacts, not 292. Walls
// are not kept in mind, or an agent in a dead end would have no gradient out of it.
//
// EXTRA GOAL: in a room smaller than the map, walls lie between the agent and the intermediate
// goal. Then the guide's point is a goal itself; where the guide is a direction, the last place
// before the wall in that direction is.
//
// GUIDE WHERE FLAT: without a gradient, which is counted, an agent heads for the guide's point: of
// two hundred agents in streets those that kept their heading instead took 96 s, not 64, and
// touched walls twice as often, and some did not arrive. STANDING: where all cells beside it are
// obstacles it stands. By the papers' rules it keeps heading and speed in both cases.
//
// LAST STEP: to a goal in the very cells that it stands in an agent goes straight, and stops there.
//
// WALL BESIDE: a wall that touches the cells that the agent stands in takes, of the cells beside
// them, only what is behind it. DISC AROUND: a disc that covers the agent's center takes no cell.
// By the papers' rules both take the cells that they touch.
//
// FORESIGHT: agents that come nearer are stamped where they are expected, not where they are
// (reference.foreseen): off the line of approach by half of what lacks for both to pass, and where
// they meet if they come at each other. Both find the same side, by the sign of a cross product
// that is the same for both, and on their right where it is 0. Without it alike agents see each
// other in the way of either side by turns: of a hundred pairs in corridors of 1.75 to 4 m, at
// constant speed and without avoidance, 33 overlapped, by up to 86%, and paths were up to 40%
// longer; with it none overlaps, and paths are up to 4% longer than straight lines. Its numbers are
// the radii and the half that is each one's part; nothing is remembered. What is left: with an
// inertia of 0, or a view of 120 degrees, up to four of these pairs still dance or overlap, all in
// 1.75 and 2 m.
//
// YIELDING: agents that avoid each other besides, by their profiles, take half of a cell at most
// from each other's maps, as each does half of evading. Wholly taken, a dense crowd is a wall to
// all that are in it, and the potential comes to them round the free ring, from behind: of 200
// agents that met in a passage of 2 m none was through after 300 s, now all are after 97 s. Agents
// without avoidance do not yield: nothing else keeps them apart.
//
// PATH IN PLACE OF GRADIENT: where a global harmonic map has no ascent the shortest path map leads
// on (engine/walkerinput). By the papers' rules the heading does.
//
// # View cones
//
// A view cone makes another field of every heading. An agent that sees less than 30 degrees, and is
// pulled back towards a wall's end that it has just turned from, may go to and fro there forever:
// seen with 10 degrees and a strength of 0.8, not with 30.
//
// # Guides
//
// A guide says where the intermediate goal lies: by a point, such as the parent point of a shortest
// path map, or by a direction (see Afar), such as that of a global map.
package local
