package report

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// Observations are what observers of a crowd report.
type Observations struct {
	Measures map[string]float64      `json:"measures,omitempty"`
	Curves   map[string][][2]float64 `json:"curves,omitempty"` // x and y of points
	Still    *Still                  `json:"still,omitempty"`  // the moment that shows the measure best
}

// Still is a moment of a crowd in a view.
type Still struct {
	Time   float64    `json:"time"`
	View   [4]float64 `json:"view"` // x0, y0, x1, y1
	People []Agent    `json:"people"`
}

// Agent is the place and the velocity of an agent, a line of four numbers in documents.
type Agent struct{ At, Velocity mgl64.Vec2 }

func (a Agent) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%.2f %.2f %.2f %.2f", a.At[0], a.At[1], a.Velocity[0], a.Velocity[1]), nil
}

func (a *Agent) UnmarshalText(text []byte) error {
	_, err := fmt.Sscan(string(text), &a.At[0], &a.At[1], &a.Velocity[0], &a.Velocity[1])
	return err
}

// Set sets a measure.
func (o *Observations) Set(name string, v float64) {
	if o.Measures == nil {
		o.Measures = map[string]float64{}
	}
	o.Measures[name] = v
}

// curvePoints is the limit of points in a reported curve.
const curvePoints = 200

// SetCurve sets a curve. One of too many points is averaged over equal numbers of them.
func (o *Observations) SetCurve(name string, points [][2]float64) {
	if o.Curves == nil {
		o.Curves = map[string][][2]float64{}
	}
	each := max(1, (len(points)+curvePoints-1)/curvePoints)
	var means [][2]float64
	for ; len(points) >= each; points = points[each:] {
		means = append(means, Mean(points[:each]))
	}
	o.Curves[name] = means
}

// Mean returns the mean of points; NaN of none.
func Mean(points [][2]float64) (mean [2]float64) {
	for _, p := range points {
		mean[0], mean[1] = mean[0]+p[0], mean[1]+p[1]
	}
	n := float64(len(points))
	return [2]float64{mean[0] / n, mean[1] / n}
}
