package main

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/cmd/navview/draw"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/shaders"
	"github.com/wayfront/wayfront/spm"
)

// TestEveryShaderHasAProgram: what the packages' own tests compile is every stage file there is.
func TestEveryShaderHasAProgram(t *testing.T) {
	var used []string
	for _, programs := range [][]gpu.Spec{spm.Programs(), bvp.Programs(), engine.Programs(), agents.Programs(), draw.Programs(), {exhaustiveProgram(1)}} {
		for _, s := range programs {
			used = append(used, s.Stages...)
		}
	}
	for _, name := range shaders.Names() {
		if !slices.Contains(used, name) {
			t.Errorf("%s belongs to no program", name)
		}
	}
}
