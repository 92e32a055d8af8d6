package report

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/chart"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// moments describes a sheet of the moments that show a measure best, by each method.
type moments struct {
	title   string // with the case
	measure string
	legend  []chart.Key
	color   func(at, velocity mgl64.Vec2) int // of an agent, an index of the legend
	caption string                            // with the value
	value   func(Result) float64
}

// gray is the color of agents without a direction.
var gray color.Color = chart.RGB(0xB9B6AE)

var walkways = moments{
	title: "Two streams on the walkway of %s, when lanes are at their clearest", measure: "lanes",
	legend: []chart.Key{{Color: chart.Blue, Text: "walks to the east"}, {Color: chart.Vermillion, Text: "walks to the west"}},
	color: func(_, v mgl64.Vec2) int {
		if v[0] < 0 {
			return 1
		}
		return 0
	},
	caption: "order %.2f",
	value: func(r Result) (order float64) { // at the time nearest to the moment
		near := math.Inf(1)
		for _, p := range r.Curves["lanes"] {
			if d := math.Abs(p[0] - r.Still.Time); d < near {
				near, order = d, p[1]
			}
		}
		return order
	},
}

var exits = moments{
	title: "The western exit of %s, when most people stand before it", measure: "arch_shape",
	legend: []chart.Key{
		{Color: chart.RGB(0x3B0F70), Text: "slower than 0.25 m/s"},
		{Color: chart.RGB(0x8C2981), Text: "than 0.5 m/s"},
		{Color: chart.RGB(0xDE4968), Text: "than 1 m/s"},
		{Color: chart.RGB(0xFE9F6D), Text: "faster"},
	},
	color: func(_, v mgl64.Vec2) int {
		color := 0
		for _, limit := range []float64{0.25, 0.5, 1} {
			if v.Len() >= limit {
				color++
			}
		}
		return color
	},
	caption: "mean shape %.2f",
	value:   func(r Result) float64 { return r.Measures["arch_shape"] },
}

var middles = moments{
	title: "The middle of %s, when it turns most", measure: "swirl_greatest",
	legend: []chart.Key{
		{Color: chart.Blue, Text: "turns counter-clockwise"},
		{Color: chart.Vermillion, Text: "turns clockwise"},
		{Color: gray, Text: "walks straight in or out, or stands"},
	},
	color: func(at, v mgl64.Vec2) int {
		// A third is 20 degrees off the line through the middle.
		turning, most := at[0]*v[1]-at[1]*v[0], at.Len()*v.Len()
		switch {
		case v.Len() < 0.1 || math.Abs(turning) < most/3:
			return 2
		case turning > 0:
			return 0
		}
		return 1
	},
	caption: "swirl %.2f",
	value:   func(r Result) float64 { return r.Measures["swirl_greatest"] },
}

// of draws the largest case with the measure.
func (m moments) of(r Report) *chart.Sheet {
	row := largest(r, func(r Result) bool { _, ok := r.Measures[m.measure]; return ok && r.Still != nil })
	s := &chart.Sheet{Title: fmt.Sprintf(m.title, row.Name), Legend: m.legend}
	scene, err := builtin.Load(row.Name)
	if err != nil {
		return s // none, or a file's, which is not there any more
	}
	for _, method := range methods {
		run := row.By[method.Text]
		if run == nil {
			continue
		}
		time := strings.TrimSuffix(fmt.Sprintf("%.1f", run.Still.Time), ".0")
		p := chart.Panel{
			Caption: fmt.Sprintf("%s after %s s: "+m.caption, run.Method, time, m.value(*run)),
			View:    run.Still.View,
			Radius:  scene.Profiles[0].Radius.Mean,
		}
		for _, o := range scene.Obstacles {
			p.Walls = append(p.Walls, o.PolygonAt(run.Still.Time))
		}
		for _, a := range run.Still.People {
			p.Agents = append(p.Agents, chart.Agent{At: a.At, Velocity: a.Velocity, Color: m.color(a.At, a.Velocity)})
		}
		s.Panels = append(s.Panels, p)
	}
	return s
}
