// Package local steers agents by small maps of their own (Fischer et al. 2009; Dapper et al. 2007).
//
// # A map
//
// A map has 5 to 63 cells along a side and lies about its agent along the axes. Its outermost ring,
// the border, is obstacle but for the intermediate goal: a piece of the border three cells long
// about where the way to the guide's point leaves the map; cells that it covers in part have as
// much potential. The ring inside the border is always free, so that the goal is felt behind what
// blocks the way. In the rest, the update zone, whatever is seen takes the cells that it touches:
// walls, and agents, also those behind walls. Then the final goal, if it is in sight, takes its own
// cell. What is outside the view cone is not there. Nothing takes the cells that the agent itself
// stands in; a wall that touches those takes, of the cells beside them, only what is behind it; and
// a disc that the agent's middle is in takes none.
//
// Cells that an obstacle ends less than half a cell before, and cells on the edge of the view cone,
// are taken in part (see reference.Stamp), so that the gradient is continuous in the agent's place
// and heading: cells that come and go would turn it to and fro.
//
// An agent behind a wall bars no way on this side of it: agents are outside obstacles, so a disc
// touches no cell this side of a wall that is as thick as its radius, but for cells that the wall
// touches. It reaches past a thinner wall by the difference.
//
// # What the papers do not have
//
// In a room smaller than the map, walls bar the way to the intermediate goal: then the guide's
// point is a goal itself, or the last place before the wall that a direction leads to.
//
// Without a gradient, which is counted, an agent heads for the guide's point: of two hundred agents
// in streets those that kept their heading instead took 96 s, not 64, and touched walls twice as
// often, and some did not arrive. An agent that has stood for a second looks all round for a while,
// or crowds that meet would wait for each other forever.
//
// A view cone makes another field of every heading. An agent that sees less than 30 degrees, and is
// pulled back towards a wall's end that it has just turned from, may go to and fro there forever:
// seen with 10 degrees and a strength of 0.8, not with 30.
//
// # Guides
//
// The way to the intermediate goal is a point, such as the parent point of a shortest path map, or
// a direction (see Afar), such as that of a global map.
package local
