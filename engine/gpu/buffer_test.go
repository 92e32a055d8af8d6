package gpu_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// particle has a field of every type, laid out alike in Go and GLSL.
type particle struct {
	Color    [4]float32
	Position [2]float32
	Id       uint32
	Offset   int32
	Weight   float32
	Pad0     uint32
	Velocity [2]float32
}

var sizes = []int{0, 1, 63, 64, 65, 127}

func TestBufferIsZero(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, n := range sizes {
			b := buffer[particle](t, d, n)
			if b.Len() != n || b.Stride() != 48 {
				t.Errorf("Len %d, Stride %d, want %d and 48", b.Len(), b.Stride(), n)
			}
			for i, p := range read(b) {
				if p != (particle{}) {
					t.Errorf("element %d of %d is %v", i, n, p)
				}
			}
			b.Delete()
		}
	})
}

func TestBufferRoundTrip(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		for _, n := range sizes {
			b := buffer[int32](t, d, n)
			want := make([]int32, n)
			for i := range want {
				want[i] = int32(-i * i)
			}
			b.Write(0, want)
			if got := read(b); !slices.Equal(got, want) {
				t.Errorf("%d elements: got %v", n, got)
			}
			if n > 2 {
				b.Write(1, []int32{5, 6})
				copy(want[1:], []int32{5, 6})
				part := make([]int32, n-1)
				b.Read(1, part)
				if !slices.Equal(part, want[1:]) {
					t.Errorf("%d elements: a part is %v", n, part)
				}
			}
			other := buffer[int32](t, d, n)
			b.CopyTo(other, n/2)
			copied := slices.Concat(want[:n/2], make([]int32, n-n/2))
			if got := read(other); !slices.Equal(got, copied) {
				t.Errorf("%d elements: the copy is %v", n, got)
			}
			b.Fill(math.MaxUint32)
			for _, v := range read(b) {
				if v != -1 {
					t.Errorf("filled with ones is %d", v)
				}
			}
			b.Clear()
			for _, v := range read(b) {
				if v != 0 {
					t.Errorf("cleared is %d", v)
				}
			}
		}
	})
}

func TestBufferInShader(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		type input struct {
			particles *gpu.Buffer[particle] `gpu:"readwrite"`
			count     uint32
		}
		spec := specOf[input]("move.comp.glsl", `
#include <Particle>
layout(local_size_x = GROUP) in;
layout(std430) buffer Particles { Particle particles[]; };
uniform uint count;
void main() {
	uint i = gl_GlobalInvocationID.x;
	if (i >= count) return;
	particles[i].color = vec4(i, 1, 2, 3);
	particles[i].position = vec2(4, i);
	particles[i].id = 3000000000u + i;
	particles[i].offset = -int(i);
	particles[i].weight += 0.5;
	particles[i].velocity = particles[i].velocity.yx;
}
`)
		spec.Defines = map[string]any{"GROUP": 64}
		p, err := gpu.NewPass(d, spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range sizes {
			b := buffer[particle](t, d, n)
			start := make([]particle, n)
			for i := range start {
				start[i] = particle{Weight: float32(i), Velocity: [2]float32{1, float32(i)}}
			}
			b.Write(0, start)
			p.Run(input{b, uint32(n)}, gpu.Groups(n, 64))
			for i, got := range read(b) {
				f := float32(i)
				want := particle{Color: [4]float32{f, 1, 2, 3}, Position: [2]float32{4, f}, Id: 3000000000 + uint32(i), Offset: -int32(i), Weight: f + 0.5, Velocity: [2]float32{f, 1}}
				if got != want {
					t.Fatalf("element %d of %d: got %v, want %v", i, n, got, want)
				}
			}
		}
	})
}

func TestBufferMisuse(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		b := buffer[uint32](t, d, 4)
		panics(t, func() { b.Write(3, make([]uint32, 2)) }, "Write of elements 3 to 5", t.Name(), "has 4")
		panics(t, func() { b.Read(-1, make([]uint32, 2)) }, "Read of elements -1 to 1")
		panics(t, func() { b.CopyTo(buffer[uint32](t, d, 3), 4) }, "CopyTo of elements 0 to 4", "has 3")
		panics(t, func() { b.CopyTo(b, 1) }, "itself")
		panics(t, func() { buffer[uint32](t, d, -1) }, "-1")
		panics(t, func() { buffer[bool](t, d, 1) }, "bool")
		panics(t, func() { buffer[int](t, d, 1) }, "int have no layout")
		panics(t, func() { buffer[*uint32](t, d, 1) }, "uint32")
		panics(t, func() {
			buffer[struct {
				A uint32
				B [2]float32
			}](t, d, 1)
		}, "struct")
		type crooked struct {
			A uint32
			B [2]float32
		}
		panics(t, func() { buffer[crooked](t, d, 1) }, "field B", "move it")
		b.Delete()
		b.Delete()
		panics(t, func() { b.Write(0, make([]uint32, 1)) }, "deleted")
	})
}

func TestBufferTooLarge(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		limit := d.Info().Limits.MaxStorageBlock
		_, err := gpu.NewBuffer[[4]float32](d, "huge", int(limit/16)+1)
		var e *gpu.CapacityError
		if !errors.As(err, &e) || e.Needed != limit/16*16+16 || e.Limit != limit {
			t.Fatalf("got %v, want a *CapacityError with %d needed and the limit %d", err, limit/16*16+16, limit)
		}
		if m := err.Error(); !strings.Contains(m, `"huge"`) || !strings.Contains(m, fmt.Sprint(limit)) {
			t.Errorf("the message %q lacks the label or the limit", m)
		}
	})
}

func TestReadbacksAreCounted(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		b := buffer[uint32](t, d, 4)
		x := texture(t, d, gpu.RGBA8, 3, 2, 0)
		y := target(t, d, x, 0, nil)
		start := d.Readbacks()
		b.Write(0, []uint32{1})
		b.Clear()
		b.Read(0, nil)
		y.ClearColor()
		if got := d.Readbacks() - start; got != 0 {
			t.Errorf("%d read-backs before the first read", got)
		}
		b.Read(0, make([]uint32, 2))
		x.Read(0, make([]uint8, 24))
		y.ReadRGBA()
		if got := d.Readbacks() - start; got != 3 {
			t.Errorf("%d read-backs counted, want 3", got)
		}
	})
}
