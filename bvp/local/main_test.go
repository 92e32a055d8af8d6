package local_test

import (
	"testing"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func TestMain(m *testing.M) { gputest.Main(m) }

func TestProgramsCompile(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) { gputest.Programs(t, d, local.Passes()) })
}
