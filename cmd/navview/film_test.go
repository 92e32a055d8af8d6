package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFFmpegFails: the message has the last line of ffmpeg's output, and a remedy.
func TestFFmpegFails(t *testing.T) {
	folder := t.TempDir()
	script := "#!/bin/sh\necho 'first words' >&2\necho 'no such encoder' >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(folder, "ffmpeg"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	a := call{
		args: []string{"record", room, "-o", filepath.Join(folder, "a.mp4"), "--size", "400x300", "--duration", "1s"},
		env:  []string{"PATH=" + folder + ":" + os.Getenv("PATH")},
	}.run(t)
	if a.status != statusFailed || !strings.HasPrefix(a.stderr, "navview: ffmpeg failed: no such encoder. ") || strings.Contains(a.stderr, "first words") || !strings.Contains(a.stderr, "libx264") {
		t.Errorf("exit status %d\n%s", a.status, a.stderr)
	}
}
