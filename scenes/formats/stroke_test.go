package formats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
)

// drawn imports a sheet of 20 by 10 with something on it.
func drawn(t *testing.T, inside string) (*scenes.Scene, []scenes.Problem) {
	t.Helper()
	s, notes, err := Import(SVG, "a.svg", []byte(`<svg viewBox="0 0 20 10">`+inside+`</svg>`), Options{})
	if err != nil {
		t.Fatalf("%s: %v", inside, err)
	}
	sameAgain(t, s)
	return s, notes
}

// TestStrokes: of what is not filled the stroke is a wall, as wide as it is drawn. Areas by hand.
func TestStrokes(t *testing.T) {
	const ends = `stroke="#000" stroke-width="0.4" `
	for inside, want := range map[string]float64{
		`<line x1="2" y1="2" x2="8" y2="2" stroke="black" stroke-width="0.5"/>`:                                         6 * 0.5,
		`<line x1="2" y1="2" x2="8" y2="2" stroke="black" stroke-width="0.5" stroke-linecap="round"/>`:                  6.5 * 0.5,
		`<polyline fill="none" ` + ends + `points="2,2 8,2 8,6"/>`:                                                      6.2*0.4 + 3.8*0.4, // with its mitre
		`<polyline style="fill:none; stroke:red; stroke-width:.4" points="2,2 8,2 8,6"/>`:                               6.2*0.4 + 3.8*0.4,
		`<g fill="none" ` + ends + `><polyline points="2,2 8,2 8,6"/></g>`:                                              6.2*0.4 + 3.8*0.4,
		`<style>/* .a{} */ .a, .b {fill:none;stroke:#000} .a{stroke-width:0.4}</style><path class="x a" d="M2 2H8V6"/>`: 6.2*0.4 + 3.8*0.4,
		`<rect x="2" y="2" width="6" height="4" fill="none" ` + ends + `/>`:                                             6.4*4.4 - 5.6*3.6, // a room
		`<path fill="none" ` + ends + `d="M2 2H8V6H2z"/>`:                                                               6.4*4.4 - 5.6*3.6,
		`<path fill="none" ` + ends + `d="M2 2H8M5 1V4"/>`:                                                              6*0.4 + 3*0.4 - 0.4*0.4, // a cross
		`<g transform="scale(2 1)"><line x1="1" y1="5" x2="4" y2="5" ` + ends + `/></g>`:                                6 * 0.4,
		`<g transform="scale(1 3)"><line x1="1" y1="1" x2="4" y2="1" ` + ends + `/></g>`:                                3 * 1.2,
		`<rect x="2" y="2" width="6" height="4" ` + ends + `/>`:                                                         24, // filled
		`<rect x="2" y="2" width="6" height="4" fill="none"/>`:                                                          0,  // not drawn
		`<path fill="none" stroke="transparent" d="M2 2H8"/><path fill="none" ` + ends + `d="M2 2"/>`:                   0,
	} {
		s, _ := drawn(t, inside)
		g, area, _ := groundOf(t, s)
		if got := 200 - area; math.Abs(got-want) > areaSlack(g)+1e-9 {
			t.Errorf("%s\ncovers %v, want %v", inside, got, want)
		}
	}
	// The inside of a room that is only drawn is free; of one that is filled it is not.
	s, _ := drawn(t, `<rect x="2" y="2" width="6" height="4" fill="none" stroke="black" stroke-width="0.2"/><rect x="12" y="2" width="6" height="4" stroke="black"/>`)
	g, _ := s.Ground()
	if !g.Free(g.Lattice.Snap(mgl64.Vec2{5, 6})) || g.Free(g.Lattice.Snap(mgl64.Vec2{15, 6})) {
		t.Error("a room is filled, or a block is not")
	}
	// What is no obstacle needs no paint.
	s, _ = drawn(t, `<g fill="none"><polyline class="exit" points="2 2 4 2"/><rect id="spawn" x="2" y="2" width="6" height="4"/></g>`)
	if len(s.Goals[0].Segments) != 1 || len(s.Groups) != 1 || len(s.Obstacles) != 0 {
		t.Errorf("goals %v, groups %v", s.Goals, s.Groups)
	}
	if _, notes := drawn(t, `<rect width="3" height="3" fill="none"/><line x1="1" y1="1" x2="3" y2="3"/>`); len(notes) != 1 ||
		!strings.Contains(notes[0].String(), "a.svg:1:26: note: ") || !strings.Contains(notes[0].Message, "neither fill nor stroke") || !strings.Contains(notes[0].Message, "1 more") {
		t.Errorf("notes %v", notes)
	}
}

