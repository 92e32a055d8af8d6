package studio

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/render"
)

// Snap is a place that the pointer is drawn to, with the reason.
type Snap struct {
	At    mgl64.Vec2
	Why   string          // "corner", "edge", "grid", "45°"; empty: nothing is near
	Guide [][2]mgl64.Vec2 // lines that show why
}

// snapWidth is how near a thing has to be that the pointer is drawn to. Unit: nominal pixels.
const snapWidth = 8

// snapReach is snapWidth on the ground. Unit: m.
func (s *Studio) snapReach() float64 { return snapWidth * s.Ratio / s.Camera.Scale }

// angleStep is the step of directions that lines are drawn to. Unit: degrees.
const angleStep = 15

// SnapTo returns the place that a pointer is drawn to: a corner, else an edge, else the grid, else the
// direction from an origin; with Shift the axis through that, whatever else is near. Control turns it
// off. Skip are records that do not count, such as the one that is dragged; from is nil where there is
// no origin.
func (s *Studio) SnapTo(p Pointer, from *mgl64.Vec2, skip ...Ref) Snap {
	switch {
	case p.Shift && from != nil:
		return s.direction(p.At, *from, 90)
	case !s.Snaps || p.Control:
		return Snap{At: p.At}
	}
	reach := s.snapReach()
	corner, edge := Snap{At: p.At}, Snap{At: p.At}
	nearest, beside := reach, reach
	consider := func(f Figure) {
		points := f.Points
		if f.Kind == Rect {
			points = f.Corners()
		}
		for _, c := range points {
			if d := c.Sub(p.At).Len(); d < nearest {
				nearest, corner = d, Snap{At: c, Why: "corner"}
			}
		}
		for _, l := range f.Lines() {
			along := l[1].Sub(l[0])
			if along.Dot(along) == 0 {
				continue
			}
			t := math.Min(math.Max(p.At.Sub(l[0]).Dot(along)/along.Dot(along), 0), 1)
			on := l[0].Add(along.Mul(t))
			if d := on.Sub(p.At).Len(); d < beside {
				beside, edge = d, Snap{At: on, Why: "edge", Guide: [][2]mgl64.Vec2{l}}
			}
		}
	}
	consider(rectOf(s.Scene().Domain))
	for _, l := range []List{Obstacles, Goals, Groups, Gates, Areas} {
		s.eachFigure(skip, l, consider)
	}
	switch {
	case corner.Why != "":
		return corner
	case edge.Why != "":
		return edge
	}
	if on := s.grid(p.At, reach); from == nil || on.Why != "" || !s.nearDirection(p.At, *from, reach) {
		return on
	}
	return s.direction(p.At, *from, angleStep)
}

// eachFigure calls a function with every figure of a list that is seen, as they were when the gesture
// began that is going on.
func (s *Studio) eachFigure(skip []Ref, l List, each func(Figure)) {
	if s.Hidden[l] {
		return
	}
	scene := s.Doc.Before()
	if scene == nil {
		scene = s.Scene()
	}
	for _, r := range All(scene, l) {
		if slices.ContainsFunc(skip, func(not Ref) bool { return not.Whole() == r }) {
			continue
		}
		for _, f := range r.Figures(scene) {
			each(f)
		}
	}
}

// direction returns the place on the nearest of the directions from an origin that are multiples of a
// step. Unit: degrees.
func (s *Studio) direction(p, from mgl64.Vec2, step float64) Snap {
	d := p.Sub(from)
	degrees := math.Round(math.Atan2(d[1], d[0])*180/math.Pi/step) * step
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	along := mgl64.Vec2{cos, sin}
	at := from.Add(along.Mul(s.round(d.Dot(along))))
	at = mgl64.Vec2{millimeters(at[0]), millimeters(at[1])}
	return Snap{At: at, Why: fmt.Sprintf("%g°", math.Mod(degrees+360, 360)), Guide: [][2]mgl64.Vec2{{from, at}}}
}

func (s *Studio) nearDirection(p, from mgl64.Vec2, reach float64) bool {
	at := s.direction(p, from, angleStep).At
	d, along := p.Sub(from), at.Sub(from)
	if along.Len() == 0 {
		return false
	}
	along = along.Normalize()
	return math.Abs(d[0]*along[1]-d[1]*along[0]) < reach
}

// round returns a length as a multiple of a tenth of the grid, so that what is drawn has few digits.
func (s *Studio) round(length float64) float64 {
	step := s.Grid / 10
	return math.Round(math.Round(length/step)*step*1e9) / 1e9
}

// millimeters rounds a coordinate, so that a document has no needless digits.
func millimeters(x float64) float64 { return math.Round(x*1e3) / 1e3 }

// grid returns the point of the grid that is near, else the place itself with few digits.
func (s *Studio) grid(p mgl64.Vec2, reach float64) Snap {
	on := mgl64.Vec2{math.Round(p[0]/s.Grid) * s.Grid, math.Round(p[1]/s.Grid) * s.Grid}
	if on.Sub(p).Len() < reach {
		return Snap{At: on, Why: "grid"}
	}
	return Snap{At: mgl64.Vec2{s.round(p[0]), s.round(p[1])}}
}

// Draw adds the reason to an overlay.
func (n Snap) Draw(o *Overlay) {
	if n.Why == "" {
		return
	}
	o.Labels = append(o.Labels, Label{n.At, n.Why})
	o.Sketches = append(o.Sketches, render.Sketch{
		Lines: n.Guide, Marks: []mgl64.Vec2{n.At}, Color: render.Highlight, Width: 1.2, Dash: 4, Radius: 4,
	})
}
