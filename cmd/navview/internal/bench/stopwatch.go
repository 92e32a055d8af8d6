package bench

import (
	"slices"
	"strings"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
)

// spread summarizes runs. Unit: ms.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	P95    float64 `json:"p95"`
}

func spreadOf(runs []time.Duration) spread {
	slices.Sort(runs)
	at := func(share float64) float64 {
		return console.Milliseconds(runs[int(share*float64(len(runs)-1)+0.5)])
	}
	return spread{Median: at(0.5), Min: at(0), P95: at(0.95)}
}

// stopwatch collects the times of steps by name: the whole step, and passes as "step/PASS".
type stopwatch map[string][]time.Duration

// Names of a step's wall time, and of its pass on the device.
const (
	whole      = ""
	devicePass = "step"
)

func (w stopwatch) add(name string, took time.Duration) { w[name] = append(w[name], took) }

// step times a step with nothing before and after it in the queue, and its passes; then after, if
// not nil, whose passes count too; the device has the counts of both. Software renderers do a pass when its commands are submitted.
func (w stopwatch) step(d *gpu.Device, step func() error, after func()) error {
	d.Finish()
	d.ResetCounts()
	start := time.Now()
	if err := step(); err != nil {
		return err
	}
	d.Finish()
	w.add(whole, time.Since(start))
	if after != nil {
		after()
	}
	for _, t := range frameTimes(d) {
		if d.Info().Software {
			t.Last = t.CPU
		}
		w.add(t.Name, t.Last)
	}
	return nil
}

// into sets the times of a result.
func (w stopwatch) into(r *Result) {
	r.Wall, r.Passes = spreadOf(w[whole]), map[string]spread{}
	for name, times := range w {
		if pass, inner := strings.CutPrefix(name, devicePass+"/"); inner || name == exhaustivePass {
			r.Passes[pass] = spreadOf(times)
		} else if name == devicePass {
			r.GPU = spreadOf(times)
		}
	}
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
