package bench

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes"
)

// observer measures a crowd as a whole, from frames in order.
type observer interface {
	see(f measure.Frame)
	report(to *behaviour)
}

// behaviour is what observers report.
type behaviour struct {
	// Measures by name.
	Measures map[string]float64 `json:"measures,omitempty"`
	// Curves by name: x and y of their points.
	Curves map[string][][2]float64 `json:"curves,omitempty"`
	// The moment that shows the measure best.
	Still *still `json:"still,omitempty"`
}

// still is a moment of a crowd in a view.
type still struct {
	Time   float64       `json:"time"`
	View   [4]float64    `json:"view"` // x0, y0, x1, y1
	People []agentSample `json:"people"`
}

// agentSample is the place and the velocity of an agent, a line of four numbers in reports.
type agentSample struct{ at, velocity mgl64.Vec2 }

func (g agentSample) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%.2f %.2f %.2f %.2f", g.at[0], g.at[1], g.velocity[0], g.velocity[1]), nil
}

func (g *agentSample) UnmarshalText(text []byte) error {
	_, err := fmt.Sscan(string(text), &g.at[0], &g.at[1], &g.velocity[0], &g.velocity[1])
	return err
}

// stillOf returns the part of a frame in a view.
func stillOf(f measure.Frame, view measure.Rect) *still {
	s := still{Time: f.Time, View: [4]float64{view.Low[0], view.Low[1], view.High[0], view.High[1]}}
	for _, p := range f.In(view).Walkers {
		s.People = append(s.People, agentSample{p.At, p.Velocity})
	}
	return &s
}

func (b *behaviour) add(name string, v float64) {
	if b.Measures == nil {
		b.Measures = map[string]float64{}
	}
	b.Measures[name] = v
}

// curvePoints is the limit of points in a reported curve.
const curvePoints = 200

// curve adds a curve. One of too many points is averaged over equal numbers of them.
func (b *behaviour) curve(name string, points [][2]float64) {
	if b.Curves == nil {
		b.Curves = map[string][][2]float64{}
	}
	each := (len(points) + curvePoints - 1) / curvePoints
	var told [][2]float64
	for i := 0; i+each <= len(points) && each > 0; i += each {
		var sum [2]float64
		for _, p := range points[i : i+each] {
			sum[0], sum[1] = sum[0]+p[0], sum[1]+p[1]
		}
		told = append(told, [2]float64{sum[0] / float64(each), sum[1] / float64(each)})
	}
	b.Curves[name] = told
}

// meanOf returns the mean of a curve.
func meanOf(curve [][2]float64) float64 {
	sum := 0.0
	for _, p := range curve {
		sum += p[1]
	}
	return sum / float64(len(curve))
}

// observersOf returns the observers of a scene, by its family.
func observersOf(s *scenes.Scene) []observer {
	family := familyOf(s.Name)
	if family == "" {
		family = s.Name
	}
	switch family {
	case "circle":
		return []observer{&swirlObserver{within: s.Groups[0].Spawn.Ring.Radius / 4}}
	case "crosswalk":
		return []observer{newLaneObserver(s)}
	case "evac", "evacuation":
		return []observer{&jamObserver{}, &densityObserver{}}
	}
	return nil
}

// swirlObserver observes the middle of a circle.
type swirlObserver struct {
	within   float64
	curve    [][2]float64
	most     int // people in the middle at once
	greatest float64
	still    *still // where it is greatest
}

func (w *swirlObserver) see(f measure.Frame) {
	middle := 0
	for _, p := range f.Walkers {
		if p.At.Len() <= w.within {
			middle++
		}
	}
	w.most = max(w.most, middle)
	// Fewer are no swirl.
	if middle < 10 {
		return
	}
	swirl := measure.Swirl(f, mgl64.Vec2{}, w.within)
	w.curve = append(w.curve, [2]float64{f.Time, swirl})
	if math.Abs(swirl) > math.Abs(w.greatest) {
		w.greatest = swirl
		half := 0.65 * w.within // where the jam is
		w.still = stillOf(f, measure.Rect{Low: mgl64.Vec2{-half, -half}, High: mgl64.Vec2{half, half}})
	}
}

func (w *swirlObserver) report(to *behaviour) {
	if len(w.curve) > 0 {
		to.add("swirl", meanOf(w.curve))
		to.add("swirl_greatest", w.greatest)
	}
	to.Still = w.still
	to.add("most_in_the_middle", float64(w.most))
	to.curve("swirl", w.curve)
}

// laneWidth is the width of strips in the measure of lanes: an agent and a gap. Unit: m.
const laneWidth = 0.7

// laneObserver observes the middle third of a walkway along x, where both streams mix.
type laneObserver struct {
	middle, walkway measure.Rect
	curve           [][2]float64
	greatest        float64
	telling         float64 // order times people against the stream, where that is greatest
	still           *still  // there
}

