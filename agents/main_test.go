package agents

import (
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func TestMain(m *testing.M) {
	gputest.WithoutThreads()
	gputest.Main(m)
}

func TestProgramsCompile(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) { gputest.Programs(t, d, Passes()) })
}
