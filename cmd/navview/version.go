package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is what --version prints: of the program, its source, and what it was built with and for.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return fmt.Sprintf("navview %s, %s %s/%s", versionOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionOf is the module's version, or "(devel)", and the revision of its source, as far as the
// build knows them.
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
