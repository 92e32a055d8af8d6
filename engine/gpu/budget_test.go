package gpu_test

import (
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

type eachInput struct {
	met      *gpu.Buffer[[2]uint32] `gpu:"readwrite"`
	commands *gpu.Buffer[uint32]    `gpu:"read"`
	First    uint32
	Portion  [2]uint32
	indirect bool
}

// A pass comes by each element once, direct and indirect, in dispatches within the budget with no
// barrier between them.
func TestRunEach(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		p := compute[eachInput](t, d, `
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
			in := eachInput{met: buffer[[2]uint32](t, d, c.count), commands: buffer[uint32](t, d, 3)}
			in.commands.Write(0, []uint32{gpu.Groups(c.count, 64), 1, 1})
			want := make([][2]uint32, c.count)
			for i := range want {
				want[i] = [2]uint32{1, uint32(i / c.most * c.most)}
			}
			for _, in.indirect = range []bool{false, true} {
				if in.indirect && c.count > 65535*64 {
					continue // more groups than OpenGL promises: the caller's to avoid
				}
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
		other := compute[outInput[uint32]](t, d, `
layout(local_size_x = 64) in;
layout(std430) writeonly buffer Out { uint values[]; };
void main() { values[gl_GlobalInvocationID.x] = 1u; }`)
		panics(t, func() { other.RunEach(outInput[uint32]{buffer[uint32](t, d, 64)}, 64, 64, 1) }, "first", "uint32")
	})
}
