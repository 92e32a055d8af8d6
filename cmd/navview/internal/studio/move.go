package studio

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// MotionTool makes the selected obstacle move: each click is a keyframe.
type MotionTool struct {
	Speed float64 // to the next keyframe, m/s
	Dwell float64 // at a keyframe that is clicked again, s

	snap Snap
}

// Until others are given.
const (
	motionSpeed = 1 // m/s
	motionDwell = 2 // s
)

func newMotion() Tool { return &MotionTool{Speed: motionSpeed, Dwell: motionDwell} }

func (t *MotionTool) Name() string { return "Motion" }

// Sizes are the speed to the next keyframe, and the wait.
func (t *MotionTool) Sizes() []Size {
	return []Size{{"speed", "m/s", &t.Speed}, {"wait", "s", &t.Dwell}}
}

// mover returns the one selected obstacle.
func (s *Studio) mover() (Ref, bool) {
	if len(s.Selected) != 1 || s.Selected[0].List != Obstacles {
		return Ref{}, false
	}
	return s.Selected[0], true
}

// center returns the place in the file that offsets of an obstacle count from: its pivot.
func center(o scenes.Obstacle) mgl64.Vec2 {
	if o.Motion != nil && o.Motion.Pivot != nil {
		return *o.Motion.Pivot
	}
	box := scenes.Around(o.Polygon().Outer)
	return box.Min().Add(box.Max()).Mul(0.5)
}

// Hover shows where a keyframe would be.
func (t *MotionTool) Hover(s *Studio, p Pointer) error {
	t.snap, s.Hovered = Snap{}, Ref{}
	if r, ok := s.mover(); ok {
		t.snap = s.SnapTo(p, nil, r)
	} else {
		s.Hovered = Find(s.Scene(), p.At, p.Reach, func(r Ref) bool { return r.List == Obstacles && s.seen(r) })
	}
	return nil
}

func (t *MotionTool) Press(s *Studio, p Pointer) error { return t.Hover(s, p) }

func (t *MotionTool) Drag(s *Studio, p Pointer) error { return t.Hover(s, p) }

// Release selects an obstacle, or adds a keyframe.
func (t *MotionTool) Release(s *Studio, p Pointer) error {
	if err := t.Hover(s, p); err != nil {
		return err
	}
	r, ok := s.mover()
	if !ok {
		if s.Hovered.IsNone() {
			s.Notify("click the obstacle that is to move first")
			return nil
		}
		s.Select(s.Hovered)
		return nil
	}
	o := s.Scene().Obstacles[r.Index]
	if len(o.Polygon().Outer) == 0 {
		return nil // a fault
	}
	if o.Motion != nil && len(o.Motion.Keyframes) == 0 {
		s.Notify(r.Name(s.Scene()) + " moves on a path: take that away first")
		return nil
	}
	title := "add a keyframe to " + r.Name(s.Scene())
	return s.Change(title, func(to *scenes.Scene) {
		o := &to.Obstacles[r.Index]
		if o.Motion == nil {
			o.Motion = &scenes.Motion{Keyframes: []scenes.Keyframe{{}}}
		}
		o.Motion.Keyframes = append(o.Motion.Keyframes, t.next(o.Motion.Keyframes, center(*o), p))
	})
}

// next returns the keyframe that a click adds.
func (t *MotionTool) next(all []scenes.Keyframe, from mgl64.Vec2, p Pointer) scenes.Keyframe {
	last := all[len(all)-1]
	next := last
	if from.Add(last.Offset).Sub(p.At).Len() < p.Reach && len(all) > 1 {
		next.Time = fine(last.Time + t.Dwell)
		return next
	}
	next.Offset = finely(t.snap.At.Sub(from))
	const tick = 0.1 // so that times have few digits
	next.Time = fine(last.Time + max(tick, math.Ceil(next.Offset.Sub(last.Offset).Len()/t.Speed/tick)*tick))
	return next
}

// Enter does nothing.
func (t *MotionTool) Enter(*Studio) error { return nil }

// Type takes nothing.
func (t *MotionTool) Type(*Studio, string) (bool, error) { return false, nil }

// Cancel has nothing to take back.
func (t *MotionTool) Cancel(*Studio) (bool, error) { return false, nil }

// Draw shows the keyframes, and the way to the next.
func (t *MotionTool) Draw(s *Studio) (o Overlay) {
	r, ok := s.mover()
	if !ok {
		o.Hint = "click the obstacle that is to move"
		if !s.Hovered.IsNone() && s.Hovered.There(s.Scene()) {
			o.Sketches = append(o.Sketches, render.Sketch{Lines: s.Hovered.Figure(s.Scene()).Lines(), Color: render.Highlight, Width: hoverWidth})
		}
		return o
	}
	o.Sketches = append(o.Sketches, render.Sketch{Lines: r.Figure(s.Scene()).Lines(), Color: render.Highlight, Width: outlineWidth})
	ghosts(s.Scene().Obstacles[r.Index], 0, &o)
	t.snap.Draw(&o)
	o.Hint = fmt.Sprintf("click where it goes, at %v m/s; click there again: it waits %v s; Select drags keyframes", t.Speed, t.Dwell)
	return o
}

