//go:build !headless

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestViewerProcess runs the program itself on a display, from its start to its end by a key.
func TestViewerProcess(t *testing.T) {
	p := exec.Command("xvfb-run", "-a", "-s", "-screen 0 640x400x24", "timeout", "60", "bash", "-c", `"$0" "$1" --verbose &
trap 'kill %1' EXIT
xdotool search --sync --onlyvisible --name '^room - navview' >/dev/null
xdotool mousemove 320 200 key Escape key ctrl+q
wait %1
status=$?
trap - EXIT
exit $status`, os.Args[0], room)
	p.Env = append(os.Environ(), beNavview+"=1")
	if out, err := p.CombinedOutput(); err != nil || !strings.Contains(string(out), "OpenGL") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestViewerRefuses(t *testing.T) {
	a := call{args: []string{room}, env: []string{"DISPLAY="}}.run(t)
	if a.status != statusFailed || !strings.Contains(a.stderr, "no display") || !strings.Contains(a.stderr, "xvfb-run") {
		t.Errorf("without a display: %+v", a)
	}
	prefixed(t, a.stderr)
	if a := navview(t, room, "--context", "headless"); a.status != statusUsage || !strings.Contains(a.stderr, "navview render") {
		t.Errorf("headless: %+v", a)
	}
	if a := navview(t, "--paused", "nowhere.json"); a.status != statusFailed || !strings.Contains(a.stderr, "nowhere.json") {
		t.Errorf("no file: %+v", a)
	}
}
