package agents

import (
	"cmp"
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/shaders"
)

// Reference is the plain form of the passes displace, steer and integrate, an agent
// at a time, every wall asked for every sight. Given the same records it chooses the
// same targets, stages and statuses as the device; preferred velocities and
// positions agree within what float32 division and square root may differ, and
// where that puts a rounding to the lattice on the other side, within lattice
// steps.
type Reference struct {
	Lattice    geom.Lattice
	Walls      []Wall   // those that agents are cut at, as WallsOf lists them
	Terrains   [][]Wall // of each layer whose map is of other ground, else nil; none at all: no layer's is
	Stages     []Stage
	Generators []shaders.Generator // all layers
	Stride     int
	Columns    int        // texels of a row
	Parents    [][]uint32 // of each layer, row by row
	States     [][]float32
	Unreached  float32
	Cell       float64
	Timestep   float32
	Params     []AvoidanceParams   // of each profile; none at all: nobody avoids others
	Motions    map[Wall][2]float32 // the velocities of walls that move, m/s
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

// way is a way found: what is left to walk in metres, over the generator target, by
// way of aim; who has no more than slack left has arrived.
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
	if g.Kind == sectorBeam {
		return beamReach * r.Lattice.Step
	}
	return 0
}

func beamOf(g shaders.Generator) geom.Beam {
	return geom.Beam{A: geom.Point{X: g.X, Y: g.Y}, B: geom.Point{X: g.ToX, Y: g.ToY}}
}

// lights returns the rules under which a generator lights somebody past walls.
func lights(ws barriers, g shaders.Generator, s footing) rules {
	if g.Kind == sectorBeam {
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
	if g.Kind == sectorBeam {
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
	if g.Kind == sectorBeam {
		foot := footOn(beamOf(g).A, beamOf(g).B, at)
		return [2]float32{float32(foot[0] * r.Lattice.Step), float32(foot[1] * r.Lattice.Step)}
	}
	return r.Lattice.Local(geom.Point{X: g.X, Y: g.Y})
}

// Displace is an agent after the pass before the step that is numbered clock, and
// whether it was put on free ground. moved says whether walls have changed since
// the step before.
func (r *Reference) Displace(a Agent, t Traits, clock uint32, moved bool) (Agent, bool) {
	there := a.Status == Walking || a.Status == Arrived
	if enters := a.Status == Waiting && clock >= t.Entry; !enters && !(there && moved) {
		return a, false
	}
	ws := barriers(r.Walls)
	s := footingOf(a, r.onLattice(a.Position))
	if !ws.free(s.at) {
		p, ok := ws.nearestFree(r.Lattice, s.at, func(geom.Point) bool { return true })
		if !ok {
			return a, false
		}
		a.Position = r.Lattice.Local(p)
		s.at = p
	} else if ws.leansFree(s) {
		return a, false
	}
	from := ws.leaningPoint(s.at)
	a.FromX, a.FromY, a.Perturbation, a.Sees = from.X, from.Y, 1, 0
	return a, true
}

// Steer is one agent's guidance in the step that is numbered clock.
func (r *Reference) Steer(a Agent, t Traits, clock uint32) Guidance {
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
		case t.OnArrival == onArrivalLoop && t.Stages == 1:
			g.Arrivals = 1
			return g
		case t.OnArrival == onArrivalLoop:
			g.Arrivals++
			g.Stage = 0
		default:
			g.Arrivals++
			g.Status = Left
			if t.OnArrival == onArrivalStay {
				g.Status = Arrived
			}
			g.Preferred = [2]float32{}
			return g
		}
	}
}

func minus(a, b [2]float32) [2]float32 { return [2]float32{a[0] - b[0], a[1] - b[1]} }

func length(v [2]float32) float32 {
	return float32(math.Sqrt(float64(float32(v[0]*v[0]) + float32(v[1]*v[1]))))
}

