//go:build headless

package main

// viewerVerbs is empty: this build has no window.
type viewerVerbs struct{}
