package console

import (
	"testing"
)

func TestWithoutPackages(t *testing.T) {
	for given, want := range map[string]string{
		`engine: scene "a": spm: a map of 3 x 3 texels: gpu: texture "spm field" is full`: `scene "a": a map of 3 x 3 texels: texture "spm field" is full`,
		"engine: spm: the source lies outside":                                            "the source lies outside",
		"--layers: render: no layer is called so":                                         "--layers: no layer is called so",
		"cannot write gpu: no such folder":                                                "cannot write gpu: no such folder",
		"hall.json:3:4: $.goals: scenes are needed":                                       "hall.json:3:4: $.goals: scenes are needed",
	} {
		if got := WithoutPackages(given); got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
}

func TestFigures(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 7: "7", 0.25: "0.25", 999: "999", 1000: "1,000", 20164: "20,164", 1234567.5: "1,234,567.5"} {
		if got := Figure(v); got != want {
			t.Errorf("figure(%v) = %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 0.0012345: "0.00123", 0.999: "0.999", 1.2345: "1.23", 45.67: "45.7", 123.4: "123", 93700: "93,700"} {
		if got := MS(v); got != want {
			t.Errorf("ms(%v) = %s, want %s", v, got, want)
		}
	}
}
