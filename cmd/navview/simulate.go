package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/agents/traj"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/measuring"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
	"github.com/wayfront/wayfront/engine/gpu"
)

type simulateVerb struct {
	Scene                string         `arg:"" help:"A file, a built-in scene, or - for standard input."`
	Duration             *time.Duration `placeholder:"60s" xor:"end" help:"How much time is simulated. Without this and --steps: what the scene says, else until all have arrived or are stuck, at most 600 s, or 120 s where people walk in circles."`
	Steps                *int           `placeholder:"N" xor:"end" help:"How many time steps are simulated."`
	simulation.Overrides `embed:""`
	measuring.Flags      `embed:""`
	Report               string `placeholder:"OUT.json|-" help:"Write what happened as one JSON document, whatever the name."`
	Trajectories         string `placeholder:"OUT${trajendings}|-" help:"Write where all agents are, a row an agent and frame, in the format of the name's ending, or in that of --format."`
	Format               string `enum:",${trajformats}" default:"" placeholder:"NAME" help:"Of the trajectories, whatever the name: ${trajlist}."`
	Every                int    `default:"1" placeholder:"N" help:"Steps from one frame of the trajectories to the next."`
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

Trajectories have the columns frame,time,id,x,y,vx,vy,group: meters, seconds, the id of the group. Frame 0 is the start. Formats:
` + formatHelp() + `

With --gate or --area the report has measures: flow, density, speed, as navview measure has them.

Examples:
  navview simulate evac-1k
  navview simulate circle-250 --avoidance orca --report -
  navview simulate crosswalk --trajectories crosswalk.sqlite --every 4
  navview simulate hall.json --duration 2m --seed 7 --report hall-report.json
  for s in 1 2 3; do navview simulate narrow --seed $s --report - | jq .last_arrival_s; done`
}

// The formats of trajectories by name and by ending.
var (
	trajectoryNames   = texts(traj.Formats, func(f traj.Format) string { return f.Name })
	trajectoryEndings = traj.Endings()
)

// trajectoryVars are the formats of trajectories as flags and help have them.
var trajectoryVars = kong.Vars{
	"trajformats": strings.Join(trajectoryNames, ","), "trajlist": strings.Join(trajectoryNames, ", "),
	"trajendings": strings.Join(trajectoryEndings, "|"),
}

// formatHelp lists the formats, a line each.
func formatHelp() string {
	var help []string
	for _, f := range traj.Formats {
		help = append(help, fmt.Sprintf("  %-8s %s: %s", f.Name, f.Ending, f.Help))
	}
	return strings.Join(help, "\n")
}

// format is the format of the trajectories.
func (v simulateVerb) format() (traj.Format, error) {
	if i := slices.Index(trajectoryNames, v.Format); i >= 0 {
		return traj.Formats[i], nil
	}
	ending, err := console.FormatOf(v.Trajectories, trajectoryEndings...)
	if err != nil {
		return traj.Format{}, fmt.Errorf("--trajectories: %w, or --format %s", err, alternatives(trajectoryNames))
	}
	return traj.Formats[slices.Index(trajectoryEndings, ending)], nil
}

// Validate checks limits and formats.
func (v simulateVerb) Validate() (err error) {
	switch {
	case v.Duration != nil && (*v.Duration < 0 || *v.Duration > console.Longest):
		return fmt.Errorf("--duration %v: 0s to %v", *v.Duration, console.Longest)
	case v.Steps != nil && *v.Steps < 0:
		return fmt.Errorf("--steps %d: at least 0", *v.Steps)
	case v.Rounds != nil && (*v.Rounds < 0 || *v.Rounds > 1024):
		return fmt.Errorf("--contact-rounds %d: 0 to 1024", *v.Rounds)
	case v.Every < 1:
		return fmt.Errorf("--every %d: at least 1", v.Every)
	case v.Trajectories != "":
		_, err = v.format()
	}
	return errors.Join(err, v.Flags.Validate())
}

func (v simulateVerb) Run(s *console.Session) (err error) {
	switch {
	case v.Report == "-" && v.Trajectories == "-":
		return console.Usagef("the report and the trajectories cannot both go to standard output")
	case v.Report != "" && v.Trajectories != "" && console.Overwrites(v.Report, v.Trajectories):
		return console.Usagef("the report and the trajectories cannot both go to %s", v.Report)
	}
	doc, err := document.Load(v.Scene)
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
	return device.With(s, func(h *device.Host) error {
		r, err := v.simulate(s, h.Device, doc, trajectories)
		if err != nil {
			return err
		}
		if report != nil {
			if err := console.WriteJSON(report, r); err != nil {
				return err
			}
		}
		if v.Report != "-" && v.Trajectories != "-" {
			r.Report.Print(s.Stdout)
			if r.Measures != nil {
				r.Measures.Print(s.Stdout)
			}
		}
		device.ReportTimes(s, h.Device)
		return nil
	})
}

// measured is the document of --report: with measures where the flags name places to measure.
type measured struct {
	simulation.Report
	Measures *measuring.Report `json:"measures,omitempty"`
}

// simulate runs the scene; trajectories are nil where they are not requested.
func (v simulateVerb) simulate(
	s *console.Session, d *gpu.Device, doc *document.Document, trajectories *console.Output,
) (r measured, err error) {
	sim, err := simulation.Open(d, doc.Scene, s.Stderr)
	if err != nil {
		return r, doc.Explain(err)
	}
	defer sim.Close()
	complete := false
	if trajectories != nil {
		format, err := v.format()
		if err != nil {
			return r, err
		}
		w := format.New(trajectories)
		defer func() { err = errors.Join(err, w.End(complete)) }()
		if err := w.Begin(traj.Run{Scene: doc.Scene, Every: v.Every}); err != nil {
			return r, err
		}
		sim.Observe(v.Every, w.Frame)
	}
	var meter *measure.Meter
	if v.Any() || len(doc.Gates)+len(doc.Areas) > 0 {
		study, err := v.Study(doc.Scene)
		if err != nil {
			return r, err
		}
		meter = measure.NewMeter(study)
		sim.Observe(sim.Every(measuring.Frames), func(f measure.Frame) error { meter.Add(f); return nil })
	}
	if err := sim.Run(v.Duration, v.Steps, s.Stderr); err != nil {
		return r, err
	}
	complete = true
	r.Report = sim.Report()
	if meter != nil {
		report := measuring.ReportOf(meter.Results())
		r.Measures = &report
	}
	return r, nil
}
