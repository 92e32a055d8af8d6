package bench

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/scenes"
)

// observer measures a crowd as a whole, from frames in order.
type observer interface {
	see(f measure.Frame)
	report(to *report.Observations)
}

// observersOf returns the observers of a scene, by its family.
func observersOf(s *scenes.Scene) []observer {
	switch cmp.Or(report.Family(s.Name), s.Name) {
	case "circle":
		return []observer{&swirlObserver{within: s.Groups[0].Spawn.Ring.Radius / 4}}
	case "crosswalk":
		return []observer{newLaneObserver(s)}
	case "evac", "evacuation":
		return []observer{newJamObserver(), &densityObserver{}}
	}
	return nil
}

// moment is the frame that shows a measure best.
type moment struct {
	clarity float64
	still   *report.Still // nil: none yet
}

// offer takes the part of a frame in a view if it is clearer.
func (m *moment) offer(clarity float64, f measure.Frame, view measure.Rect) {
	if m.still != nil && clarity <= m.clarity {
		return
	}
	*m = moment{clarity, &report.Still{Time: f.Time, View: [4]float64{view.Low[0], view.Low[1], view.High[0], view.High[1]}}}
	for _, p := range f.In(view).Walkers {
		m.still.People = append(m.still.People, report.Agent{At: p.At, Velocity: p.Velocity})
	}
}

// course is a measure against time.
type course [][2]float64

// report reports the curve, its mean, and its value of the greatest size.
func (c course) report(to *report.Observations, name string, size func(float64) float64) {
	to.SetCurve(name, c)
	if len(c) > 0 {
		to.Set(name, report.Mean(c)[1])
		greatest := slices.MaxFunc(c, func(a, b [2]float64) int { return cmp.Compare(size(a[1]), size(b[1])) })
		to.Set(name+"_greatest", greatest[1])
	}
}

// orderLeast is the number of agents below which neither swirls nor lanes form.
const orderLeast = 10

// swirlObserver observes the middle of a circle.
type swirlObserver struct {
	within float64
	most   int // agents in the middle at once
	course course
	moment moment
}

func (w *swirlObserver) see(f measure.Frame) {
	middle := 0
	for _, p := range f.Walkers {
		if p.At.Len() <= w.within {
			middle++
		}
	}
	w.most = max(w.most, middle)
	if middle < orderLeast {
		return
	}
	swirl := measure.Swirl(f, mgl64.Vec2{}, w.within)
	w.course = append(w.course, [2]float64{f.Time, swirl})
	half := 0.65 * w.within // where the jam is
	w.moment.offer(math.Abs(swirl), f, measure.Rect{Low: mgl64.Vec2{-half, -half}, High: mgl64.Vec2{half, half}})
}

func (w *swirlObserver) report(to *report.Observations) {
	w.course.report(to, "swirl", math.Abs)
	to.Set("most_in_the_middle", float64(w.most))
	to.Still = w.moment.still
}

// laneWidth is the width of strips in the measure of lanes: an agent and a gap. Unit: m.
const laneWidth = 0.7

// laneObserver observes the middle third of a walkway along x, where both streams mix.
type laneObserver struct {
	middle, walkway measure.Rect
	course          course
	moment          moment
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
	east, west := 0, 0
	for _, p := range on.Walkers {
		if p.Velocity[0] > 0 {
			east++
		} else if p.Velocity[0] < 0 {
			west++
		}
	}
	against := min(east, west)
	if against < orderLeast {
		return
	}
	order := measure.Lanes(on, mgl64.Vec2{1, 0}, laneWidth)
	w.course = append(w.course, [2]float64{f.Time, order})
	// Order among few agents shows less than some order among many.
	w.moment.offer(order*float64(against), f, w.walkway)
}

func (w *laneObserver) report(to *report.Observations) {
	w.course.report(to, "lanes", func(order float64) float64 { return order })
	to.Still = w.moment.still
}

// jamView is the area of pictures of the first exit.
var jamView = measure.Rect{Low: mgl64.Vec2{-7, 29}, High: mgl64.Vec2{21, 61}}

// jamObserver observes jams at the exits of the office floor, and the flow through them.
type jamObserver struct {
	doors  []measure.Counter
	sum    measure.Arch // of all arches
	arches float64
	moment moment // of most agents in the jam before the first door
}

// A jam is jamPeople agents slower than jamSlower within jamWithin of a door. Units: m, m/s.
const (
	jamWithin = 12.0
	jamSlower = 0.67
	jamPeople = 20
)

// newJamObserver observes the exits of the office floor, with the rooms on the left.
func newJamObserver() *jamObserver {
	return &jamObserver{doors: []measure.Counter{
		{Door: measure.Door{A: mgl64.Vec2{0, 47.5}, B: mgl64.Vec2{0, 42.5}}},
		{Door: measure.Door{A: mgl64.Vec2{140, 42.5}, B: mgl64.Vec2{140, 47.5}}},
	}}
}

func (w *jamObserver) see(f measure.Frame) {
	for i := range w.doors {
		door := &w.doors[i]
		door.Add(f)
		along := door.B.Sub(door.A)
		a := measure.ArchAt(f, door.A.Add(door.B).Mul(0.5), mgl64.Vec2{-along[1], along[0]}, jamWithin, jamSlower)
		if a.People < jamPeople {
			continue
		}
		s := &w.sum
		s.People, s.Radius, s.Shape, s.Density = s.People+a.People, s.Radius+a.Radius, s.Shape+a.Shape, s.Density+a.Density
		w.arches++
		if i == 0 {
			w.moment.offer(float64(a.People), f, jamView)
		}
	}
}

func (w *jamObserver) report(to *report.Observations) {
	to.Still = w.moment.still
	if w.arches > 0 {
		to.Set("arch_people", float64(w.sum.People)/w.arches)
		to.Set("arch_radius", w.sum.Radius/w.arches)
		to.Set("arch_shape", w.sum.Shape/w.arches)
		to.Set("arch_density", w.sum.Density/w.arches)
	}
	flow, width := 0.0, 0.0
	for _, door := range w.doors {
		if f, ok := measure.Flow(door.Crossings); ok {
			flow += f
			width += door.B.Sub(door.A).Len()
		}
	}
	if width > 0 {
		to.Set("flow", flow/width)
	}
}

// densityObserver samples speed and density on the office floor.
type densityObserver struct{ samples []measure.Sample }

// The side of samples, in m; the width of the steps of density, in agents/m2; and the samples that
// a step needs.
const (
	densitySquare  = 2.0
	densityStep    = 0.5
	densitySamples = 50
)

func (w *densityObserver) see(f measure.Frame) {
	floor := measure.Rect{High: mgl64.Vec2{140, 90}}
	w.samples = append(w.samples, measure.Squares(f, floor, densitySquare)...)
}

func (w *densityObserver) report(to *report.Observations) {
	var curve [][2]float64
	off := 0.0
	for _, s := range measure.Fundamental(w.samples, densityStep, densitySamples) {
		curve = append(curve, [2]float64{s.Density, s.Speed})
		off += math.Abs(s.Speed - measure.Weidmann(report.FreeSpeed, s.Density))
	}
	to.SetCurve("speed against density", curve)
	if len(curve) > 0 {
		to.Set("weidmann_deviation", off/float64(len(curve)))
	}
}
