package render

import (
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/spm"
)

// built is the map of a built-in scene's first goal.
func built(t testing.TB, d *gpu.Device, name string, size int) (*scenes.Scene, *spm.Map) {
	t.Helper()
	scene, err := builtin.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return scene, builtOf(t, d, scene, size)
}

func builtOf(t testing.TB, d *gpu.Device, scene *scenes.Scene, size int) *spm.Map {
	t.Helper()
	ground, err := scene.Ground()
	if err != nil {
		t.Fatal(err)
	}
	b, err := spm.NewBuilder(d, spm.Wavefront)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Delete()
	goal := spm.Goal{Points: scene.Goals[0].Points, Segments: scene.Goals[0].Segments}
	room, err := spm.SourceCount(ground, goal)
	if err != nil {
		t.Fatal(err)
	}
	side := scene.Max().Sub(scene.Min())
	m, err := b.NewMap(spm.MapSpec{Extent: spm.NewExtent(side[0], side[1], size), Grounds: []*geom.Ground{ground}, Sources: room})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Build(m, spm.Change{Goal: goal}); err != nil {
		t.Fatal(err)
	}
	return m
}

// board is a target of a size, with its color.
func board(t testing.TB, d *gpu.Device, width, height int) *gpu.Target {
	t.Helper()
	color, err := gpu.NewTexture(d, gpu.TextureSpec{Label: "test picture", Format: gpu.RGBA8, Width: width, Height: height})
	if err != nil {
		t.Fatal(err)
	}
	depth, err := gpu.NewTexture(d, gpu.TextureSpec{Label: "test depth", Format: gpu.Depth32F, Width: width, Height: height})
	if err != nil {
		t.Fatal(err)
	}
	target, err := gpu.NewTarget(d, color, 0, depth)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func BenchmarkGround(b *testing.B) {
	for _, name := range []string{"plaza", "profiling6"} {
		b.Run(name, func(b *testing.B) {
			gputest.Run(b, func(d *gpu.Device) {
				const width, height = 1280, 720
				scene, m := built(b, d, name, scene1000)
				r, err := New(d)
				if err != nil {
					b.Fatal(err)
				}
				p := Picture{
					Target: board(b, d, width, height), Camera: Fit(scene.Min(), scene.Max(), width, height, 24),
					Layers: Regions | Isolines | Obstacles, Map: m,
				}
				for b.Loop() {
					r.backdrop.drawn = 0 // else the ground is kept from the first picture
					if err := r.Draw(p); err != nil {
						b.Fatal(err)
					}
					d.Finish()
				}
				b.ReportMetric(float64(width*height)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpixels/s")
			})
		})
	}
}

// TestColorsStayWithPlaces: wherever a goal is moved, the region of a corner keeps its color, or,
// where its parent's region has that, has always the same other one; and never that of its parent.
func TestColorsStayWithPlaces(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		scene, err := builtin.Load("profiling3")
		if err != nil {
			t.Fatal(err)
		}
		const side = 32
		target := board(t, d, side, side)
		type place [2]int32
		first, second := map[place]uint32{}, map[place]uint32{}
		kept, all := 0, 0
		for _, at := range []mgl64.Vec2{scene.Goals[0].Points[0], {10, 10}, {10.5, 10}, {60, 35}, {90, 90}} {
			scene.Goals[0].Points = []mgl64.Vec2{at}
			m := builtOf(t, d, scene, 100)
			p := Picture{Target: target, Camera: Fit(scene.Min(), scene.Max(), side, side, 0), Layers: Regions, Map: m}
			if err := r.Draw(p); err != nil {
				t.Fatal(err)
			}
			generators, cones := make([]spm.Generator, m.Stride), make([]Cone, m.Stride)
			m.Generators.Read(0, generators)
			r.cones.Read(0, cones)
			for i, c := range cones {
				g := generators[i]
				if g.Parent == spm.NoParent || g.Parent == uint32(i) {
					if c.Tint != uint32(i%len(tints)) {
						t.Errorf("source %d has color %d", i, c.Tint)
					}
					continue
				}
				above := cones[g.Parent].Tint
				if c.Tint == above || c.Tint >= uint32(len(tints)) {
					t.Fatalf("generator %d at %v has color %d, its parent %d", i, g.Position, c.Tint, above)
				}
				at := place{g.X, g.Y}
				all++
				switch was, ok := first[at]; {
				case !ok:
					first[at] = c.Tint
				case c.Tint == was:
					kept++
				default:
					if other, ok := second[at]; ok && other != c.Tint {
						t.Fatalf("the corner at %v has had the colors %d, %d and %d", g.Position, was, other, c.Tint)
					}
					second[at] = c.Tint
				}
			}
		}
		// With seven colors a seventh of all corners meets its first color in its parent.
		if again := all - len(first); float64(kept) < 0.7*float64(again) {
			t.Errorf("of %d corners seen again %d have kept their colors", again, kept)
		}
	})
}

const scene1000 = 1000 // texels, the size that the paper's figures are of

