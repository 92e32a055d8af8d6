// Package navtest has helpers for tests of the program and of its packages.
package navtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The size of the display.
const (
	Width  = 640
	Height = 400
)

// Display starts an X server without a screen and makes it the display of the test.
func Display(t *testing.T) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", Width, Height), "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	if err := server.Start(); err != nil {
		t.Fatalf("the viewer's tests need Xvfb and xdotool (apt-get install xvfb xdotool): %v", err)
	}
	write.Close()
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	var number int
	if _, err := fmt.Fscan(read, &number); err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	t.Setenv("DISPLAY", fmt.Sprintf(":%d", number))
}

// Xdotool sends the input of a user.
func Xdotool(t *testing.T, args ...any) string {
	t.Helper()
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = fmt.Sprint(a)
	}
	out, err := exec.Command("xdotool", words...).CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// Write writes a file into a temporary folder of the test.
func Write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// Walkers is a corridor with a pillar and four agents: the first and the last have local maps with
// a harmonic guide. The first one arrives within seconds.
const Walkers = `{"version": 1, "name": "walkers", "domain": [0, 0, 16, 8],
	"obstacles": [{"rect": [8, 3, 9, 5]}],
	"goals": [{"id": "east", "points": [[12, 6]]}, {"id": "west", "points": [[1, 2]]}],
	"profiles": [{"id": "field", "steering": "bvp", "avoidance": "none", "bvp": {"cells": 17, "cellSize": 0.3, "guide": "harmonic"}}, {"id": "straight", "avoidance": "none"}],
	"groups": [{"profile": "field", "spawn": {"points": [[9.6, 4.4]]}, "itinerary": ["east"]},
		{"profile": "straight", "spawn": {"points": [[3, 2], [3, 6]]}, "itinerary": ["east"]},
		{"profile": "field", "spawn": {"points": [[6, 0.6]]}, "itinerary": ["east", "west"]}],
	"map": {"size": 64}}`

// Room is the scene that most tests run on, for packages in internal.
const Room = "../../testdata/room.json"
