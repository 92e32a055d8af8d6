package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFullDisk: a result that was not written whole is a failure, whichever verb it is of, and is
// reported once.
func TestFullDisk(t *testing.T) {
	for _, args := range [][]string{
		{"--help"},
		{"list"},
		{"list", "--json"},
		{"info"},
		{"info", "--json"},
		{"validate", "-"},
		{"query", room, "--points", filepath.Join("testdata", "points.txt")},
		{"map", room, "-o", "-"},
		{"render", room, "-o", "-", "--size", "40x30"},
		{"record", room, "-o", "-", "--size", "40x30", "--duration", "0.1s"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		p := exec.Command(os.Args[0], args...)
		p.Env = append(os.Environ(), beNavview+"=1")
		p.Stdin, p.Stdout, p.Stderr = strings.NewReader(crowded), full, &stderr
		_ = p.Run() // its status is looked at below
		const want = "navview: cannot write to standard output: no space left on device\n"
		if status := p.ProcessState.ExitCode(); status != statusFailed || stderr.String() != want {
			t.Errorf("%q: exit status %d, standard error:\n%s", args, status, stderr.String())
		}
		if err := full.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInterrupted: a process that is terminated leaves nothing behind, and what was there before as
// it was.
func TestInterrupted(t *testing.T) {
	for _, name := range []string{"a.gif", "a.mp4"} {
		folder := t.TempDir()
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		p := exec.Command(os.Args[0], "record", room, "-o", file, "--duration", "1h", "--size", "40x30")
		p.Env = append(os.Environ(), beNavview+"=1")
		var stderr bytes.Buffer
		p.Stderr = &stderr
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		files := func() int {
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			return len(entries)
		}
		// Begun is when the new file is there and has a beginning.
		begun := func() bool {
			found, err := filepath.Glob(filepath.Join(folder, ".navview-*"))
			if err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 {
				return false
			}
			info, err := os.Stat(found[0])
			return err == nil && info.Size() > 0
		}
		for deadline := time.Now().Add(time.Minute); !begun(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the film was never begun")
			}
		}
		if err := p.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = p.Wait() // its status is looked at below
		if status := p.ProcessState.ExitCode(); status != 128+int(syscall.SIGTERM) || stderr.Len() > 0 {
			t.Errorf("%s: exit status %d\n%s", name, status, &stderr)
		}
		if data, err := os.ReadFile(file); files() != 1 || err != nil || string(data) != "old" {
			t.Errorf("%s: %d files are left, and %q", name, files(), data)
		}
	}
}

// TestOutputToStandardOutput: its other names are standard output too.
func TestOutputToStandardOutput(t *testing.T) {
	if a := navview(t, "map", room, "--size", "20", "-o", "/dev/stdout").done(t); !strings.HasPrefix(a.stdout, "\x93NUMPY") {
		t.Errorf("/dev/stdout: %.60s", a.stdout)
	}
}

// TestBrokenPipe: a reader that has enough ends the work, silently as with any program, and nothing
// is left behind.
func TestBrokenPipe(t *testing.T) {
	folder := t.TempDir()
	for _, args := range [][]string{
		{"list"},
		{"simulate", room, "--duration", "24h", "--trajectories", "-", "--report", filepath.Join(folder, "a.json")},
		{"record", room, "-o", "-", "--duration", "1h", "--size", "40x30"},
	} {
		p := exec.Command(os.Args[0], args...)
		p.Env = append(os.Environ(), beNavview+"=1")
		var stderr bytes.Buffer
		p.Stderr = &stderr
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		p.Stdout = write
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(write.Close(), read.Close()); err != nil {
			t.Fatal(err)
		}
		_ = p.Wait() // its status is looked at below
		if status := p.ProcessState.ExitCode(); status != 128+int(syscall.SIGPIPE) || stderr.Len() > 0 {
			t.Errorf("%q: exit status %d\n%s", args, status, &stderr)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
