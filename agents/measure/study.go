package measure

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Recording is what was seen of a crowd.
type Recording struct {
	Frames []Frame  // in order of time
	Groups []string // the names of groups, by Walker.Group; may be nil
}

// Gate is a door with a name, to count agents that pass.
type Gate struct {
	Name string
	Door
}

// Area is a place with a name, to measure density and speed in.
type Area struct {
	Name  string
	Shape Convex
}

// Exit is where agents leave: the segment from A to B, or the point A where B is the same.
type Exit struct {
	Name string
	A, B mgl64.Vec2
}

// distance returns the distance of a point from the exit.
func (e Exit) distance(p mgl64.Vec2) float64 {
	along, to := e.B.Sub(e.A), p.Sub(e.A)
	if square := along.Dot(along); square > 0 {
		to = to.Sub(along.Mul(min(max(to.Dot(along)/square, 0), 1)))
	}
	return to.Len()
}

// Study says what to measure of a crowd.
type Study struct {
	Groups []string     // names, by Walker.Group; may be nil
	Ground *geom.Ground // free ground for Voronoi cells; nil: classic densities alone
	Cutoff float64      // of Voronoi cells, as in Voronoi. Unit: m
	Gates  []Gate
	Areas  []Area
	Exits  []Exit // agents leave at the nearest
	// Every is the time between samples of areas: of the first frame at or after it; 0: each frame.
	// Unit: s.
	Every float64
}

// Results are the measures of a study. Lists are in the order of the study, or of time. An agent has
// left where frames go on without it, with the time of the last frame that has it.
type Results struct {
	From, To   float64 // times of the first and the last frame. Unit: s
	Agents     int
	Evacuation []Count // how many had not left
	Groups     []GroupResult
	Exits      []ExitResult
	Gates      []GateResult
	Areas      []AreaResult
}

// Count is a number of agents from a time on.
type Count struct {
	Time   float64 // s
	Agents int
}

// GroupResult is what one group of agents did.
type GroupResult struct {
	Group     string
	Agents    int
	Left      Leaving
	MeanTime  float64 // from the first to the last frame of agents that left. Unit: s
	MeanSpeed float64 // m/s, over all agents and frames
}

// ExitResult is what left at an exit.
type ExitResult struct {
	Exit
	Left Leaving
}

// Leaving is how many agents left, and when.
type Leaving struct {
	Agents      int
	First, Last float64 // s; 0 if none left
}

func (l *Leaving) add(time float64) {
	if l.Agents == 0 || time < l.First {
		l.First = time
	}
	l.Last = max(l.Last, time)
	l.Agents++
}

// GateResult is what passed a gate.
type GateResult struct {
	Gate
	Crossings []Crossing
	Left      int     // of them, to the left of A to B
	Flow      float64 // as of Flow, both directions together; 0 where it is not defined. Unit: 1/s
	Specific  float64 // flow per meter of the gate. Unit: 1/(m s)
}

// AreaResult is density and speed in an area over time.
type AreaResult struct {
	Area
	Classic, Voronoi []TimedSample // Voronoi is empty where the study has no ground
}

// TimedSample is a sample with its time.
type TimedSample struct {
	Time float64 // s
	Sample
}

// Measure takes the measures of a recording.
func (s Study) Measure(r Recording) Results {
	if s.Groups == nil {
		s.Groups = r.Groups
	}
	m := NewMeter(s)
	for _, f := range r.Frames {
		m.Add(f)
	}
	return m.Results()
}

// Meter takes the measures of a study frame by frame. It keeps what agents did, not where they were:
// memory goes with the number of agents and of samples.
type Meter struct {
	study    Study
	started  bool
	from, to float64
	due      float64 // the next sample of areas
	stays    map[int]*stay
	speeds   map[int]*speed // by group
	counters []Counter      // by gate
	areas    []AreaResult
}

// stay is when an agent was there, and where it was last.
type stay struct {
	first, last float64
	group       int
	at          mgl64.Vec2
}

// speed is a sum of speeds, of so many agents in frames.
type speed struct {
	sum    float64
	frames int
}

// NewMeter begins a study.
func NewMeter(s Study) *Meter {
	m := &Meter{study: s, due: math.Inf(-1), stays: map[int]*stay{}, speeds: map[int]*speed{}}
	for _, g := range s.Gates {
		m.counters = append(m.counters, Counter{Door: g.Door})
	}
	for _, a := range s.Areas {
		m.areas = append(m.areas, AreaResult{Area: a})
	}
	return m
}

