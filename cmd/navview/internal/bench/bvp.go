package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
)

type bvpBench struct {
	Cases       []string `placeholder:"CASE,..." default:"steps,relaxation" help:"steps: a step of crowds of --agents. growth: of 3,000 to 100,000 people. relaxation: what relaxations leave, by every method."`
	Agents      []int    `placeholder:"N,..." default:"50,100,250,500,750,1000" help:"People of each crowd."`
	Cells       []int    `placeholder:"N,..." default:"11,16,21" help:"Cells along a side of every local map, 5 to 21."`
	Relaxations int      `placeholder:"N" default:"60" help:"Relaxations a step, by method red-black."`
	Methods     []string `placeholder:"METHOD,..." default:"gpu,sequential" help:"How steps are taken: gpu, on this device, and sequential, one map after another in plain Go on one thread of the processor."`
	Runs        int      `placeholder:"N" default:"5" help:"Runs that count, after one that does not."`

	benchFlags `embed:""`
}

func (bvpBench) Help() string {
	return `Measures a step of people with local maps: stamping, relaxations, turning. Wall time is that of a step with nothing before and after it in
the queue. Before a crowd is timed, a step of it on the device is held against the plain passes, bit by bit: maps, headings and velocities.
Reported is the least time of all runs: a step does the same work each time. Speed-up is the sequential time over that of the device (Fischer et
al. 2009, figure 9). Crowds of more than 10,000 are not timed
sequentially, and a crowd that exceeds the capacity of the device is reported.

Relaxation reports the error left after a number of relaxations from nothing, over many maps: the difference from the direct solution, the
residual of the equation, and the error of an agent's direction; and the time of one relaxation in plain Go.

Examples:
  navview bench bvp
  navview bench bvp --agents 100,500,1000 --cells 11,16,21 --relaxations 60 --methods gpu,sequential
  navview bench bvp --cases growth --methods gpu --json > growth.json
  navview bench bvp --cases relaxation`
}

// The methods of steps.
const (
	bvpGPU        = "gpu"
	bvpSequential = "sequential"
)

// The cases.
const (
	bvpFew        = "steps"
	bvpGrowth     = "growth"
	bvpRelaxation = "relaxation"
)

var (
	bvpCases   = []string{bvpFew, bvpGrowth, bvpRelaxation}
	bvpMethods = []string{bvpGPU, bvpSequential}
	bvpLarge   = []int{3_000, 10_000, 30_000, 100_000} // of growth
)

// sequentialPeople is the number of agents up to which steps are timed sequentially.
const sequentialPeople = 10_000

// Validate checks the flags.
func (v bvpBench) Validate() error {
	return cmp.Or(
		anyOf("--cases", v.Cases, bvpCases), anyOf("--methods", v.Methods, bvpMethods),
		within("--agents", v.Agents, 1, 1_000_000), within("--cells", v.Cells, 5, 21),
		within("--relaxations", []int{v.Relaxations}, 1, 10_000),
		console.Check(v.Runs >= 1, "--runs %d: at least 1", v.Runs), v.validate(),
	)
}

func (v bvpBench) Run(s *console.Session) error { return v.run(s, v) }

func (v bvpBench) jobs() ([]job, error) {
	var list []job
	add := func(people, cells int) {
		for _, method := range v.Methods {
			if method == bvpSequential && people > sequentialPeople {
				continue
			}
			list = append(list, job{fmt.Sprintf("cells%d-%d", cells, people), method, 1 + v.Runs, func(d *gpu.Device, bar *console.Progress) (Result, error) {
				return v.measure(d, people, cells, method, bar)
			}})
		}
	}
	var people []int
	for _, name := range v.Cases {
		switch name {
		case bvpFew:
			people = append(people, v.Agents...)
		case bvpGrowth:
			people = append(people, bvpLarge...)
		}
	}
	slices.Sort(people)
	for _, cells := range v.Cells {
		for _, n := range slices.Compact(people) {
			add(n, cells)
		}
	}
	if slices.Contains(v.Cases, bvpRelaxation) {
		for _, clutter := range clutters {
			for _, method := range relaxationMethods {
				list = append(list, job{clutter.Name, method.name, 1, func(_ *gpu.Device, bar *console.Progress) (Result, error) {
					defer bar.Step()
					return relaxations(clutter, method)
				}})
			}
		}
	}
	return list, nil
}

