package agents

import (
	"cmp"
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/shaders"
)

// Reference is the plain form of the passes, each in the file of its stem, an agent at a time,
// every wall asked for every sight. Given the same records it chooses the same targets, stages
// and statuses as the device; preferred velocities and positions agree within what float32
// division and square root may differ, and where that puts a rounding to the lattice on the other
// side, within lattice steps.
type Reference struct {
	Lattice geom.Lattice
	Walls   []Wall // those that agents are cut at, as WallsOf lists them
	// of each layer whose map is of other ground, else nil; none at all: no layer's is
	Terrains   [][]Wall
	Stages     []Stage
	Generators []shaders.Generator // all layers
	Stride     int
	Columns    int        // texels of a row
	Parents    [][]uint32 // of each layer, row by row
	States     [][]float32
	Unreached  float32
	Cell       float64
	Timestep   float32
	Params     []AvoidanceParams   // of each profile; none at all: no agent avoids others
	Motions    map[Wall][4]float32 // the velocities of walls that move, m/s, at both ends
	Moved      map[Wall][4]float32 // by how much those have moved that have since the step before, m
}

func (r *Reference) onLattice(place [2]float32) geom.Point {
	round := func(x float32, size int32) int32 {
		return int32(min(max(math.Floor(float64(float64(x)/r.Lattice.Step)+0.5), 0), float64(size)))
	}
	return geom.Point{X: round(place[0], r.Lattice.Size.X), Y: round(place[1], r.Lattice.Size.Y)}
}

// inDomain is the place of the domain nearest to a place.
func (r *Reference) inDomain(place [2]float32) [2]float32 {
	border := r.Lattice.Local(r.Lattice.Size)
	return [2]float32{min(max(place[0], 0), border[0]), min(max(place[1], 0), border[1])}
}

func footingOf(a Agent, at geom.Point) footing {
	return footing{at: at, from: geom.Point{X: a.FromX, Y: a.FromY}, perturbation: a.Perturbation}
}

// way is a way found: what is left to walk in meters, over the generator target, by
// way of aim; an agent that has no more than slack left has arrived.
type way struct {
	left   float64
	target uint32
	aim    [2]float32
	slack  float32
}

// beamReach is how far from a beam one has arrived whatever the radius, in steps: see
// shaders/agents/guide.glsl.
const beamReach = 3

func (r *Reference) slackOf(g shaders.Generator) float64 {
	if g.Kind == uint32(geom.SectorLightField) {
		return beamReach * r.Lattice.Step
	}
	return 0
}

func beamOf(g shaders.Generator) geom.LightField {
	return geom.LightField{A: geom.Point{X: g.X, Y: g.Y}, B: geom.Point{X: g.ToX, Y: g.ToY}}
}

// lights returns the rules under which a generator lights an agent past walls.
func lights(ws barriers, g shaders.Generator, s footing) rules {
	if g.Kind == uint32(geom.SectorLightField) {
		return ws.litByBeam(beamOf(g), s)
	}
	return ws.litBy(sectorOf(g), s)
}

// sight is the walls by which sight of a layer's generators is decided.
func (r *Reference) sight(layer uint32) barriers {
	if int(layer) < len(r.Terrains) && r.Terrains[layer] != nil {
		return r.Terrains[layer]
	}
	return r.Walls
}

// lengthOver is the way over a generator, were it in sight; infinite beside a beam.
func (r *Reference) lengthOver(at geom.Point, g shaders.Generator) float64 {
	if g.Kind == uint32(geom.SectorLightField) {
		l := beamOf(g)
		if !l.Faces(at) {
			return math.Inf(1)
		}
		return float64(g.Distance) + float64(float64(l.Above(at))/math.Sqrt(float64(l.Length2()))*r.Lattice.Step)
	}
	dx, dy := float64(g.X-at.X), float64(g.Y-at.Y)
	return float64(g.Distance) + float64(math.Sqrt(float64(dx*dx)+float64(dy*dy))*r.Lattice.Step)
}

// aimOver is where the way over a generator leads to first.
func (r *Reference) aimOver(at geom.Point, g shaders.Generator) [2]float32 {
	if g.Kind == uint32(geom.SectorLightField) {
		foot := footOn(beamOf(g).A, beamOf(g).B, at)
		return [2]float32{float32(foot[0] * r.Lattice.Step), float32(foot[1] * r.Lattice.Step)}
	}
	return r.Lattice.Local(geom.Point{X: g.X, Y: g.Y})
}

func minus(a, b [2]float32) [2]float32 { return [2]float32{a[0] - b[0], a[1] - b[1]} }

func length(v [2]float32) float32 {
	return float32(math.Sqrt(float64(float32(v[0]*v[0]) + float32(v[1]*v[1]))))
}

// engineMoves reports whether the engine may move an agent.
func engineMoves(a Agent, t Traits) bool {
	return (a.Status == Walking || a.Status == Arrived) && t.Control == ControlEngine
}

// WallsOf lists the walls of a ground: each with free ground on its left, those with free ground
// on both sides in both directions. They are sorted.
func WallsOf(ground *geom.Ground) []Wall {
	all := make([]Wall, 0, len(ground.Walls))
	for i := range ground.Walls {
		all = appendDirected(all, ground, uint32(i))
	}
	slices.SortFunc(all, compareWalls)
	return all
}

func compareWalls(v, w Wall) int {
	return cmp.Or(cmp.Compare(v.AX, w.AX), cmp.Compare(v.AY, w.AY), cmp.Compare(v.BX, w.BX), cmp.Compare(v.BY, w.BY))
}
