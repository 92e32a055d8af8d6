package viewer

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/spm"
)

// part is the part of a source or an obstacle that is selected.
type part int

const (
	nothing  part = iota // free ground
	point                // a source that is a point
	startEnd             // of a segment
	stopEnd
	middle // of a segment: the whole of it
	body   // an obstacle
)

// selection is what can be dragged. The zero value is nothing.
type selection struct {
	part     part
	source   engine.Source     // unless it is a body
	obstacle engine.ObstacleID // of a body
}

// points returns the points of sources that move with the selection. It shares their memory.
func (t selection) points(s spm.Goal) []mgl64.Vec2 {
	i := t.source.Index
	if t.part == point {
		return s.Points[i : i+1]
	}
	switch segment := &s.Segments[i-len(s.Points)]; t.part {
	case startEnd:
		return segment[:1]
	case stopEnd:
		return segment[1:]
	default:
		return segment[:]
	}
}

// find returns the selection within a reach in meters of a point: sources of a goal, then of other
// goals, then obstacles, absent ones included. Only shown layers count.
func (h *editSession) find(p mgl64.Vec2, reach float64, goal engine.GoalID, shown render.Layers) selection {
	if shown&render.Sources != 0 {
		s, ok := h.world.SourceAt(p, reach, goal)
		if !ok {
			s, ok = h.world.SourceAt(p, reach)
		}
		if ok {
			return selection{part: h.partAt(s, p, reach), source: s}
		}
	}
	if shown&render.Obstacles != 0 {
		if o, ok := h.obstacleAt(p, reach/2); ok {
			return selection{part: body, obstacle: o}
		}
	}
	return selection{}
}

// partAt returns the part of a source at a point.
func (h *editSession) partAt(s engine.Source, p mgl64.Vec2, reach float64) part {
	sources := h.sources(s.Goal)
	i := s.Index - len(sources.Points)
	if i < 0 {
		return point
	}
	a, b := sources.Segments[i][0], sources.Segments[i][1]
	// A third of a short segment is its middle.
	switch end := math.Min(1.5*reach, b.Sub(a).Len()/3); {
	case p.Sub(a).Len() <= end:
		return startEnd
	case p.Sub(b).Len() <= end:
		return stopEnd
	}
	return middle
}

// obstacleAt returns the nearest obstacle; of several present ones are preferred, then the last.
func (h *editSession) obstacleAt(p mgl64.Vec2, reach float64) (engine.ObstacleID, bool) {
	var best engine.ObstacleID
	found, there := false, false
	for _, o := range h.world.Obstacles() {
		state := h.state(o)
		if d := away(state.Polygon, p); d < reach || d == reach && (state.Present || !there) {
			best, reach, found, there = o, d, true, state.Present
		}
	}
	return best, found
}

// away returns the distance of a point from a polygon, 0 inside. Unit: m.
func away(polygon geom.Polygon, p mgl64.Vec2) float64 {
	inside, least := false, math.Inf(1)
	for _, ring := range polygon.Rings() {
		a := ring[len(ring)-1]
		for _, b := range ring {
			along := b.Sub(a)
			if (a[1] > p[1]) != (b[1] > p[1]) && p[0] > a[0]+(p[1]-a[1])/along[1]*along[0] {
				inside = !inside
			}
			t := min(max(p.Sub(a).Dot(along)/along.Dot(along), 0), 1)
			least = min(least, p.Sub(a.Add(along.Mul(t))).Len())
			a = b
		}
	}
	if inside {
		return 0
	}
	return least
}
