package figure

import (
	"bytes"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/spm/exact"
)

// hall is a figure of two rooms with a point and a segment as sources, and a closed closet.
func hall(t *testing.T) Figure {
	t.Helper()
	lattice, err := geom.NewLattice(mgl64.Vec2{10, -5}, mgl64.Vec2{50, 20})
	if err != nil {
		t.Fatal(err)
	}
	ring := func(xy ...float64) (p geom.Polygon) {
		for i := 0; i < len(xy); i += 2 {
			p.Outer = append(p.Outer, mgl64.Vec2{xy[i], xy[i+1]})
		}
		return p
	}
	closet := ring(40, 0, 46, 0, 46, 6, 40, 6)
	closet.Holes = []geom.Ring{ring(41, 1, 45, 1, 45, 5, 41, 5).Outer}
	g, err := geom.Build(lattice, []geom.Polygon{
		ring(25, -5, 26, -5, 26, 9, 25, 9), ring(25, 12, 26, 12, 26, 20, 25, 20), ring(14, 2, 20, 4, 18, 10), ring(31, 8, 35, 11, 33, 15, 30, 14), closet,
	})
	if err != nil {
		t.Fatal(err)
	}
	view, err := exact.Solve(g, exact.Goal{Points: []mgl64.Vec2{{48, 18}}, Segments: [][2]mgl64.Vec2{{{30, -4}, {38, -4}}}})
	if err != nil {
		t.Fatal(err)
	}
	return Figure{
		Camera: render.Fit(mgl64.Vec2{10, -5}, mgl64.Vec2{50, 20}, 400, 250, 0), Layers: Drawable, Palette: render.PaletteCalm,
		View: view, Mapped: g, Ground: g, Peak: 50,
		Tint: func(node int) color.RGBA { return color.RGBA{uint8(node), 0, 0, 255} },
	}
}

// winds is how often rings wind around a point.
func winds(rings [][]mgl64.Vec2, p mgl64.Vec2) (n int) {
	for _, r := range rings {
		for i := 1; i < len(r); i++ {
			a, b := r[i-1], r[i]
			side := (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0])
			switch {
			case a[1] <= p[1] && b[1] > p[1] && side > 0:
				n++
			case a[1] > p[1] && b[1] <= p[1] && side < 0:
				n--
			}
		}
	}
	return n
}

// away is the distance from a point to the nearest of some lines.
func away(lines [][]mgl64.Vec2, p mgl64.Vec2) float64 {
	least := math.Inf(1)
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			d := l[i].Sub(l[i-1])
			u := min(max(p.Sub(l[i-1]).Dot(d)/d.Dot(d), 0), 1)
			least = min(least, p.Sub(l[i-1].Add(d.Mul(u))).Len())
		}
	}
	return least
}

