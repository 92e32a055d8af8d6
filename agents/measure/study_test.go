package measure

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// abreast is a recording of rows of agents that walk along a corridor of 20 x 4 m at one speed:
// four abreast, a meter apart, so that all that follows is known. Row k enters at x = 0 at the
// time k / speed, and leaves at x = 20. Agents of odd rows are of group "b".
func abreast(rows int, speed, timestep float64) Recording {
	r := Recording{Groups: []string{"a", "b"}}
	steps := int(math.Ceil((20 + float64(rows)) / speed / timestep))
	for step := range steps {
		f := Frame{Time: float64(step) * timestep}
		for row := range rows {
			x := f.Time*speed - float64(row)
			if x < 0 || x > 20 {
				continue
			}
			for lane := range 4 {
				id := 4*row + lane
				f.Walkers = append(f.Walkers, Walker{ID: id, At: mgl64.Vec2{x, 0.5 + float64(lane)}, Velocity: mgl64.Vec2{speed, 0}, Group: row % 2})
			}
		}
		r.Frames = append(r.Frames, f)
	}
	return r
}

func TestStudy(t *testing.T) {
	const rows, speed, timestep = 60, 1.25, 0.1
	r := abreast(rows, speed, timestep)
	gate := Gate{"exit", Door{mgl64.Vec2{15.05, 4}, mgl64.Vec2{15.05, 0}}}
	// An area of 5 x 4 m, which at any time after the first rows holds five rows of four agents.
	area := Area{"middle", Rect{mgl64.Vec2{7.4, 0}, mgl64.Vec2{12.4, 4}}.Box()}
	exits := []Exit{{"entrance", mgl64.Vec2{0, 0}, mgl64.Vec2{0, 4}}, {"upper", mgl64.Vec2{20, 3}, mgl64.Vec2{20, 4}}, {"point", mgl64.Vec2{20, 1}, mgl64.Vec2{20, 1}}}
	out := Study{Ground: groundOf(t, 20, 4), Gates: []Gate{gate}, Areas: []Area{area}, Exits: exits, Every: 1}.Measure(r)

	if out.Agents != 4*rows {
		t.Errorf("%d agents, want %d", out.Agents, 4*rows)
	}
	g := out.Gates[0]
	if len(g.Crossings) != 4*rows || g.Left != 4*rows {
		t.Errorf("%d crossings, %d to the left, want %d", len(g.Crossings), g.Left, 4*rows)
	}
	// 4 agents every 1/1.25 s, counted from the first to the last of them.
	near(t, "flow", g.Flow, (4*rows-1)/((rows-1)/speed))
	near(t, "specific flow", g.Specific, g.Flow/4)

	full := 0
	for i, s := range out.Areas[0].Voronoi {
		classic := out.Areas[0].Classic[i]
		if first, last := s.Time*speed, s.Time*speed-(rows-1); first < 14 || last > 6 {
			continue // the area is not full yet, or any more
		}
		full++
		if math.Abs(s.Density-1) > 1e-4 || math.Abs(s.Speed-speed) > 1e-4 {
			t.Errorf("at %v s Voronoi %+v, want 1 agent/m2 at %v m/s", s.Time, s.Sample, speed)
		}
		near(t, "classic density", classic.Density, 1)
		near(t, "classic speed", classic.Speed, speed)
	}
	if full < 30 {
		t.Errorf("%d samples of a full area", full)
	}
	for i := range out.Areas[0].Classic[1:] {
		if d := out.Areas[0].Classic[i+1].Time - out.Areas[0].Classic[i].Time; math.Abs(d-1) > 1e-9 {
			t.Errorf("samples %v s apart, want 1", d)
		}
	}

	if len(out.Groups) != 2 || out.Groups[0].Group != "a" || out.Groups[1].Group != "b" {
		t.Fatalf("groups %+v", out.Groups)
	}
	a := out.Groups[0]
	if a.Agents != 2*rows {
		t.Errorf("%d agents of group a, want %d", a.Agents, 2*rows)
	}
	near(t, "speed", a.MeanSpeed, speed)
	// An agent is seen for 20 m, to within the time step at both ends.
	if math.Abs(a.MeanTime-20/speed) > 2*timestep || math.Abs(a.Left.First-20/speed) > timestep {
		t.Errorf("group a left after %v s, the first at %v s; want %v", a.MeanTime, a.Left.First, 20/speed)
	}
	// Lanes are at 0.5, 1.5, 2.5, 3.5 m: two are nearer to the point at 1 m, two to the segment from 3 m on.
	left := 2 * rows
	if last := r.Frames[len(r.Frames)-1]; len(last.Walkers) > 0 {
		left -= len(last.Walkers) / 2
	}
	for i, want := range []int{0, left, left} {
		if e := out.Exits[i].Left; e.Agents != want || want > 0 && (e.First != a.Left.First || e.Last < 60) {
			t.Errorf("at exit %q %+v left, want %d", exits[i].Name, e, want)
		}
	}
	// Four agents leave at a time; the last row is there to the end.
	for i, c := range out.Evacuation {
		if c.Agents != 4*(rows-i) {
			t.Errorf("step %d of the evacuation: %d agents", i, c.Agents)
		}
	}
	if n := len(out.Evacuation); n != rows && n != rows+1 {
		t.Errorf("%d steps of evacuation of %d rows", n, rows)
	}
}

