package main

import (
	"cmp"
	"fmt"
	"image"
	"image/png"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/media"
	"github.com/wayfront/wayfront/cmd/navview/internal/stage"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/spm"
)

type mapVerb struct {
	stage.MapFlags `embed:""`
	stage.Partial  `embed:""`
	Output         string          `short:"o" required:"" placeholder:"OUT.npy|.png" help:"Where to write; - writes NPY to standard output."`
	Layers         *render.Layers  `placeholder:"LIST" help:"What the picture shows, with commas between: ${maplayers} (default: all but parents)."`
	Palette        *render.Palette `enum:"calm,paper,distance" placeholder:"NAME" help:"Colors of the picture: ${enum} (default: calm)."`
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
	return stage.WithHost(s, func(h *stage.Host) error {
		m, err := v.Build(s, h.Device, doc, goal, v.Partial, true)
		if err != nil {
			return err
		}
		defer m.Free()
		if format == ".png" {
			err = v.picture(h.Device, m, out)
		} else {
			err = media.WriteNPY(out, []int{m.Extent.Rows, m.Extent.Columns, 4}, texels(m.Map, 0))
		}
		stage.ReportTimes(s, h.Device)
		return err
	})
}

// mapLayers are the layers of a map's picture, which has no agents.
const mapLayers = render.Regions | render.Isolines | render.Obstacles | render.Parents | render.Sources

// Validate checks layers, and flags that exclude each other.
func (v mapVerb) Validate() error {
	if err := cmp.Or(v.MapFlags.Validate(), v.Partial.Validate()); err != nil {
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

// texels returns the values of an exported map, in world coordinates.
func texels(m *spm.Map, layer int) []float32 {
	data := make([]float32, 4*m.Extent.Rows*m.Extent.Columns)
	m.Field.Read(layer, data)
	origin := m.Ground(0).Lattice.Origin
	nan := float32(math.NaN())
	for i := 0; i < len(data); i += 4 {
		switch texel := data[i : i+4]; spm.State(texel[3]) {
		case spm.Reached:
			texel[0] = float32(float64(texel[0]) + origin[0])
			texel[1] = float32(float64(texel[1]) + origin[1])
		case spm.Unreached:
			texel[0], texel[1], texel[2] = nan, nan, float32(math.Inf(1))
		default:
			texel[0], texel[1], texel[2] = nan, nan, nan
		}
	}
	return data
}

// picture draws the map, one pixel a texel.
func (v mapVerb) picture(d *gpu.Device, m *stage.GoalMap, out *console.Output) error {
	c, err := stage.NewCanvas(d, image.Pt(m.Extent.Columns, m.Extent.Rows), 1)
	if err != nil {
		return err
	}
	defer c.Free()
	r, err := render.New(d)
	if err != nil {
		return err
	}
	defer r.Delete()
	look := stage.Look{Layers: mapLayers &^ render.Parents, Palette: render.PaletteCalm}
	if v.Layers != nil {
		look.Layers = *v.Layers
	}
	if v.Palette != nil {
		look.Palette = *v.Palette
	}
	w, h := float64(m.Extent.Columns)*m.Extent.Cell, float64(m.Extent.Rows)*m.Extent.Cell
	err = r.Draw(render.Picture{
		Target: c.Target,
		Camera: render.Camera{
			Center: m.Ground(0).Lattice.Origin.Add(mgl64.Vec2{w / 2, h / 2}), Scale: 1 / m.Extent.Cell,
			Width: m.Extent.Columns, Height: m.Extent.Rows,
		},
		Layers:  look.Layers,
		Palette: look.Palette, Map: m.Map, Ground: m.Open, Margin: m.Goal.Clearance > 0, Sources: m.Goal.Points, Segments: stage.Ends(m.Goal.Segments),
	})
	if err != nil {
		return err
	}
	return png.Encode(out, c.Read())
}
