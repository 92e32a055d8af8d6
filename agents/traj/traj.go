// Package traj writes the trajectories of a crowd into files, and reads them. A format is a Writer,
// a function that reads, and its line in Formats; flags and help of programs follow from that list.
// It links a database and a compressor, so package engine does not import it.
package traj

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/wkt"
)

// Run is what a file says of a run as a whole.
type Run struct {
	Scene *scenes.Scene // its name, time step, groups and geometry
	Every int           // time steps from one frame to the next
}

// rate returns the frames a second.
func (r Run) rate() float64 { return 1 / (r.Scene.Simulation.Timestep * float64(r.Every)) }

// Writer writes the trajectories of one run.
type Writer interface {
	Begin(Run) error
	// Frame writes a frame. The first one is that of time 0, each later one comes Run.Every time
	// steps after the one before. Walkers are in the order of their ids.
	Frame(measure.Frame) error
	// End completes the file, without closing it, or discards what was written where complete is
	// false, since there was an error. Call it once after Begin, whatever Begin returned.
	End(complete bool) error
}

// Format is a format of files.
type Format struct {
	Name   string
	Ending string // of file names, with its dot
	Help   string // what the format holds and what reads it, for a command's help
	New    func(to io.Writer) Writer
	read   func(r *reader) error
}

// Formats lists the formats, the default first. That of JuPedSim is not there on WebAssembly, which
// the driver of its database is not built for.
var Formats = slices.Concat([]Format{
	{"csv", ".csv", "frame,time,id,x,y,vx,vy,group, a row an agent and frame", newCSV, readCSV},
}, databases, []Format{
	{"parquet", ".parquet", "the columns of csv, compressed; read by pandas, Polars, DuckDB", newParquet, readParquet},
	{"peda", ".txt", "text of the Pedestrian Dynamics Data Archive: id frame x y z", newPeDa, readPeDa},
})

// number is the shortest text of a number that reads as the same.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// groundAt returns the free ground at a time as well-known text.
func groundAt(s *scenes.Scene, time float64) (string, error) {
	still := *s
	still.Obstacles = nil
	for _, o := range s.Obstacles {
		if o.Stops(scenes.Walked) && o.PresentAt(time) {
			p := o.PolygonAt(time)
			shape := scenes.Obstacle{Outline: p.Outer}
			for _, hole := range p.Holes {
				shape.Holes = append(shape.Holes, hole)
			}
			still.Obstacles = append(still.Obstacles, shape)
		}
	}
	data, _, err := wkt.Format.Write(&still)
	return strings.TrimSpace(string(data)), err
}
