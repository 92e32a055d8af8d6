package gpu_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/headless"
)

// eglLoader is a host's own eglGetProcAddress.
func eglLoader(t *testing.T) func(name string) unsafe.Pointer {
	t.Helper()
	file, err := purego.Dlopen("libEGL.so.1", purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	var get func(name string) unsafe.Pointer
	purego.RegisterLibFunc(&get, file, "eglGetProcAddress")
	return get
}

// TestLoaders makes devices by a host's own loader: the functions are those that the process has,
// which works, or another one is among them, which is refused by its name.
func TestLoaders(t *testing.T) {
	gputest.Host(t, func(*headless.Context) {
		get := eglLoader(t)
		d, err := gpu.New(gpu.Options{GetProcAddress: get})
		if err != nil {
			t.Fatal(err)
		}
		b := buffer[uint32](t, d, 1)
		b.Write(0, []uint32{7})
		if got := read(b); got[0] != 7 {
			t.Errorf("got %v", got)
		}
		b.Delete()
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		for what, other := range map[string]unsafe.Pointer{"another function": get("glFlush"), "none": nil} {
			_, err := gpu.New(gpu.Options{GetProcAddress: func(name string) unsafe.Pointer {
				if name == "glFinish" {
					return other
				}
				return get(name)
			}})
			var loader *gpu.LoaderError
			if !errors.As(err, &loader) || loader.Function != "glFinish" {
				t.Errorf("a loader with %s for glFinish: %v", what, err)
			}
		}
	})
}

// TestStates sets state as a host does, uses a device, and reads it: as it was, as it was at the
// device's first use, or as the device has left it.
func TestStates(t *testing.T) {
	alignment := func() (v int32) { gl.GetIntegerv(gl.UNPACK_ALIGNMENT, &v); return v }
	for state, want := range map[gpu.State][2]int32{gpu.Restore: {4, 8}, gpu.Reset: {4, 4}, gpu.Leave: {1, 1}} {
		gputest.Host(t, func(*headless.Context) {
			d, err := gpu.New(gpu.Options{State: state})
			if err != nil {
				t.Fatal(err)
			}
			x := texture(t, d, gpu.R32F, 3, 1, 0)
			for i, set := range []int32{4, 8} { // 4 is OpenGL's own
				gl.PixelStorei(gl.UNPACK_ALIGNMENT, set)
				x.Write(0, []float32{1, 2, float32(i)})
				if got := alignment(); got != want[i] {
					t.Errorf("state %d: GL_UNPACK_ALIGNMENT is %d after use %d, want %d", state, got, i, want[i])
				}
				got := make([]float32, 3)
				if x.Read(0, got); got[2] != float32(i) {
					t.Errorf("state %d: use %d writes %v", state, i, got)
				}
			}
			x.Delete()
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	var wrong *gpu.StateError
	if _, err := gpu.New(gpu.Options{State: 3}); !errors.As(err, &wrong) {
		t.Errorf("a state that there is not: %v", err)
	}
}

// TestMemoryIsLimited makes objects until a limit, which deletions give back.
func TestMemoryIsLimited(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		m := &gpu.Memory{Limit: 1000}
		_ = d.Within(m, func() error {
			a := buffer[uint32](t, d, 200)
			_, err := gpu.NewBuffer[uint32](d, "second", 51)
			var full *gpu.MemoryError
			if !errors.As(err, &full) || *full != (gpu.MemoryError{What: `buffer "second"`, Needed: 204, Used: 800, Limit: 1000}) {
				t.Errorf("204 bytes besides 800 of 1000: %v", err)
			}
			b := buffer[uint32](t, d, 50)
			if m.Used() != 1000 {
				t.Errorf("%d bytes are counted, of 1000", m.Used())
			}
			a.Delete()
			a.Delete()
			x := texture(t, d, gpu.R32F, 10, 20, 0)
			b.Delete()
			if m.Used() != 800 {
				t.Errorf("%d bytes are counted, of 800", m.Used())
			}
			x.Delete()
			return nil
		})
		outside := buffer[uint32](t, d, 300)
		outside.Delete()
		if m.Used() != 0 {
			t.Errorf("%d bytes are counted once all is deleted", m.Used())
		}
	})
}
