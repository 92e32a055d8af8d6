package gputest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/shaders"
)

// What every OpenGL 4.5 promises (core specification, tables 23.55 to 23.72). Devices that tests
// run on mostly allow more, and would hide a program that others refuse. Shared memory is not
// counted here: a linker refuses what is more than the device has, and the software renderer has no
// more than the 32 KiB that are promised.
const (
	bindings    = 8 // of storage blocks
	attributes  = 16
	invocations = 1024
)

// most is what every OpenGL 4.5 promises to each stage, by the ending of its files.
var most = map[string]gpu.StageResources{
	".comp.glsl": {StorageBlocks: 8, Textures: 16},
	".vert.glsl": {Textures: 16},
	".geom.glsl": {Textures: 16},
	".frag.glsl": {StorageBlocks: 8, Textures: 16},
}

// blockPattern finds the declaration of a storage block.
var blockPattern = regexp.MustCompile(`(?m)^[^/\n]*\bbuffer\s+\w+\s*\{`)

// checkResources checks that a program asks for no more than every OpenGL 4.5 promises. Blocks are
// counted in the linked program and in the sources: a driver may count those that are declared and
// not used.
func checkResources(t testing.TB, r gpu.Resources, s gpu.Spec) {
	t.Helper()
	for ending, limit := range most {
		if use := r.Stages[ending]; use.StorageBlocks > limit.StorageBlocks || use.Textures > limit.Textures {
			t.Errorf("%v: the %s stage uses %+v, OpenGL promises %+v", s.Stages, ending, use, limit)
		}
	}
	for _, stage := range s.Stages {
		source, err := shaders.Load(stage, shaders.Environment{Defines: s.Defines, Structs: s.Structs, Files: s.Files})
		if err != nil {
			t.Fatal(err)
		}
		ending := stage[strings.Index(stage, "."):]
		if n := len(blockPattern.FindAllString(source.Text, -1)); n > most[ending].StorageBlocks {
			t.Errorf("%s declares %d storage blocks, OpenGL promises %d", stage, n, most[ending].StorageBlocks)
		}
	}
	if r.Bindings > bindings || r.Attributes > attributes || r.Invocations > invocations {
		t.Errorf("%v takes bindings, attributes or invocations up to %+v, which OpenGL does not promise", s.Stages, r)
	}
}
