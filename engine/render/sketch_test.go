package render

import (
	"image"
	"image/color"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes/scenestest"
)

// empty is ten meters square, with a goal in a corner.
const empty = `{"version": 1, "domain": [0, 0, 10, 10], "goals": [{"id": "g", "points": [[1, 1]]}]}`

// drawn draws a picture of the empty scene, 20 pixels a meter, and hands it to look.
func drawn(t *testing.T, change func(p *Picture), look func(m *image.RGBA)) {
	t.Helper()
	scene := scenestest.Read(t, "empty", empty)
	gputest.Run(t, func(d *gpu.Device) {
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		p := Picture{
			Target: board(t, d, 200, 200), Camera: Fit(scene.Min(), scene.Max(), 200, 200, 0),
			Map: builtOf(t, d, scene, 50), Layers: Obstacles | Sources,
		}
		change(&p)
		if err := r.Draw(p); err != nil {
			t.Fatal(err)
		}
		look(p.Target.ReadRGBA())
	})
}

// shows checks the color of the pixel at a point of the empty scene.
func shows(t *testing.T, m *image.RGBA, what string, p mgl64.Vec2, want color.RGBA) {
	t.Helper()
	if got := m.RGBAAt(int(p[0]*20), 199-int(p[1]*20)); got != want {
		t.Errorf("%s: at %v the picture is %v, want %v", what, p, got, want)
	}
}

// TestGroundOfItsOwn: obstacles are those of the picture's ground, wherever the map has some.
func TestGroundOfItsOwn(t *testing.T) {
	scene := scenestest.Read(t, "block", `{"version": 1, "domain": [0, 0, 10, 10], "obstacles": [{"rect": [4, 4, 6, 6]}],
		"goals": [{"id": "g", "points": [[1, 1]]}]}`)
	block, err := scene.Ground()
	if err != nil {
		t.Fatal(err)
	}
	middle := mgl64.Vec2{5, 5}
	drawn(t, func(*Picture) {}, func(m *image.RGBA) { shows(t, m, "the map's ground", middle, ground) })
	drawn(t, func(p *Picture) { p.Ground = block }, func(m *image.RGBA) { shows(t, m, "another", middle, solid) })
}

// TestSleepingSources are grey, whatever their number.
func TestSleepingSources(t *testing.T) {
	drawn(t, func(p *Picture) {
		p.Sources = []mgl64.Vec2{{2, 2}, {4, 2}, {6, 2}}
		p.Segments = [][2]mgl64.Vec2{{{2, 5}, {4, 5}}, {{6, 5}, {8, 5}}}
		p.Blocked = []int{0, 2, 3}
	}, func(m *image.RGBA) {
		for at, want := range map[mgl64.Vec2]color.RGBA{{2, 2}: blocked, {4, 2}: source, {6, 2}: blocked, {3, 5}: blocked, {7, 5}: source} {
			shows(t, m, "sources", at, want)
		}
	})
}

// TestSketches: lines and marks are where they should be, below sources; dashes begin and end with
// the line.
func TestSketches(t *testing.T) {
	red, blue := rgb(0xC00000), rgb(0x0000C0)
	drawn(t, func(p *Picture) {
		p.Sources = []mgl64.Vec2{{9, 9}}
		p.Sketches = []Sketch{
			{Lines: [][2]mgl64.Vec2{{{1, 4}, {9, 4}}}, Color: red, Width: 5},
			{},
			// 160 pixels: the dashes of about 20 pixels, and the gaps, are 9 of 160/9.
			{Lines: [][2]mgl64.Vec2{{{1, 6}, {9, 6}}, {{1, 8}, {1.2, 8}}}, Marks: []mgl64.Vec2{{5, 2}, {9, 9}}, Color: blue, Width: 5, Dash: 20, Radius: 14},
		}
	}, func(m *image.RGBA) {
		for i := range 9 {
			x := 1 + (float64(i)+0.5)*8/9
			shows(t, m, "a line", mgl64.Vec2{x, 4}, red)
			want := blue
			if i%2 == 1 {
				want = ground
			}
			shows(t, m, "a dashed line", mgl64.Vec2{x, 6}, want)
		}
		for _, at := range []mgl64.Vec2{{1.05, 6}, {8.9, 6}, {1.1, 8}, {5, 2}, {9.5, 9}} {
			shows(t, m, "dashed", at, blue)
		}
		shows(t, m, "the source above a mark", mgl64.Vec2{9, 9}, source)
	})
}

// TestCriticalPoints: on the segments of figure 4 there is a mark where a corner projects onto the
// segment that its shortest path ends on, and none elsewhere, such as on the segments' ends. The
// corners are those that see the segment at a right angle, and nothing nearer.
func TestCriticalPoints(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		scene, m := built(t, d, "farias-4", 400)
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		var feet, others []mgl64.Vec2
		for i, corners := range [][]mgl64.Vec2{{{22, 24}, {38, 30}, {40, 44}, {52, 36}, {56, 22}, {72, 28}}, {{66, 40}, {76, 36}, {88, 36}}} {
			a, b := scene.Goals[0].Segments[i][0], scene.Goals[0].Segments[i][1]
			along := b.Sub(a)
			for _, corner := range corners {
				feet = append(feet, a.Add(along.Mul(corner.Sub(a).Dot(along)/along.Dot(along))))
			}
			others = append(others, a, a.Add(along.Mul(0.25)), b)
		}
		for _, layers := range []Layers{Obstacles | Sources, Obstacles | Sources | Parents} {
			p := Picture{
				Target: board(t, d, 1000, 700), Camera: Fit(scene.Min(), scene.Max(), 1000, 700, 0),
				Map: m, Segments: scene.Goals[0].Segments, Layers: layers, PixelRatio: 2,
			}
			if err := r.Draw(p); err != nil {
				t.Fatal(err)
			}
			drawn := p.Target.ReadRGBA()
			marked := func(at mgl64.Vec2) bool {
				x, y := p.Camera.Pixel(at)
				dark, ring := drawn.RGBAAt(int(x), int(y)), 0
				for _, off := range [][2]int{{6, 0}, {-6, 0}, {0, 6}, {0, -6}} {
					if c := drawn.RGBAAt(int(x)+off[0], int(y)+off[1]); min(c.R, c.G, c.B) > 0xC0 {
						ring++
					}
				}
				return dark == ink && ring == 4
			}
			for _, foot := range feet {
				if marked(foot) != (layers&Parents != 0) {
					t.Errorf("layers %v: the critical point at %v is marked: %v", layers, foot, marked(foot))
				}
			}
			for _, other := range others {
				if marked(other) {
					t.Errorf("layers %v: %v is marked, and is no critical point", layers, other)
				}
			}
		}
	})
}
