package bvp

import (
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func TestMain(m *testing.M) { gputest.Main(m) }

func TestProgramsCompile(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, s := range Programs() {
			p, err := gpu.NewProgram(d, s)
			if err != nil {
				t.Error(err)
				continue
			}
			p.Delete()
		}
		for _, v := range append(spec("", classes[0]).Structs, harmonicSpec("").Structs...) {
			gputest.Layout(t, d, v)
		}
	})
}
