package bench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

type bvpBench struct {
	Cases       []string `placeholder:"CASE,..." default:"steps,relaxation" help:"steps: a step of crowds of --agents. growth: of 3,000 to 100,000 people. relaxers: of the largest of --agents, by every method of relaxation. relaxation: what relaxations leave, by every method. behavior, or built-in scenes: what crowds do by robust rules and by the papers'. exploring: how soon places are explored."`
	Agents      []int    `placeholder:"N,..." default:"50,100,250,500,750,1000" help:"People of each crowd."`
	Cells       []int    `placeholder:"N,..." default:"11,16,21" help:"Cells along a side of every local map, 5 to 21."`
	Relaxations int      `placeholder:"N" default:"60" help:"Relaxations a step, by method red-black."`
	Methods     []string `placeholder:"METHOD,..." default:"gpu,sequential" help:"How steps are taken: gpu, on this device, and sequential, one map after another in plain Go on one thread of the processor."`
	Explorers   []int    `placeholder:"N,..." default:"1,2,10" help:"Explorers of case exploring, 1 to 10."`
	Seeds       int      `placeholder:"N" default:"20" help:"Starts of case exploring, in each place, 1 to 1,000."`
	Runs        int      `placeholder:"N" default:"5" help:"Runs that count, after one that does not."`

	flags `embed:""`
}

func (bvpBench) Help() string { return report.Text("bvp help", nil) }

// Validate checks the flags.
func (v bvpBench) Validate() error {
	return cmp.Or(
		anyOf("--cases", v.Cases, append([]string{"steps", "growth", "relaxers", "relaxation", "behavior", "exploring"}, steeredScenes...)),
		anyOf("--methods", v.Methods, []string{report.GPU, report.Sequential}),
		within("--agents", v.Agents, 1, 1_000_000), within("--cells", v.Cells, 5, 21),
		within("--explorers", v.Explorers, 1, 10), within("--seeds", []int{v.Seeds}, 1, 1000),
		within("--relaxations", []int{v.Relaxations}, 1, 10_000), v.check(v.Runs),
	)
}

func (v bvpBench) Run(s *console.Session) error { return v.run(s, v) }

func (bvpBench) name() string { return report.BVP }

func (v bvpBench) facts() report.Values {
	return report.Values{"Runs": v.Runs, "Area": bvpArea, "Walls": bvpWalls, "Cell": bvpCell, "RelaxedMaps": relaxedMaps, "SteeredFor": steeredFor}
}

// growingCrowds are the numbers of agents of case growth.
var growingCrowds = []int{3_000, 10_000, 30_000, 100_000}

// sequentialAgents is the number of agents up to which steps are timed sequentially.
const sequentialAgents = 10_000

func (v bvpBench) jobs() (list []job, err error) {
	var crowds []int
	if slices.Contains(v.Cases, "steps") {
		crowds = append(crowds, v.Agents...)
	}
	if slices.Contains(v.Cases, "growth") {
		crowds = append(crowds, growingCrowds...)
	}
	slices.Sort(crowds)
	for _, cells := range v.Cells {
		for _, agents := range slices.Compact(crowds) {
			for _, method := range v.Methods {
				if method == report.Sequential && agents > sequentialAgents {
					continue
				}
				name := fmt.Sprintf("cells%d-%d", cells, agents)
				list = append(list, job{name, method, 1 + v.Runs, func(d *gpu.Device, bar *console.Progress) (report.Result, error) {
					return v.measure(d, agents, cells, method, scenes.MethodRedBlack, bar)
				}})
			}
		}
		for _, by := range relaxationMethods {
			if slices.Contains(v.Cases, "relaxers") {
				agents := slices.Max(v.Agents)
				list = append(list, job{fmt.Sprintf("cells%d-%d", cells, agents), by.name, 1 + v.Runs, func(d *gpu.Device, bar *console.Progress) (report.Result, error) {
					r, err := v.measure(d, agents, cells, report.GPU, scenes.Method(by.name), bar)
					r.Suite = report.Relaxers
					return r, err
				}})
			}
		}
	}
	for _, clutter := range report.Clutters {
		for _, by := range relaxationMethods {
			if slices.Contains(v.Cases, "relaxation") {
				list = append(list, job{clutter.Name, by.name, 1, func(_ *gpu.Device, bar *console.Progress) (report.Result, error) {
					defer bar.Step()
					return relaxations(clutter.Name, by)
				}})
			}
		}
	}
	for _, name := range steeredScenes {
		for _, rules := range []scenes.Rules{scenes.RulesRobust, scenes.RulesPaper} {
			if slices.Contains(v.Cases, "behavior") || slices.Contains(v.Cases, name) {
				list = append(list, job{name, string(rules), 1, func(d *gpu.Device, bar *console.Progress) (report.Result, error) {
					defer bar.Step()
					return steered(d, name, rules)
				}})
			}
		}
	}
	for _, place := range exploredPlaces {
		for _, explorers := range v.Explorers {
			for _, by := range explorings {
				if slices.Contains(v.Cases, "exploring") {
					list = append(list, job{fmt.Sprintf("%s-%d", place, explorers), by.name, v.Seeds, func(d *gpu.Device, bar *console.Progress) (report.Result, error) {
						return exploring(d, place, explorers, by.frontier, v.Seeds, bar)
					}})
				}
			}
		}
	}
	return list, nil
}

// measure times steps of a crowd that relaxes its maps by a method.
func (v bvpBench) measure(d *gpu.Device, agents, cells int, method string, by scenes.Method, bar *console.Progress) (report.Result, error) {
	r := report.Result{
		Suite: report.BVP, Runs: v.Runs, Params: map[string]int{"agents": agents, "cells": cells, "relaxations": v.Relaxations},
		Checks: map[string]any{},
	}
	crowd, err := newBVPCrowd(d, bvpScene(agents, cells, v.Relaxations, by))
	var capacity *gpu.CapacityError
	if errors.As(err, &capacity) {
		r.Checks["fits"] = false
		return r, nil
	} else if err != nil {
		return r, err
	}
	defer crowd.Close()
	times := stopwatch{}
	if method == report.Sequential {
		r.Checks["reference"] = true
		plain := crowd.plain(1)
		err = times.repeat(1, v.Runs, bar, func(int) error { plain.step(times); return nil })
		times.setSteps(&r)
		return r, err
	}
	if by == scenes.MethodJacobiGS {
		err = converges(d, cells)
	} else {
		err = crowd.check(crowd.plain((agents + bvpChecked - 1) / bvpChecked))
	}
	if err != nil {
		return r, err
	}
	r.Checks["fits"], r.Checks["validated"] = true, true
	frameTimes(d) // what came before does not count
	take := func() error { d.Stage(devicePass, crowd.step); return nil }
	err = times.repeat(1, v.Runs, bar, func(int) error { return times.step(d, take, func() {}) })
	times.setSteps(&r)
	r.Counts = countsOf(d)
	return r, err
}
