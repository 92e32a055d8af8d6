package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGame plays the game: the ghost waits beside the fountain until it has caught a citizen, and
// then lets others pass, until one has gone through the gate.
func TestGame(t *testing.T) {
	text, err := os.ReadFile("main.go")
	if lines := bytes.Count(text, []byte("\n")); err != nil || lines > 150 {
		t.Errorf("the game has %d lines: %v", lines, err)
	}
	program := filepath.Join(t.TempDir(), "game")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const script = `set -e
"$1" & game=$!
trap 'kill $game 2>/dev/null' EXIT
id=$(timeout 60 xdotool search --sync --onlyvisible --name '^ghost' | head -1)
xdotool windowsize "$id" 320 180 windowfocus "$id" keydown space keydown Left sleep 0.3 keyup Left
timeout 90 xdotool search --sync --name '^ghost: [1-9][0-9]* caught' >/dev/null
xdotool keyup space
timeout 180 xdotool search --sync --name '^ghost: .* [1-9][0-9]* through the gate' >/dev/null
# Frames of software OpenGL take long, so the key stays down for a while. One connection presses and releases it: a
# virtual display may refuse a new one after the last window has closed.
while kill -0 $game 2>/dev/null; do xdotool keydown Escape sleep 1 keyup Escape; done
trap - EXIT
wait $game`
	if out, err := exec.Command("timeout", "300", "bash", "-c", script, "bash", program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
