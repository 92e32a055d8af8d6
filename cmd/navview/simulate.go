package main

import (
	"fmt"
	"os"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/stage"
	"github.com/wayfront/wayfront/engine"
)

type simulateVerb struct {
	Scene           string         `arg:"" help:"A file, a built-in scene, or - for standard input."`
	Duration        *time.Duration `placeholder:"60s" xor:"end" help:"How much time is simulated. Without this and --steps: what the scene says, else until all have arrived or are stuck, at most 600 s, or 120 s where people walk in circles."`
	Steps           *int           `placeholder:"N" xor:"end" help:"How many time steps are simulated."`
	stage.Overrides `embed:""`
	Report          string `placeholder:"OUT.json|-" help:"Write what happened as one JSON document, whatever the name."`
	Trajectories    string `placeholder:"OUT.csv|-" help:"Write where all agents are, a row an agent and frame, in the format of the name's ending, or in that of --format."`
	Format          string `enum:",csv" default:"" placeholder:"NAME" help:"Of the trajectories, whatever the name: csv."`
	Every           int    `default:"1" placeholder:"N" help:"Steps from one frame of the trajectories to the next."`
}

func (simulateVerb) Help() string {
	return `Runs a scene without drawing it, and says what happened. The same scene and seed give the same state hash.

The report counts as agents all that entered, as arrived those that reached the end of their itinerary at least once, and as stuck those
that have not, and have moved less than their radius within the last 10 s; all others are walking, also those that circle around a crowd that
stands in their goal. agent_contacts are pairs over all steps whose discs overlap by more than
1% of the sum of their radii, max_penetration is the greatest overlap as a part of that sum. wall_contacts are steps of agents with the
center nearer to an obstacle than 99% of the radius, max_wall_penetration is how deep a center ever was inside one, in meters.

At the end, waiting have not entered, lost have no path to their goal, and buried have no free ground at all. Over all steps, displaced is
how often an agent was moved out of an obstacle that covered it, crowded and hemmed how often more people and more walls were near an agent
than a step can consider: then some are left out, the nearest walls never; flat how often a local map had no gradient, so that its agent
headed straight in the direction of its guide.

Trajectories have the columns frame,time,id,x,y,vx,vy,group: meters, seconds, the id of the group. Frame 0 is the start.

Examples:
  navview simulate evac-1k
  navview simulate circle-250 --avoidance orca --report -
  navview simulate crosswalk --trajectories crosswalk.csv --every 4
  navview simulate hall.json --duration 2m --seed 7 --report hall-report.json
  for s in 1 2 3; do navview simulate narrow --seed $s --report - | jq .last_arrival_s; done`
}

// Validate checks limits and formats.
func (v simulateVerb) Validate() error {
	switch {
	case v.Duration != nil && (*v.Duration < 0 || *v.Duration > console.Longest):
		return fmt.Errorf("--duration %v: 0s to %v", *v.Duration, console.Longest)
	case v.Steps != nil && *v.Steps < 0:
		return fmt.Errorf("--steps %d: at least 0", *v.Steps)
	case v.Rounds != nil && (*v.Rounds < 0 || *v.Rounds > 1024):
		return fmt.Errorf("--contact-rounds %d: 0 to 1024", *v.Rounds)
	case v.Every < 1:
		return fmt.Errorf("--every %d: at least 1", v.Every)
	case v.Trajectories == "" || v.Format != "":
		return nil
	}
	if _, err := console.FormatOf(v.Trajectories, ".csv"); err != nil {
		return fmt.Errorf("--trajectories: %w, or --format csv", err)
	}
	return nil
}

func (v simulateVerb) Run(s *console.Session) (err error) {
	switch {
	case v.Report == "-" && v.Trajectories == "-":
		return console.Usagef("the report and the trajectories cannot both go to standard output")
	case v.Report != "" && v.Trajectories != "" && console.Overwrites(v.Report, v.Trajectories):
		return console.Usagef("the report and the trajectories cannot both go to %s", v.Report)
	}
	doc, err := stage.Load(v.Scene)
	if err != nil {
		return err
	}
	for flag, name := range map[string]string{"--report": v.Report, "--trajectories": v.Trajectories} {
		if _, err := os.Stat(v.Scene); name != "" && err == nil && console.Overwrites(name, v.Scene) {
			return console.Usagef("%s %s is the scene itself: give another name", flag, name)
		}
	}
	if _, err := doc.MapSize(); err != nil {
		return err
	}
	v.Apply(doc.Scene)
	var report, trajectories *console.Output
	for _, o := range []struct {
		to   **console.Output
		name string
	}{{&report, v.Report}, {&trajectories, v.Trajectories}} {
		if o.name == "" {
			continue
		}
		if *o.to, err = console.Create(o.name, s.Stdout); err != nil {
			return err
		}
		defer (*o.to).Close(&err)
	}
	return stage.WithHost(s, func(h *stage.Host) error { return v.simulate(s, h, doc, report, trajectories) })
}

// simulate runs the scene; outputs are nil where they are not requested.
func (v simulateVerb) simulate(s *console.Session, h *stage.Host, doc *stage.Document, report, trajectories *console.Output) error {
	begin := console.NewProgress(s.Stderr, "maps and agents", 0)
	world, err := engine.New(h.Device, doc.Scene, engine.Options{})
	begin.Done()
	if err != nil {
		return doc.Explain(err)
	}
	defer world.Close()

	sim, err := stage.NewSimulation(h.Device, world)
	if err != nil {
		return err
	}
	if trajectories != nil {
		sim.Writer = stage.NewTrajectories(trajectories, doc.Scene, v.Every)
	}
	steps, early := stage.EndOf(doc.Scene, v.Duration, v.Steps)
	bar := console.NewProgress(s.Stderr, "simulate", steps)
	err = sim.Run(steps, early, bar)
	bar.Done()
	if err != nil {
		return err
	}
	r := sim.Report()
	r.Renderer = h.Device.Info().Renderer
	if report != nil {
		if err := console.WriteJSON(report, r); err != nil {
			return err
		}
	}
	if v.Report != "-" && v.Trajectories != "-" {
		r.Print(s.Stdout)
	}
	stage.ReportTimes(s, h.Device)
	return nil
}
