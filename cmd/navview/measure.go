package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/agents/traj"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/measuring"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
)

type measureVerb struct {
	Source               string `arg:"" help:"A scene, which is run, or a file of trajectories: ${trajendings}."`
	Ground               string `name:"scene" placeholder:"SCENE" help:"The scene that trajectories belong to: its free ground bounds Voronoi cells, its goals are exits."`
	measuring.Flags      `embed:""`
	From                 time.Duration  `placeholder:"10s" help:"Leave out what is before."`
	To                   *time.Duration `placeholder:"60s" help:"Leave out what is after."`
	Duration             *time.Duration `placeholder:"60s" help:"How much time of a scene is simulated, as of navview simulate."`
	simulation.Overrides `embed:""`
	JSON                 bool `name:"json" help:"Print everything as one JSON document."`
}

func (measureVerb) Help() string {
	return `Measures a crowd, of a scene that is run or of trajectories that were recorded: how many have left, through which exits, at
which speeds; flow through gates; density and speed in areas, with the fundamental diagram that follows.

Density is measured in two ways: agents in the area over its size, and by Voronoi cells (Steffen and Seyfried 2010), which end at walls
where the scene is known. Trajectories are what navview simulate writes, text of the Pedestrian Dynamics Data Archive (m or cm), and
databases of JuPedSim; velocities that a file does not have are computed from places.

Examples:
  navview measure evac-500
  navview measure plaza --area middle=-5,-5,5,5 --json | jq '.areas[0].fundamental'
  navview measure door-0.8.json --gate door=10,4.6,10,5.4 --from 10s
  navview measure corridor.txt --area m=-2,0,2,4 --gate mid=0,0,0,4 --json
  navview measure run.sqlite --scene hall.json --area foyer=0,0,8,6`
}

// Validate checks flags.
func (v measureVerb) Validate() error {
	if v.From < 0 || v.To != nil && *v.To <= v.From {
		return fmt.Errorf("--from and --to: want 0 <= from < to")
	}
	if v.Duration != nil && (*v.Duration < 0 || *v.Duration > console.Longest) {
		return fmt.Errorf("--duration %v: 0s to %v", *v.Duration, console.Longest)
	}
	return v.Flags.Validate()
}

func (v measureVerb) Run(s *console.Session) error {
	report, err := v.measure(s)
	if err != nil {
		return err
	}
	if v.JSON {
		return console.WriteJSON(s.Stdout, report)
	}
	report.Print(s.Stdout)
	return nil
}

// recorded reports whether the source is a file of trajectories, by its ending.
func (v measureVerb) recorded() bool {
	return slices.Contains(traj.Endings(), strings.ToLower(filepath.Ext(v.Source)))
}

func (v measureVerb) measure(s *console.Session) (report measuring.Report, err error) {
	if !v.recorded() {
		if v.Ground != "" {
			return report, console.Usagef("--scene is for files of trajectories; %s is a scene itself", v.Source)
		}
		return v.simulated(s)
	}
	var doc *document.Document
	if v.Ground != "" {
		if doc, err = document.Load(v.Ground); err != nil {
			return report, err
		}
	}
	reading := console.NewProgress(s.Stderr, "reading trajectories", 0)
	recording, err := traj.Read(v.Source)
	reading.Done()
	if err != nil {
		return report, err
	}
	study, err := v.study(doc)
	if err != nil {
		return report, err
	}
	study.Groups = recording.Groups
	meter := measure.NewMeter(study)
	bar := console.NewProgress(s.Stderr, "measuring", len(recording.Frames))
	defer bar.Done()
	for _, f := range recording.Frames {
		v.add(meter, f)
		bar.Step()
	}
	return measuring.ReportOf(meter.Results()), nil
}

// study is what the flags ask for, of a scene where there is one.
func (v measureVerb) study(doc *document.Document) (measure.Study, error) {
	if doc == nil {
		return v.Study(nil)
	}
	return v.Study(doc.Scene)
}

// add gives a frame to the meter if its time is within the flags.
func (v measureVerb) add(m *measure.Meter, f measure.Frame) {
	const rounding = 1e-9 // of sums of time steps. Unit: s
	if f.Time >= v.From.Seconds()-rounding && (v.To == nil || f.Time <= v.To.Seconds()+rounding) {
		m.Add(f)
	}
}

// simulated runs the scene.
func (v measureVerb) simulated(s *console.Session) (report measuring.Report, err error) {
	doc, err := document.Load(v.Source)
	if err != nil {
		return report, err
	}
	v.Apply(doc.Scene)
	study, err := v.study(doc)
	if err != nil {
		return report, err
	}
	meter := measure.NewMeter(study)
	err = device.With(s, func(h *device.Host) error {
		sim, err := simulation.Open(h.Device, doc.Scene, s.Stderr)
		if err != nil {
			return doc.Explain(err)
		}
		defer sim.Close()
		sim.Observe(sim.Every(measuring.Frames), func(f measure.Frame) error { v.add(meter, f); return nil })
		return sim.Run(v.Duration, nil, s.Stderr)
	})
	return measuring.ReportOf(meter.Results()), err
}