// TestWideStrokes: an oblique stroke is exact to the lattice of the sheet, or out of range. Without
// caps it ends where the line does, however wide it is: corners by hand.
func TestWideStrokes(t *testing.T) {
	const line = `<svg viewBox="0 0 100 100"><line x1="1" y1="1" x2="50" y2="50" stroke="black" stroke-width="%v" stroke-linecap="%s"/></svg>`
	want := geom.Polygon{Outer: geom.Ring{{0, 98}, {2, 100}, {100, 100}, {0, 0}}}
	step := 100.0 / geom.Steps
	for _, width := range []float64{1e3, 1e6, 1e9, 1e11, 1e12} {
		s, notes, err := Import(SVG, "a.svg", fmt.Appendf(nil, line, width, "butt"), Options{})
		if err != nil || len(notes) > 0 || len(s.Obstacles) != 1 || len(s.Obstacles[0].Outline) != len(want.Outer) {
			t.Fatalf("%g wide: %v, notes %v, scene %v", width, err, notes, s)
		}
		for _, v := range want.Outer {
			if !slices.ContainsFunc(s.Obstacles[0].Outline, func(p mgl64.Vec2) bool { return p.Sub(v).Len() <= step }) {
				t.Errorf("%g wide: no corner at %v: %v", width, v, s.Obstacles[0].Outline)
			}
		}
	}
	for _, width := range []float64{1e15, 1e17, 1e20, 1e100, 1e300, 1e308} {
		for _, ends := range []string{"butt", "square"} {
			_, _, err := Import(SVG, "a.svg", fmt.Appendf(nil, line, width, ends), Options{})
			var at *Error
			if !errors.As(err, &at) || at.Column != 28 || !strings.Contains(at.Message, "the shape or its stroke is out of range: at most 8.59e+11 m") {
				t.Errorf("%g wide, %s: %v", width, ends, err)
			}
		}
	}
}

// TestStrokesCover: what lies within half the width of a line's inside is covered, and what lies
// farther than a miter is not.
func TestStrokesCover(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 5))
		n := 2 + r.IntN(9)
		points := make([]mgl64.Vec2, n)
		text := ""
		for i := range points {
			// As the drawing has it, in tenths; y points down there.
			x, y := float64(30+r.IntN(140))/10, float64(30+r.IntN(40))/10
			points[i] = mgl64.Vec2{x, 10 - y}
			text += fmt.Sprintf("%v,%v ", x, y)
		}
		const width = 0.6
		s, _ := drawn(t, fmt.Sprintf(`<polyline fill="none" stroke="black" stroke-width="%v" points="%s"/>`, width, text))
		g, err := s.Ground()
		if err != nil {
			t.Fatal(err)
		}
		slack := 2 * g.Lattice.Step
		for range 400 {
			p := mgl64.Vec2{20 * r.Float64(), 10 * r.Float64()}
			least, beside := math.Inf(1), false
			for i := 1; i < n; i++ {
				along := points[i].Sub(points[i-1])
				if along.LenSqr() == 0 {
					continue
				}
				at := p.Sub(points[i-1]).Dot(along) / along.LenSqr()
				d := p.Sub(points[i-1].Add(along.Mul(min(max(at, 0), 1)))).Len()
				least = min(least, d)
				beside = beside || 0 < at && at < 1 && d < width/2-slack
			}
			free := g.Free(g.Lattice.Snap(p))
			if free && beside || !free && least > 4*width/2+slack {
				t.Fatalf("seed %d: %v is free: %v, %v m from the line\n%s", seed, p, free, least, text)
			}
		}
	}
}

