package console

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestProgressLines: off a terminal the progress of long work is written, first after ten seconds,
// then less and less often.
func TestProgressLines(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, "simulate", 6000)
	defer p.Done()
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
		p.Step()
	}
	lines := strings.Count(b.String(), "\n")
	if lines < 3600/(60*5)/2 || lines > 12 || !strings.Contains(b.String(), "%, ") || !strings.Contains(b.String(), " to go\n") {
		t.Errorf("%d lines from 20 to 60 minutes:\n%s", lines, &b)
	}

	b.Reset()
	unknown := NewProgress(&b, "maps", 0)
	unknown.report(unknown.begun.Add(time.Minute))
	unknown.Done()
	unknown.Done()
	if got := b.String(); got != "navview: maps: 1m0s so far\n" {
		t.Errorf("got %s", got)
	}
}
