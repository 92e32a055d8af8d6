package agents

import (
	"cmp"
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/shaders"
)

// Guide is one agent's guidance in the step that is numbered clock.
func (r *Reference) Guide(a Agent, t Traits, clock uint32) Guidance {
	infinite := float32(math.Inf(1))
	g := Guidance{Distance: infinite, Target: NoTarget, Layer: a.Layer, Stage: a.Stage, Status: a.Status, Arrivals: a.Arrivals}
	if a.Status == Waiting && clock >= t.Entry && a.Lost == 0 {
		g.Status = Walking
	}
	if g.Status != Walking || len(r.Walls) == 0 {
		return g
	}
	s := footingOf(a, r.onLattice(a.Position))
	hint := a.Target
	for arrivals := 0; ; arrivals++ {
		stage := r.Stages[t.FirstStage+g.Stage]
		g.Layer, g.Target, g.Distance, g.Preferred = stage.Layer, NoTarget, infinite, [2]float32{}
		speed, slack := min(t.PreferredSpeed, t.MaxSpeed), float32(0)
		if stage.Layer == OwnPoint {
			g.Distance = length(minus(a.Position, t.Own))
			g.Preferred = r.towards(a.Position, t.Own, speed)
		} else if w, ok := r.way(s, a, t, stage, hint, arrivals == 0); ok {
			g.Target, g.Distance = w.target, float32(w.left)
			g.Preferred = r.along(s, w, stage, t, a.Position, speed)
			slack = w.slack
		}
		if !(g.Distance <= max(stage.ArrivalRadius, slack)) || arrivals == 1 {
			return g
		}
		hint = NoTarget
		switch {
		case g.Stage+1 < t.Stages:
			g.Stage++
		case t.OnArrival == OnArrivalLoop && t.Stages == 1:
			g.Arrivals = 1
			return g
		case t.OnArrival == OnArrivalLoop:
			g.Arrivals++
			g.Stage = 0
		default:
			g.Arrivals++
			g.Status = Left
			if t.OnArrival == OnArrivalStay {
				g.Status = Arrived
			}
			g.Preferred = [2]float32{}
			return g
		}
	}
}

// along is the velocity along a way: towards its aim or, where that is a corner of walls that the
// agent keeps clear of, along the tangent to a circle of its radius about it, on the side where
// its walls are not.
func (r *Reference) along(s footing, w way, stage Stage, t Traits, position [2]float32, speed float32) [2]float32 {
	wish := r.towards(position, w.aim, speed)
	cleared := int(stage.Layer) < len(r.Terrains) && r.Terrains[stage.Layer] != nil
	if w.target < stage.Sources || int(w.target) >= r.Stride || cleared || r.Params == nil || r.Params[t.Profile].Method == NoMethod {
		return wish
	}
	corner := r.Generators[int(stage.Layer)*r.Stride+int(w.target)]
	at := geom.Point{X: corner.X, Y: corner.Y}
	from := geom.Orient(s.at, at, geom.Point{X: corner.FromX, Y: corner.FromY})
	to := geom.Orient(s.at, at, geom.Point{X: corner.ToX, Y: corner.ToY})
	var turned float32
	d := minus(w.aim, position)
	straight := length(d)
	sine := min(t.Radius/straight, 1)
	switch low, high := min(from, to), max(from, to); {
	case straight == 0:
		return wish
	case low >= geom.Collinear && high == geom.Left: // both walls lie on the left
		turned = -sine
	case high <= geom.Collinear && low == geom.Right:
		turned = sine
	default:
		return wish
	}
	cosine := float32(math.Sqrt(float64(max(1-float32(sine*sine), 0))))
	u := [2]float32{d[0] / straight, d[1] / straight}
	return [2]float32{
		(float32(u[0]*cosine) - float32(u[1]*turned)) * speed,
		(float32(u[1]*cosine) + float32(u[0]*turned)) * speed,
	}
}

// towards is the velocity to an aim: at full speed, or slower, so that the step ends there.
func (r *Reference) towards(position, aim [2]float32, speed float32) [2]float32 {
	d := minus(aim, position)
	straight := length(d)
	if straight <= float32(speed*r.Timestep) {
		return [2]float32{d[0] / r.Timestep, d[1] / r.Timestep}
	}
	return [2]float32{d[0] / straight * speed, d[1] / straight * speed}
}

// way is the way to a stage. Ways out of its clearance are looked for only in the stage
// that the step begins in.
func (r *Reference) way(s footing, a Agent, t Traits, stage Stage, hint uint32, begins bool) (way, bool) {
	generators := r.Generators[int(stage.Layer)*r.Stride:][:r.Stride]
	if t.Steering == SPM {
		if len(r.Terrains) > 0 && r.Terrains[stage.Layer] != nil && !r.sight(stage.Layer).free(s.at) {
			if !begins || a.Lost%16 > 1 {
				return way{}, false
			}
			return r.wayOut(s, int(stage.Layer))
		}
		return r.wayByMap(s, a, generators, int(stage.Layer), hint)
	}
	w, found := way{left: math.Inf(1)}, false
	nearest := math.Inf(1)
	cleared := int(stage.Layer) < len(r.Terrains) && r.Terrains[stage.Layer] != nil
	for i, g := range generators[:stage.Sources] {
		left := r.lengthOver(s.at, g)
		if left < nearest {
			nearest, found = left, true
			w.target, w.aim = uint32(i), r.aimOver(s.at, g)
		}
		if cleared && g.Kind != uint32(geom.SectorLightField) {
			g.Kind = uint32(geom.SectorAll) // its sector is of other ground
		}
		if left < w.left && left <= max(float64(stage.ArrivalRadius), r.slackOf(g)) && lights(r.Walls, g, s) != 0 {
			w.left, w.slack = left, float32(r.slackOf(g))
		}
	}
	return w, found
}

