package gpu_test

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestDispatchEach: each element comes once, in dispatches that are within the budget where elements take less than 2^20 turns,
// and have no more groups than OpenGL promises.
func TestDispatchEach(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		p := program(t, d, gpu.Spec{}, "each.comp.glsl", `
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Out { uvec2 met[]; };
uniform uint first;
void main() {
    uint id = first + gl_GlobalInvocationID.x;
    if (id < uint(met.length())) {
        atomicAdd(met[id].x, 1u);
        met[id].y = first;
    }
}`)
		for _, c := range []struct{ count, turns, most int }{
			{1, 1, 1}, {1023, 1 << 20, 1023}, {1025, 1 << 20, 1024}, {5000, 1 << 30, 1024},
			{70000, gpu.LongestInvocation, 4096}, {65536, 16384, 65536}, {5 << 20, 1, 65535 * 64 / 1024 * 1024},
		} {
			b, err := gpu.NewBuffer[[2]uint32](d, "met", c.count)
			if err != nil {
				t.Fatal(err)
			}
			got, want := make([][2]uint32, c.count), make([][2]uint32, c.count)
			for i := range want {
				want[i] = [2]uint32{1, uint32(i / c.most * c.most)}
			}
			err = d.Do(func() error {
				b.Bind(0)
				p.DispatchEach(c.count, 64, c.turns)
				d.Barrier(gpu.BarrierUpdate)
				return nil
			})
			if b.Read(0, got); err != nil || !slices.Equal(got, want) {
				t.Errorf("%d elements of %d turns: %v, not in dispatches of %d", c.count, c.turns, err, c.most)
			}
			if most := p.Portion(c.turns); c.turns <= 1<<20 && most*c.turns > gpu.Budget {
				t.Errorf("%d elements of %d turns exceed the budget", most, c.turns)
			}
			b.Delete()
		}
	})
}
