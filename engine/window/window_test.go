package window_test

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/engine/window"
)

// The environment variable that makes this binary open a window, in a process of its own, and say
// what came of it.
const helper = "WINDOW_TEST_OPEN"

func TestMain(m *testing.M) {
	if os.Getenv(helper) != "" {
		runtime.LockOSThread()
		_, err := window.Open(window.Options{})
		var e *window.Error
		switch {
		case errors.As(err, &e) && e.Kind == window.NoDisplay:
			os.Stdout.WriteString("no display: " + err.Error())
		case errors.As(err, &e) && e.Kind == window.NotBuilt:
			os.Stdout.WriteString("not built: " + err.Error())
		case err != nil:
			os.Stdout.WriteString("other: " + err.Error())
		default:
			os.Stdout.WriteString("a window")
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// open runs Open in another process, without the given variables and with others set.
func open(t *testing.T, set ...string) (stdout, stderr string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "DISPLAY=") && !strings.HasPrefix(pair, "WAYLAND_DISPLAY=") {
			c.Env = append(c.Env, pair)
		}
	}
	c.Env = append(append(c.Env, helper+"=1"), set...)
	var err strings.Builder
	c.Stderr = &err
	out, failed := c.Output()
	if failed != nil {
		t.Fatalf("%v\n%s%s", failed, out, err.String())
	}
	return string(out), err.String()
}

func TestOpenFails(t *testing.T) {
	for name, test := range map[string]struct {
		set  []string
		want string
	}{
		"no display variable":             {nil, "DISPLAY is not set"},
		"empty display variable":          {[]string{"DISPLAY="}, "DISPLAY is not set"},
		"a display that does not answer":  {[]string{"DISPLAY=:4242"}, ":4242"},
		"a display that cannot be parsed": {[]string{"DISPLAY=nonsense"}, "nonsense"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr := open(t, test.set...)
			if built {
				if !strings.HasPrefix(stdout, "no display: window: no display (") || !strings.Contains(stdout, test.want) || !strings.Contains(stdout, "xvfb") {
					t.Errorf("got %q, want no display, the reason %q and a remedy", stdout, test.want)
				}
			} else if !strings.HasPrefix(stdout, "not built: window: this build has no window") || !strings.Contains(stdout, "without the tag headless") {
				t.Errorf("got %q, want that this build has no window", stdout)
			}
			if stderr != "" {
				t.Errorf("Open wrote to standard error: %q", stderr)
			}
		})
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for kind, want := range map[window.Kind]string{
		window.NoDisplay: "xvfb-run",
		window.NoOpenGL:  "libgl1-mesa-dri",
		window.NotBuilt:  "without the tag headless",
	} {
		message := (&window.Error{Kind: kind, Reason: "because"}).Error()
		if !strings.HasPrefix(message, "window: ") || !strings.Contains(message, "(because)") || !strings.Contains(message, want) {
			t.Errorf("kind %d: %q lacks the package, the reason or the remedy %q", kind, message, want)
		}
	}
}
