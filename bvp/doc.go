// Package bvp steers by boundary value problems: every agent walks along a field of its own (Dapper et al.
// 2007; Fischer et al. 2009).
//
// # The field
//
// A small grid goes with each agent. Walls and people that it sees are potential 1, where it wants to go is 0, and in
// between the potential solves
//
//	laplacian p + eps v . grad p = 0                                                       (equation 1)
//
// Such a field has no local minima. The agent walks down its gradient; eps and v bend the way, and so make for
// individuals. Stored is q = 1 - p, obstacles 0 and goals 1, which solves the same equation and is walked up: close to 0
// a float keeps the digits that it loses next to 1, and far from the goal, or against a strong bias, q is 1e-6 and less.
//
// Written for a cell and its four neighbours, equation 1 is a weighted mean (equation 3; see weights): a
// relaxation sets cells to it, again and again.
//
// # Local maps
//
// A map has 5 to 63 cells along a side, and lies about its agent along the axes. Its outermost ring, the border, is
// obstacle but for the intermediate goal: a piece of the border three cells long about where the way to the guide's point leaves the map; cells
// that it covers in part have as much potential. The ring inside it
// is always free, so that the goal is felt behind what blocks the way. In the rest, the update zone, whatever is seen
// takes the cells that it touches, people all of them, behind walls too; then the final goal, if it is in sight, takes its own.
// What is outside of the view cone is not there; nothing takes the cells that the agent itself stands in; a wall that touches those
// takes of the ones beside them only what is behind it, and a disc that the agent's middle is in takes none.
//
// Cells that an obstacle ends less than half a cell before, and cells on the edge of the view cone, are taken in part (see Stamp), so that
// the gradient is continuous in the agent's place and heading: cells that come and go would turn it to and fro.
//
// Who stands behind a wall bars no way on this side of it: people are outside of obstacles, so a disc touches no cell this side of one that
// is as thick as its radius, but for those that the wall touches. It reaches past a thinner one by the difference.
//
// Three things the papers do not have. In a room smaller than the map, walls bar the way to the intermediate goal: then the
// guide's point is a goal itself, or the last place before the wall that a direction leads to. Without a gradient, which is
// counted, an agent heads for that point: of two hundred people in streets those who kept their heading instead took 96 s,
// not 64, and touched walls twice as often, and some did not arrive. And who has stood for a second looks all round for a while, or
// crowds that meet would wait for each other for ever.
//
// A field has no local minima, but a view cone makes another field of every heading. Who sees less than 30 degrees, and is pulled back towards a
// wall's end that he has just turned from, may go to and fro there for ever: seen with 10 degrees and a strength of 0.8, not with 30.
//
// # Guides
//
// The way to the intermediate goal is told by whoever steers: a point, such as the parent point of a shortest path map, or a direction
// (Afar), such as that of a global harmonic map (Harmonic) or of the map of a team that explores (Teams), interpolated between their cells
// (AscentAt).
//
// # Reference
//
// Files named _reference.go are the plain form of the passes. What they do in float32 is bit for bit what the shaders
// do: no step of it depends on how a device divides, or takes roots and angles (see elementary.go).
package bvp
