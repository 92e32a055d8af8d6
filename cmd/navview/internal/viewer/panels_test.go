//go:build !headless

package viewer

import (
	"testing"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
)

// Places of the panels of the room's window.
var (
	obstaclesEye  = [2]float64{154, 259} // in the outline, of the list
	obstaclesLock = [2]float64{172, 259}
	historyTab    = [2]float64{1114, 35}
	historyRows   = [2]float64{1080, 62} // the first
	fixButton     = [2]float64{425, 88}  // of a fault of two lines
	showButton    = [2]float64{529, 88}
)

// rowHeight is from row to row in the history.
const rowHeight = 21

// middle is the middle of an obstacle.
func (d *desk) middle(obstacle int) (x, y float64) {
	c := (studio.Ref{List: studio.Obstacles, Index: obstacle, Item: -1}).Figure(d.v.studio.Scene()).Center()
	return c[0], c[1]
}

// TestEyeAndLock: what is hidden or locked is not found on the ground; both are switched back.
func TestEyeAndLock(t *testing.T) {
	with(t, room, func(d *desk) {
		s := d.v.studio
		x, y := d.middle(0)
		finds := func() bool {
			t.Helper()
			d.now = d.now.Add(time.Second) // no double click
			s.Select()
			d.click(x, y)
			return len(s.Selected) == 1 && s.Selected[0].List == studio.Obstacles
		}
		for name, c := range map[string]struct {
			at [2]float64
			of map[studio.List]bool
		}{"eye": {obstaclesEye, s.Hidden}, "lock": {obstaclesLock, s.Locked}} {
			if !finds() {
				t.Fatal("the obstacle is not found")
			}
			if d.pressAt(c.at[0], c.at[1]); !c.of[studio.Obstacles] || finds() {
				t.Errorf("%s: switched %v, the obstacle is found", name, c.of)
			}
			d.now = d.now.Add(time.Second)
			if d.pressAt(c.at[0], c.at[1]); c.of[studio.Obstacles] || !finds() {
				t.Errorf("%s: switched back %v", name, c.of)
			}
		}
	})
}

// TestHistoryIsClicked: a click on a row of the history goes there, back and forth.
func TestHistoryIsClicked(t *testing.T) {
	with(t, room, func(d *desk) {
		s := d.v.studio
		texts := []string{string(s.Doc.Text())}
		for range 3 {
			s.Select(studio.Ref{List: studio.Obstacles, Index: 0, Item: -1})
			d.key("ctrl+d")
			texts = append(texts, string(s.Doc.Text()))
		}
		d.pressAt(historyTab[0], historyTab[1])
		d.frames(3)
		d.write("history.png")
		for _, row := range []int{1, 3, 0, 2} {
			d.now = d.now.Add(time.Second)
			d.pressAt(historyRows[0], historyRows[1]+float64(row)*rowHeight)
			if _, done := s.Doc.History(); done != row || string(s.Doc.Text()) != texts[row] {
				t.Errorf("row %d: %d changes are done", row, done)
			}
		}
	})
}

// TestFaultButtons: a goal that is dragged into a wall is shown and moved out again by the buttons of the
// fault.
func TestFaultButtons(t *testing.T) {
	with(t, room, func(d *desk) {
		s := d.v.studio
		x, y := d.middle(0)
		at := s.Scene().Goals[0].Points[0]
		d.drag([2]float64{at[0], at[1]}, [2]float64{(at[0] + x) / 2, (at[1] + y) / 2}, [2]float64{x, y})
		if s.Fault == nil {
			t.Fatalf("no fault:\n%s", s.Doc.Text())
		}
		d.frames(3)
		d.write("fault.png")
		before := s.Camera
		if d.pressAt(showButton[0], showButton[1]); s.Camera.Scale <= before.Scale || len(s.Selected) != 1 || s.Selected[0].List != studio.Goals {
			t.Errorf("shown at %v, selected %v", s.Camera, s.Selected)
		}
		d.now = d.now.Add(time.Second)
		d.pressAt(fixButton[0], fixButton[1])
		at = s.Scene().Goals[0].Points[0]
		if box := s.Scene().Obstacles[0].Rect; s.Fault != nil || at[0] > box[0] && at[0] < box[2] && at[1] > box[1] && at[1] < box[3] {
			t.Errorf("fault %v, the goal is at %v", s.Fault, at)
		}
	})
}