// keyframe is one of an obstacle, as it is drawn.
type keyframe struct {
	From mgl64.Vec2 // the pivot in the file
	At   mgl64.Vec2 // of the pivot
	scenes.Keyframe
	Lines [][2]mgl64.Vec2
	Words string // its times
	First int    // of the keyframes that are there one after the other
	Last  int
}

// keyframes returns where the keyframes of an obstacle have it, those at its own place left out.
func keyframes(o scenes.Obstacle) (all []keyframe) {
	if o.Motion == nil || len(o.Polygon().Outer) == 0 {
		return nil
	}
	from, frames := center(o), o.Motion.Keyframes
	for i := 0; i < len(frames); i++ {
		f, first := frames[i], i
		for i+1 < len(frames) && frames[i+1].Offset == f.Offset && frames[i+1].Angle == f.Angle {
			i++
		}
		if f.Offset == (mgl64.Vec2{}) && f.Angle == 0 {
			continue
		}
		words := fmt.Sprintf("%g s", f.Time)
		if i > first {
			words = fmt.Sprintf("%g to %g s", f.Time, frames[i].Time)
		}
		shape := Figure{Kind: Polygon, Points: o.Polygon().Outer}.Turned(f.Angle*math.Pi/180, from).Moved(f.Offset)
		all = append(all, keyframe{from, from.Add(f.Offset), f, shape.Lines(), words, first, i})
	}
	return all
}

// turner returns where the handle is that turns it, at a distance from its pivot.
func (k keyframe) turner(away float64) mgl64.Vec2 {
	sin, cos := math.Sincos(k.Angle * math.Pi / 180)
	return k.At.Add(mgl64.Vec2{-sin * away, cos * away})
}

// frameAt returns the keyframe of the selected obstacle at a pointer, and what a drag there does;
// nil: none is.
func (s *Studio) frameAt(p Pointer) (*keyframe, doing) {
	if r, ok := s.mover(); ok {
		for _, k := range keyframes(s.Scene().Obstacles[r.Index]) {
			switch {
			case k.At.Sub(p.At).Len() < p.Reach:
				return &k, movingFrame
			case k.turner(s.turnHandle()).Sub(p.At).Len() < p.Reach:
				return &k, turningFrame
			}
		}
	}
	return nil, idle
}

// setFrame moves and turns the keyframe that is dragged, with those that it waits through.
func (t *Select) setFrame(s *Studio, offset mgl64.Vec2, angle float64) error {
	return s.Drag(func(to *scenes.Scene) {
		frames := to.Obstacles[t.over.Index].Motion.Keyframes
		for i := t.frame.First; i <= t.frame.Last; i++ {
			frames[i].Offset, frames[i].Angle = finely(offset), fine(angle)
		}
	})
}

// turnFrame turns the keyframe that is dragged to a pointer, by less than half a turn.
func (t *Select) turnFrame(s *Studio, p Pointer) error {
	d := p.At.Sub(t.frame.At)
	angle := math.Atan2(d[1], d[0])*180/math.Pi - 90
	if s.Snaps && !p.Control {
		angle = math.Round(angle/angleStep) * angleStep
	}
	return t.setFrame(s, t.frame.Offset, angle+360*math.Round((t.frame.Angle-angle)/360))
}

// ghosts draws the keyframes of an obstacle and the way between them, with handles that turn them
// at a distance; 0: without.
func ghosts(obstacle scenes.Obstacle, handles float64, o *Overlay) {
	all := keyframes(obstacle)
	if len(all) == 0 {
		return
	}
	outline := render.Sketch{Color: render.Highlight, Width: 1.2, Dash: 4, Radius: handleRadius}
	before := center(obstacle).Add(obstacle.Motion.Keyframes[0].Offset)
	for _, k := range all {
		outline.Lines = append(append(outline.Lines, k.Lines...), [2]mgl64.Vec2{before, k.At})
		outline.Marks = append(outline.Marks, k.At)
		if handles > 0 {
			outline.Marks = append(outline.Marks, k.turner(handles))
			outline.Lines = append(outline.Lines, [2]mgl64.Vec2{k.At, k.turner(handles)})
		}
		o.Labels = append(o.Labels, Label{k.At, k.Words})
		before = k.At
	}
	o.Sketches = append(o.Sketches, outline)
}
