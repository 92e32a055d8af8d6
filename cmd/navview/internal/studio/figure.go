package studio

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// FigureKind is a kind of figure.
type FigureKind int

// The kinds, by what Figure.Points holds.
const (
	NoFigure FigureKind = iota
	Point               // itself
	Line                // both ends
	Rect                // the lowest and the highest corner
	Circle              // the center
	Polygon             // the outline
)

// Figure is the geometry of a record.
type Figure struct {
	Kind   FigureKind
	Points []mgl64.Vec2   // meters
	Holes  [][]mgl64.Vec2 // of a polygon
	Radius float64        // of a circle, m
}

// RectFigure returns the rectangle between two opposite corners.
func RectFigure(a, b mgl64.Vec2) Figure {
	return Figure{Kind: Rect, Points: []mgl64.Vec2{
		{math.Min(a[0], b[0]), math.Min(a[1], b[1])}, {math.Max(a[0], b[0]), math.Max(a[1], b[1])},
	}}
}

// rectOf returns the figure of a rectangle of a document.
func rectOf(r scenes.Rect) Figure {
	return Figure{Kind: Rect, Points: []mgl64.Vec2{r.Min(), r.Max()}}
}

// rect returns the rectangle as documents have it.
func (f Figure) rect() scenes.Rect {
	return scenes.Rect{f.Points[0][0], f.Points[0][1], f.Points[1][0], f.Points[1][1]}
}

// Clone returns a copy that shares nothing.
func (f Figure) Clone() Figure {
	f.Points = slices.Clone(f.Points)
	f.Holes = slices.Clone(f.Holes)
	for i := range f.Holes {
		f.Holes[i] = slices.Clone(f.Holes[i])
	}
	return f
}

// each returns a copy with every point replaced.
func (f Figure) each(to func(mgl64.Vec2) mgl64.Vec2) Figure {
	f = f.Clone()
	for i, p := range f.Points {
		f.Points[i] = to(p)
	}
	for _, hole := range f.Holes {
		for i, p := range hole {
			hole[i] = to(p)
		}
	}
	return f
}

// Moved returns the figure moved by an offset, m.
func (f Figure) Moved(by mgl64.Vec2) Figure {
	return f.each(func(p mgl64.Vec2) mgl64.Vec2 { return p.Add(by) })
}

// Turned returns the figure turned counter-clockwise about a point, rad. A rectangle becomes a
// polygon, unless it is turned by right angles.
func (f Figure) Turned(angle float64, about mgl64.Vec2) Figure {
	sin, cos := math.Sincos(angle)
	if quarters := angle / (math.Pi / 2); math.Abs(quarters-math.Round(quarters)) < 1e-9 { // rounding of a sum of degrees
		sin, cos = math.Round(sin), math.Round(cos)
	} else if f.Kind == Rect {
		f = Figure{Kind: Polygon, Points: f.Corners()}
	}
	turned := f.each(func(p mgl64.Vec2) mgl64.Vec2 {
		d := p.Sub(about)
		return about.Add(mgl64.Vec2{cos*d[0] - sin*d[1], sin*d[0] + cos*d[1]})
	})
	if turned.Kind == Rect {
		return RectFigure(turned.Points[0], turned.Points[1])
	}
	return turned
}

// Corners returns the vertices of the outline: of a rectangle counter-clockwise from the lowest; of
// a circle its box's.
func (f Figure) Corners() []mgl64.Vec2 {
	switch f.Kind {
	case Rect:
		a, b := f.Points[0], f.Points[1]
		return []mgl64.Vec2{a, {b[0], a[1]}, b, {a[0], b[1]}}
	case Circle:
		r := mgl64.Vec2{f.Radius, f.Radius}
		return rectOf(scenes.Around([]mgl64.Vec2{f.Points[0].Sub(r), f.Points[0].Add(r)})).Corners()
	}
	return f.Points
}

// Box returns the box around the figure.
func (f Figure) Box() scenes.Rect { return scenes.Around(f.Corners()) }

// Center returns the middle of the box.
func (f Figure) Center() mgl64.Vec2 {
	box := f.Box()
	return box.Min().Add(box.Max()).Mul(0.5)
}

// circleSides is the number of lines that a circle is drawn with.
const circleSides = 64

// Lines returns the edges.
func (f Figure) Lines() (all [][2]mgl64.Vec2) {
	ring := func(points []mgl64.Vec2) {
		for i, p := range points {
			all = append(all, [2]mgl64.Vec2{p, points[(i+1)%len(points)]})
		}
	}
	switch f.Kind {
	case Line:
		return [][2]mgl64.Vec2{{f.Points[0], f.Points[1]}}
	case Circle:
		points := make([]mgl64.Vec2, circleSides)
		for k := range points {
			points[k] = scenes.OnCircle(f.Points[0], f.Radius, k, circleSides)
		}
		ring(points)
	case Rect, Polygon:
		ring(f.Corners())
		for _, hole := range f.Holes {
			ring(hole)
		}
	}
	return all
}