// TestRegionsAreSharperThanTexels draws coarse maps large and compares every pixel away from
// borders with the exact answer at its middle: the parent, as the paper's colors show it.
func TestRegionsAreSharperThanTexels(t *testing.T) {
	for _, name := range []string{"spmex2", "concave2", "spiral", "profiling2"} {
		t.Run(name, func(t *testing.T) {
			gputest.Run(t, func(d *gpu.Device) {
				const side, texels = 360, 90 // four pixels a texel each way
				scene, m := built(t, d, name, texels)
				r, err := New(d)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Delete()
				target := board(t, d, side, side)
				camera := Fit(scene.Min(), scene.Max(), side, side, 0)
				if err := r.Draw(Picture{Target: target, Camera: camera, Layers: Regions, Palette: PalettePaper, Map: m}); err != nil {
					t.Fatal(err)
				}
				picture, view := target.ReadRGBA(), m.View(0)

				origin, size := scene.Min(), scene.Max().Sub(scene.Min())
				answers := make([]spm.Answer, side*side)
				for i := range answers {
					answers[i] = view.Query(camera.World(float64(i%side)+0.5, float64(i/side)+0.5))
				}
				compared, wrong := 0, 0
				for y := 2; y < side-2; y++ {
					for x := 2; x < side-2; x++ {
						a := answers[y*side+x]
						// The pixel's own points reach 0.56 pixels from its middle: with its
						// neighbors all in one region they are too.
						inner := a.State == spm.Reached
						for dy := -1; dy <= 1; dy++ {
							for dx := -1; dx <= 1; dx++ {
								b := answers[(y+dy)*side+x+dx]
								inner = inner && b.State == spm.Reached && b.Parent == a.Parent
							}
						}
						if !inner {
							continue
						}
						compared++
						want := a.Parent.Sub(origin)
						got := picture.RGBAAt(x, y)
						// One level of 255 for the rounding, one for the parent's float32.
						if off(got.R, want[0]/size[0]) > 2 || off(got.G, want[1]/size[1]) > 2 {
							wrong++
						}
					}
				}
				// Cones narrower than a texel are unknown to all texels: few pixels, along the
				// walls of round things.
				if compared < side*side/2 || wrong*4000 > compared {
					t.Errorf("%d of %d pixels show another parent than the exact one", wrong, compared)
				}
			})
		})
	}
}

// TestDraft: away from borders by a texel, a draft is the same picture.
func TestDraft(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const side, texels = 360, 90 // four pixels a texel each way
		scene, m := built(t, d, "concave2", texels)
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		p := Picture{Target: board(t, d, side, side), Camera: Fit(scene.Min(), scene.Max(), side, side, 0), Layers: Regions, Palette: PalettePaper, Map: m}
		var pictures [2]*image.RGBA
		for i, draft := range []bool{false, true} {
			p.Draft = draft
			if err := r.Draw(p); err != nil {
				t.Fatal(err)
			}
			pictures[i] = p.Target.ReadRGBA()
		}
		well, draft := pictures[0], pictures[1]
		// A pixel of one region has no other in the nine texels around its own, which reach up to
		// eight pixels.
		const around = 8
		compared, differ := 0, 0
		for y := around; y < side-around; y++ {
			for x := around; x < side-around; x++ {
				inner := true
				for dy := -around; dy <= around && inner; dy++ {
					for dx := -around; dx <= around && inner; dx++ {
						inner = well.RGBAAt(x+dx, y+dy) == well.RGBAAt(x, y)
					}
				}
				if inner {
					compared++
					if well.RGBAAt(x, y) != draft.RGBAAt(x, y) {
						t.Fatalf("pixel %d,%d is %v in a draft, %v else", x, y, draft.RGBAAt(x, y), well.RGBAAt(x, y))
					}
				} else if well.RGBAAt(x, y) != draft.RGBAAt(x, y) {
					differ++
				}
			}
		}
		if compared < side*side/8 || differ == 0 {
			t.Errorf("%d pixels compared, %d others differ", compared, differ)
		}
	})
}

// off is how far a channel is from a value of 0 to 1, in levels.
func off(got uint8, want float64) float64 { return math.Abs(float64(got) - want*255) }

// TestIsolinesLieWhereTheyShould: lines cover the pixels that are at a multiple of the step and no
// others.
func TestIsolinesLieWhereTheyShould(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		const side = 300
		scene, m := built(t, d, "concave1", 60)
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		target := board(t, d, side, side)
		p := Picture{Target: target, Camera: Fit(scene.Min(), scene.Max(), side, side, 0), Layers: Regions, Map: m}
		draw := func(layers Layers) *image.RGBA {
			p.Layers = layers
			if err := r.Draw(p); err != nil {
				t.Fatal(err)
			}
			return target.ReadRGBA()
		}
		without, with := draw(Regions), draw(Regions|Isolines)
		step, view := p.Camera.isolineStep(isolineGap), m.View(0)
		on := 0
		for y := range side {
			for x := range side {
				a := view.Query(p.Camera.World(float64(x)+0.5, float64(y)+0.5))
				if a.State != spm.Reached || a.Distance < step/2 {
					continue
				}
				// Pixels.
				away := math.Abs(a.Distance-math.Round(a.Distance/step)*step) * p.Camera.Scale
				differs := with.RGBAAt(x, y) != without.RGBAAt(x, y)
				// A line is at most 1.6 pixels wide and smooth over one; at borders distances are
				// means over the pixel, up to half a pixel off.
				if differs && away > 0.8+0.5+0.5 || !differs && away < 0.3 {
					t.Fatalf("pixel %d,%d, %.2f pixels from a line: drawn %v", x, y, away, differs)
				}
				if differs {
					on++
				}
			}
		}
		if on < side {
			t.Errorf("only %d pixels of lines", on)
		}
	})
}