func TestStudyOfNothing(t *testing.T) {
	s := Study{Gates: []Gate{{}}, Areas: []Area{{Shape: Rect{High: mgl64.Vec2{1, 1}}.Box()}}}
	if out := s.Measure(Recording{}); out.Agents != 0 || out.Evacuation != nil {
		t.Errorf("%+v", out)
	}
	out := s.Measure(Recording{Frames: []Frame{{Time: 3}, {Time: 4}}})
	if out.Agents != 0 || out.From != 3 || out.To != 4 || len(out.Areas[0].Classic) != 2 || out.Areas[0].Classic[0].Sample != (Sample{}) {
		t.Errorf("%+v", out)
	}
}

// TestVelocities: agents on a circle have its speed, but for the chord; and those that come late too.
func TestVelocities(t *testing.T) {
	var frames []Frame
	for k := range 100 {
		time := float64(k) / 25
		at := func(phase float64) mgl64.Vec2 { return mgl64.Vec2{2 * math.Cos(time+phase), 2 * math.Sin(time+phase)} }
		f := Frame{Time: time, Walkers: []Walker{{ID: 1, At: at(0)}}}
		if k > 50 {
			f.Walkers = slices.Insert(f.Walkers, 0, Walker{ID: 9, At: at(1)})
		}
		if k == 70 {
			f.Walkers = append(f.Walkers, Walker{ID: 3, At: at(2), Velocity: mgl64.Vec2{5, 5}})
		}
		frames = append(frames, f)
	}
	Velocities(frames, 2)
	for k, f := range frames {
		for _, w := range f.Walkers {
			if w.ID == 3 {
				continue
			}
			// Over an angle a the chord is 2 sin(a/2) / a of the arc: for 4 frames more than 1 - 0.16^2 / 24.
			if s := w.Velocity.Len() / 2; s > 1 || s < 1-0.16*0.16/23 {
				t.Errorf("frame %d: agent %d has %v of its speed", k, w.ID, s)
			}
		}
	}
	if v := frames[70].Walkers[2].Velocity; v != (mgl64.Vec2{5, 5}) {
		t.Errorf("the velocity of an agent of one frame is %v, want it unchanged", v)
	}
}

// meterStudy is what the meters of the following tests measure.
func meterStudy(t *testing.T) Study {
	return Study{
		Groups: []string{"a", "b"}, Ground: groundOf(t, 20, 4), Every: 1,
		Gates: []Gate{{"exit", Door{mgl64.Vec2{15.05, 4}, mgl64.Vec2{15.05, 0}}}},
		Areas: []Area{{"middle", Rect{mgl64.Vec2{7.4, 0}, mgl64.Vec2{12.4, 4}}.Box()}},
		Exits: []Exit{{"upper", mgl64.Vec2{20, 3}, mgl64.Vec2{20, 4}}, {"point", mgl64.Vec2{20, 1}, mgl64.Vec2{20, 1}}},
	}
}

