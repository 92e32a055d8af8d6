package gpu_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/headless"
)

// inGuest runs f on a device that is a guest in a context.
func inGuest(t testing.TB, f func(c *headless.Context, d *gpu.Device)) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := headless.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	d, err := gpu.New()
	if err != nil {
		t.Fatal(err)
	}
	f(c, d)
	if err := errors.Join(d.Err(), d.Close(), d.Close()); err != nil {
		t.Error(err)
	}
}

const scaleShader = `
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { float value; };
uniform float factor;
uniform vec2 offsets[2];
void main() { value = factor + offsets[0].x + 10 * offsets[1].y; }
`

// TestDoorsNest counts how often a host's state is put aside.
func TestDoorsNest(t *testing.T) {
	inGuest(t, func(_ *headless.Context, d *gpu.Device) {
		p := program(t, d, gpu.Spec{}, "scale.comp.glsl", scaleShader)
		b := buffer[float32](t, d, 1)
		before := d.Entries()
		err := d.Do(func() error {
			d.Pass("inside", func() {
				b.Bind(0)
				p.Set("factor", float32(3))
				p.Dispatch(1, 1, 1)
			})
			return d.Do(func() error {
				if got := read(b); got[0] != 3 {
					t.Errorf("got %v", got)
				}
				return nil
			})
		})
		if err != nil || d.Entries() != before+1 {
			t.Errorf("a Do: %v, and it entered %d times", err, d.Entries()-before)
		}
		// Without Do each call is one of its own; bindings would not last.
		b.Fill(0)
		read(b)
		if d.Entries() != before+3 {
			t.Errorf("two calls entered %d times", d.Entries()-before-1)
		}
		panics(t, func() { b.Bind(0) }, "Device.Do")
		panics(t, func() { p.Dispatch(1, 1, 1) }, "Device.Do")
		panics(t, func() { texture(t, d, gpu.R32F, 1, 1, 0).Bind(0) }, "Device.Do")
		own := errors.New("own")
		if err := d.Do(func() error { return own }); !errors.Is(err, own) {
			t.Errorf("Do returns %v, want the function's error", err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = d.Do(func() error { panic("on purpose") })
		}()
		before = d.Entries()
		if b.Fill(1); d.Entries() != before+1 {
			t.Error("after a panic inside of Do the door is open")
		}
	})
}

// TestGuestErrors has a call of this package fail in a host's context.
func TestGuestErrors(t *testing.T) {
	inGuest(t, func(_ *headless.Context, d *gpu.Device) {
		p := program(t, d, gpu.Spec{}, "scale.comp.glsl", scaleShader)
		var wrong *gpu.GLError
		if err := d.Do(func() error { p.DispatchIndirect(0, 0); return nil }); !errors.As(err, &wrong) {
			t.Errorf("an indirect dispatch without a buffer: %v, want a *gpu.GLError", err)
		}
		if err := d.Do(func() error { return nil }); err != nil {
			t.Errorf("the error came twice: %v", err)
		}
		var compile *gpu.CompileError
		if _, err := tryProgram(d, gpu.Spec{}, "broken.comp.glsl", "layout(local_size_x = 1) in;\nvoid main() { nothing(); }\n"); !errors.As(err, &compile) {
			t.Errorf("a broken program: %v", err)
		}
	})
}

// TestDeleteWaitsForTheContext deletes on a thread without the context, and on it.
func TestDeleteWaitsForTheContext(t *testing.T) {
	inGuest(t, func(c *headless.Context, d *gpu.Device) {
		b := buffer[float32](t, d, 1)
		name := b.Name()
		if err := c.Release(); err != nil {
			t.Fatal(err)
		}
		b.Delete()
		b.Delete()
		if err := d.Free(func() { t.Error("Free runs without the context") }); err == nil {
			t.Error("Free without the context has no error")
		}
		if err := c.MakeCurrent(); err != nil {
			t.Fatal(err)
		}
		if !gl.IsBuffer(name) {
			t.Error("the buffer went without its context")
		}
		if err := d.Do(func() error { return nil }); err != nil || gl.IsBuffer(name) {
			t.Errorf("the device is used again: %v; the buffer is there: %v", err, gl.IsBuffer(name))
		}
	})
}

// TestProgramsShareTheDriversWork makes programs of the same sources, whose uniforms are their own.
func TestProgramsShareTheDriversWork(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		made := func() *gpu.Program { return program(t, d, gpu.Spec{Name: t.Name()}, "scale.comp.glsl", scaleShader) }
		a, b, c := made(), made(), made()
		if a.Name() != b.Name() || b.Name() != c.Name() {
			t.Errorf("programs %d, %d and %d are of the same sources", a.Name(), b.Name(), c.Name())
		}
		if other := program(t, d, gpu.Spec{}, "scale.comp.glsl", scaleShader+"\n// another"); other.Name() == a.Name() {
			t.Error("another source has the same program")
		}
		out := buffer[float32](t, d, 1)
		out.Bind(0)
		result := func(p *gpu.Program) float32 {
			p.Dispatch(1, 1, 1)
			return read(out)[0]
		}
		a.Set("factor", float32(1))
		b.Set("offsets", [][2]float32{{2, 0}, {0, 3}})
		got := []float32{result(a), result(b), result(c), result(b)}
		b.Set("offsets", [][2]float32{{4, 0}}) // the second keeps its value
		got = append(got, result(a), result(b))
		a.Set("factor", float32(5))
		got = append(got, result(b), result(a))
		b.Delete()
		got = append(got, result(c), result(a))
		if want := []float32{1, 32, 0, 32, 1, 34, 34, 5, 0, 5}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		panics(t, func() { b.Dispatch(1, 1, 1) }, "deleted")
		panics(t, func() {
			program(t, d, gpu.Spec{}, "initial.comp.glsl", strings.Replace(scaleShader, "float factor", "float factor = 2", 1))
		}, "initializes")
	})
}

