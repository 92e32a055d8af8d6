package gpu_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// OpenGL 4.5 promises these (tables 23.55 to 23.77 of the core specification).
func TestLimitsAreWhatOpenGLPromises(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		info := d.Info()
		if info.Vendor == "" || info.Renderer == "" || info.Version == "" || info.GLSL == "" {
			t.Errorf("names are missing: %+v", info)
		}
		if !info.Debug {
			t.Error("the tests' context should be one for debugging")
		}
		l := info.Limits
		for _, check := range []struct {
			name       string
			got, least int
		}{
			{"MaxTextureSize", l.MaxTextureSize, 16384},
			{"MaxArrayLayers", l.MaxArrayLayers, 2048},
			{"MaxStorageBlock", int(l.MaxStorageBlock), 1 << 24},
			{"ComputeStorageBlocks", l.ComputeStorageBlocks, 8},
			{"SharedMemory", l.SharedMemory, 32768},
			{"Invocations", l.Invocations, 1024},
			{"WorkGroups x", l.WorkGroups[0], 65535},
			{"WorkGroups y", l.WorkGroups[1], 65535},
			{"WorkGroups z", l.WorkGroups[2], 65535},
			{"TimestampBits", l.TimestampBits, 30},
		} {
			if check.got < check.least {
				t.Errorf("%s is %d, OpenGL promises %d", check.name, check.got, check.least)
			}
		}
	})
}

func TestGroups(t *testing.T) {
	for n, want := range map[int]uint32{0: 0, 1: 1, 63: 1, 64: 1, 65: 2, 127: 2, 128: 2, 129: 3} {
		if got := gpu.Groups(n, 64); got != want {
			t.Errorf("Groups(%d, 64) = %d, want %d", n, got, want)
		}
	}
	panics(t, func() { gpu.Groups(-1, 64) }, "-1")
	panics(t, func() { gpu.Groups(1, 0) }, "positive")
}

func TestNewWithoutContext(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := gpu.New(gpu.Options{}); err == nil || !strings.Contains(err.Error(), "no context is current") && !strings.Contains(err.Error(), "no OpenGL context is current") {
		t.Errorf("New without a context: %v", err)
	}
}

func TestErrorsStick(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		if err := d.Err(); err != nil {
			t.Errorf("a fresh device has an error: %v", err)
		}
		b := buffer[uint32](t, d, 1)
		p := compute[struct{}](t, d, "layout(local_size_x = 1) in;\nvoid main() {}\n")
		p.RunIndirect(struct{}{}, b, 2) // not a multiple of 4
		p.RunIndirect(struct{}{}, b, 400)
		p.Run(struct{}{}, 1)
		err := d.Err()
		var message *gpu.DebugError
		if !errors.As(err, &message) || message.Type != "error" || message.Message == "" {
			t.Errorf("got %v, want a *DebugError of type error with a message", err)
		}
		if err := d.Err(); err != nil {
			t.Errorf("the error came twice: %v", err)
		}
	})
}

// recorder stands in for the test that an error must fail.
type recorder struct {
	testing.TB
	failed []any
}

func (r *recorder) Error(args ...any) { r.failed = append(r.failed, args...) }
func (r *recorder) Helper()           {}

func TestErrorsFailTests(t *testing.T) {
	for name, run := range map[string]func(testing.TB, func(*gpu.Device)){"Run": gputest.Run, "Fresh": gputest.Fresh} {
		r := &recorder{TB: t}
		run(r, func(d *gpu.Device) {
			compute[struct{}](t, d, "layout(local_size_x = 1) in;\nvoid main() {}\n").RunIndirect(struct{}{}, buffer[uint32](t, d, 1), 400)
		})
		if len(r.failed) != 1 {
			t.Errorf("%s: an indirect run beyond its buffer failed the test with %v, want one error", name, r.failed)
		}
		r = &recorder{TB: t}
		run(r, func(d *gpu.Device) { d.Finish() })
		if len(r.failed) != 0 {
			t.Errorf("%s: nothing done failed the test with %v", name, r.failed)
		}
	}
}

// A device of its own must not take the other's messages or break it.
func TestTwoDevices(t *testing.T) {
	var name uint32
	gputest.Run(t, func(d *gpu.Device) {
		b := buffer[uint32](t, d, 2)
		b.Write(0, []uint32{7, 8})
		name = b.Name()
		if got := read(b); got[0] != 7 || got[1] != 8 {
			t.Errorf("got %v", got)
		}
	})
	gputest.Fresh(t, func(d *gpu.Device) {
		b := buffer[uint32](t, d, 1)
		b.Write(0, []uint32{9})
		if got := read(b); got[0] != 9 {
			t.Errorf("the second device reads %v", got)
		}
		if d.Readbacks() != 1 {
			t.Errorf("a fresh device counts %d read-backs, want its own 1", d.Readbacks())
		}
	})
	gputest.Run(t, func(d *gpu.Device) {
		if name == 0 {
			t.Fatal("the first part did not run")
		}
		b := buffer[uint32](t, d, 1)
		b.Write(0, []uint32{10})
		if got := read(b); got[0] != 10 {
			t.Errorf("the first device reads %v after the second went", got)
		}
	})
}
