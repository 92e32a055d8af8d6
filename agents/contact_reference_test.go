package agents

import (
	"math"

	"github.com/wayfront/wayfront/engine/geom"
)

// contactDisc is an agent in the contact pass.
type contactDisc struct {
	position [2]float32
	home     [2]float32 // where the step began
	origin   [2]float32 // where contacts began
	last     [2]float32 // the push of the round before, at first of the step before
	radius   float32
	maxSpeed float32
	id       uint32
	there    bool
	yields   bool // gives way
}

// Separate returns all agents, which began the step as before, after the rounds that separate
// discs that overlap each other or walls, and the number of rounds. It asks each pair. What is in
// Pushed is of the step before.
func (r *Reference) Separate(before, agents []Agent, traits []Traits, rounds int) (parted []Agent, taken int) {
	parted = append(parted, agents...)
	largest := float32(0)
	for _, t := range traits {
		largest = max(largest, t.Radius)
	}
	slack := pushLimit(largest)
	discs := make([]contactDisc, len(agents))
	for i, a := range agents {
		t := traits[i]
		there := There(a.Status)
		yields := engineMoves(a, t) && r.Params != nil && r.Params[t.Profile].Method != NoMethod
		home := r.inDomain(before[i].Position)
		discs[i] = contactDisc{a.Position, home, a.Position, a.Pushed, t.Radius, t.MaxSpeed, uint32(i), there, yields}
		parted[i].Pushed = [2]float32{}
		if yields && rounds > 0 {
			r.separate(&parted[i], &discs[i], [2]float32{}, slack)
			discs[i].last = a.Pushed
		}
	}
	for ; taken < rounds; taken++ {
		pushes := make([][2]float32, len(discs))
		again := false
		for i := range discs {
			var deep bool
			pushes[i], deep = push(discs, i, taken, grainOf(largest))
			again = again || deep
		}
		if !again {
			break
		}
		for i := range discs {
			discs[i].last = [2]float32{}
			if pushes[i] != ([2]float32{}) {
				r.separate(&parted[i], &discs[i], pushes[i], slack)
			}
		}
	}
	return parted, taken
}

// push is how far a disc is pushed by all others, and whether it overlaps one by more than
// 1% of the sum of their radii.
func push(discs []contactDisc, i, round int, grain float32) (wish [2]float32, deep bool) {
	own := discs[i]
	if !own.yields {
		return wish, false
	}
	var grains [2]int64
	partners := 0
	for j, other := range discs {
		if j == i || !other.there {
			continue
		}
		apart := minus(own.position, other.position)
		squared := squaredLength(apart)
		sum := own.radius + other.radius
		if !(squared < float32(sum*sum)) {
			continue
		}
		deep = deep || overlapsDeeply(squared, sum)
		if squared == 0 {
			apart = minus(directionOf(own.id), directionOf(other.id))
			if apart == ([2]float32{}) {
				apart[0] = 1
				if own.id > other.id {
					apart[0] = -1
				}
			}
		}
		part := float32(0.5)
		partners++
		if !other.yields {
			part = 1
			partners++
		}
		overlap := sum - float32(math.Sqrt(float64(squared)))
		share := float32(float32(overlap/float32(math.Sqrt(float64(squaredLength(apart))))) * part)
		for k := range grains {
			grains[k] += int64(math.Floor(float64(float32(float32(apart[k]*share)*(1/grain)) + 0.5)))
		}
	}
	if partners == 0 {
		return wish, false
	}
	scale := float32(min(1, 3/float32(partners)) * grain)
	for k := range wish {
		wish[k] = float32(float32(grains[k])*scale) + float32(own.last[k]*carry(round))
	}
	return wish, deep
}

// carry is the share of the push before that carries on in a round: that of the step before
// in the first one.
func carry(round int) float32 {
	if round == 0 {
		return 0.8
	}
	return float32(round) / float32(round+3)
}

// separate moves an agent as far as it is pushed and then off the walls that it overlaps, as far
// as walls in its way and the slack of the step allow.
func (r *Reference) separate(a *Agent, d *contactDisc, push [2]float32, slack float32) {
	m := mover{footing: footingOf(*a, r.onLattice(a.Position)), position: a.Position}
	advance := func(push [2]float32) {
		push = d.allowed(m.position, push, slack)
		for range 2 {
			if push == ([2]float32{}) {
				break
			}
			push = r.advance(&m, push)
		}
	}
	advance(push)
	advance(minus(r.offWalls(m.position, d.radius), m.position))
	if m.position == a.Position && push == ([2]float32{}) {
		return
	}
	d.last = minus(m.position, a.Position)
	d.position = m.position
	a.Position, a.Pushed = m.position, minus(m.position, d.origin)
	gone := minus(m.position, d.home)
	a.Velocity = shortened([2]float32{gone[0] / r.Timestep, gone[1] / r.Timestep}, d.maxSpeed)
	a.FromX, a.FromY, a.Perturbation, a.Sees = m.from.X, m.from.Y, m.perturbation, 0
}

