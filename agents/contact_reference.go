package agents

import "math"

// contactDisc is somebody in the contact pass.
type contactDisc struct {
	position [2]float32
	origin   [2]float32 // where contacts began
	last     [2]float32 // the push of the round before, at first of the step before
	radius   float32
	id       uint32
	there    bool
	yields   bool // gives way
}

// Part is all agents after the rounds that part those whose discs overlap, and
// how many rounds that took. It asks each pair. What is in Pushed is of the step before.
func (r *Reference) Part(agents []Agent, traits []Traits, rounds int) (parted []Agent, taken int) {
	parted = append(parted, agents...)
	largest := float32(0)
	discs := make([]contactDisc, len(agents))
	for i, a := range agents {
		t := traits[i]
		largest = max(largest, t.Radius)
		there := a.Status == Walking || a.Status == Arrived
		yields := r.Manners != nil && r.Manners[t.Profile].Method != NoMethod
		discs[i] = contactDisc{a.Position, a.Position, a.Pushed, t.Radius, uint32(i), there, there && yields}
		parted[i].Pushed = [2]float32{}
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
			r.shove(&parted[i], &discs[i], pushes[i], pushLimit(largest))
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

// shove moves an agent as far as walls, and the slack of the step, allow.
func (r *Reference) shove(a *Agent, d *contactDisc, wish [2]float32, slack float32) {
	total := [2]float32{d.position[0] + wish[0] - d.origin[0], d.position[1] + wish[1] - d.origin[1]}
	if far := float32(math.Sqrt(float64(squaredLength(total)))); far > slack {
		scale := slack / far
		for k := range wish {
			wish[k] = d.origin[k] + float32(total[k]*scale) - d.position[k]
		}
	}
	d.last = [2]float32{}
	if wish == ([2]float32{}) {
		return
	}
	m := mover{footing: footingOf(*a, r.onLattice(a.Position)), position: a.Position}
	rest := wish
	for range 2 {
		if rest == ([2]float32{}) {
			break
		}
		rest = r.advance(&m, rest)
	}
	d.last = minus(m.position, a.Position)
	d.position = m.position
	a.Position, a.Pushed = m.position, minus(m.position, d.origin)
	a.FromX, a.FromY, a.Lean, a.Sees = m.from.X, m.from.Y, m.lean, 0
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
