package engine

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// Edited returns the world's scene as edits have left it, those included that take effect with the
// next tick: obstacles where their author has them, sources, and the local maps of profiles.
// Obstacles without a timetable that were taken away by hand are left out; those with one keep it,
// whatever a hand has done with them, since doors are opened and shut to try a scene. What only
// moved stays a rectangle or a circle. Obstacles, sources and profiles are copies, all else is
// shared with the world's scene. Whether it is sound, as a scene whose sources are all buried is
// not, scenes.Read says of what it encodes to.
func (w *World) Edited() *scenes.Scene {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := *w.scene
	s.Obstacles = nil
	for i := range w.terrain.slots {
		o := &w.terrain.slots[i].obstacle
		if !o.there || o.door == DoorOpen && len(o.shape.Open) == 0 {
			continue
		}
		shape := o.shape
		// The scene's own obstacles have the first slots, in order, with their first generations.
		if i < len(w.scene.Obstacles) && w.obstacles.slots[i].generation == 1 {
			shape = reshaped(w.scene.Obstacles[i], o.shape, w.ground().Lattice.Step)
		}
		shape.Outline, shape.Holes = slices.Clone(shape.Outline), slices.Clone(shape.Holes)
		s.Obstacles = append(s.Obstacles, shape)
	}
	s.Goals = make([]scenes.Goal, len(w.goals))
	for i, g := range w.goals {
		s.Goals[i] = g.Goal
		s.Goals[i].Points, s.Goals[i].Segments = slices.Clone(g.Points), slices.Clone(g.Segments)
	}
	s.Profiles = make([]scenes.Profile, len(w.profiles))
	for i, p := range w.profiles {
		s.Profiles[i] = p.Profile
		s.Profiles[i].BVP.Table = slices.Clone(p.BVP.Table)
	}
	return &s
}

// reshaped returns an obstacle with the outline that it has now, as the rectangle or circle that it
// was if it was only moved: by the same offset in every vertex, but for rounding far below a
// lattice step.
func reshaped(was, now scenes.Obstacle, step float64) scenes.Obstacle {
	before, after := was.Polygon(), now.Polygon()
	if len(before.Outer) != len(after.Outer) || was.Rect == nil && was.Circle == nil {
		return now
	}
	by := after.Outer[0].Sub(before.Outer[0])
	rounding := step / 1024
	if off := farthestOff(scenes.Shift(by).Polygon(before).Outer, after.Outer); off > rounding {
		return now
	}
	now.Outline, now.Holes = nil, nil
	if was.Rect != nil {
		lo, hi := was.Rect.Min().Add(by), was.Rect.Max().Add(by)
		now.Rect = &scenes.Rect{lo[0], lo[1], hi[0], hi[1]}
		return now
	}
	circle := *was.Circle
	circle.Center = circle.Center.Add(by)
	now.Circle = &circle
	return now
}

// farthestOff is how far the vertices of two rings of the same length are from one another at most,
// along an axis.
func farthestOff(a, b geom.Ring) float64 {
	most := 0.0
	for i, v := range a {
		d := v.Sub(b[i])
		most = max(most, math.Abs(d[0]), math.Abs(d[1]))
	}
	return most
}