// part returns the frames from one index to another, without it.
func (r Recording) part(i, j int) Recording { return Recording{r.Frames[i:j], r.Groups} }

// TestMeterWithin: a range of time has the measures of its frames alone.
func TestMeterWithin(t *testing.T) {
	s, r := meterStudy(t), abreast(30, 1.25, 0.125)
	m := NewMeter(s)
	for _, f := range r.Frames {
		m.Add(f)
	}
	for _, c := range [][2]int{{0, len(r.Frames)}, {0, 81}, {80, 161}, {160, len(r.Frames)}, {160, 161}} {
		want := s.Measure(r.part(c[0], c[1]))
		if got := m.Within(r.Frames[c[0]].Time, r.Frames[c[1]-1].Time); !reflect.DeepEqual(got, want) {
			t.Errorf("frames %v:\n%+v\nwant\n%+v", c, got, want)
		}
		for i, times := range m.Arrivals(want.From, want.To) {
			if l := want.Exits[i].Left; len(times) != l.Agents || l.Agents > 0 && (times[0] != l.First || times[l.Agents-1] != l.Last) {
				t.Errorf("frames %v: %d arrivals, want %+v", c, len(times), l)
			}
		}
	}
	for i, at := range m.Moments(10, 12) {
		f := r.Frames[80+i]
		if at.Time != f.Time || at.Agents != len(f.Walkers) || math.Abs(at.Speed-1.25) > 1e-12 {
			t.Errorf("moment %+v of %d agents at %v s", at, len(f.Walkers), f.Time)
		}
	}
	if got := m.Within(1e3, 2e3); got.Agents != 0 || len(got.Gates) != 1 || len(got.Gates[0].Crossings) != 0 || len(m.Moments(1e3, 2e3)) != 0 {
		t.Errorf("a time without frames: %+v", got)
	}
}

// TestMeterClone: two meters that were one go on apart, each as if it were alone.
func TestMeterClone(t *testing.T) {
	s, r := meterStudy(t), abreast(30, 1.25, 0.125)
	other := abreast(30, 1.25, 0.125)
	for _, f := range other.Frames[150:] {
		for i := range f.Walkers {
			f.Walkers[i].At[0] /= 2
		}
	}
	m := NewMeter(s)
	for _, f := range r.Frames[:150] {
		m.Add(f)
	}
	c := m.Clone()
	for i := range r.Frames[150:] {
		m.Add(r.Frames[150+i])
		c.Add(other.Frames[150+i])
	}
	if want := s.Measure(r); !reflect.DeepEqual(m.Results(), want) {
		t.Error("the meter is not as if there were no clone")
	}
	if want := s.Measure(other); !reflect.DeepEqual(c.Results(), want) {
		t.Error("the clone is not as if it were alone")
	}
}

// TestMeterChange: gates and areas that stay go on, others begin and end.
func TestMeterChange(t *testing.T) {
	s, r := meterStudy(t), abreast(30, 1.25, 0.125)
	m := NewMeter(s)
	for i, f := range r.Frames {
		if i == 160 {
			more := s
			more.Gates = []Gate{{"late", s.Gates[0].Door}, s.Gates[0]}
			more.Areas = nil
			m.Change(more)
		}
		m.Add(f)
	}
	whole, late := s.Measure(r), s.Measure(r.part(160, len(r.Frames)))
	got := m.Results()
	if !reflect.DeepEqual(got.Gates[1], whole.Gates[0]) || len(got.Areas) != 0 {
		t.Errorf("gate %+v, areas %v", got.Gates[1], got.Areas)
	}
	if !reflect.DeepEqual(got.Gates[0].Crossings, late.Gates[0].Crossings) || len(late.Gates[0].Crossings) == 0 {
		t.Errorf("the late gate has %d crossings, want %d", len(got.Gates[0].Crossings), len(late.Gates[0].Crossings))
	}
}
