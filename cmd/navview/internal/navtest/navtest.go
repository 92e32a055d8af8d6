// Package navtest has what tests of the viewer and of the program share: a display and its user.
package navtest

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// The size of the display.
const (
	Width  = 640
	Height = 400
)

// Display starts an X server without a screen, for this test alone, and makes it the process's display.
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