// allowed is as much of a push from a place as contacts may do in a step.
func (d *contactDisc) allowed(position, push [2]float32, slack float32) [2]float32 {
	reach := float32(math.Sqrt(float64(squaredLength(minus(d.origin, d.home))))) + slack
	total := [2]float32{position[0] + push[0] - d.home[0], position[1] + push[1] - d.home[1]}
	if far := float32(math.Sqrt(float64(squaredLength(total)))); far > reach {
		scale := reach / far
		for k := range push {
			push[k] = d.home[k] + float32(total[k]*scale) - position[k]
		}
	}
	return push
}

// bound is the half plane that a wall leaves to the center of a disc; see
// shaders/agents/offwalls.glsl.
type bound struct {
	normal               [2]float64
	least, depth, length float64
}

// deepestBound is that of the deepest overlap with a disc at p, in lattice steps, that stands for
// at.
func (ws barriers) deepestBound(p [2]float64, at geom.Point, radius float64) bound {
	best := bound{depth: -1}
	product := func(a, b [2]float64) float64 { return float64(a[0]*b[0]) + float64(a[1]*b[1]) }
	for _, w := range ws {
		a, b := w.ends()
		along := [2]float64{float64(b.X - a.X), float64(b.Y - a.Y)}
		off := [2]float64{p[0] - float64(a.X), p[1] - float64(a.Y)}
		ahead, squared := product(off, along), product(along, along)
		if ahead > 0 {
			off = [2]float64{p[0] - float64(b.X), p[1] - float64(b.Y)}
		}
		normal := [2]float64{-along[1], along[0]}
		if beside := ahead > 0 && ahead < squared; !beside && product(off, off) > 0.5 {
			normal, squared = off, product(off, off)
		}
		far := math.Sqrt(squared)
		normal = [2]float64{normal[0] / far, normal[1] / far}
		depth := radius - product(normal, off)
		if depth > best.depth && geom.Orient(a, b, at) != geom.Right {
			best = bound{normal, product(normal, p) + depth, depth, far}
		}
	}
	return best
}

// offWalls is where a disc at a place goes: there, where it overlaps no wall by more than 1% of
// its radius.
func (r *Reference) offWalls(place [2]float32, radius float32) [2]float32 {
	at, step := r.onLattice(place), r.Lattice.Step
	p := [2]float64{float64(place[0]) / step, float64(place[1]) / step}
	reach := float64(radius) / step
	goal, least := place, math.Inf(1)
	var before bound
	for turn := range offTurns {
		b := barriers(r.Walls).deepestBound(p, at, reach)
		if b.depth < least {
			least = b.depth
			if turn > 0 {
				goal = [2]float32{float32(p[0] * step), float32(p[1] * step)}
			}
		}
		if b.depth <= 0.01*reach {
			break
		}
		shift := func(by float64) [2]float64 {
			return [2]float64{p[0] + float64(b.normal[0]*by), p[1] + float64(b.normal[1]*by)}
		}
		out := shift(b.depth)
		if slip := before.least - (float64(before.normal[0]*out[0]) + float64(before.normal[1]*out[1])); turn > 0 && slip > 0 {
			sine := float64(before.normal[0]*b.normal[1]) - float64(before.normal[1]*b.normal[0])
			if lengths := b.length + before.length; sine*sine*b.length*b.length*before.length*before.length <= 2*lengths*lengths {
				out = shift(b.depth / 2)
			} else {
				out[0] = (float64(before.least*b.normal[1]) - float64(b.least*before.normal[1])) / sine
				out[1] = (float64(before.normal[0]*b.least) - float64(b.normal[0]*before.least)) / sine
			}
		}
		p, before = out, b
	}
	return goal
}

// squaredLength is as shaders compute it.
func squaredLength(v [2]float32) float32 { return float32(v[0]*v[0]) + float32(v[1]*v[1]) }

// overlapsDeeply reports whether discs at a squared distance, with radii of this sum,
// overlap by more than 1% of it.
func overlapsDeeply(squared, sum float32) bool {
	allowed := float32(0.99 * sum)
	return squared < float32(allowed*allowed)
}

// directionOf is a direction for an id: a point of the square |x| + |y| = 1.
func directionOf(id uint32) [2]float32 {
	turn := id * 0x9E3779B9
	along := float32(turn>>8&0x3fffff) / (1 << 22)
	d := [2]float32{1 - along, along}
	if turn>>30&1 != 0 {
		d = [2]float32{-d[1], d[0]}
	}
	if turn>>31 != 0 {
		d = [2]float32{-d[0], -d[1]}
	}
	return d
}
