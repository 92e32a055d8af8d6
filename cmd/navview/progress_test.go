package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestProgressLines: off a terminal long work says how far it has come, first after ten seconds, then less and less often.
func TestProgressLines(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, "simulate", 6000)
	defer p.done()
	for second := 0; second <= 3600; second++ {
		p.report(p.begun.Add(time.Duration(second) * time.Second))
		if second < 10 && b.Len() > 0 {
			t.Fatalf("after %d s: %s", second, &b)
		}
		if second == 10 {
			if got := b.String(); got != "navview: simulate: 0%, 10 of 6,000, 10s so far, 1h39m50s to go\n" {
				t.Errorf("got %s", got)
			}
		}
		if second == 40 {
			if got := strings.Count(b.String(), "\n"); got != 4 {
				t.Errorf("%d lines in 40 s", got)
			}
		}
		if second == 1200 {
			b.Reset()
		}
		p.step()
	}
	lines := strings.Count(b.String(), "\n")
	if lines < 3600/(60*5)/2 || lines > 12 || !strings.Contains(b.String(), "%, ") || !strings.Contains(b.String(), " to go\n") {
		t.Errorf("%d lines from 20 to 60 minutes:\n%s", lines, &b)
	}

	b.Reset()
	unknown := newProgress(&b, "maps", 0)
	unknown.report(unknown.begun.Add(time.Minute))
	unknown.done()
	unknown.done()
	if got := b.String(); got != "navview: maps: 1m0s so far\n" {
		t.Errorf("got %s", got)
	}
}

// TestVerbsShowProgress: off a terminal verbs that read and make scenes say that they are at work. Each waits for its input
// until it has said so.
func TestVerbsShowProgress(t *testing.T) {
	for want, args := range map[string][]string{
		"navview: validate: ":          {"validate", "-"},
		"navview: convert: ":           {"convert", "-", "-", "--from", "wkt"},
		"navview: reading the scene: ": {"convert", "-", os.DevNull + ".wkt"},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(os.Args[0], args...)
			c.Env = append(os.Environ(), beNavview+"=1", beTalkative+"=1")
			in, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			said, err := c.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			line, _ := bufio.NewReader(said).ReadString('\n')
			if !strings.HasPrefix(line, want) || !strings.HasSuffix(line, "s so far\n") {
				t.Errorf("got %q", line)
			}
			_ = in.Close()
			_ = c.Wait() // fails: nothing is no scene
		})
	}
}