// TestRegions: a random point lies in one region, that of its exact parent, or in none where
// obstacles are; but for points within a quarter of a point of a border. Rings are closed.
func TestRegions(t *testing.T) {
	f := hall(t)
	m := newMesh(f.View, f.Mapped, mgl64.Vec2{10, -5}, mgl64.Vec2{50, 20}, 1/f.Camera.Scale)
	regions, _ := f.regions(m)
	solid := covered(f.Mapped)
	for _, r := range regions {
		for _, ring := range r.Rings {
			if ring[0] != ring[len(ring)-1] {
				t.Fatalf("a ring of region %d goes from %v to %v", r.Node, ring[0], ring[len(ring)-1])
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	nodes, near := map[int]int{}, 0
	const points = 5000
	for range points {
		p := mgl64.Vec2{10 + 40*random.Float64(), -5 + 25*random.Float64()}
		want := f.View.Query(p)
		nodes[want.Node]++
		in, border := 0, away(solid, p)
		for _, r := range regions {
			border = min(border, away(r.Rings, p))
		}
		if border < 0.25/f.Camera.Scale {
			near++
			continue
		}
		for _, r := range regions {
			n := winds(r.Rings, p)
			in += n
			if n != 0 && r.Node != want.Node {
				t.Errorf("%v lies in the region of %d, its parent is %d", p, r.Node, want.Node)
			}
		}
		if wall := winds(solid, p); in+wall != 1 || (wall == 1) != (want.State == exact.Obstacle) {
			t.Errorf("%v lies in %d regions and %d obstacles, its state is %d", p, in, wall, want.State)
		}
	}
	if len(nodes) < 10 || near > points/10 || nodes[-1] == 0 {
		t.Errorf("points have %d parents, %d are near borders, %d have none", len(nodes), near, nodes[-1])
	}
}

// TestIsolines: distances on the isolines are theirs, and paths pass the isoline of a distance where
// that is left to walk.
func TestIsolines(t *testing.T) {
	f := hall(t)
	m := newMesh(f.View, f.Mapped, mgl64.Vec2{10, -5}, mgl64.Vec2{50, 20}, 1/f.Camera.Scale)
	const step = 2.5
	numbers, lines := m.isolines(step)
	if len(numbers) < 8 || numbers[0] != 1 {
		t.Fatalf("isolines %v", numbers)
	}
	for _, n := range numbers {
		for _, l := range lines[n] {
			for _, p := range l {
				// A chord of a circle around a parent is off it by side^2 / 8 r; its parent is 1 m off or more, but for corners.
				if d := f.View.Query(p).Distance; math.Abs(d-step*float64(n)) > 0.1 {
					t.Errorf("isoline %d passes %v, where the distance is %g", n, p, d)
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		p := mgl64.Vec2{10 + 40*random.Float64(), -5 + 25*random.Float64()}
		path := f.View.Path(p)
		if path == nil {
			continue
		}
		d := f.View.Query(p).Distance
		n := int(d / step)
		walk := d - step*float64(n)
		for i := 1; i < len(path) && n > 0; i++ {
			part := path[i].Sub(path[i-1])
			if walk <= part.Len() {
				if at := path[i-1].Add(part.Mul(walk / part.Len())); away(lines[n], at) > 0.1 {
					t.Errorf("the path from %v passes distance %g m at %v, %g m off the isoline", p, step*float64(n), at, away(lines[n], at))
				}
				break
			}
			walk -= part.Len()
		}
	}
}

// TestWrite: both formats have what the figure shows, the SVG the same bytes each time, and every
// palette its own colors.
func TestWrite(t *testing.T) {
	f := hall(t)
	f.Sources = render.SketchSources([]mgl64.Vec2{{48, 18}}, [][2]mgl64.Vec2{{{30, -4}, {38, -4}}}, nil)
	f.Paths = [][]mgl64.Vec2{f.View.Path(mgl64.Vec2{12, 0})}
	f.Agents = []Agent{{mgl64.Vec2{12, 0}, 0.3, color.RGBA{1, 2, 3, 255}}}
	write := func(format string) string {
		var out bytes.Buffer
		if err := f.Write(&out, format); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	seen := map[string]bool{}
	for _, palette := range render.Palettes {
		f.Palette = palette
		svg := write(".svg")
		for _, want := range []string{`width="400pt" height="250pt"`, "fill:#010203", "5 m</text>", "stroke:#B5303A", "fill:#4A5661"} {
			if !strings.Contains(svg, want) {
				t.Errorf("palette %s: the SVG lacks %s", palette, want)
			}
		}
		if svg != write(".svg") || seen[svg] {
			t.Errorf("palette %s: the SVG differs from one time to the next, or is that of another palette", palette)
		}
		seen[svg] = true
	}
	f.Layers = render.Obstacles
	if pdf := write(".pdf"); !strings.HasPrefix(pdf, "%PDF-") || !strings.Contains(pdf, "/MediaBox [0 0 400.00 250.00]") {
		t.Errorf("the PDF begins with %.20q, %d bytes", pdf, len(pdf))
	}
	if svg := write(".svg"); strings.Contains(svg, "fill:#010203") || strings.Contains(svg, "#B5303A") {
		t.Error("layers that are hidden are drawn")
	}
}
