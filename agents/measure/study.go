package measure

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom"
)

// Recording is what was seen of a crowd.
type Recording struct {
	Frames []Frame  // in order of time
	Groups []string // the names of groups, by Walker.Group; may be nil
}

// group returns the name of a group.
func (r Recording) group(index int) string {
	if index < len(r.Groups) {
		return r.Groups[index]
	}
	return ""
}

// Gate is a door with a name, to count who passes.
type Gate struct {
	Name string
	Door
}

// Area is a place with a name, to measure density and speed in.
type Area struct {
	Name  string
	Shape Convex
}

// Study says what to measure of a recording.
type Study struct {
	Ground *geom.Ground // free ground for Voronoi cells; nil: classic densities alone
	Cutoff float64      // of Voronoi cells, as in Voronoi. Unit: m
	Gates  []Gate
	Areas  []Area
	Every  float64 // seconds between samples of areas, of the first frame at or after; 0: each frame
}

// Results are the measures of a study. All lists are in the order of the study, or of time.
type Results struct {
	From, To   float64 // times of the first and the last frame. Unit: s
	Agents     int
	Evacuation []Count // how many are still to leave
	Groups     []GroupResult
	Gates      []GateResult
	Areas      []AreaResult
}

// Count is a number of agents from a time on.
type Count struct {
	Time   float64 // s
	Agents int
}

// GroupResult is what one group of agents did. An agent has left where the recording goes on
// without it.
type GroupResult struct {
	Group             string
	Agents, Left      int
	FirstOut, LastOut float64 // s; 0 if none left
	MeanTime          float64 // in the recording, of agents that left. Unit: s
	MeanSpeed         float64 // m/s, over all agents and frames
}

// GateResult is what passed a gate.
type GateResult struct {
	Gate
	Crossings []Crossing
	Left      int     // of them, to the left of A to B
	Flow      float64 // as of Flow, both ways together; 0 where it is not defined. Unit: 1/s
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
	var out Results
	if len(r.Frames) == 0 {
		return out
	}
	out.From, out.To = r.Frames[0].Time, r.Frames[len(r.Frames)-1].Time
	out.stays(r)
	for _, g := range s.Gates {
		out.Gates = append(out.Gates, g.measure(r.Frames))
	}
	for _, a := range s.Areas {
		out.Areas = append(out.Areas, AreaResult{Area: a})
	}
	if len(s.Areas) > 0 {
		s.sample(r.Frames, out.Areas)
	}
	return out
}

// stays measures how long agents are there, and how fast they are.
func (out *Results) stays(r Recording) {
	type stay struct{ first, last, group int }
	stays := map[int]stay{}
	type sum struct {
		GroupResult
		frames int
	}
	groups := map[int]*sum{}
	for k, f := range r.Frames {
		for _, w := range f.Walkers {
			s, known := stays[w.ID]
			if !known {
				s.first, s.group = k, w.Group
			}
			s.last = k
			stays[w.ID] = s
			g := groups[s.group]
			if g == nil {
				g = &sum{GroupResult: GroupResult{Group: r.group(s.group)}}
				groups[s.group] = g
			}
			if !known {
				g.Agents++
			}
			g.MeanSpeed += w.Velocity.Len()
			g.frames++
		}
	}
	out.Agents = len(stays)
	out.Evacuation = []Count{{out.From, out.Agents}}
	var leaving []float64
	for _, id := range sortedKeys(stays) {
		s := stays[id]
		if s.last == len(r.Frames)-1 {
			continue
		}
		g := groups[s.group]
		at := r.Frames[s.last].Time
		if g.Left == 0 || at < g.FirstOut {
			g.FirstOut = at
		}
		g.LastOut = max(g.LastOut, at)
		g.MeanTime += at - r.Frames[s.first].Time
		g.Left++
		leaving = append(leaving, at)
	}
	slices.Sort(leaving)
	for k, at := range leaving {
		count := Count{at, out.Agents - k - 1}
		if last := &out.Evacuation[len(out.Evacuation)-1]; last.Time == at {
			*last = count
		} else {
			out.Evacuation = append(out.Evacuation, count)
		}
	}
	for _, index := range sortedKeys(groups) {
		g := groups[index]
		g.MeanSpeed /= float64(g.frames)
		if g.Left > 0 {
			g.MeanTime /= float64(g.Left)
		}
		out.Groups = append(out.Groups, g.GroupResult)
	}
}

func (g Gate) measure(frames []Frame) GateResult {
	result := GateResult{Gate: g, Crossings: g.Crossings(frames)}
	for _, c := range result.Crossings {
		if c.Left {
			result.Left++
		}
	}
	if flow, ok := Flow(result.Crossings); ok {
		result.Flow, result.Specific = flow, flow/g.B.Sub(g.A).Len()
	}
	return result
}

// sample measures areas at times at least Every apart.
func (s Study) sample(frames []Frame, areas []AreaResult) {
	due := math.Inf(-1)
	for _, f := range frames {
		// A part in 10^9 is what sums of a time step round to.
		if f.Time < due-1e-9*math.Abs(due) {
			continue
		}
		due = f.Time + s.Every
		var cells []Cell
		if s.Ground != nil {
			cells = Voronoi(f, s.Ground, s.Cutoff)
		}
		for i := range areas {
			a := &areas[i]
			a.Classic = append(a.Classic, TimedSample{f.Time, Classic(f, a.Shape)})
			if s.Ground != nil {
				a.Voronoi = append(a.Voronoi, TimedSample{f.Time, VoronoiIn(cells, a.Shape)})
			}
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