// newLaneObserver observes the walkway between the scene's first two obstacles.
func newLaneObserver(s *scenes.Scene) *laneObserver {
	south, north := *s.Obstacles[0].Rect, *s.Obstacles[1].Rect
	third := (south[2] - south[0]) / 3
	return &laneObserver{
		middle:  measure.Rect{Low: mgl64.Vec2{south[0] + third, south[3]}, High: mgl64.Vec2{south[2] - third, north[1]}},
		walkway: measure.Rect{Low: mgl64.Vec2{south[0] - 3, south[3] - 1}, High: mgl64.Vec2{south[2] + 3, north[1] + 1}},
	}
}

func (w *laneObserver) see(f measure.Frame) {
	on := f.In(w.middle)
	var ways [2]int
	for _, p := range on.Walkers {
		if p.Velocity[0] > 0 {
			ways[0]++
		} else if p.Velocity[0] < 0 {
			ways[1]++
		}
	}
	// Fewer form no lanes.
	if min(ways[0], ways[1]) < 10 {
		return
	}
	order := measure.Lanes(on, mgl64.Vec2{1, 0}, laneWidth)
	w.curve = append(w.curve, [2]float64{f.Time, order})
	w.greatest = max(w.greatest, order)
	// Order among few agents shows less than some order among many.
	if telling := order * float64(min(ways[0], ways[1])); w.still == nil || telling > w.telling {
		w.telling, w.still = telling, stillOf(f, w.walkway)
	}
}

func (w *laneObserver) report(to *behaviour) {
	to.curve("lanes", w.curve)
	if len(w.curve) > 0 {
		to.add("lanes", meanOf(w.curve))
		to.add("lanes_greatest", w.greatest)
	}
	to.Still = w.still
}

// officeDoors are the exits of the office floor, with the rooms on the left.
var officeDoors = []measure.Door{
	{A: mgl64.Vec2{0, 47.5}, B: mgl64.Vec2{0, 42.5}},
	{A: mgl64.Vec2{140, 42.5}, B: mgl64.Vec2{140, 47.5}},
}

// jamView is the area of pictures of the first exit.
var jamView = measure.Rect{Low: mgl64.Vec2{-7, 29}, High: mgl64.Vec2{21, 61}}

// jamObserver observes jams at the exits of the office floor, and the flow through them.
type jamObserver struct {
	last      measure.Frame
	crossings [2][]measure.Crossing
	arches    []measure.Arch
	most      int    // people in the jam before the first door at once
	still     *still // then
}

// A jam is jamPeople agents slower than jamSlower within jamWithin of a door. Units: m, m/s.
const (
	jamWithin = 12.0
	jamSlower = 0.67
	jamPeople = 20
)

func (w *jamObserver) see(f measure.Frame) {
	for i, door := range officeDoors {
		w.crossings[i] = append(w.crossings[i], door.Crossings([]measure.Frame{w.last, f})...)
		along := door.B.Sub(door.A)
		a := measure.ArchAt(f, door.A.Add(door.B).Mul(0.5), mgl64.Vec2{-along[1], along[0]}, jamWithin, jamSlower)
		if a.People < jamPeople {
			continue
		}
		w.arches = append(w.arches, a)
		if i == 0 && a.People > w.most {
			w.most, w.still = a.People, stillOf(f, jamView)
		}
	}
	w.last = f
}

func (w *jamObserver) report(to *behaviour) {
	to.Still = w.still
	var sum measure.Arch
	for _, a := range w.arches {
		sum.People, sum.Radius, sum.Shape, sum.Density = sum.People+a.People, sum.Radius+a.Radius, sum.Shape+a.Shape, sum.Density+a.Density
	}
	if n := float64(len(w.arches)); n > 0 {
		to.add("arch_people", float64(sum.People)/n)
		to.add("arch_radius", sum.Radius/n)
		to.add("arch_shape", sum.Shape/n)
		to.add("arch_density", sum.Density/n)
	}
	flow, width := 0.0, 0.0
	for i, door := range officeDoors {
		if f, ok := measure.Flow(w.crossings[i]); ok {
			flow += f
			width += door.B.Sub(door.A).Len()
		}
	}
	if width > 0 {
		to.add("flow", flow/width)
	}
}

// densityObserver samples speed and density on the office floor.
type densityObserver struct{ samples []measure.Sample }

// square is the side of samples. Unit: m.
const square = 2.0

func (w *densityObserver) see(f measure.Frame) {
	w.samples = append(w.samples, measure.Squares(f, measure.Rect{High: mgl64.Vec2{140, 90}}, square)...)
}

// Width of the steps of density, and samples that a step needs. Unit: agents/m2.
const (
	densityStep    = 0.5
	densitySamples = 50
)

func (w *densityObserver) report(to *behaviour) {
	var curve [][2]float64
	off, n := 0.0, 0.0
	for _, s := range measure.Fundamental(w.samples, densityStep, densitySamples) {
		curve = append(curve, [2]float64{s.Density, s.Speed})
		off += math.Abs(s.Speed - measure.Weidmann(freeSpeed, s.Density))
		n++
	}
	to.curve("speed against density", curve)
	if n > 0 {
		to.add("weidmann_deviation", off/n)
	}
}

// freeSpeed is the mean preferred speed of the papers' scenes. Unit: m/s.
const freeSpeed = 1.34
