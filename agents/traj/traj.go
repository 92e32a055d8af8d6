// Package traj writes the trajectories of a crowd into files. A format is a Writer and its line in
// Formats; flags and help of programs follow from that list.
package traj

import (
	"io"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes"
)

// Run is what a file says of a run as a whole.
type Run struct {
	Scene *scenes.Scene // its name, time step, groups and geometry
	Every int           // time steps from one frame to the next
}

// Writer writes the trajectories of one run.
type Writer interface {
	Begin(Run) error
	// Frame writes a frame. The first one is that of time 0, each later one comes Run.Every time
	// steps after the one before. Walkers are in the order of their ids.
	Frame(measure.Frame) error
	// End completes the file, without closing it. It is called after the last frame unless there
	// was an error.
	End() error
}

// Output is where a Writer writes.
type Output interface {
	io.Writer
	// File is the name of a file that a library may write itself instead; false for a stream.
	File() (name string, ok bool)
}

// Format is a format of files.
type Format struct {
	Name   string
	Ending string // of file names, with its dot
	New    func(Output) Writer
}

// Formats lists the formats, the default first.
var Formats = []Format{{"csv", ".csv", newCSV}}
