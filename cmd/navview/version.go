package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the output of --version.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return fmt.Sprintf("navview %s, %s %s/%s", versionOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionOf returns the module's version, or "(devel)", and the revision of its source.
func versionOf(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	text := info.Main.Version
	if text == "" {
		text = "(devel)"
	}
	revision := settings["vcs.revision"]
	if revision == "" {
		return text
	}
	text += " (" + revision[:min(len(revision), 12)]
	if time := settings["vcs.time"]; time != "" {
		text += ", " + time
	}
	if settings["vcs.modified"] == "true" {
		text += ", modified"
	}
	return text + ")"
}
