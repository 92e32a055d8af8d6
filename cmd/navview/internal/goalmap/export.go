package goalmap

import (
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// Values returns four values of each texel, row by row: parent, distance and state, in world
// coordinates. The distance is inf where unreached and nan in obstacles; parents are nan in both.
func Values(m *spm.Map) []float32 {
	data := make([]float32, 4*m.Extent.Rows*m.Extent.Columns)
	m.Field.Read(0, data)
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

// Picture draws the map of a goal with the obstacles of an open ground, one pixel a texel.
func Picture(
	d *gpu.Device, m *spm.Map, open *geom.Ground, goal scenes.Goal, layers render.Layers, palette render.Palette,
) (*image.RGBA, error) {
	pixels := image.Pt(m.Extent.Columns, m.Extent.Rows)
	c, err := render.NewCanvas(d, pixels, 1)
	if err != nil {
		return nil, err
	}
	defer c.Delete()
	r, err := render.New(d)
	if err != nil {
		return nil, err
	}
	defer r.Delete()
	half := mgl64.Vec2{float64(pixels.X), float64(pixels.Y)}.Mul(m.Extent.Cell / 2)
	err = r.Draw(render.Picture{
		Target: c.Target, Layers: layers, Palette: palette, Map: m, Ground: open, Margin: goal.Clearance > 0,
		Camera: render.Camera{
			Center: m.Ground(0).Lattice.Origin.Add(half), Scale: 1 / m.Extent.Cell, Width: pixels.X, Height: pixels.Y,
		},
		Sources: goal.Points, Segments: goal.Segments,
	})
	return c.Read(), err
}
