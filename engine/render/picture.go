package render

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/explore"
	"github.com/wayfront/wayfront/bvp/harmonic"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm"
)

// Picture describes what Draw draws, and its target.
type Picture struct {
	Target *gpu.Target // with a depth
	Camera Camera      // Width and Height are those of the target

	// PixelRatio is the number of pixels in a nominal pixel, the unit of line widths and text: 2 on
	// a screen of double density. 0 is 1.
	PixelRatio float64

	// Relief lifts the ground by its distance to the goal and looks from the side, as figure 2 of
	// Farias and Kallmann 2018. It shows the whole domain; only the size of the camera counts.
	Relief bool

	Layers  Layers
	Palette Palette // empty is PaletteCalm

	// Draft draws the ground in a fifth of the time, without smooth lines between regions. It does
	// not affect the relief.
	Draft bool

	// Map and Layer select the shortest path map.
	Map   *spm.Map
	Layer int

	// Ground has the obstacles that are drawn, on the map's lattice; nil: those of the map, which
	// may be older, or grown by a goal's clearance.
	Ground *geom.Ground

	// Margin: the map has a clearance. What its obstacles cover beyond those drawn is shown as
	// margin.
	Margin bool

	Sources  []mgl64.Vec2    // of the goal shown, world meters
	Segments [][2]mgl64.Vec2 // that are sources too
	Blocked  []int           // unreachable ones, by index: sources, then segments
	Sketches []Sketch        // below them

	Crowd   agents.Buffers // none of Count 0
	Ghosts  agents.Buffers // of another world, drawn below; none of Count 0
	ByGroup bool           // agents have the color of their group, not of their goal
	// LeastRadius is a lower bound on the radii of agents: where discs of it are large enough, no
	// shading is computed. 0: not known. Unit: m.
	LeastRadius float64
	Behind      float64       // how much of the last step is still to be shown. Unit: s
	Time        float64       // of the crowd, after its last step: where feet are in streets. Unit: s
	Paths       *agents.Paths // of the agents whose paths are shown, updated; nil for none
	Trails      *Trails       // nil for none
	Panels      []Panel       // text, over everything

	Potential *harmonic.Map // of the goal shown; nil: none. Not for the relief
	LocalMaps *local.Maps   // of the crowd; nil: none
	// Before are the walkers before the last step, for the edges of a view cone; nil: no edges.
	Before   *gpu.Buffer[local.Walker]
	Timestep float64        // of the crowd: agents that stand see all around after a time. Unit: s
	Agent    int            // whose local map is shown, from above
	Teams    *explore.Teams // of explorers; nil: the agent knows the ground
	Team     int            // that the agent is in: what it does not know is shown as that, from above
}

// ground returns the ground whose obstacles are shown.
func (p Picture) ground() *geom.Ground {
	if p.Ground != nil {
		return p.Ground
	}
	return p.Map.Ground(p.Layer)
}

// hasLocalMap reports whether there are local maps to show, which the relief does not.
func (p *Picture) hasLocalMap() bool { return p.LocalMaps != nil && p.Crowd.Count > 0 && p.above() }

// above reports whether the ground is seen straight from above.
func (p *Picture) above() bool { return !p.Relief && p.Camera.Tilt == 0 }
