package agents

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// evaluate runs a compute shader whose body makes one result of each input, with these walls if
// it reads any.
func evaluate(t *testing.T, d *gpu.Device, walls *gpu.TexelBuffer, include, body string, input [][8]int32) [][4]uint32 {
	t.Helper()
	text := fmt.Sprintf(`#version 450 core
#include "include/%s"
#include "include/wallrecords.glsl"
layout(local_size_x = 64) in;
struct In { ivec2 a, b, c, d; };
layout(std430) readonly buffer Input { In values[]; };
layout(std430) writeonly buffer Output { uvec4 results[]; };
uniform uint count;
void main() {
    if (gl_GlobalInvocationID.x >= count) {
        return;
    }
    In v = values[gl_GlobalInvocationID.x];
    uvec4 r = uvec4(0);
    %s
    results[gl_GlobalInvocationID.x] = r;
}
`, include, body)
	type inputs struct {
		values      *gpu.Buffer[[8]int32]  `gpu:"read"`
		results     *gpu.Buffer[[4]uint32] `gpu:"write"`
		wallRecords *gpu.TexelBuffer
		count       uint32
	}
	h := &gpu.ResourceSet{Device: d}
	defer h.Delete()
	p := gpu.Compile(h, gpu.PassSpec[inputs]{Stages: []string{"test.comp.glsl"}, Files: fstest.MapFS{"test.comp.glsl": {Data: []byte(text)}}})
	in, out := gpu.Upload(h, "test input", input), gpu.Upload(h, "test output", make([][4]uint32, len(input)))
	if h.Err != nil {
		t.Fatal(h.Err)
	}
	p.Run(inputs{in, out, walls, uint32(len(input))}, gpu.Groups(len(input), 64))
	results := make([][4]uint32, len(input))
	out.Read(0, results)
	return results
}

// points returns n sets of four lattice points, half of them crowded together
// or nearly in one line, where a rounded sign would be wrong.
func points(n int) [][8]int32 {
	sets := make([][8]int32, n)
	for i := range sets {
		for k := range 4 {
			words := spawn.Philox([4]uint32{uint32(i), uint32(k)}, [2]uint32{1, 2})
			x, y := int32(words[0]>>12), int32(words[1]>>12) // 0..2^20-1
			switch i % 4 {
			case 1:
				x, y = x%4, y%4
			case 2: // on the line through 0 and (2^20-3, 2^20-5), give or take one
				s := int64(words[0] >> 12)
				x = int32(s * (1<<20 - 3) >> 20)
				y = int32(s*(1<<20-5)>>20) + int32(words[1]%3) - 1
			case 3: // the far corners, half a domain outside too
				x, y = int32(words[0]%5)<<19-1<<19, int32(words[1]%5)<<19-1<<19
				x += int32(words[2] % 3)
				y += int32(words[3] % 3)
			}
			sets[i][2*k], sets[i][2*k+1] = x, y
		}
	}
	return sets
}

func four(s [8]int32) (a, b, c, d geom.Point) {
	return geom.Point{X: s[0], Y: s[1]}, geom.Point{X: s[2], Y: s[3]}, geom.Point{X: s[4], Y: s[5]}, geom.Point{X: s[6], Y: s[7]}
}

func TestOrientOnDevice(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		input := points(20000)
		seen := map[geom.Side]int{}
		for i, got := range evaluate(t, d, nil, "exact.glsl", `r.x = uint(orient(v.a, v.b, v.c) + 1);`, input) {
			a, b, c, _ := four(input[i])
			want := geom.Orient(a, b, c)
			seen[want]++
			if geom.Side(got[0])-1 != want {
				t.Fatalf("orient(%v, %v, %v) = %d, want %d", a, b, c, int(got[0])-1, want)
			}
		}
		if len(seen) != 3 || seen[geom.Collinear] < 100 {
			t.Errorf("the points are no test: %v", seen)
		}
	})
}

// The rule for one wall in all its forms: as written, and for both turns at once.
func TestBlocksOnDevice(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		input := points(40000)
		body := `r.x = hides(v.a, v.b, v.c, v.d); r.y = (blocks(v.a, v.b, v.c, v.d, 1) ? 1u : 0u) | (blocks(v.a, v.b, v.c, v.d, -1) ? 2u : 0u);`
		seen := [4]int{}
		for i, got := range evaluate(t, d, nil, "walls.glsl", body, input) {
			g, p, a, b := four(input[i])
			want := bothRules &^ barriers{{a.X, a.Y, b.X, b.Y}}.unhidden(g, p, bothRules)
			seen[want]++
			if rules(got[0]) != want || rules(got[1]) != want {
				t.Fatalf("from %v to %v past %v %v: hidden under %d and %d, want %d", g, p, a, b, got[0], got[1], want)
			}
		}
		if slices.Min(seen[:]) < 100 {
			t.Errorf("the points are no test: %v", seen)
		}
	})
}

func TestPhiloxOnDevice(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		input := points(1000)
		for i, got := range evaluate(t, d, nil, "rand.glsl", `r = philox(uvec4(v.a, v.b), uvec2(v.c));`, input) {
			s := input[i]
			want := spawn.Philox([4]uint32{uint32(s[0]), uint32(s[1]), uint32(s[2]), uint32(s[3])}, [2]uint32{uint32(s[4]), uint32(s[5])})
			if got != want {
				t.Fatalf("philox of %v is %x, want %x", s, got, want)
			}
		}
	})
}