// TestClones: a clone is what it refers to, drawn where it stands.
func TestClones(t *testing.T) {
	boxes := func(s *scenes.Scene) (list []scenes.Rect) {
		for _, o := range s.Obstacles {
			list = append(list, plan.BoxOf(o.Polygon().Outer))
		}
		return list
	}
	for inside, want := range map[string][]scenes.Rect{
		`<defs><rect id="p" width="2" height="1"/></defs><use href="#p" x="3" y="4"/><use href="#p" transform="translate(10 0)"/>`: {{3, 5, 5, 6}, {10, 9, 12, 10}},
		`<rect id="p" width="2" height="1"/><use xlink:href="#p" x="3" y="4"/>`:                                                    {{0, 9, 2, 10}, {3, 5, 5, 6}},
		`<use href="#p" x="3" y="4"/><g id="p" display="inline"><rect width="2" height="1"/><rect y="2" width="1" height="1"/></g>`: {
			{3, 5, 5, 6}, {3, 3, 4, 4}, {0, 9, 2, 10}, {0, 7, 1, 8},
		},
		`<defs><g id="a"><rect width="1" height="1"/></g><g id="b"><use href="#a"/><use href="#a" x="2"/></g></defs><use href="#b" y="5"/>`:               {{0, 4, 1, 5}, {2, 4, 3, 5}},
		`<symbol id="s"><rect x="1" width="1" height="1"/></symbol><use href="#s" x="3"/>`:                                                                {{4, 9, 5, 10}},
		`<symbol id="s" viewBox="0 0 10 10"><rect width="10" height="5"/></symbol><use href="#s" x="1" width="4" height="2"/>`:                            {{2, 9, 4, 10}},
		`<symbol id="s" viewBox="0 0 10 10" preserveAspectRatio="none"><rect width="10" height="5"/></symbol><use href="#s" x="1" width="4" height="2"/>`: {{1, 9, 5, 10}},
		`<svg x="4" y="2" width="4" height="4" viewBox="0 0 8 8"><rect width="8" height="4"/></svg>`:                                                      {{4, 6, 8, 8}},
	} {
		s, notes := drawn(t, inside)
		if got := boxes(s); fmt.Sprint(got) != fmt.Sprint(want) || len(notes) > 0 {
			t.Errorf("%s\ngot %v, want %v; notes %v", inside, got, want, notes)
		}
	}
	// A clone has its own id, and its own role where what it shows says none.
	s, notes := drawn(t, `<defs><circle id="p" r="1"/></defs><use id="north" class="exit" href="#p" x="3" y="4"/><use href="#q"/>
		<use id="pillar" href="#p" x="9" y="4"/>`)
	if len(s.Goals) != 1 || s.Goals[0].ID != "north" || len(s.Obstacles) != 1 || s.Obstacles[0].ID != "pillar" {
		t.Errorf("goals %v, obstacles %v", s.Goals, s.Obstacles)
	}
	if len(notes) != 1 || !strings.Contains(notes[0].Message, `"#q"`) {
		t.Errorf("notes %v", notes)
	}
	// Clones of clones: 2^24 squares from a page.
	text := `<g id="g0"><rect width="1" height="1"/></g>`
	for i := 1; i <= 24; i++ {
		text += fmt.Sprintf(`<g id="g%d"><use href="#g%d"/><use href="#g%d"/></g>`, i, i-1, i-1)
	}
	if _, _, err := Import(SVG, "a", []byte(`<svg viewBox="0 0 9 9"><defs>`+text+`</defs><use href="#g24"/></svg>`), Options{}); err == nil || !strings.Contains(err.Error(), "clones") {
		t.Errorf("got %v", err)
	}
}
