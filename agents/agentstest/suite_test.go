package agentstest

import (
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/reference"
)

// each decides one by one.
func each(choose func(reference.Situation) mgl64.Vec2) Decide {
	return func(situations []reference.Situation) []mgl64.Vec2 {
		all := make([]mgl64.Vec2, len(situations))
		for i, s := range situations {
			all[i] = choose(s)
		}
		return all
	}
}

// The plain forms of the methods keep the contract.
func TestReferences(t *testing.T) {
	for _, m := range []struct {
		name   string
		choose func(reference.Situation) mgl64.Vec2
		touch  float64
	}{
		{"rvo", func(s reference.Situation) mgl64.Vec2 {
			r := rand.New(rand.NewPCG(uint64(s.ID), uint64(s.Step)))
			return reference.RVO(s, func(int) [2]float64 { return [2]float64{r.Float64(), r.Float64()} })
		}, 0.05},
		{"clearpath-1", func(s reference.Situation) mgl64.Vec2 { s.Params.Variant = 1; return reference.ClearPath(s) }, 0.01},
		{"clearpath-2", func(s reference.Situation) mgl64.Vec2 { s.Params.Variant = 2; return reference.ClearPath(s) }, 0.01},
		{"orca", reference.ORCA, 0.01},
	} {
		t.Run(m.name, func(t *testing.T) { Suite(t, each(m.choose), m.touch) })
	}
}
