package render

import (
	"image"
	"math"
	"slices"
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

// TestColorsStayWithPlaces: wherever a goal and an obstacle are moved, the region of a corner that
// stays keeps its color, in the cones as in pixels away from borders.
func TestColorsStayWithPlaces(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		r, err := New(d)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Delete()
		const width, height = 96, 60
		scene, err := builtin.Load("plaza")
		if err != nil {
			t.Fatal(err)
		}
		target := board(t, d, width, height)
		tints, used := map[[2]int32]uint32{}, map[uint32]bool{}
		type pixel struct {
			parent mgl64.Vec2
			color  [4]uint8
		}
		var first []pixel
		again, same := 0, 0
		for _, change := range []func(){
			func() {},
			func() {
				o := &scene.Obstacles[3]
				outline := slices.Clone(o.Polygon().Outer)
				for i := range outline {
					outline[i] = outline[i].Add(mgl64.Vec2{1.5, 0.7})
				}
				*o = scenes.Obstacle{ID: o.ID, Outline: outline}
			},
			func() { scene.Obstacles = scene.Obstacles[1:] },
			func() { scene.Goals[0].Points, scene.Goals[0].Segments = []mgl64.Vec2{{48, 20}}, nil },
		} {
			change()
			m := builtOf(t, d, scene, 200)
			c := Fit(scene.Min(), scene.Max(), width, height, 0)
			if err := r.Draw(Picture{Target: target, Camera: c, Layers: Regions, Map: m}); err != nil {
				t.Fatal(err)
			}
			generators, cones := make([]spm.Generator, m.Stride), make([]Cone, m.Stride)
			m.Generators.Read(0, generators)
			r.cones.Read(0, cones)
			for i, c := range cones {
				g := generators[i]
				if g.Parent == spm.NoParent || g.Parent == uint32(i) {
					continue
				}
				at := [2]int32{g.X, g.Y}
				if was, ok := tints[at]; ok {
					if again++; was != c.Tint {
						t.Fatalf("the corner at %v had color %d and has %d", g.Position, was, c.Tint)
					}
				}
				tints[at], used[c.Tint] = c.Tint, true
			}
			picture, view := target.ReadRGBA(), m.View(0)
			var all []pixel
			for i := range width * height {
				x, y := i%width, i/width
				p := pixel{mgl64.Vec2{math.NaN(), 0}, [4]uint8(picture.Pix[picture.PixOffset(x, y):])}
				a := view.Query(c.World(float64(x)+0.5, float64(y)+0.5))
				inner := a.State == spm.Reached
				for k := 0; k < 9 && inner; k++ {
					b := view.Query(c.World(float64(x+k%3)-0.5, float64(y+k/3)-0.5))
					inner = b.State == spm.Reached && b.Parent == a.Parent
				}
				if inner {
					p.parent = a.Parent
				}
				all = append(all, p)
				if first != nil && first[i].parent == p.parent {
					if same++; first[i].color != p.color {
						t.Fatalf("pixel %d, %d has color %v, had %v before, of the same region", x, y, p.color, first[i].color)
					}
				}
			}
			if first == nil {
				first = all
			}
		}
		if again < 300 || same < width*height/3 || len(used) < 15 {
			t.Errorf("%d corners and %d pixels seen again, %d colors: too few to tell", again, same, len(used))
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
