package render

import (
	"fmt"
	"image/color"
	"math"

	"github.com/wayfront/wayfront/spm"
)

// Style has the colors and widths of pictures, for figures that are drawn elsewhere. Widths and
// radii are in nominal pixels.
var Style = struct {
	Paper, Ground, Unreached, Margin, Isoline, Hairline, Obstacle, Outline, Rim, Source, Blocked, Ink color.RGBA

	Wall, Tree, TreeCasing, TreeRadius, Path, PathCasing, TurnRadius float64
	Segment, SourceCasing, SourceRadius, LeastAgent                  float64
}{
	Paper: paper, Ground: ground, Unreached: unreached, Margin: margin, Isoline: isoline, Hairline: hairline,
	Obstacle: solid, Outline: outline, Rim: rim, Source: source, Blocked: blocked, Ink: ink,

	Wall: wallWidth, Tree: treeWidth, TreeCasing: treeCasing, TreeRadius: treeRadius, Path: pathWidth, PathCasing: pathCasing,
	TurnRadius: turnRadius, Segment: sourceWidth, SourceCasing: sourceCasing, SourceRadius: sourceRadius, LeastAgent: 3,
}

// IsolineStep is the distance between isolines in a picture of so many nominal pixels to a meter.
// Every fifth isoline is wider. Unit: m.
func IsolineStep(scale float64) float64 { return Camera{Scale: scale}.isolineStep(isolineGap) }

// Between is the color of the line between regions of two colors.
func Between(a, b color.RGBA) color.RGBA {
	mean := func(x, y uint8) uint8 { return uint8(math.Round(seam * (float64(x) + float64(y)) / 2)) }
	return color.RGBA{mean(a.R, b.R), mean(a.G, b.G), mean(a.B, b.B), 255}
}

// DistanceColor is the color of a distance in PaletteDistance: 0 is that of sources, 1 the greatest.
func DistanceColor(t float64) color.RGBA {
	at := min(max(t, 0), 1) * float64(len(distances)-1)
	low := min(int(at), len(distances)-2)
	a, b := distances[low], distances[low+1]
	mix := func(x, y uint8) uint8 {
		return uint8(math.Round(float64(x) + (float64(y)-float64(x))*(at-float64(low))))
	}
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// RegionColors returns the colors that the regions of a map's layer have in PaletteCalm, by record
// of the layer, and the greatest distance of its texels in meters. It waits for the device. Errors
// are those of Draw.
func (r *Renderer) RegionColors(m *spm.Map, layer int) (colors []color.RGBA, peak float64, err error) {
	err = r.device.Do(func() error {
		p := Picture{Map: m, Layer: layer, Palette: PaletteDistance, PixelRatio: 1}
		if err := r.prepare(p); err != nil {
			return fmt.Errorf("render: %w", err)
		}
		r.prepareMap(p)
		cones, bits := make([]Cone, m.Stride), make([]uint32, 1)
		r.cones.Read(0, cones)
		r.peak.Read(0, bits)
		for _, c := range cones {
			colors = append(colors, tints[int(c.Tint)%len(tints)])
		}
		peak = float64(math.Float32frombits(bits[0]))
		return nil
	})
	return colors, peak, err
}
