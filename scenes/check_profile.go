package scenes

import "math"

// checkProfile notes what of a profile has no effect, or a surprising one.
func checkProfile(at place, p Profile) {
	if speed := at.at("preferredSpeed"); at.sound() && p.PreferredSpeed.Mean > p.MaxSpeed.Mean {
		if speed.isObject() {
			speed = speed.at("mean")
		}
		speed.note("agents that prefer to walk at %v m/s never exceed maxSpeed, %v m/s", p.PreferredSpeed.Mean, p.MaxSpeed.Mean)
	}
	bvp := at.at("bvp")
	if !bvp.sound() {
		return
	}
	if p.BVP.Cells.least() < 7 {
		bvp.at("cells").note("a map of 5 or 6 cells shows no walls and no agents: the agent covers all cells where they could be; take 7 or more")
	}
	most := strongest(p.BVP.Bias)
	if len(p.BVP.Table) > 0 {
		most = 0
	}
	for k, row := range p.BVP.Table {
		most = max(most, row.strongest())
		checkBias(bvp.at("table", k), row.strongest())
	}
	if p.BVP.ViewAngle.least() < 30 && most >= 0.5 {
		bvp.at("viewAngle").note("an agent with so narrow a view loses a wall as soon as it turns away from it, and where the bias, of %.3g at most, points back to the wall it may walk to and fro at its end forever; 30 degrees are enough", most)
	}
	if len(p.BVP.Table) == 0 {
		checkConstant(bvp.at("bias"), p.BVP.Bias)
	} else if p.BVP.Bias != Default[BVPDistribution]().Bias {
		bvp.at("bias").note("the table replaces it")
	}
	checkTable(bvp.at("table"), p.BVP.Table)
}

// rises reports whether all samples are in the order of time.
func rises(table []Sample) bool {
	for k := 1; k < len(table); k++ {
		if !(table[k][0] > table[k-1][0]) {
			return false
		}
	}
	return true
}

// least returns the least number that a distribution names: its Min, if there is one, or the mean.
func (d Distribution) least() float64 {
	if d.Varies() && d.bounded() && !math.IsInf(d.Min, -1) {
		return d.Min
	}
	return d.Mean
}

// size returns the greatest amount that a distribution names.
func (d Distribution) size() float64 {
	size := math.Abs(d.Mean)
	for _, end := range [...]float64{d.Min, d.Max} {
		if d.Varies() && !math.IsInf(end, 0) {
			size = max(size, math.Abs(end))
		}
	}
	return size
}

// checkTable finds samples that are not in the order of time.
func checkTable(at place, table []Sample) {
	for k := 1; k < len(table); k++ {
		if before, t := table[k-1][0], table[k][0]; !(t > before) {
			at.at(k).wrong("the sample's time %v s is not after that of the one before, %v s", t, before)
		}
	}
}

// strongest returns the greatest strength of a bias over time.
func strongest(b BiasOf[Distribution]) float64 {
	direction := math.Hypot(b.Direction[0].size(), b.Direction[1].size())
	return b.Strength.size() * math.Hypot(direction, b.Wave.Amplitude.size())
}

func (s Sample) strongest() float64 { return math.Abs(s[3]) * math.Hypot(s[1], s[2]) }

// checkConstant notes what has no effect of a bias that is not a table, and what is too strong.
func checkConstant(at place, b BiasOf[Distribution]) {
	none := Distribution{}
	wave := b.Wave
	waves := wave != WaveOf[Distribution]{}
	switch {
	case b.Strength == none && waves:
		at.at("wave").note("a bias without strength does nothing, nor does its wave")
	case b.Strength != none && b.Direction == [2]Distribution{}:
		at.at("direction").note("a bias without a direction does nothing, nor does a wave, which swings across it")
	case waves && (wave.Amplitude == none || wave.Frequency == none && wave.Phase == none):
		at.at("wave").note("a wave takes an amplitude and a frequency: with one of them 0 it does nothing")
	}
	checkBias(at.at("strength"), strongest(b))
}

// checkBias notes a bias that is stronger than any can be.
func checkBias(at place, strength float64) {
	if strength >= 2 {
		at.note("with its direction the bias is of %.3g at most: it acts as one just below 2", strength)
	}
}
