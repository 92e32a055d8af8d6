package spm

import (
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestProgramsCompile compiles every program, and compares the structs they share with Go as the
// driver lays them out.
func TestProgramsCompile(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) { gputest.Programs(t, d, Passes()) })
}
