package bench

import (
	"slices"
	"strings"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/bench/report"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
)

// stopwatch collects times of runs by name.
type stopwatch map[string][]time.Duration

// Names of the wall time of a run, and of the pass that a step is on the device; its own passes
// are "step/PASS".
const (
	wall       = "wall"
	devicePass = "step"
)

func (w stopwatch) add(name string, took time.Duration) { w[name] = append(w[name], took) }

// time times work.
func (w stopwatch) time(name string, work func()) {
	start := time.Now()
	work()
	w.add(name, time.Since(start))
}

// repeat repeats a run, whose number it gets. The times of the first ones are dropped.
func (w stopwatch) repeat(warmUps, runs int, bar *console.Progress, run func(i int) error) error {
	for i := range warmUps + runs {
		if i == warmUps {
			clear(w)
		}
		if err := run(i); err != nil {
			return err
		}
		bar.Step()
	}
	return nil
}

// step times a step with nothing before and after it in the queue, and its passes; then after, whose
// passes count too; the device has the counts of both. Software renderers do a pass when its
// commands are submitted.
func (w stopwatch) step(d *gpu.Device, step func() error, after func()) error {
	d.Finish()
	d.ResetCounts()
	start := time.Now()
	if err := step(); err != nil {
		return err
	}
	d.Finish()
	w.add(wall, time.Since(start))
	after()
	for _, t := range frameTimes(d) {
		if d.Info().Software {
			t.Last = t.CPU
		}
		w.add(t.Name, t.Last)
	}
	return nil
}

// of summarizes the times of a name.
func (w stopwatch) of(name string) report.Spread { return report.SpreadOf(w[name]) }

// setSteps sets the times of a result whose runs are steps.
func (w stopwatch) setSteps(r *report.Result) {
	r.Wall, r.GPU, r.Passes = w.of(wall), w.of(devicePass), map[string]report.Spread{}
	for name := range w {
		if pass, inner := strings.CutPrefix(name, devicePass+"/"); inner || name == report.Exhaustive {
			r.Passes[pass] = w.of(name)
		}
	}
}

// countsOf returns what passes did since the device's counts were reset.
func countsOf(d *gpu.Device) (counts []report.PassCount) {
	for _, c := range d.Counts() {
		counts = append(counts, report.PassCount(c))
	}
	return counts
}

// onDevice ends a frame and returns the GPU time of some passes.
func onDevice(d *gpu.Device, passes ...string) (sum time.Duration) {
	for _, t := range frameTimes(d) {
		if slices.Contains(passes, t.Name) {
			sum += t.Last
		}
	}
	return sum
}

// frameTimes ends a frame and returns the times of its passes. They arrive some frames later, so
// empty frames follow. Nil if nothing was measured, or without timestamps.
func frameTimes(d *gpu.Device) []gpu.Timing {
	before := map[string]int64{}
	for _, t := range d.Timings() {
		before[t.Name] = t.Frames
	}
	for range 100 {
		d.FrameEnd()
		times := slices.DeleteFunc(d.Timings(), func(t gpu.Timing) bool { return t.Frames == before[t.Name] })
		if len(times) > 0 {
			return times
		}
		d.Finish()
	}
	return nil
}