// along is the velocity along a way: towards its aim or, where that is a corner of walls that the agent keeps clear of, along the
// tangent to a circle of his radius about it, on the side where its walls are not.
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

// towards is the velocity to an aim: at full speed, or slower, so that the step
// ends there.
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
		if cleared && g.Kind != sectorBeam {
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
	// Ground narrower than texels has a corner that no texel names, beside walls that are nearly in line: the way over it is
	// next to as long.
	all, bends := make([]uint32, r.Stride), []uint32(nil)
	slack := 1 / (bendParts * float64(float32(1/r.Cell)))
	for i := range all {
		all[i] = uint32(i)
		if g := generators[i]; g.Kind != sectorBeam && !math.IsInf(shortest, 1) && math.Abs(r.lengthOver(s.at, g)-shortest) <= slack {
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
	texelsPerMetre := float32(1 / r.Cell)
	column := int(math.Floor(float64(float32(place[0] * texelsPerMetre))))
	row := int(math.Floor(float64(float32(place[1] * texelsPerMetre))))
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

// wayOut leads to the nearest place out of the clearance that somebody sees past the
// walls that he is cut at. Places beside unreached ground may belong to it, and
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

// mover is somebody who moves.
type mover struct {
	footing
	position [2]float32
	guide    *shaders.Generator // the generator that he wants to keep in sight, if any
	past     barriers           // the walls past which he wants to
	cut      bool               // a wall was met
	sees     bool               // is known to see the guide
}

// Integrate is one agent's state after the step that is numbered clock.
func (r *Reference) Integrate(a Agent, t Traits, g Guidance, clock uint32) Agent {
	if a.Arrivals == 0 && g.Arrivals > 0 {
		a.First = clock
	}
	if a.Status == Waiting && g.Status != Waiting {
		a.Entered = clock
	}
	velocity := g.Velocity
	if r.Params != nil && r.Params[t.Profile].Method != NoMethod {
		velocity = r.limited(velocity, a.Velocity, t.MaxSpeed, r.Params[t.Profile].MaxAcceleration)
	}
	a.Sees = 0
	a.Target, a.Layer, a.Stage, a.Status, a.Arrivals = g.Target, g.Layer, g.Stage, g.Status, g.Arrivals
	a.Velocity, a.Pushed = [2]float32{}, [2]float32{}
	if a.Status != Walking {
		return a
	}
	if g.Layer != OwnPoint && g.Target == NoTarget {
		a.Lost++
	} else {
		a.Lost = 0
	}
	m := mover{footing: footingOf(a, r.onLattice(a.Position)), position: a.Position}
	if t.Steering == SPM && g.Layer != OwnPoint && g.Target < uint32(r.Stride) {
		m.guide = &r.Generators[int(g.Layer)*r.Stride+int(g.Target)]
		m.past = r.sight(g.Layer)
	}
	displacement := [2]float32{velocity[0] * r.Timestep, velocity[1] * r.Timestep}
	rest := displacement
	for range 2 {
		if rest == ([2]float32{}) {
			break
		}
		rest = r.advance(&m, rest)
	}
	a.Velocity = velocity
	if m.cut {
		moved := minus(m.position, a.Position)
		scale := float32(1)
		if longest, travelled := length(displacement), length(moved); travelled > longest {
			scale = longest / travelled
		}
		a.Velocity = [2]float32{moved[0] / r.Timestep * scale, moved[1] / r.Timestep * scale}
	}
	a.Position = m.position
	if m.sees {
		a.Sees = 1
	}
	a.FromX, a.FromY, a.Perturbation = m.from.X, m.from.Y, m.perturbation
	return a
}

// shortened is a vector of a length of at most most, or a little less.
func shortened(v [2]float32, most float32) [2]float32 {
	length2 := float32(v[0]*v[0]) + float32(v[1]*v[1])
	if !(length2 > float32(most*most)) {
		return v
	}
	scale := float32(float32(most/float32(math.Sqrt(float64(length2)))) * (1 - 1.0/(1<<20)))
	return [2]float32{v[0] * scale, v[1] * scale}
}

// limited is the wished velocity, as far as acceleration and then speed allow; none
// where it is not a number.
func (r *Reference) limited(wished, velocity [2]float32, maxSpeed, maxAcceleration float32) [2]float32 {
	change := shortened(minus(wished, velocity), float32(maxAcceleration*r.Timestep))
	reached := [2]float32{velocity[0] + change[0], velocity[1] + change[1]}
	if sum := float64(reached[0]) + float64(reached[1]); math.IsNaN(sum) {
		return [2]float32{}
	}
	return shortened(reached, maxSpeed)
}

func (m *mover) settle(p geom.Point, position [2]float32, perturbation int32) {
	m.footing = footing{at: p, from: m.at, perturbation: perturbation}
	m.position = position
}

// leanAt tells how the mover leans who has gone to p, 0 if he cannot.
func (r *Reference) leanAt(m *mover, p geom.Point, keepSight bool) int32 {
	ways := barriers(r.Walls).reaches(m.footing, p)
	for _, rule := range [...]rules{leftRule, rightRule} {
		perturbation := -int32(turnOf(rule))
		if ways&rule == 0 {
			continue
		}
		if !keepSight || m.guide == nil || lights(m.past, *m.guide, footing{p, m.at, perturbation}) != 0 {
			return perturbation
		}
	}
	return 0
}

// advance moves by a displacement and returns what is left of it to slide along
// the wall that was met.
func (r *Reference) advance(m *mover, displacement [2]float32) [2]float32 {
	position := r.inDomain([2]float32{m.position[0] + displacement[0], m.position[1] + displacement[1]})
	p := r.onLattice(position)
	if p == m.at {
		m.position = position
		return [2]float32{}
	}
	end := [2]float64{float64(p.X), float64(p.Y)}
	if m.guide != nil {
		// Rounding may have put p behind a wall that the way runs along, or out of
		// sight.
		if perturbation := r.leanAt(m, p, true); perturbation != 0 {
			m.settle(p, position, perturbation)
			m.sees = true
			return [2]float32{}
		}
		if r.settleNear(m, end, p, true) || r.hop(m, p) {
			return [2]float32{}
		}
	}
	if perturbation := r.leanAt(m, p, false); perturbation != 0 {
		m.settle(p, position, perturbation)
		m.sees = false
		return [2]float32{}
	}
	if r.settleNear(m, end, p, false) {
		return [2]float32{}
	}
	m.cut = true
	share, wall := -1.0, Wall{}
	for _, rule := range [...]rules{leftRule, rightRule} {
		if !barriers(r.Walls).sameSector(m.footing, p, int32(turnOf(rule))) {
			continue
		}
		if s, w := r.shareUntilWall(m.at, p, turnOf(rule)); s > share {
			share, wall = s, w
		}
	}
	if share < 0 {
		share = 0
		var ok bool
		if wall, ok = r.touchingWall(m.at, p); !ok {
			return [2]float32{}
		}
	} else {
		end = [2]float64{
			float64(m.at.X) + float64(share*float64(p.X-m.at.X)),
			float64(m.at.Y) + float64(share*float64(p.Y-m.at.Y)),
		}
		if m.guide == nil || !r.settleNear(m, end, p, true) {
			r.settleNear(m, end, p, false)
		}
	}
	along := [2]float32{float32(wall.BX - wall.AX), float32(wall.BY - wall.AY)}
	l := length(along)
	along = [2]float32{along[0] / l, along[1] / l}
	rest := float32(1 - share)
	d := float32(displacement[0]*rest*along[0]) + float32(displacement[1]*rest*along[1])
	return [2]float32{along[0] * d, along[1] * d}
}

// shareUntilWall is how much of the way to p the first wall allows under a rule.
func (r *Reference) shareUntilWall(q, p geom.Point, turn geom.Side) (float64, Wall) {
	first, wall := 1.0, Wall{}
	for _, w := range r.Walls {
		a, b := w.ends()
		if !blocks(q, p, a, b, turn) {
			continue
		}
		before, after := float64(cross(a, b, q)), float64(cross(a, b, p))
		if share := before / (before - after); share < first {
			first, wall = share, w
		}
	}
	return first, wall
}

// touchingWall is, of the walls that touch q, the one that leads furthest in the
// direction of p, from q on.
func (r *Reference) touchingWall(q, p geom.Point) (wall Wall, ok bool) {
	best := float32(0)
	for _, w := range r.Walls {
		a, b := w.ends()
		if !onSegment(a, b, q) {
			continue
		}
		for _, end := range [...]geom.Point{a, b} {
			if end == q {
				continue
			}
			d := [2]float32{float32(end.X - q.X), float32(end.Y - q.Y)}
			l := length(d)
			along := float32(float32(p.X-q.X)*(d[0]/l)) + float32(float32(p.Y-q.Y)*(d[1]/l))
			if along > best {
				best, wall, ok = along, Wall{q.X, q.Y, end.X, end.Y}, true
			}
		}
	}
	return wall, ok
}

// settleNear goes to the lattice point nearest to end, of the nine around it,
// that the mover reaches and that lies ahead.
func (r *Reference) settleNear(m *mover, end [2]float64, ahead geom.Point, keepSight bool) bool {
	middle := geom.Point{X: int32(math.Floor(end[0] + 0.5)), Y: int32(math.Floor(end[1] + 0.5))}
	nearest, best, perturbation := 16.0, m.at, int32(0)
	for k := range int32(9) {
		p := geom.Point{X: middle.X + k%3 - 1, Y: middle.Y + k/3 - 1}
		dx, dy := float64(p.X)-end[0], float64(p.Y)-end[1]
		d := float64(dx*dx) + float64(dy*dy)
		if d >= nearest || !r.Lattice.Holds(p) || dot(m.at, p, ahead) <= 0 {
			continue
		}
		if l := r.leanAt(m, p, keepSight); l != 0 {
			nearest, best, perturbation = d, p, l
		}
	}
	if perturbation == 0 {
		return false
	}
	m.settle(best, r.Lattice.Local(best), perturbation)
	m.sees = keepSight && m.guide != nil
	return true
}

// hop goes further on, on the way to the guide, to the first lattice point that
// sees it, or else to the guide's own place: a crack may have no lattice point in
// it for long. Who is off that way does not hop.
func (r *Reference) hop(m *mover, ahead geom.Point) bool {
	goal := geom.Point{X: m.guide.X, Y: m.guide.Y}
	if m.guide.Kind == sectorBeam {
		foot := footOn(beamOf(*m.guide).A, beamOf(*m.guide).B, m.at)
		goal = geom.Point{X: int32(math.Floor(foot[0] + 0.5)), Y: int32(math.Floor(foot[1] + 0.5))}
	}
	dx, dy := float64(goal.X-m.at.X), float64(goal.Y-m.at.Y)
	distance := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if math.Abs(float64(cross(m.at, goal, ahead))) > 2*distance {
		return false
	}
	to := func(p geom.Point, keepSight bool) bool {
		if !r.Lattice.Holds(p) || dot(m.at, p, ahead) <= 0 {
			return false
		}
		perturbation := r.leanAt(m, p, keepSight)
		if perturbation != 0 {
			m.settle(p, r.Lattice.Local(p), perturbation)
			m.sees = keepSight
		}
		return perturbation != 0
	}
	for step := 1.0; step <= hop && step < distance; step++ {
		scale := step / distance
		if to(geom.Point{
			X: int32(math.Floor(float64(m.at.X) + float64(dx*scale) + 0.5)),
			Y: int32(math.Floor(float64(m.at.Y) + float64(dy*scale) + 0.5)),
		}, true) {
			return true
		}
	}
	return distance <= hop && to(goal, false)
}
