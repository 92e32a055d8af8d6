package gpu_test

import (
	"errors"
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
	gputest.Host(t, func(c *headless.Context) {
		d, err := gpu.New(gpu.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f(c, d)
		if err := errors.Join(d.Err(), d.Close(), d.Close()); err != nil {
			t.Error(err)
		}
	})
}

const scaleShader = `
layout(local_size_x = 1) in;
layout(std430) writeonly buffer Out { float values[]; };
uniform float factor;
uniform vec2 offsets[2];
void main() { values[0] = factor + offsets[0].x + 10 * offsets[1].y; }
`

type scaleInput struct {
	values  *gpu.Buffer[float32] `gpu:"write"`
	factor  float32
	Offsets [2][2]float32
}

// TestDoorsNest counts how often a host's state is put aside.
func TestDoorsNest(t *testing.T) {
	inGuest(t, func(_ *headless.Context, d *gpu.Device) {
		p := compute[scaleInput](t, d, scaleShader)
		b := buffer[float32](t, d, 1)
		before := d.Entries()
		err := d.Do(func() error {
			d.Stage("inside", func() { p.Run(scaleInput{values: b, factor: 3}, 1) })
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
		// Without Do each call is one of its own.
		b.Fill(0)
		barriers := d.Barriers()
		p.Run(scaleInput{values: b, factor: 5}, 1)
		if got := d.Barriers() - barriers; got != 1 {
			t.Errorf("%d barriers with a run, want one for what the host does next", got)
		}
		if got := read(b); got[0] != 5 || d.Entries() != before+4 {
			t.Errorf("three calls gave %v and entered %d times", got, d.Entries()-before-1)
		}
		own := errors.New("own")
		if err := d.Do(func() error { return own }); !errors.Is(err, own) {
			t.Errorf("Do returns %v, want the function's error", err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = d.Do(func() error { panic("on purpose") })
		}()
		panics(t, func() { p.Run(scaleInput{}, 1) }, "values", "nil")
		before = d.Entries()
		if b.Fill(1); d.Entries() != before+1 {
			t.Error("after a panic inside of Do or of a run the door is open")
		}
	})
}

// TestGuestErrors has a call of this package fail in a host's context.
func TestGuestErrors(t *testing.T) {
	inGuest(t, func(_ *headless.Context, d *gpu.Device) {
		p, b := compute[scaleInput](t, d, scaleShader), buffer[float32](t, d, 1)
		var wrong *gpu.GLError
		if err := d.Do(func() error { p.RunIndirect(scaleInput{values: b}, b, 400); return nil }); !errors.As(err, &wrong) {
			t.Errorf("an indirect run beyond its buffer: %v, want a *gpu.GLError", err)
		}
		if err := d.Do(func() error { return nil }); err != nil {
			t.Errorf("the error came twice: %v", err)
		}
		var compile *gpu.CompileError
		if _, err := gpu.NewPass(d, specOf[struct{}]("broken.comp.glsl", "layout(local_size_x = 1) in;\nvoid main() { nothing(); }\n")); !errors.As(err, &compile) {
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
			d.Stage("endless", func() {})
		}
		d.Finish()
		d.FrameEnd()
		if timings := d.Timings(); len(timings) > 0 {
			t.Errorf("no times are wanted, and there are %+v", timings)
		}
	})
}

// BenchmarkDo is what a host pays for a call: of nothing, of a dispatch, and of a clear of a
// target; and the same inside of one Do.
func BenchmarkDo(b *testing.B) {
	for _, what := range []string{"nothing", "dispatch", "clear"} {
		for _, inside := range []bool{false, true} {
			name := what
			if inside {
				name += " inside"
			}
			b.Run(name, func(b *testing.B) {
				inGuest(b, func(_ *headless.Context, d *gpu.Device) {
					p := compute[scaleInput](b, d, scaleShader)
					in := scaleInput{values: buffer[float32](b, d, 1)}
					color := texture(b, d, gpu.RGBA8, 1, 1, 0)
					to := target(b, d, color, 0, nil)
					once := func() error {
						switch what {
						case "dispatch":
							p.Run(in, 1)
						case "clear":
							to.ClearColor(1)
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

// TestHostBindsWhatIsDeleted has a host bind a buffer of the device, as to draw from it, and the
// device delete that in the middle of a call: the host finds nothing bound, and no error.
func TestHostBindsWhatIsDeleted(t *testing.T) {
	inGuest(t, func(_ *headless.Context, d *gpu.Device) {
		bound := buffer[uint32](t, d, 4)
		gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, bound.Name())
		name := bound.Name()
		var next *gpu.Buffer[uint32]
		err := d.Do(func() error {
			bound.Delete()
			next = buffer[uint32](t, d, 4)
			next.Write(0, []uint32{1, 2, 3, 4})
			compute[outInput[uint32]](t, d, "layout(local_size_x = 1) in; layout(std430) writeonly buffer Values { uint values[]; }; void main() { values[0] = 9u; }").
				Run(outInput[uint32]{next}, 1)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		var now int32
		if gl.GetIntegeri_v(gl.SHADER_STORAGE_BUFFER_BINDING, 0, &now); now != 0 || gl.IsBuffer(name) {
			t.Errorf("buffer %d is bound; buffer %d, which was deleted, is there: %v", now, name, gl.IsBuffer(name))
		}
		next.Delete()
	})
}
