package console

import (
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"12": 12 * time.Second, "12s": 12 * time.Second, "1m30s": 90 * time.Second, "0": 0, "0.5": time.Second / 2, ".5": time.Second / 2, "1e2": 100 * time.Second,
		"500ms": time.Second / 2, "-3": -3 * time.Second, "-.5s": -time.Second / 2, "0.1": time.Second / 10, "3.3": 3300 * time.Millisecond, "+2": 2 * time.Second,
		"1h": time.Hour, "1us": time.Microsecond, "1min": 0, "10ns": 10,
	} {
		got, err := ParseTime(text)
		if bad := text == "1min"; got != want || (err != nil) != bad {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", " ", "s", "12 s", "1,5", "inf", "nan", "0x10", "1_0", "1e30", "-1e30", "1e999", "12q", "1m30", "--1", "9999999999999h"} {
		if got, err := ParseTime(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}
