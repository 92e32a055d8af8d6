package measure

import (
	"maps"
	"math"
	"slices"
	"sort"

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
// memory goes with the number of agents, of frames and of samples.
type Meter struct {
	study    Study
	frames   []frameSum
	due      float64 // the next sample of areas
	stays    map[int]stay
	speeds   []speedSum // of all frames
	counters []Counter  // by gate
	areas    []AreaResult
}

// stay is when an agent was there, and where it was last.
type stay struct {
	first, last float64
	group       int
	at          mgl64.Vec2
}

// frameSum is a frame that was added.
type frameSum struct {
	time  float64
	first int // of its sums of speeds
}

// speedSum is the sum of the speeds of a group's agents in a frame.
type speedSum struct {
	group, agents int32 // there is one for each group and frame
	sum           float64
}

// NewMeter begins a study.
func NewMeter(s Study) *Meter {
	m := &Meter{due: math.Inf(-1), stays: map[int]stay{}}
	m.Change(s)
	return m
}

// Change goes on with another study. Gates and areas of both keep what was measured of them.
func (m *Meter) Change(s Study) {
	counters, areas := m.counters, m.areas
	m.counters, m.areas = nil, nil
	for _, g := range s.Gates {
		c := Counter{Door: g.Door}
		if i := slices.Index(m.study.Gates, g); i >= 0 {
			c = counters[i]
		}
		m.counters = append(m.counters, c)
	}
	for _, a := range s.Areas {
		r := AreaResult{Area: a}
		same := func(b AreaResult) bool { return b.Name == a.Name && slices.Equal(b.Shape, a.Shape) }
		if i := slices.IndexFunc(areas, same); i >= 0 {
			r = areas[i]
		}
		m.areas = append(m.areas, r)
	}
	m.study = s
}

// Clone returns a meter with the same measures. Frames that are added to one are not to the other.
func (m *Meter) Clone() *Meter {
	c := *m
	c.stays = maps.Clone(m.stays)
	c.frames, c.speeds = slices.Clip(m.frames), slices.Clip(m.speeds)
	c.counters, c.areas = slices.Clone(m.counters), slices.Clone(m.areas)
	for i := range c.counters {
		k := &c.counters[i]
		k.walkers, k.spare, k.Crossings = maps.Clone(k.walkers), nil, slices.Clip(k.Crossings)
	}
	for i := range c.areas {
		a := &c.areas[i]
		a.Classic, a.Voronoi = slices.Clip(a.Classic), slices.Clip(a.Voronoi)
	}
	return &c
}

// Add takes the next frame. It keeps nothing of it.
func (m *Meter) Add(f Frame) {
	first := len(m.speeds)
	m.frames = append(m.frames, frameSum{f.Time, first})
	for _, w := range f.Walkers {
		s, known := m.stays[w.ID]
		if !known {
			s = stay{first: f.Time, group: w.Group}
		}
		s.last, s.at = f.Time, w.At
		m.stays[w.ID] = s
		i := first
		for i < len(m.speeds) && m.speeds[i].group != int32(s.group) {
			i++
		}
		if i == len(m.speeds) {
			m.speeds = append(m.speeds, speedSum{group: int32(s.group)})
		}
		m.speeds[i].agents++
		m.speeds[i].sum += w.Velocity.Len()
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

// Crossings returns the crossings of a gate so far, by its index in the study. It is the meter's own.
func (m *Meter) Crossings(gate int) []Crossing { return m.counters[gate].Crossings }

// Moment is how many agents were there in a frame, and how fast.
type Moment struct {
	Time   float64 // s
	Agents int
	Speed  float64 // the mean, m/s; 0 without agents
}

// Moments returns those of the frames from one time to another. Unit: s.
func (m *Meter) Moments(from, to float64) []Moment {
	i, j := m.within(from, to)
	all := make([]Moment, 0, j-i)
	for ; i < j; i++ {
		at := Moment{Time: m.frames[i].time}
		for _, s := range m.speedsOf(i, i+1) {
			at.Agents += int(s.agents)
			at.Speed += s.sum
		}
		at.Speed /= float64(max(1, at.Agents))
		all = append(all, at)
	}
	return all
}

// within returns the first of the frames from one time to another, and one more than the last.
func (m *Meter) within(from, to float64) (i, j int) {
	i = sort.Search(len(m.frames), func(i int) bool { return m.frames[i].time >= from })
	j = sort.Search(len(m.frames), func(i int) bool { return m.frames[i].time > to })
	return i, max(i, j)
}

// speedsOf returns the sums of speeds of frames i to j, without j.
func (m *Meter) speedsOf(i, j int) []speedSum {
	end := len(m.speeds)
	if j < len(m.frames) {
		end = m.frames[j].first
	}
	if i == j {
		return nil
	}
	return m.speeds[m.frames[i].first:end]
}

// Results returns the measures so far.
func (m *Meter) Results() Results { return m.Within(math.Inf(-1), math.Inf(1)) }

// Within returns the measures that the frames from one time to another would give alone, where both
// are times of samples. Unit: s.
func (m *Meter) Within(from, to float64) Results {
	var out Results
	i, j := m.within(from, to)
	if i < j {
		out.From, out.To = m.frames[i].time, m.frames[j-1].time
		m.leaving(&out, m.speedsOf(i, j))
	}
	in := func(time float64) bool { return i < j && time >= out.From && time <= out.To }
	for k, g := range m.study.Gates {
		result := GateResult{Gate: g}
		for _, c := range m.counters[k].Crossings {
			if !in(c.Time) {
				continue
			}
			if result.Crossings = append(result.Crossings, c); c.Left {
				result.Left++
			}
		}
		if flow, ok := Flow(result.Crossings); ok {
			result.Flow, result.Specific = flow, flow/g.B.Sub(g.A).Len()
		}
		out.Gates = append(out.Gates, result)
	}
	outside := func(s TimedSample) bool { return !in(s.Time) }
	for _, a := range m.areas {
		a.Classic, a.Voronoi = slices.DeleteFunc(slices.Clone(a.Classic), outside), slices.DeleteFunc(slices.Clone(a.Voronoi), outside)
		out.Areas = append(out.Areas, a)
	}
	return out
}

// Arrivals returns when agents left at each exit, in order of time, from one time to another. Unit: s.
func (m *Meter) Arrivals(from, to float64) [][]float64 {
	all := make([][]float64, len(m.study.Exits))
	i, j := m.within(from, to)
	if i == j {
		return all
	}
	from, to = m.frames[i].time, m.frames[j-1].time
	for _, s := range m.stays {
		if k := m.exit(s.at); k >= 0 && s.last >= from && s.last < to {
			all[k] = append(all[k], s.last)
		}
	}
	for _, times := range all {
		slices.Sort(times)
	}
	return all
}

// exit returns the exit that is the nearest to a place; -1: there is none.
func (m *Meter) exit(p mgl64.Vec2) int {
	nearest, distance := -1, math.Inf(1)
	for i, e := range m.study.Exits {
		if d := e.distance(p); d < distance {
			nearest, distance = i, d
		}
	}
	return nearest
}

// leaving makes the results of groups, exits and the evacuation, of agents that were there between
// the times of the results.
func (m *Meter) leaving(out *Results, speeds []speedSum) {
	groups := map[int]*GroupResult{}
	frames := map[int]int{}
	for _, v := range speeds {
		group := int(v.group)
		g := groups[group]
		if g == nil {
			g = &GroupResult{}
			if group < len(m.study.Groups) {
				g.Group = m.study.Groups[group]
			}
			groups[group] = g
		}
		g.MeanSpeed += v.sum
		frames[group] += int(v.agents)
	}
	for _, e := range m.study.Exits {
		out.Exits = append(out.Exits, ExitResult{Exit: e})
	}
	var times []float64
	for _, id := range sortedKeys(m.stays) {
		s := m.stays[id]
		g := groups[s.group]
		if s.first > out.To || s.last < out.From || g == nil {
			continue
		}
		out.Agents++
		g.Agents++
		if s.last >= out.To {
			continue
		}
		times = append(times, s.last)
		g.Left.add(s.last)
		g.MeanTime += s.last - max(s.first, out.From)
		if i := m.exit(s.at); i >= 0 {
			out.Exits[i].Left.add(s.last)
		}
	}
	for _, index := range sortedKeys(groups) {
		g := groups[index]
		g.MeanSpeed /= float64(frames[index])
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
