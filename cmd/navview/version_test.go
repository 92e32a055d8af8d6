package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	revision := setting("vcs.revision", "0123456789abcdef0123456789abcdef01234567")
	for want, info := range map[string]debug.BuildInfo{
		"(devel)":                {},
		"v1.2.3":                 {Main: debug.Module{Version: "v1.2.3"}},
		"(devel) (0123456789ab)": {Settings: []debug.BuildSetting{revision, setting("vcs.modified", "false")}},
		"v1.2.3 (0123456789ab, 2026-11-22T12:00:00Z, modified)": {Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
			revision, setting("vcs.time", "2026-11-22T12:00:00Z"), setting("vcs.modified", "true"),
		}},
		"v2": {Main: debug.Module{Version: "v2"}, Settings: []debug.BuildSetting{setting("vcs.revision", "")}},
	} {
		if got := versionOf(&info); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for _, args := range [][]string{{"--version"}, {"render", "--version"}} {
		if a := navview(t, args...).done(t); !strings.HasPrefix(a.stdout, "navview ") || strings.Count(a.stdout, "\n") != 1 {
			t.Errorf("%q: %s", args, a.stdout)
		}
	}
}
