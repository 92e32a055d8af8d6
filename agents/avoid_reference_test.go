package agents

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/scenes"
)

// references are the plain forms of the methods.
var references = map[scenes.Avoidance]func(s reference.Situation, seed uint64) mgl64.Vec2{
	scenes.AvoidanceRVO: func(s reference.Situation, seed uint64) mgl64.Vec2 {
		return reference.RVO(s, func(sample int) [2]float64 { return randomPair(seed, s.ID, s.Step, uint32(sample)) })
	},
	scenes.AvoidanceClearPath: func(s reference.Situation, _ uint64) mgl64.Vec2 { return reference.ClearPath(s) },
	scenes.AvoidanceORCA:      func(s reference.Situation, _ uint64) mgl64.Vec2 { return reference.ORCA(s) },
}

// randomPair is the random numbers that an agent has in a step, as shaders/agents/avoid.glsl
// draws them.
func randomPair(seed uint64, id, step, number uint32) [2]float64 {
	words := spawn.Philox([4]uint32{spawn.StreamAvoid, id, step, number}, [2]uint32{uint32(seed), uint32(seed >> 32)})
	unit := func(word uint32) float64 { return math.Ldexp(float64(word>>8), -24) }
	return [2]float64{unit(words[0]), unit(words[1])}
}
