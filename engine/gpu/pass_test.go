package gpu_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

const weighted = `
#include <Item>
layout(local_size_x = 64) in;
layout(std430) readonly buffer Items { Item items[]; };
layout(std430) writeonly buffer Sums { float sums[]; };
layout(std430) buffer Totals { uint calls; uint odd; }; // two members: named after the block
uniform samplerBuffer weights;
uniform uint count;
uniform vec2 scale;
uniform bool negative;
uniform float unused;
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) return;
    atomicAdd(calls, 1u);
    if (i % 2u == 1u) atomicAdd(odd, 1u);
    sums[i] = (negative ? -1.0 : 1.0) * texelFetch(weights, int(i)).x * dot(items[i].at, scale);
}
`

type Item struct{ At [2]float32 }

// counted is embedded in inputs: its fields are theirs.
type counted struct{ count uint32 }

type weightedInput struct {
	counted
	items    *gpu.Buffer[Item]   `gpu:"read"`
	sums     gpu.Storage         `gpu:"write"`
	totals   *gpu.Buffer[uint32] `gpu:"readwrite"`
	weights  *gpu.TexelBuffer
	scale    [2]float32
	negative bool
	unused   float32 // declared, though the compiler leaves it out
}

// A pass finds its inputs by name, whatever their order, and runs of other inputs do not change
// them.
func TestPass(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		p := compute[weightedInput](t, d, weighted)
		const n = 100
		items, sums, totals, weights := buffer[Item](t, d, n), buffer[float32](t, d, n), buffer[uint32](t, d, 2), buffer[float32](t, d, n)
		texels, err := gpu.NewTexelBuffer(weights, gpu.R32F)
		if err != nil {
			t.Fatal(err)
		}
		var want []float32
		for i := range n {
			items.Write(i, []Item{{[2]float32{float32(i), 1}}})
			weights.Write(i, []float32{float32(i % 7)})
			want = append(want, -float32(i%7)*(2*float32(i)+3))
		}
		in := weightedInput{counted{n}, items, sums, totals, texels, [2]float32{2, 3}, true, 1}
		p.Run(in, gpu.Groups(n, 64))
		if got := read(sums); !slices.Equal(got, want) {
			t.Errorf("sums are %v, want %v", got, want)
		}
		in.count, in.negative = 10, false
		p.Run(in, gpu.Groups(n, 64))
		if got := read(sums)[9]; got != -want[9] {
			t.Errorf("sum 9 is %v with other uniforms, want %v", got, -want[9])
		}
		if got := read(totals); !slices.Equal(got, []uint32{n + 10, n/2 + 5}) {
			t.Errorf("totals are %v, want %v", got, []uint32{n + 10, n/2 + 5})
		}
		in.totals = nil
		panics(t, func() { p.Run(in, 1) }, "totals", "nil")
		panics(t, func() { p.Run(in) }, "work groups")
		panics(t, func() { p.Draw(in, gpu.Draw{Target: gpu.DefaultTarget(d, 1, 1), Count: 1, Instances: 1}) }, "compute passes run")
	})
}

// Each mistake in a declaration fails when the pass is made, with what both sides have.
func TestPassErrors(t *testing.T) {
	type missing struct {
		Items  *gpu.Buffer[Item]    `gpu:"read"`
		Sums   *gpu.Buffer[float32] `gpu:"write"`
		Totals *gpu.Buffer[uint32]  `gpu:"readwrite"`
		Scale  [2]float32
		Count  uint32
	}
	type misspelled struct {
		Items *gpu.Buffer[Item] `gpu:"read"`
		Sclae [2]float32
	}
	type wrongType struct {
		Count    uint32
		Items    *gpu.Buffer[Item]    `gpu:"read"`
		Sums     *gpu.Buffer[float32] `gpu:"write"`
		Totals   *gpu.Buffer[uint32]  `gpu:"readwrite"`
		Weights  *gpu.Texture
		Scale    [3]float32
		Negative int32
	}
	type wrongAccess struct {
		Count    uint32
		Items    *gpu.Buffer[Item]    `gpu:"readwrite"`
		Sums     *gpu.Buffer[float32] `gpu:"read"`
		Totals   *gpu.Buffer[uint32]
		Weights  *gpu.TexelBuffer
		Scale    [2]float32
		Negative bool `gpu:"read"`
	}
	gputest.Run(t, func(d *gpu.Device) {
		for _, c := range []struct {
			make func() error
			want []string
		}{
			{func() error { _, err := gpu.NewPass(d, specOf[missing]("weighted.comp.glsl", weighted)); return err }, []string{"no field gives sampler weights", "no field gives bool negative", "Go has:", "shaders use:"}},
			{func() error { _, err := gpu.NewPass(d, specOf[misspelled]("weighted.comp.glsl", weighted)); return err }, []string{"the shaders declare no sclae"}},
			{func() error { _, err := gpu.NewPass(d, specOf[wrongType]("weighted.comp.glsl", weighted)); return err }, []string{"weights is a sampler", "scale is a vec2", "[3]float32", "negative is a bool"}},
			{func() error {
				_, err := gpu.NewPass(d, specOf[wrongAccess]("weighted.comp.glsl", weighted))
				return err
			}, []string{
				`items is "readwrite" in Go and "read"`, `sums is "read" in Go and "write"`, `totals is "" in Go and "readwrite"`, "negative is no storage buffer",
			}},
		} {
			err := c.make()
			var e *gpu.PassError
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a *PassError", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in the error:\n%v", want, err)
				}
			}
		}
	})
}

