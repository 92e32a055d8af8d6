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
