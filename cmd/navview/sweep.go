package main

import (
	"fmt"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/sweep"
)

type sweepVerb struct {
	Plan   string `arg:"" help:"A file: scenes, variants and seeds, see above."`
	Output string `short:"o" default:"sweep" placeholder:"FOLDER" help:"Where results go, and what an earlier call has left is taken up."`
	Index  int    `env:"SLURM_ARRAY_TASK_ID,JOB_COMPLETION_INDEX" default:"0" placeholder:"I" help:"Which shard this is, from 0 on; in arrays of Slurm and indexed jobs of Kubernetes that of the job."`
	Count  int    `env:"SLURM_ARRAY_TASK_COUNT" default:"1" placeholder:"N" help:"How many shards there are; in arrays of Slurm as many as the array has."`
	List   bool   `help:"Print the runs of the shard, and do nothing."`
}

func (sweepVerb) Help() string {
	return `Runs a study: every scene, under every variant, with every seed. A plan is JSON:

  {"scenes": ["evac-500", "halls/*.json"],
   "variants": [{"name": "orca", "set": {"profiles.*.avoidance": "orca"}},
                {"name": "wide", "set": {"profiles.*.radius": 0.3, "goals.exits.clearance": 0.3}}],
   "seeds": {"from": 1, "count": 20},
   "duration": 300}

Scenes are built-in names, and files by the plan's folder. Seeds are a list or a range; without any each scene has its own. set gives
fields other values: * is every element of a list, and an element is found by its index or its id.

Of N shards, I takes the runs whose number is I modulo N. FOLDER/results-I-of-N.parquet has a row a run: number, scene, variant, seed, hash
of the scene, and all that simulate --report has. FOLDER/runs has a file for each run that is done: a shard that was stopped goes on there,
and one that runs twice gives the same. A run that cannot be made has its error in the row, and the exit status is 1.

Examples:
  navview sweep plan.json -o results
  navview sweep plan.json -o results --index 3 --count 16
  sbatch --array=0-15 --wrap "navview sweep plan.json -o results"`
}

// Validate checks the shard.
func (v sweepVerb) Validate() error {
	if v.Count < 1 || v.Index < 0 || v.Index >= v.Count {
		return fmt.Errorf("--index %d, --count %d: want 0 <= index < count", v.Index, v.Count)
	}
	return nil
}

func (v sweepVerb) Run(s *console.Session) error {
	plan, err := sweep.Load(v.Plan)
	if err != nil {
		return err
	}
	shard := sweep.Shard{Plan: plan, Index: v.Index, Count: v.Count, Folder: v.Output}
	if v.List {
		return v.list(s, shard)
	}
	return device.With(s, func(h *device.Host) error {
		all, made, failed, err := shard.Do(s, h.Device)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.Stdout, "%s, %d of them now, in %s\n", console.Count(all, "run", "runs"), made, v.Output)
		if failed > 0 {
			return fmt.Errorf("%s could not be made: see the column error", console.Count(failed, "run", "runs"))
		}
		return nil
	})
}

// list prints the runs of the shard.
func (v sweepVerb) list(s *console.Session, shard sweep.Shard) error {
	for index := v.Index; index < shard.Plan.Runs(); index += v.Count {
		run, err := shard.Plan.Run(index)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.Stdout, "%d %s %s seed %d, %s\n", index, console.Legible(run.Scene.Name), console.Legible(run.Variant), run.Scene.Simulation.Seed, run.Hash)
	}
	return nil
}
