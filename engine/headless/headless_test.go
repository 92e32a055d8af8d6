package headless_test

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/headless"
)

// The environment variable that makes this binary open a context, in a process of its own, and
// print the error.
const helper = "HEADLESS_TEST_OPEN"

func TestMain(m *testing.M) {
	if os.Getenv(helper) != "" {
		_, err := headless.Open()
		var e *headless.Error
		switch {
		case errors.As(err, &e):
			os.Stdout.WriteString(err.Error())
		case err != nil:
			os.Stdout.WriteString("an error of another type: " + err.Error())
		default:
			os.Stdout.WriteString("a context")
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func open(t *testing.T) *headless.Context {
	t.Helper()
	c, err := headless.Open()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOpen(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := open(t)
	defer c.Close()
	chosen := 0
	for _, a := range c.Attempts() {
		if a.Chosen {
			chosen++
			if a.Err != nil || a.Renderer == "" || a.Version < "4.5" {
				t.Errorf("chosen: %+v, want a renderer, a version of 4.5 or later and no error", a)
			}
			if d := c.Describe(); !strings.Contains(d, a.Renderer) || !strings.Contains(d, a.Platform) || !strings.Contains(a.String(), "chosen") {
				t.Errorf("Describe says %q, the attempt %q", d, a)
			}
		} else if a.Err == nil && (a.Renderer == "" || a.Version == "") {
			t.Errorf("%+v neither failed nor has a renderer", a)
		}
		if a.Err != nil && !strings.Contains(a.String(), a.Err.Error()) {
			t.Errorf("%q does not tell why", a)
		}
	}
	if chosen != 1 {
		t.Errorf("%d attempts chosen: %v", chosen, c.Attempts())
	}
	if err := c.MakeCurrent(); err != nil {
		t.Error(err)
	}
	if err := c.Release(); err != nil {
		t.Error(err)
	}
}

func TestCloseTwice(t *testing.T) {
	c := open(t)
	c.Close()
	c.Close()
	defer func() {
		if p := recover(); p != "headless: MakeCurrent on a closed Context" {
			t.Errorf("MakeCurrent after Close panicked with %v", p)
		}
	}()
	_ = c.MakeCurrent()
}

// A context may go from thread to thread, but not be on two at once; closing one leaves the current
// one alone.
func TestContextsAndThreads(t *testing.T) {
	a, b := open(t), open(t)
	defer a.Close()
	for range 3 {
		var wait sync.WaitGroup
		for _, c := range []*headless.Context{a, b} {
			wait.Go(func() {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				if err := c.MakeCurrent(); err != nil {
					t.Error(err)
					return
				}
				if err := c.Release(); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := a.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	b.Close()
	if !a.Current() {
		t.Error("closing another context took the current one away")
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		done <- a.MakeCurrent()
	}()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "EGL_BAD_ACCESS") {
		t.Errorf("a context on two threads: %v, want EGL_BAD_ACCESS", err)
	}
	if err := a.Release(); err != nil {
		t.Error(err)
	}
	if a.Current() {
		t.Error("a released context is still current")
	}
}

func TestNoLibrary(t *testing.T) {
	for library, want := range map[string]string{
		"libEGL-that-is-not-there.so.1": "libEGL-that-is-not-there.so.1",
		"libm.so.6":                     "has no function eglGetProcAddress", // a library, but another one
	} {
		_, err := headless.OpenLibrary(library)
		var e *headless.Error
		if !errors.As(err, &e) || len(e.Attempts) != 1 || e.Attempts[0].Platform != "library" {
			t.Errorf("%s: got %v, want an *Error with the library as its one attempt", library, err)
			continue
		}
		for _, part := range []string{"headless: ", want, "apt-get install libegl1 libgl1-mesa-dri"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q is not in %v", library, part, err)
			}
		}
	}
}

// elsewhere opens a context in another process with the environment changed, and gives what it
// printed.
func elsewhere(t *testing.T, set ...string) string {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), helper+"=1"), set...)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("the process ended with %v:\n%s", err, out)
	}
	return string(out)
}

func TestNoDriver(t *testing.T) {
	// The vendor-neutral libEGL then knows no vendor's.
	got := elsewhere(t, "__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json")
	for _, part := range []string{"headless: no OpenGL 4.5", "tried device", "tried surfaceless", "tried default", "apt-get install libegl1 libgl1-mesa-dri", "NVIDIA"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in:\n%s", part, got)
		}
	}
}

func TestOldDriver(t *testing.T) {
	// Mesa can be made to look older; the first variable chooses it where there are others.
	got := elsewhere(t, "__EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/glvnd/egl_vendor.d/50_mesa.json", "MESA_GL_VERSION_OVERRIDE=4.3")
	for _, part := range []string{"headless: no OpenGL 4.5", "eglCreateContext failed", "it offers 4.3", "too old"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in:\n%s", part, got)
		}
	}
}

// TestUnchecked makes devices of a context that reports no errors: of a host's and of one's own.
func TestUnchecked(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := headless.OpenUnchecked()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() (*gpu.Device, error){"New": func() (*gpu.Device, error) { return gpu.New(gpu.Options{}) }, "NewOwn": gpu.NewOwn} {
		d, err := open()
		var wrong *gpu.ContextError
		if d != nil || !errors.As(err, &wrong) || wrong.Kind != gpu.Unchecked || !strings.Contains(err.Error(), "without the no-error flag") {
			t.Errorf("gpu.%s in a context without errors: %v", name, err)
		}
	}
}
