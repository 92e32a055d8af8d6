//go:build !headless

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/navtest"
)

// TestViewerProcess: the program itself, from its start to its end by a key.
func TestViewerProcess(t *testing.T) {
	navtest.Display(t)
	p := exec.Command(os.Args[0], room, "--verbose")
	p.Env = append(os.Environ(), beNavview+"=1")
	var stderr bytes.Buffer
	p.Stderr = &stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	defer func() { _ = p.Process.Kill() }()
	found := func() bool {
		return exec.Command("xdotool", "search", "--onlyvisible", "--name", "^room: 12 agents").Run() == nil
	}
	for start := time.Now(); !found(); time.Sleep(50 * time.Millisecond) {
		if time.Since(start) > 20*time.Second {
			t.Fatalf("no window came up\n%s", stderr.String())
		}
	}
	navtest.Xdotool(t, "mousemove", navtest.Width/2, navtest.Height/2, "key", "Escape", "key", "q")
	select {
	case err := <-ended:
		if err != nil || !strings.Contains(stderr.String(), "OpenGL") {
			t.Errorf("%v\n%s", err, stderr.String())
		}
	case <-time.After(20 * time.Second):
		t.Error("the key q did not end it")
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
