package measuring

import (
	"fmt"
	"io"
	"math"

	"github.com/wayfront/wayfront/agents/measure"
)

// Report is the results of a study as JSON. Units are in the names: s, m, m/s, agents/m2, 1/s.
type Report struct {
	From       float64 `json:"from_s"`
	To         float64 `json:"to_s"`
	Agents     int     `json:"agents"`
	Evacuation []Count `json:"evacuation"` // how many had not left
	Groups     []Group `json:"groups"`
	Exits      []Exit  `json:"exits"`
	Gates      []Gate  `json:"gates"`
	Areas      []Area  `json:"areas"`
}

// Count is a number of agents from a time on.
type Count struct {
	Time   float64 `json:"t_s"`
	Agents int     `json:"agents"`
}

// Leaving is how many agents left, and when; times are null where none did.
type Leaving struct {
	Left  int      `json:"left"`
	First *float64 `json:"first_left_s"`
	Last  *float64 `json:"last_left_s"`
}

// Group is what one group of agents did.
type Group struct {
	Group  string `json:"group"`
	Agents int    `json:"agents"`
	Leaving
	MeanTime  *float64 `json:"mean_time_s"`
	MeanSpeed float64  `json:"mean_speed_m_s"`
}

// Exit is what left at one source of a goal.
type Exit struct {
	Exit string `json:"exit"`
	Leaving
	Flow *float64 `json:"flow_1_s"` // between the first and the last; null for fewer than two
}

// Gate is what crossed a gate.
type Gate struct {
	Gate      string     `json:"gate"`
	From      [2]float64 `json:"from"`
	To        [2]float64 `json:"to"`
	Crossings int        `json:"crossings"`
	ToLeft    int        `json:"to_left"`
	Flow      *float64   `json:"flow_1_s"`
	Specific  *float64   `json:"specific_flow_1_m_s"`
	Times     []Crossing `json:"times"`
}

// Crossing is one agent that crossed a gate.
type Crossing struct {
	Time   float64 `json:"t_s"`
	Agent  int     `json:"agent"`
	ToLeft bool    `json:"to_left"`
}

// Area is density and speed in an area.
type Area struct {
	Area        string   `json:"area"`
	Samples     []Sample `json:"samples"`
	Fundamental []Bin    `json:"fundamental"` // of Voronoi cells where there are any
}

// Sample is density and speed at a time. Speeds are null where no agent is in the area, those of
// Voronoi cells also without a scene.
type Sample struct {
	Time           float64  `json:"t_s"`
	Density        float64  `json:"density_1_m2"`
	Speed          *float64 `json:"speed_m_s"`
	VoronoiDensity *float64 `json:"voronoi_density_1_m2"`
	VoronoiSpeed   *float64 `json:"voronoi_speed_m_s"`
}

// Bin is the mean speed of samples of about one density.
type Bin struct {
	Density float64 `json:"density_1_m2"`
	Speed   float64 `json:"speed_m_s"`
	// Weidmann is the speed of the curve of Weidmann (1993) at that density, for a free speed of
	// 1.34 m/s.
	Weidmann float64 `json:"weidmann_m_s"`
}

// binWidth is the step of densities in the fundamental diagram. Unit: agents/m2.
const binWidth = 0.25

// weidmannFree is the mean free speed of pedestrians. Source: Weidmann (1993). Unit: m/s.
const weidmannFree = 1.34

func leaving(l measure.Leaving) Leaving {
	if l.Agents == 0 {
		return Leaving{}
	}
	return Leaving{l.Agents, &l.First, &l.Last}
}