func (r *Reference) wayByMap(s footing, a Agent, generators []shaders.Generator, layer int, hint uint32) (way, bool) {
	shortest := math.Inf(1) // of the ways over those nearby, seen or not
	for _, ring := range [...]int{3, 5, 9} {
		var candidates []uint32
		add := func(index uint32) {
			if index < uint32(r.Stride) {
				candidates = append(candidates, index)
			}
		}
		add(hint)
		if hint < uint32(r.Stride) {
			add(generators[hint].Parent)
		}
		r.texels(layer, a.Position, ring, func(i int) { add(r.Parents[layer][i]) })
		if w, ok := r.nearest(s, r.sight(uint32(layer)), generators, candidates); ok {
			return w, true
		}
		if ring == 3 && len(candidates) > 0 {
			shortest = r.lengthOver(s.at, generators[candidates[0]])
		}
	}
	if reached, unreached := r.around(layer, a.Position); a.Lost%16 != 0 || unreached && !reached {
		return way{}, false
	}
	// Ground narrower than texels has a corner that no texel names, beside walls that are nearly in
	// line: the way over it is next to as long.
	all, bends := make([]uint32, r.Stride), []uint32(nil)
	slack := 1 / (bendParts * float64(float32(1/r.Cell)))
	for i := range all {
		all[i] = uint32(i)
		if g := generators[i]; g.Kind != uint32(geom.SectorLightField) && !math.IsInf(shortest, 1) && math.Abs(r.lengthOver(s.at, g)-shortest) <= slack {
			bends = append(bends, uint32(i))
		}
	}
	slices.SortStableFunc(bends, func(a, b uint32) int {
		squared := func(index uint32) int64 {
			p := sectorOf(generators[index]).At
			x, y := int64(p.X)-int64(s.at.X), int64(p.Y)-int64(s.at.Y)
			return x*x + y*y
		}
		return cmp.Compare(squared(a), squared(b))
	})
	for _, index := range bends[:min(mostBends, len(bends))] {
		if w, ok := r.nearest(s, r.sight(uint32(layer)), generators, []uint32{index}); ok {
			return w, true
		}
	}
	return r.nearest(s, r.sight(uint32(layer)), generators, all)
}

// texels visits the texels of the ring x ring around a place.
func (r *Reference) texels(layer int, place [2]float32, ring int, visit func(i int)) {
	texelsPerMeter := float32(1 / r.Cell)
	column := int(math.Floor(float64(float32(place[0] * texelsPerMeter))))
	row := int(math.Floor(float64(float32(place[1] * texelsPerMeter))))
	rows := len(r.Parents[layer]) / r.Columns
	for y := row - ring/2; y <= row+ring/2; y++ {
		for x := column - ring/2; x <= column+ring/2; x++ {
			if x >= 0 && x < r.Columns && y >= 0 && y < rows {
				visit(y*r.Columns + x)
			}
		}
	}
}

// around reports whether the 3 x 3 texels around a place hold some that a source
// reaches, and some of free ground that none does.
func (r *Reference) around(layer int, place [2]float32) (reached, unreached bool) {
	r.texels(layer, place, 3, func(i int) {
		reached = reached || r.Parents[layer][i] != shaders.NoParent
		unreached = unreached || r.States[layer][i] == r.Unreached
	})
	return reached, unreached
}

// wayOut leads to the nearest place out of the clearance that an agent sees past the
// walls that it is cut at. Places beside unreached ground may belong to it, and
// count only where there are no others.
func (r *Reference) wayOut(s footing, layer int) (way, bool) {
	for _, sure := range [...]bool{true, false} {
		p, ok := r.sight(uint32(layer)).nearestFree(r.Lattice, s.at, func(p geom.Point) bool {
			reached, unreached := r.around(layer, r.Lattice.Local(p))
			return (!unreached || !sure && reached) && barriers(r.Walls).reaches(s, p) != 0
		})
		if ok {
			return way{left: math.Inf(1), target: WayOut, aim: r.Lattice.Local(p)}, true
		}
	}
	return way{}, false
}

// nearest is the way over the candidate in sight with the shortest one, ties by
// index; from a generator's own place on over its parent.
func (r *Reference) nearest(s footing, ws barriers, generators []shaders.Generator, candidates []uint32) (way, bool) {
	slices.SortFunc(candidates, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(r.lengthOver(s.at, generators[a]), r.lengthOver(s.at, generators[b])), cmp.Compare(a, b))
	})
	for _, index := range slices.Compact(candidates) {
		g := generators[index]
		left := r.lengthOver(s.at, g)
		if math.IsInf(left, 1) || lights(ws, g, s) == 0 {
			continue
		}
		for i := 0; i < 4 && sectorOf(g).At == s.at && g.Parent != shaders.NoParent && g.Parent != index; i++ {
			index = g.Parent
			g = generators[index]
		}
		return way{left, index, r.aimOver(s.at, g), float32(r.slackOf(g))}, true
	}
	return way{}, false
}
