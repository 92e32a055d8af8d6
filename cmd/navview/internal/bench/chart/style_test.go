package chart

import (
	"strings"
	"testing"
)

// TestLogTicks: ticks lie on the axis, at most a factor of 2 apart, and short axes have more
// labels.
func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		labels    string
	}{
		{16, 20_164, "100 1,000 10,000"}, {2, 8, "2 5"}, {0.6, 56, "1 2 5 10 20 50"}, {0.00001, 0.5, "1e-05 0.0001 0.001 0.01 0.1"},
	} {
		var labels []string
		last := 0.0
		for _, tick := range logTicks(c.low, c.high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
			if last > 0 && tick.Value > 2.001*last || tick.Value <= last || tick.Value < c.low || tick.Value > c.high {
				t.Errorf("%v to %v: a tick at %v follows that at %v", c.low, c.high, tick.Value, last)
			}
			last = tick.Value
		}
		if got := strings.Join(labels, " "); got != c.labels {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.labels)
		}
	}
}