// Barriers come exactly where a run or a transfer depends on what shaders did before.
func TestBarriers(t *testing.T) {
	type input struct {
		from *gpu.Buffer[uint32] `gpu:"read"`
		to   *gpu.Buffer[uint32] `gpu:"write"`
	}
	gputest.Run(t, func(d *gpu.Device) {
		p := compute[input](t, d, `
layout(local_size_x = 1) in;
layout(std430) readonly buffer From { uint from[]; };
layout(std430) writeonly buffer To { uint to[]; };
void main() { to[0] = from[0] + 1u; }
`)
		d.ResetCounts()
		a, b, c := buffer[uint32](t, d, 1), buffer[uint32](t, d, 1), buffer[uint32](t, d, 1)
		for i, step := range []struct {
			what string
			do   func()
			want int64
		}{
			{"a to b", func() { p.Run(input{a, b}, 1) }, 0},
			{"a to c: both read a", func() { p.Run(input{a, c}, 1) }, 0},
			{"b to a: b was written", func() { p.Run(input{b, a}, 1) }, 1},
			{"c to b: c was written before that barrier, b was read after it", func() { p.Run(input{c, b}, 1) }, 1},
			{"reading b back: transfers have a barrier of their own", func() { read(b) }, 1},
			{"reading a back: it was written before that barrier", func() { read(a) }, 0},
			{"writing c: shaders only read it since", func() { c.Write(0, []uint32{5}) }, 0},
			{"c to a, c to b: reading b back has ordered the writes of both", func() { p.Run(input{c, a}, 1); p.Run(input{c, b}, 1) }, 0},
			{"c to a and c to b, in any order", func() {
				d.Unordered(func() { p.Run(input{c, a}, 1); p.Run(input{c, b}, 1); p.Run(input{c, a}, 1) })
			}, 1},
			{"a to b: a was written in any order", func() { p.Run(input{a, b}, 1) }, 1},
			{"no work groups", func() { p.Run(input{b, a}, 0) }, 0},
		} {
			before := d.Barriers()
			step.do()
			if got := d.Barriers() - before; got != step.want {
				t.Errorf("step %d, %s: %d barriers, want %d", i, step.what, got, step.want)
			}
		}
		if got := read(b)[0]; got != 7 {
			t.Errorf("b is %d in the end, want 7", got)
		}
		counts := d.Counts()
		if len(counts) != 1 || counts[0].Dispatches != 10 || counts[0].Groups != 10 || counts[0].Bytes != 80 {
			t.Errorf("counted %+v, want 10 dispatches of one group and 8 bytes", counts)
		}
		d.ResetCounts()
		if len(d.Counts()) != 0 {
			t.Errorf("counts after a reset: %v", d.Counts())
		}
	})
}

const branching = `
layout(local_size_x = 64) in;
layout(std430) buffer Results { uint results[]; };
uniform uint factor;
uniform bool odd;
void main() {
    uint i = gl_GlobalInvocationID.x;
    results[i] = 10u * factor;
    if (factor == 0u) atomicAdd(results[i], 5u);
    if (odd) atomicAdd(results[i], 1u);
}
`

type branchingInput struct {
	results *gpu.Buffer[uint32] `gpu:"readwrite"`
	factor  uint32
	odd     bool
}

// Branches on uniforms take the values of their own run, however many values programs had before.
// Fails with zink of Mesa 22.3, which compiles variants for values and mixes them up after some,
// unless ZINK_INLINE_UNIFORMS=false.
func TestUniformsOfManyRuns(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		programs := []*gpu.Pass[branchingInput]{
			compute[branchingInput](t, d, branching),
			compute[branchingInput](t, d, strings.Replace(branching, "5u", "6u", 1)),
		}
		results := buffer[uint32](t, d, 64)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 200 {
			in := branchingInput{results, r.Uint32N(4), r.IntN(2) == 1}
			program := r.IntN(2)
			want := 10 * in.factor
			if in.factor == 0 {
				want += 5 + uint32(program)
			}
			if in.odd {
				want++
			}
			programs[program].Run(in, 1)
			if got := read(results)[63]; got != want {
				t.Fatalf("run %d, of %d and %v, has the result %d, want %d", i, in.factor, in.odd, got, want)
			}
		}
	})
}
