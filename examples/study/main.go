// Command study evacuates a room through doors of several widths, each in a world of its own, and
// plots how many are still inside over time.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/scenes"
)

// widths are those of the doors, in meters.
var widths = []float64{0.8, 1.2, 2.4}

// longest is when a run ends that does not end by itself, in seconds.
const longest = 600

func main() {
	people := flag.Int("people", 150, "agents in the room")
	out := flag.String("o", "evacuation.svg", "file of the plot: .svg, .png or .pdf")
	flag.Parse()
	var curves [][]measure.Count
	for _, width := range widths {
		curve, err := evacuate(room(*people, width))
		if err != nil {
			log.Fatal(err)
		}
		curves = append(curves, curve)
		fmt.Printf("door of %.1f m: empty after %.1f s\n", width, curve[len(curve)-1].Time)
	}
	if err := draw(curves, *out); err != nil {
		log.Fatal(err)
	}
}

// room is 12 m x 10 m, with a door in the middle of the right side.
func room(people int, width float64) *scenes.Scene {
	s := scenes.New(scenes.Rect{0, 0, 16, 10})
	for _, wall := range []scenes.Rect{{12, 0, 12.4, 5 - width/2}, {12, 5 + width/2, 12.4, 10}} {
		s.Obstacles = append(s.Obstacles, scenes.Obstacle{Rect: &wall})
	}
	s.Goals = []scenes.Goal{{ID: "out", Segments: []scenes.Segment{{{15.5, 1}, {15.5, 9}}}, Clearance: 0.25}}
	s.Groups = []scenes.Group{{Count: people, Spawn: scenes.Spawn{Rect: &scenes.Rect{1, 1, 11, 9}}, Itinerary: []string{"out"}}}
	return s
}

// evacuate runs a scene until all have left, and returns how many had not, over time.
func evacuate(s *scenes.Scene) ([]measure.Count, error) {
	world, err := engine.Headless(context.Background(), s, engine.Options{})
	if err != nil {
		return nil, err
	}
	defer world.Close()
	meter := measure.NewMeter(measure.Study{})
	var crowd engine.Snapshot
	for {
		if err := world.Snapshot(&crowd); err != nil {
			return nil, err
		}
		frame := measure.Frame{Time: world.Time()}
		for i, id := range crowd.IDs {
			frame.Walkers = append(frame.Walkers, measure.Walker{ID: int(id), At: crowd.Positions[i], Velocity: crowd.Velocities[i]})
		}
		meter.Add(frame)
		if len(frame.Walkers) == 0 {
			return meter.Results().Evacuation, nil
		}
		if world.Time() > longest {
			return nil, fmt.Errorf("%d agents are inside after %d s", len(frame.Walkers), longest)
		}
		if err := world.Step(); err != nil {
			return nil, err
		}
	}
}

// draw writes a plot of curves, those of widths.
func draw(curves [][]measure.Count, file string) error {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text, p.Y.Min, p.Legend.Top = "time, s", "people inside", 0, true
	p.Add(plotter.NewGrid())
	for i, curve := range curves {
		var points plotter.XYs
		for _, c := range curve {
			points = append(points, plotter.XY{X: c.Time, Y: float64(c.Agents)})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.StepStyle, line.Color, line.Width = plotter.PostStep, plotutil.Color(i), vg.Points(1.5)
		p.Add(line)
		p.Legend.Add(fmt.Sprintf("door of %.1f m", widths[i]), line)
	}
	return p.Save(16*vg.Centimeter, 10*vg.Centimeter, file)
}