// Distance returns how far a place is from the figure, 0 inside. Unit: m.
func (f Figure) Distance(p mgl64.Vec2) float64 {
	if f.Kind == Circle {
		return math.Max(0, p.Sub(f.Points[0]).Len()-f.Radius)
	}
	if f.Kind == Point {
		return p.Sub(f.Points[0]).Len()
	}
	inside, least := false, math.Inf(1)
	for _, l := range f.Lines() {
		a, along := l[0], l[1].Sub(l[0])
		if (a[1] > p[1]) != (l[1][1] > p[1]) && p[0] > a[0]+(p[1]-a[1])/along[1]*along[0] {
			inside = !inside
		}
		t := 0.0
		if square := along.Dot(along); square > 0 {
			t = math.Min(math.Max(p.Sub(a).Dot(along)/square, 0), 1)
		}
		least = math.Min(least, p.Sub(a.Add(along.Mul(t))).Len())
	}
	if inside && f.Kind != Line {
		return 0
	}
	return least
}

// Handle is a part of a figure that is dragged on its own.
type Handle struct {
	At   mgl64.Vec2
	Ring int  // of a polygon: 0 is the outline, 1 its first hole
	N    int  // the vertex; of a rectangle the corner; of an edge its first vertex
	Edge bool // the edge, At its middle; of a circle's one handle: false
}

// Handles returns the handles of the figure: corners first, then edges of rectangles and polygons.
func (f Figure) Handles() (all []Handle) {
	switch f.Kind {
	case Circle:
		return []Handle{{At: f.Points[0].Add(mgl64.Vec2{f.Radius, 0})}}
	case Line:
		return []Handle{{At: f.Points[0]}, {At: f.Points[1], N: 1}}
	case Rect, Polygon:
		rings := append([][]mgl64.Vec2{f.Corners()}, f.Holes...)
		for k, ring := range rings {
			for i, p := range ring {
				all = append(all, Handle{At: p, Ring: k, N: i})
			}
		}
		for k, ring := range rings {
			for i, p := range ring {
				all = append(all, Handle{At: p.Add(ring[(i+1)%len(ring)]).Mul(0.5), Ring: k, N: i, Edge: true})
			}
		}
	}
	return all
}

// ring returns a ring of a polygon.
func (f Figure) ring(k int) []mgl64.Vec2 {
	if k == 0 {
		return f.Points
	}
	return f.Holes[k-1]
}

// Dragged returns the figure with a handle dragged to a place. The edge of a polygon moves by as
// much as its middle.
func (f Figure) Dragged(h Handle, to mgl64.Vec2) Figure {
	f = f.Clone()
	switch f.Kind {
	case Circle:
		f.Radius = to.Sub(f.Points[0]).Len()
	case Line:
		f.Points[h.N] = to
	case Rect:
		return f.stretched(h, to)
	case Polygon:
		ring := f.ring(h.Ring)
		if !h.Edge {
			ring[h.N] = to
			break
		}
		by := to.Sub(h.At)
		for _, i := range []int{h.N, (h.N + 1) % len(ring)} {
			ring[i] = ring[i].Add(by)
		}
	}
	return f
}

// stretched returns a rectangle with a corner or an edge at a place: the opposite one stays.
func (f Figure) stretched(h Handle, to mgl64.Vec2) Figure {
	corners := f.Corners()
	opposite := corners[(h.N+2)%4]
	if !h.Edge {
		return RectFigure(opposite, to)
	}
	corner := corners[h.N]
	if h.N%2 == 0 { // a level edge
		return RectFigure(mgl64.Vec2{corner[0], to[1]}, opposite)
	}
	return RectFigure(mgl64.Vec2{to[0], corner[1]}, opposite)
}

// Split returns a polygon with a vertex in the middle of an edge, and the handle of that vertex.
func (f Figure) Split(edge Handle) (Figure, Handle) {
	f = f.Clone()
	ring := slices.Insert(f.ring(edge.Ring), edge.N+1, edge.At)
	if edge.Ring == 0 {
		f.Points = ring
	} else {
		f.Holes[edge.Ring-1] = ring
	}
	return f, Handle{At: edge.At, Ring: edge.Ring, N: edge.N + 1}
}

// Without returns a polygon without a vertex; false where three are left. A hole of three vertices
// goes.
func (f Figure) Without(vertex Handle) (Figure, bool) {
	ring := f.ring(vertex.Ring)
	if len(ring) <= 3 && vertex.Ring == 0 {
		return f, false
	}
	f = f.Clone()
	switch {
	case vertex.Ring == 0:
		f.Points = slices.Delete(f.Points, vertex.N, vertex.N+1)
	case len(ring) <= 3:
		f.Holes = slices.Delete(f.Holes, vertex.Ring-1, vertex.Ring)
	default:
		f.Holes[vertex.Ring-1] = slices.Delete(f.Holes[vertex.Ring-1], vertex.N, vertex.N+1)
	}
	return f, true
}
