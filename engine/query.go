package engine

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// Sees reports whether nothing is between two world points on the ground that agents walk on, as of
// the last tick. Grazing a wall is seeing. Points inside obstacles see nothing; one within
// geom.SnapSlack lattice steps of a wall counts as on it.
func (w *World) Sees(a, b mgl64.Vec2) bool {
	ground := w.Ground()
	from, ok := ground.Standing(a)
	to, ok2 := ground.Standing(b)
	return ok && ok2 && ground.InSight(from, to)
}

// NearestFree is the place nearest to a world point, at any distance, where a disc of a radius fits:
// clear of walls, and of the domain's border, as of the last tick. It is the point itself if the
// disc fits there. It is exact to a lattice step (see geom.Ground.NearestRoom). With a radius of 0
// it is the nearest point of the ground that agents walk on, exact to a few lattice steps (see
// geom.Ground.Nearest). Agents are not minded. A point outside of the domain counts as the nearest
// one of its border. It is false where no disc fits, for what is no number, and for a radius below
// 0. Unit: m.
func (w *World) NearestFree(p mgl64.Vec2, radius float64) (mgl64.Vec2, bool) {
	if math.IsNaN(p[0]) || math.IsNaN(p[1]) || !(radius >= 0) {
		return p, false
	}
	ground := w.Ground()
	if radius > 0 {
		return ground.NearestRoom(p, radius)
	}
	if _, ok := ground.Standing(p); ok {
		return p, true
	}
	q, ok := ground.Nearest(ground.Lattice.Snap(p))
	return ground.Lattice.World(q), ok
}

// Obstacles are the handles of all obstacles, edits included that take effect with the next tick,
// in the order of Document.
func (w *World) Obstacles() []ObstacleID {
	w.mu.Lock()
	defer w.mu.Unlock()
	return handlesOf(&w.obstacles, w.doc.obstacles)
}

// handlesOf are the handles of slots.
func handlesOf[T ~uint64](h *handles[T], slots []uint32) []T {
	var all []T
	for _, slot := range slots {
		all = append(all, h.at(int(slot)))
	}
	return all
}

// Obstacle finds an obstacle by its id in the scene.
func (w *World) Obstacle(id string) (ObstacleID, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.terrain.slots, func(s slot) bool { return s.there && s.shape.ID == id })
	if i < 0 || id == "" {
		return 0, false
	}
	return w.obstacles.at(i), true
}

// ObstacleAt finds the obstacle that a world point is in, edits included that take effect with the
// next tick, where obstacles were at the last: of several the one of the highest slot, which those
// of the scene have in its order.
func (w *World) ObstacleAt(p mgl64.Vec2) (ObstacleID, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := len(w.terrain.slots) - 1; i >= 0; i-- {
		s := &w.terrain.slots[i]
		if s.presentAt(w.terrain.time) && holds(s.shape.PolygonAt(w.terrain.time), p) {
			return w.obstacles.at(i), true
		}
	}
	return 0, false
}

// ObstacleState is what there is to know of an obstacle.
type ObstacleState struct {
	ID      string       // empty: it has none
	Polygon geom.Polygon // where it is, world meters
	Shape   geom.Polygon // where its author has it, without its motion
	Present bool
	Opens   bool // it has a timetable
	Moves   bool // it has a motion
	Door    Door // whether its timetable is overridden by hand
}

// Shape returns an obstacle as its author has it, for Edit.SetObstacle: its shape, id, timetable
// and motion, edits included that take effect with the next tick. It is a copy. The error is a
// *HandleError or ErrClosed.
func (w *World) Shape(h ObstacleID) (scenes.Obstacle, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, err := w.obstacle(h)
	if err != nil {
		return scenes.Obstacle{}, err
	}
	return s.shape.Clone(), nil
}

// ObstacleState returns the state of an obstacle at the time of the last tick, with the edits that
// take effect in the next one. The error is a *HandleError or ErrClosed.
func (w *World) ObstacleState(h ObstacleID) (ObstacleState, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, err := w.obstacle(h)
	if err != nil {
		return ObstacleState{}, err
	}
	return ObstacleState{
		ID: s.shape.ID, Polygon: s.shape.PolygonAt(w.terrain.time), Shape: s.shape.Polygon(),
		Present: s.presentAt(w.terrain.time), Opens: s.shape.Opens(), Moves: s.shape.Motion != nil, Door: s.door,
	}, nil
}

// obstacle is what the world has of an obstacle.
func (w *World) obstacle(h ObstacleID) (*slot, error) {
	return found(w, &w.obstacles, h, w.terrain.slots, func(s *slot) bool { return s.there })
}

// holds reports whether a polygon holds a point: by the number of edges to its left, so that it is
// not exact on its border.
func holds(polygon geom.Polygon, p mgl64.Vec2) bool {
	inside := false
	for _, ring := range append([]geom.Ring{polygon.Outer}, polygon.Holes...) {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			if (a[1] > p[1]) != (b[1] > p[1]) && p[0] > a[0]+(p[1]-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
				inside = !inside
			}
		}
	}
	return inside
}

// Source is one of a goal's sources, which count from 0: its points, then its segments.
type Source struct {
	Goal  GoalID
	Index int
}

// BlockedSources are the sources that obstacles block, as of the last tick.
func (w *World) BlockedSources() []Source {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Source
	for _, h := range handlesOf(&w.goalIDs, w.doc.goals) {
		for _, source := range w.goals[uint32(h)].blocked {
			all = append(all, Source{h, source})
		}
	}
	return all
}

// SourceAt finds the source nearest to a world point, edits included that take effect with the next
// tick, if one is within a distance in meters: of some goals, or of all where none is named. Of
// several the first counts.
func (w *World) SourceAt(p mgl64.Vec2, within float64, of ...GoalID) (Source, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found Source
	ok := false
	offer := func(s Source, at mgl64.Vec2) {
		if d := at.Sub(p).Len(); d < within || d == within && !ok {
			found, within, ok = s, d, true
		}
	}
	for _, h := range handlesOf(&w.goalIDs, w.doc.goals) {
		if len(of) > 0 && !slices.Contains(of, h) {
			continue
		}
		g := &w.goals[uint32(h)]
		for k, at := range g.Points {
			offer(Source{h, k}, at)
		}
		for k, s := range g.Segments {
			along := s[1].Sub(s[0])
			t := min(max(p.Sub(s[0]).Dot(along)/along.Dot(along), 0), 1)
			offer(Source{h, len(g.Points) + k}, s[0].Add(along.Mul(t)))
		}
	}
	return found, ok
}