// ReportOf returns the results as JSON has them.
func ReportOf(r measure.Results) Report {
	out := Report{
		From: r.From, To: r.To, Agents: r.Agents,
		Evacuation: []Count{}, Groups: []Group{}, Exits: []Exit{}, Gates: []Gate{}, Areas: []Area{},
	}
	for _, c := range r.Evacuation {
		out.Evacuation = append(out.Evacuation, Count(c))
	}
	for _, g := range r.Groups {
		group := Group{Group: g.Group, Agents: g.Agents, Leaving: leaving(g.Left), MeanSpeed: g.MeanSpeed}
		if g.Left.Agents > 0 {
			group.MeanTime = &g.MeanTime
		}
		out.Groups = append(out.Groups, group)
	}
	for _, e := range r.Exits {
		exit := Exit{Exit: e.Name, Leaving: leaving(e.Left)}
		if l := e.Left; l.Agents > 1 && l.Last > l.First {
			flow := float64(l.Agents-1) / (l.Last - l.First)
			exit.Flow = &flow
		}
		out.Exits = append(out.Exits, exit)
	}
	for _, g := range r.Gates {
		gate := Gate{Gate: g.Name, From: g.A, To: g.B, Crossings: len(g.Crossings), ToLeft: g.Left, Times: []Crossing{}}
		if g.Flow > 0 {
			gate.Flow, gate.Specific = &g.Flow, &g.Specific
		}
		for _, c := range g.Crossings {
			gate.Times = append(gate.Times, Crossing{c.Time, c.ID, c.Left})
		}
		out.Gates = append(out.Gates, gate)
	}
	for _, a := range r.Areas {
		out.Areas = append(out.Areas, areaOf(a))
	}
	return out
}

func areaOf(a measure.AreaResult) Area {
	area := Area{Area: a.Name, Samples: []Sample{}, Fundamental: []Bin{}}
	speed := func(s measure.Sample) *float64 {
		if s.Density == 0 {
			return nil
		}
		return &s.Speed
	}
	var all []measure.Sample
	for i, classic := range a.Classic {
		s := Sample{Time: classic.Time, Density: classic.Density, Speed: speed(classic.Sample)}
		sample := classic.Sample
		if len(a.Voronoi) > 0 {
			sample = a.Voronoi[i].Sample
			s.VoronoiDensity, s.VoronoiSpeed = &sample.Density, speed(sample)
		}
		area.Samples = append(area.Samples, s)
		if sample.Density > 0 {
			all = append(all, sample)
		}
	}
	for _, s := range measure.Fundamental(all, binWidth, 1) {
		area.Fundamental = append(area.Fundamental, Bin{s.Density, s.Speed, measure.Weidmann(weidmannFree, s.Density)})
	}
	return area
}

// Print prints what the report says in short.
func (r Report) Print(w io.Writer) {
	fmt.Fprintf(w, "%d agents from %.4g s to %.4g s\n", r.Agents, r.From, r.To)
	left := func(l Leaving) string {
		if l.Left == 0 {
			return "none left"
		}
		return fmt.Sprintf("%d left, from %.4g s to %.4g s", l.Left, *l.First, *l.Last)
	}
	for _, g := range r.Groups {
		name := "all"
		if g.Group != "" {
			name = "group " + g.Group
		}
		fmt.Fprintf(w, "%s: %d agents, %s, mean speed %.3g m/s\n", name, g.Agents, left(g.Leaving), g.MeanSpeed)
	}
	for _, e := range r.Exits {
		fmt.Fprintf(w, "exit %s: %s%s\n", e.Exit, left(e.Leaving), figure(", %.3g/s", e.Flow))
	}
	for _, g := range r.Gates {
		fmt.Fprintf(w, "gate %s: %d crossings, %d of them to the left%s%s\n", g.Gate, g.Crossings, g.ToLeft,
			figure(", %.3g/s", g.Flow), figure(", %.3g/(m s)", g.Specific))
	}
	for _, a := range r.Areas {
		density, speed, n := 0.0, 0.0, 0.0
		most := 0.0
		for _, s := range a.Samples {
			d, v := s.Density, s.Speed
			if s.VoronoiDensity != nil {
				d, v = *s.VoronoiDensity, s.VoronoiSpeed
			}
			most = math.Max(most, d)
			if v != nil {
				density, speed, n = density+d, speed+*v, n+1
			}
		}
		if n == 0 {
			fmt.Fprintf(w, "area %s: no agent\n", a.Area)
			continue
		}
		fmt.Fprintf(w, "area %s: %.3g agents/m2 at %.3g m/s while agents are in it, at most %.3g agents/m2\n", a.Area, density/n, speed/n, most)
	}
}

func figure(format string, v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, *v)
}
