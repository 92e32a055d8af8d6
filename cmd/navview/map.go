package main

import (
	"cmp"
	"fmt"
	"image/png"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/device"
	"github.com/wayfront/wayfront/cmd/navview/internal/goalmap"
	"github.com/wayfront/wayfront/cmd/navview/internal/media"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/spm"
)

type mapVerb struct {
	goalmap.Flags   `embed:""`
	goalmap.Partial `embed:""`
	Output          string          `short:"o" required:"" placeholder:"OUT.npy|.png" help:"Where to write; - writes NPY to standard output."`
	Layers          *render.Layers  `placeholder:"LIST" help:"What the picture shows, with commas between: ${maplayers} (default: all but parents)."`
	Palette         *render.Palette `enum:"calm,paper,distance" placeholder:"NAME" help:"Colors of the picture: ${enum} (default: calm)."`
}

func (mapVerb) Help() string {
	return `NPY: float32, shape (rows, columns, 4): parent x, parent y, distance, state (0 unreached, 1 reached, 2 obstacle), world
coordinates in meters. Distance is inf where unreached and nan in obstacles; parents are nan in both. Row 0 is the lowest y; texel (i, j)
is centered on x0 + (j + 0.5) * cell, y0 + (i + 0.5) * cell, cell = longer side / N. Parents far from the origin are rounded as float32
is, to a quarter of a meter at 5,000,000; query reports them in full precision. What is nearer to obstacles than the goal's clearance counts as obstacle.
PNG: a pixel a texel; what is too near for the clearance has its own gray. parents is the tree of shortest paths, a line from every corner to the one that it is reached from.

Examples:
  navview map profiling3 -o profiling3.npy
  navview map hall.json --goal exits --size 500 -o exits.png
  navview map spmex2 -o tree.png --layers isolines,obstacles,parents,sources
  navview map plaza -o - | python3 -c 'import numpy, sys, io; print(numpy.load(io.BytesIO(sys.stdin.buffer.read())).shape)'`
}

func (v mapVerb) Run(s *console.Session) (err error) {
	format, err := console.FormatOf(v.Output, ".npy", ".png")
	if err != nil {
		return err
	}
	doc, goal, err := v.Load()
	if err != nil {
		return err
	}
	out, err := console.Create(v.Output, s.Stdout)
	if err != nil {
		return err
	}
	defer out.Close(&err)
	return device.With(s, func(h *device.Host) error {
		m, open, err := v.Build(s, h.Device, doc, goal, v.Steps, true)
		if err != nil {
			return err
		}
		defer m.Delete()
		defer device.ReportTimes(s, h.Device)
		if format == ".npy" {
			return media.WriteNPY(out, []int{m.Extent.Rows, m.Extent.Columns, 4}, goalmap.Values(m))
		}
		layers, palette := mapLayers&^render.Parents, render.PaletteCalm
		if v.Layers != nil {
			layers = *v.Layers
		}
		if v.Palette != nil {
			palette = *v.Palette
		}
		picture, err := goalmap.Picture(h.Device, m, open, goal, layers, palette)
		if err != nil {
			return err
		}
		return png.Encode(out, picture)
	})
}

// mapLayers are the layers of a map's picture, which has no agents.
const mapLayers = render.Regions | render.Isolines | render.Obstacles | render.Parents | render.Sources

// Validate checks layers, and flags that exclude each other.
func (v mapVerb) Validate() error {
	if err := cmp.Or(v.Flags.Validate(), v.Partial.Validate()); err != nil {
		return err
	}
	if v.Layers != nil && *v.Layers&^mapLayers != 0 {
		return fmt.Errorf("--layers: a map has no agents: any of %s", mapLayers)
	}
	if v.Steps > 0 && v.Method != nil && *v.Method != spm.Sequential.String() {
		return fmt.Errorf("--steps %d: method %s has no steps, all corners are expanded at once; leave --method out, or give --method sequential", v.Steps, *v.Method)
	}
	if format, err := console.FormatOf(v.Output, ".npy", ".png"); err == nil && format == ".npy" && (v.Layers != nil || v.Palette != nil) {
		return fmt.Errorf("--layers and --palette are for pictures: %s is an array; give -o OUT.png", v.Output)
	}
	return nil
}
