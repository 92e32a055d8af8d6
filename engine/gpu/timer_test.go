package gpu_test

import (
	"testing"
	"time"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// busy runs a dispatch that takes a while on any device.
func busy(t testing.TB, d *gpu.Device) func() {
	p := compute[outInput[uint32]](t, d, `
layout(local_size_x = 64) in;
layout(std430) writeonly buffer Out { uint values[]; };
void main() {
	uint x = gl_GlobalInvocationID.x;
	for (int i = 0; i < 2000; i++) x = x * 1664525u + 1013904223u;
	values[gl_GlobalInvocationID.x] = x;
}
`)
	in := outInput[uint32]{buffer[uint32](t, d, 64*16)}
	return func() { p.Run(in, 16) }
}

func TestTimings(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		d.MeasureStages(true)
		work := busy(t, d)
		frames := 0
		for ; frames < 200; frames++ {
			d.Stage("outer", func() {
				d.Stage("inner", work)
				d.Stage("twice", work)
				d.Stage("twice", work)
			})
			d.Stage("idle", func() { time.Sleep(time.Millisecond) })
			if frames == 0 && len(d.Timings()) != 0 {
				t.Fatal("times are there before the first frame ended")
			}
			d.FrameEnd()
			if timings := d.Timings(); len(timings) > 0 && timings[0].Frames >= 3 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if d.Readbacks() != 0 {
			t.Errorf("timing counts %d read-backs", d.Readbacks())
		}
		timings := map[string]gpu.Timing{}
		for i, want := range []string{"outer", "outer/inner", "outer/twice", "idle"} {
			if i >= len(d.Timings()) || d.Timings()[i].Name != want {
				t.Fatalf("after %d frames: %v, want %s in place %d", frames, d.Timings(), want, i)
			}
			timings[want] = d.Timings()[i]
		}
		for _, name := range []string{"outer", "outer/inner", "outer/twice"} {
			if x := timings[name]; x.Last <= 0 || x.Mean <= 0 || x.CPU <= 0 {
				t.Errorf("%s: %+v, want times above 0", name, x)
			}
		}
		if inner, twice, outer := timings["outer/inner"].Last, timings["outer/twice"].Last, timings["outer"].Last; inner+twice > outer {
			t.Errorf("inner %v and twice %v take longer than outer %v", inner, twice, outer)
		}
		if x := timings["idle"]; x.CPU < time.Millisecond || x.Last < 0 {
			t.Errorf("idle: %+v, want a CPU time of a millisecond at least", x)
		}
	})
}

// Frames that are never read, and stages that never see the end of a frame, must not pile up.
func TestTimingIsBounded(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		d.MeasureStages(true)
		for range 3000 {
			d.Stage("endless", func() {})
		}
		d.Finish()
		d.FrameEnd()
		for range 100 {
			d.Stage("endless", func() {})
			d.FrameEnd()
		}
		d.Finish()
		d.FrameEnd()
		timings := d.Timings()
		if len(timings) != 1 || timings[0].Frames < 1 || timings[0].Frames > 101 {
			t.Errorf("got %+v", timings)
		}
	})
}

func TestStageEndsWhenItPanics(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		d.MeasureStages(true)
		func() {
			defer func() { _ = recover() }()
			d.Stage("broken", func() { panic("on purpose") })
		}()
		d.Stage("next", func() {})
		d.FrameEnd()
		d.Finish()
		d.FrameEnd()
		if timings := d.Timings(); len(timings) != 2 || timings[1].Name != "next" {
			t.Errorf("got %+v, want broken and next side by side", timings)
		}
		panics(t, func() { d.Stage("open", d.FrameEnd) }, "open")
	})
}
