package local

import (
	"math"

	"github.com/wayfront/wayfront/scenes"
)

// Walker is an agent with a local map, on the device: 64 bytes, and its potentials. Places are in
// meters, local.
type Walker struct {
	// What it is given before each step.
	Position [2]float32
	Guide    [2]float32 // the point to head for: the intermediate goal lies towards it; see Afar
	Goal     [2]float32 // the nearest point of the final goal; NoGoal where it is not looked for
	Speed    float32    // m/s, at most
	Body     uint32     // its own, which it does not see; NotThere where it takes no part in the step
	// What it keeps.
	Stamped  [2]float32 // where it was when the map was stamped
	Heading  float32    // phi, radians from -pi to pi; NoHeading before the first step
	Stood    uint32     // steps that it has stood, less those that it has walked since: see Patience
	Cells    uint32     // of the potentials that there are; 0 before the first step
	Settings uint32     // index
	First    uint32     // index of its first potential
	Agent    uint32     // its number
}

// NotThere is the Body of a walker that takes no part in a step.
const NotThere uint32 = 0xffffffff

// Afar is how far away the Guide of a walker is that has a direction alone, m: along one of the
// axes at least half as far. No local map reaches as far, nor does a domain.
const Afar = 1 << 20

// NoHeading is the Heading of a walker that has none yet; it then looks towards the guide's point.
const NoHeading float32 = 4

// NoGoal is the Goal of a walker that has none to look for, farther away than any map reaches.
var NoGoal = [2]float32{0x1p100, 0x1p100}

// Standing is how many times as fast as it walks an agent wants to be that counts as standing.
const Standing = 8

// Patience is the Stood of a walker from which on it looks all round, for steps of so many seconds:
// a second, or longer than any run by the papers' rules. It does until it has walked for as long.
// Turning on the spot it would see now one, now the other of the agents in its way, and never both:
// agents that face each other would wait for ever.
func Patience(p scenes.BVP, timestep float64) uint32 {
	if p.Rules == scenes.RulesPaper {
		return math.MaxUint32
	}
	return Settings{StepsPerSecond: float32(1 / timestep)}.Patience()
}

// Patience is that of steps of these settings by robust rules.
func (s Settings) Patience() uint32 { return max(uint32(s.StepsPerSecond), 1) }