// Add takes the next frame.
func (m *Meter) Add(f Frame) {
	if !m.started {
		m.started, m.from = true, f.Time
	}
	m.to = f.Time
	for _, w := range f.Walkers {
		s := m.stays[w.ID]
		if s == nil {
			s = &stay{first: f.Time, group: w.Group}
			m.stays[w.ID] = s
		}
		s.last, s.at = f.Time, w.At
		v := m.speeds[s.group]
		if v == nil {
			v = &speed{}
			m.speeds[s.group] = v
		}
		v.sum += w.Velocity.Len()
		v.frames++
	}
	for i := range m.counters {
		m.counters[i].Add(f)
	}
	// A part in 10^9 is more than sums of a time step are off.
	if len(m.areas) > 0 && f.Time >= m.due-1e-9*math.Abs(m.due) {
		m.due = f.Time + m.study.Every
		m.sample(f)
	}
}

func (m *Meter) sample(f Frame) {
	var cells []Cell
	if m.study.Ground != nil {
		cells = Voronoi(f, m.study.Ground, m.study.Cutoff)
	}
	for i := range m.areas {
		a := &m.areas[i]
		a.Classic = append(a.Classic, TimedSample{f.Time, Classic(f, a.Shape)})
		if m.study.Ground != nil {
			a.Voronoi = append(a.Voronoi, TimedSample{f.Time, VoronoiIn(cells, a.Shape)})
		}
	}
}

// Results returns the measures so far.
func (m *Meter) Results() Results {
	out := Results{From: m.from, To: m.to, Agents: len(m.stays), Areas: slices.Clone(m.areas)}
	m.leaving(&out)
	for i, g := range m.study.Gates {
		result := GateResult{Gate: g, Crossings: slices.Clone(m.counters[i].Crossings)}
		for _, c := range result.Crossings {
			if c.Left {
				result.Left++
			}
		}
		if flow, ok := Flow(result.Crossings); ok {
			result.Flow, result.Specific = flow, flow/g.B.Sub(g.A).Len()
		}
		out.Gates = append(out.Gates, result)
	}
	return out
}

// leaving makes the results of groups, exits and the evacuation.
func (m *Meter) leaving(out *Results) {
	if !m.started {
		return
	}
	groups := map[int]*GroupResult{}
	for _, index := range sortedKeys(m.speeds) {
		v := m.speeds[index]
		g := &GroupResult{MeanSpeed: v.sum / float64(v.frames)}
		if index < len(m.study.Groups) {
			g.Group = m.study.Groups[index]
		}
		groups[index] = g
	}
	for _, e := range m.study.Exits {
		out.Exits = append(out.Exits, ExitResult{Exit: e})
	}
	var times []float64
	for _, id := range sortedKeys(m.stays) {
		s := m.stays[id]
		g := groups[s.group]
		g.Agents++
		if s.last == m.to {
			continue
		}
		times = append(times, s.last)
		g.Left.add(s.last)
		g.MeanTime += s.last - s.first
		nearest, distance := -1, math.Inf(1)
		for i, e := range m.study.Exits {
			if d := e.distance(s.at); d < distance {
				nearest, distance = i, d
			}
		}
		if nearest >= 0 {
			out.Exits[nearest].Left.add(s.last)
		}
	}
	for _, index := range sortedKeys(groups) {
		g := groups[index]
		g.MeanTime /= float64(max(1, g.Left.Agents))
		out.Groups = append(out.Groups, *g)
	}
	slices.Sort(times)
	out.Evacuation = []Count{{out.From, out.Agents}}
	for k, at := range times {
		if k+1 == len(times) || times[k+1] != at {
			out.Evacuation = append(out.Evacuation, Count{at, out.Agents - k - 1})
		}
	}
}

// Classic returns the agents in a convex area per square meter, and their mean speed; the zero
// Sample where it holds no agent. An agent on the border counts.
func Classic(f Frame, area Convex) Sample {
	n, speed := 0.0, 0.0
	for _, w := range f.Walkers {
		inside := true
		for i, p := range area {
			inside = inside && cross(area[(i+1)%len(area)].Sub(p), w.At.Sub(p)) >= 0
		}
		if inside {
			n++
			speed += w.Velocity.Len()
		}
	}
	if n == 0 {
		return Sample{}
	}
	return Sample{n / area.Area(), speed / n}
}

// Velocities fills in velocities from places: the way from the frame so many frames before to that
// as many after, over its time; at the ends of an agent's stay over what there is. The velocity of
// an agent that is in one frame only stays as it is.
func Velocities(frames []Frame, around int) {
	type moment struct{ frame, walker int }
	tracks := map[int][]moment{}
	for k, f := range frames {
		for i, w := range f.Walkers {
			tracks[w.ID] = append(tracks[w.ID], moment{k, i})
		}
	}
	for _, track := range tracks {
		for j, m := range track {
			a, b := track[max(0, j-around)], track[min(len(track)-1, j+around)]
			w := &frames[m.frame].Walkers[m.walker]
			if time := frames[b.frame].Time - frames[a.frame].Time; time > 0 {
				w.Velocity = frames[b.frame].Walkers[b.walker].At.Sub(frames[a.frame].Walkers[a.walker].At).Mul(1 / time)
			}
		}
	}
}