// TestDevicesOnThreads makes devices on several threads at a time, which the race detector watches.
func TestDevicesOnThreads(t *testing.T) {
	var all sync.WaitGroup
	for k := range 4 {
		i := float32(k)
		all.Go(func() {
			inGuest(t, func(_ *headless.Context, d *gpu.Device) {
				b := buffer[float32](t, d, 1)
				for range 20 {
					b.Write(0, []float32{i})
					if got := read(b); got[0] != i {
						t.Errorf("thread %v reads %v", i, got)
					}
				}
			})
		})
	}
	all.Wait()
}

// TestUnmeasuredPassesHaveNoQueries runs passes in a host that ends no frames.
func TestUnmeasuredPassesHaveNoQueries(t *testing.T) {
	inGuest(t, func(_ *headless.Context, d *gpu.Device) {
		for range 50 {
			d.Pass("endless", func() {})
		}
		d.Finish()
		d.FrameEnd()
		if timings := d.Timings(); len(timings) > 0 {
			t.Errorf("no times are wanted, and there are %+v", timings)
		}
	})
}

// BenchmarkDo is what a host pays for a call: of nothing, of a dispatch, and of a clear of a target; and the same inside of one Do.
func BenchmarkDo(b *testing.B) {
	for _, what := range []string{"nothing", "dispatch", "clear"} {
		for _, inside := range []bool{false, true} {
			name := what
			if inside {
				name += " inside"
			}
			b.Run(name, func(b *testing.B) {
				inGuest(b, func(_ *headless.Context, d *gpu.Device) {
					p := program(b, d, gpu.Spec{}, "scale.comp.glsl", scaleShader)
					out := buffer[float32](b, d, 1)
					colour := texture(b, d, gpu.RGBA8, 1, 1, 0)
					to := target(b, d, gpu.Attachments{Color: []gpu.Attachment{{Texture: colour}}})
					once := func() error {
						switch what {
						case "dispatch":
							out.Bind(0)
							colour.Bind(0)
							p.Dispatch(1, 1, 1)
						case "clear":
							to.ClearColor(0, 1)
						}
						return nil
					}
					all := func() error {
						for b.Loop() {
							if err := d.Do(once); err != nil {
								return err
							}
						}
						return nil
					}
					var err error
					if inside {
						err = d.Do(all)
					} else {
						err = all()
					}
					if err != nil {
						b.Fatal(err)
					}
				})
			})
		}
	}
}