// The passes of a step, in order.
var bvpPasses = []string{"stamp", "relax", "turn"}

// measure times steps of a crowd.
func (v bvpBench) measure(d *gpu.Device, people, cells int, method string, bar *console.Progress) (Result, error) {
	r := Result{
		Suite: suiteBVP, Runs: v.Runs, Params: map[string]int{"agents": people, "cells": cells, "relaxations": v.Relaxations},
		Checks: map[string]any{},
	}
	crowd, times := newBVPCrowd(people, cells, v.Relaxations), stopwatch{}
	var step func(stopwatch)
	if method == bvpSequential {
		r.Checks["reference"] = true
		step = crowd.plain(1).step
	} else {
		f, err := crowd.on(d)
		if tooLarge(err) {
			r.Checks["fits"] = false
			return r, nil
		} else if err != nil {
			return r, err
		}
		defer f.free()
		if err := f.check(); err != nil {
			return r, err
		}
		r.Checks["fits"], r.Checks["validated"] = true, true
		frameTimes(d) // what came before does not count
		step = func(times stopwatch) {
			_ = times.step(d, func() error { d.Stage(devicePass, f.take); return nil }, nil) // only the step fails
		}
	}
	for run := range 1 + v.Runs {
		if run == 1 {
			clear(times)
		}
		step(times)
		bar.Step()
	}
	times.into(&r)
	if method == bvpGPU {
		r.Counts = countsOf(d)
	}
	return r, nil
}

func (v bvpBench) head() string {
	return fmt.Sprintf("a step, least of %d, ms\n\n%-14s%9s  %-11s%10s%10s%10s%10s%12s\n", v.Runs, "case", "agents", "method", "wall", "stamp", "relax", "turn", "us/agent")
}

func (v bvpBench) row(r Result) string {
	if r.Suite == suiteRelaxation {
		return relaxationRow(r)
	}
	row := fmt.Sprintf("%-14s%9d  %-11s", r.Case, r.Size(), r.Method)
	if r.Wall.Min == 0 {
		return row + "no room on the device"
	}
	row += fmt.Sprintf("%10s", console.MS(r.Wall.Min))
	for _, pass := range bvpPasses {
		row += fmt.Sprintf("%10s", console.MS(r.Passes[pass].Min))
	}
	return row + fmt.Sprintf("%12s", console.MS(r.PerPerson()))
}

// speedUp is the sequential time of a step over that of the device; false if one is missing.
func speedUp(report Report, people, cells int) (float64, bool) {
	wall := map[string]float64{}
	for _, r := range report.Results {
		if r.Suite == suiteBVP && r.Params["agents"] == people && r.Params["cells"] == cells {
			wall[r.Method] = r.Wall.Min
		}
	}
	fast, slow := wall[bvpGPU], wall[bvpSequential]
	return slow / fast, fast > 0 && slow > 0
}

// measuredSizes returns the values of a parameter of crowds, sorted.
func measuredSizes(report Report, param string) []int {
	var all []int
	for _, r := range report.Results {
		if r.Suite == suiteBVP {
			all = append(all, r.Params[param])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (bvpBench) conclude(w io.Writer, report Report) {
	sizes := measuredSizes(report, "cells")
	said := false
	for _, people := range measuredSizes(report, "agents") {
		line := fmt.Sprintf("%7s people:", console.Figure(float64(people)))
		any := false
		for _, cells := range sizes {
			if times, ok := speedUp(report, people, cells); ok {
				line += fmt.Sprintf("   %d cells %.2f times", cells, times)
				any = true
			}
		}
		if any && !said {
			fmt.Fprintf(w, "\nspeed-up over one sequential thread\n")
			said = true
		}
		if any {
			fmt.Fprintln(w, line)
		}
	}
}
