package gpu_test

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestDispatchEach: each element comes once, in dispatches that are within the budget where elements take up to 2^23 turns,
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
			{1, 1, 1},
			{1023, 1 << 20, 1023},
			{1025, 1 << 20, 1024},
			{5000, 1 << 30, 128},
			{70000, gpu.LongestInvocation, 4096},
			{65536, 16384, 65536},
			{5 << 20, 1, 65535 * 64 / 128 * 128},
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
			if most := p.Portion(c.turns); c.turns <= 1<<23 && most*c.turns > gpu.Budget {
				t.Errorf("%d elements of %d turns exceed the budget", most, c.turns)
			}
			b.Delete()
		}
	})
}

type eachInput struct {
	met      *gpu.Buffer[[2]uint32] `gpu:"readwrite"`
	commands *gpu.Buffer[uint32]    `gpu:"read"`
	first    uint32
	portion  [2]uint32
	indirect bool
}

// A pass comes by each element once, direct and indirect, in dispatches within the budget with no barrier between them.
func TestRunEach(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		p, err := gpu.NewPass(d, stage[eachInput](`
layout(local_size_x = 64) in;
layout(std430) buffer Out { uvec2 met[]; };
layout(std430) readonly buffer Commands { uint commands[]; };
uniform uint first;
uniform uvec2 portion;
uniform bool indirect;
void main() {
    uint id = first + gl_GlobalInvocationID.x;
    bool mine = id < uint(met.length()) && (!indirect || (commands[0] > 0u && id >= portion.x && id < portion.y));
    if (mine) {
        atomicAdd(met[id].x, 1u);
        met[id].y = indirect ? portion.x : first;
    }
}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ count, turns, most int }{
			{1, 1, 1}, {1023, 1 << 20, 1023}, {1025, 1 << 20, 1024}, {5000, 1 << 30, 128}, {70000, gpu.LongestInvocation, 4096},
		} {
			in := eachInput{met: buffer[[2]uint32](t, d, c.count), commands: buffer[uint32](t, d, 3)}
			in.commands.Write(0, []uint32{gpu.Groups(c.count, 64), 1, 1})
			want := make([][2]uint32, c.count)
			for i := range want {
				want[i] = [2]uint32{1, uint32(i / c.most * c.most)}
			}
			for _, in.indirect = range []bool{false, true} {
				in.met.Clear()
				before := d.Barriers()
				if in.indirect {
					p.RunIndirectEach(in, in.commands, 0, c.count, c.turns)
				} else {
					p.RunEach(in, c.count, 64, c.turns)
				}
				if n := d.Barriers() - before; n > 1 { // one, after what the direct run has written
					t.Errorf("%d barriers in one run", n)
				}
				if got := read(in.met); !slices.Equal(got, want) {
					t.Errorf("%d elements of %d turns, indirect %v: not in dispatches of %d", c.count, c.turns, in.indirect, c.most)
				}
			}
		}
		other, err := gpu.NewPass(d, stage[struct {
			met *gpu.Buffer[[2]uint32] `gpu:"write"`
		}](`
layout(local_size_x = 64) in;
layout(std430) writeonly buffer Out { uvec2 met[]; };
void main() { met[gl_GlobalInvocationID.x] = uvec2(1u); }`))
		if err != nil {
			t.Fatal(err)
		}
		panics(t, func() {
			other.RunEach(struct {
				met *gpu.Buffer[[2]uint32] `gpu:"write"`
			}{buffer[[2]uint32](t, d, 64)}, 64, 64, 1)
		}, "first", "uint32")
	})
}
