package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/spm/exact"
)

// Figure is what Draw draws, with the layers, colors and widths of pictures.
type Figure struct {
	Camera  render.Camera // points in the place of pixels
	Layers  render.Layers
	Palette render.Palette

	View   *exact.View               // of the map
	Mapped *geom.Ground              // that the map is of
	Ground *geom.Ground              // whose obstacles are drawn
	Margin bool                      // the map has a clearance
	Tint   func(node int) color.RGBA // of a region in PaletteCalm
	Peak   float64                   // greatest distance, for PaletteDistance. Unit: m

	Sources []render.Sketch
	Paths   [][]mgl64.Vec2 // world meters
	Agents  []Agent
}

// Agent is a disc.
type Agent struct {
	At     mgl64.Vec2 // world meters
	Radius float64    // m
	Color  color.RGBA
}

// Drawable has the layers that figures show.
const Drawable = render.Regions | render.Isolines | render.Obstacles | render.Parents | render.Paths | render.Sources | render.Agents

// pen draws on a canvas what is given in world meters.
type pen struct {
	vg.Canvas
	camera render.Camera
}

func (p pen) point(w mgl64.Vec2) vg.Point {
	x, y := p.camera.Pixel(w)
	return vg.Point{X: vg.Length(x), Y: vg.Length(float64(p.camera.Height) - y)}
}

// path returns the path of lines; a line that ends where it begins is closed.
func (p pen) path(lines [][]mgl64.Vec2) (path vg.Path) {
	for _, line := range lines {
		last := len(line) - 1
		closed := last > 1 && line[0] == line[last]
		for i, w := range line {
			switch {
			case i == 0:
				path.Move(p.point(w))
			case i == last && closed:
				path.Close()
			default:
				path.Line(p.point(w))
			}
		}
	}
	return path
}

func (p pen) fill(c color.Color, rings [][]mgl64.Vec2) {
	if len(rings) > 0 {
		p.SetColor(c)
		p.Fill(p.path(rings))
	}
}

func (p pen) stroke(c color.Color, width float64, lines [][]mgl64.Vec2) {
	if len(lines) > 0 {
		p.SetColor(c)
		p.SetLineWidth(vg.Length(width))
		p.Stroke(p.path(lines))
	}
}

func (p pen) disc(c color.Color, at mgl64.Vec2, radius float64) {
	center := p.point(at)
	var path vg.Path
	path.Move(vg.Point{X: center.X + vg.Length(radius), Y: center.Y})
	path.Arc(center, vg.Length(radius), 0, 2*math.Pi)
	path.Close()
	p.SetColor(c)
	p.Fill(path)
}

// mark draws a disc in a rim.
func (p pen) mark(c color.Color, at mgl64.Vec2, radius float64) {
	p.disc(render.Style.Rim, at, radius)
	p.disc(c, at, radius-1.5)
}

func rectangle(low, high mgl64.Vec2) [][]mgl64.Vec2 {
	return [][]mgl64.Vec2{{low, {high[0], low[1]}, high, {low[0], high[1]}, low}}
}

func domain(g *geom.Ground) [][]mgl64.Vec2 {
	return rectangle(g.Lattice.Origin, g.Lattice.World(g.Lattice.Size))
}

// Write writes the figure as ".svg" or ".pdf".
func (f Figure) Write(to io.Writer, format string) error {
	width, height := vg.Length(f.Camera.Width), vg.Length(f.Camera.Height)
	c := vg.CanvasWriterTo(vgsvg.New(width, height))
	if format == ".pdf" {
		c = vgpdf.New(width, height)
	}
	f.Draw(c)
	_, err := c.WriteTo(to)
	return err
}

// Draw draws the figure.
func (f Figure) Draw(c vg.Canvas) {
	p := pen{c, f.Camera}
	low, high := f.Camera.World(0, float64(f.Camera.Height)), f.Camera.World(float64(f.Camera.Width), 0)
	border := domain(f.Ground)
	style := &render.Style
	p.fill(style.Paper, rectangle(low, high))
	p.fill(style.Ground, border)
	if f.Layers&(render.Regions|render.Isolines) != 0 {
		under := style.Unreached
		if f.Margin {
			under = style.Margin
		}
		p.fill(under, covered(f.Mapped))
		f.drawMap(p, low, high)
	}
	if f.Layers&render.Obstacles != 0 {
		p.fill(style.Obstacle, covered(f.Ground))
		p.stroke(style.Outline, style.Wall, append(walls(f.Ground), border...))
	}
	if f.Layers&render.Parents != 0 {
		f.drawTree(p)
	}
	if f.Layers&render.Paths != 0 {
		p.stroke(style.Rim, style.PathCasing, f.Paths)
		p.stroke(style.Source, style.Path, f.Paths)
		for _, path := range f.Paths {
			for _, at := range path[1:] {
				p.mark(style.Source, at, style.TurnRadius)
			}
		}
	}
	if f.Layers&render.Sources != 0 {
		f.drawSources(p)
	}
	if f.Layers&render.Agents != 0 {
		for _, a := range f.Agents {
			radius := max(a.Radius*f.Camera.Scale, style.LeastAgent)
			rim := min(1.1, 0.35*radius)
			p.disc(style.Rim, a.At, radius+rim/2)
			p.disc(a.Color, a.At, radius-rim/2)
		}
	}
	f.drawScale(p)
}

// covered returns the outline of what obstacles cover.
func covered(g *geom.Ground) [][]mgl64.Vec2 {
	var pieces [][]int32
	for _, t := range g.Triangles {
		if !t.Free {
			pieces = append(pieces, t.V[:])
		}
	}
	return place(places(g), outline(pieces), nil)
}

// walls returns the walls that are no part of the domain's border.
func walls(g *geom.Ground) [][]mgl64.Vec2 {
	var edges [][2]int32
	for _, w := range g.Walls {
		switch {
		case w.Border:
		case w.Left:
			edges = append(edges, [2]int32{w.A, w.B})
		default:
			edges = append(edges, [2]int32{w.B, w.A})
		}
	}
	return place(places(g), chain(edges), nil)
}

func places(g *geom.Ground) []mgl64.Vec2 {
	all := make([]mgl64.Vec2, len(g.Vertices))
	for i, v := range g.Vertices {
		all[i] = g.Lattice.World(v)
	}
	return all
}

// Region is a part of the free ground in one color, all with one parent.
type Region struct {
	Node  int // see exact.Answer.Node; -1: no source reaches it
	Color color.RGBA
	Rings [][]mgl64.Vec2 // closed, the region on their left, world meters
}

// regions returns the regions of a mesh in order of their nodes, and the borders between them by
// color.
func (f Figure) regions(m *mesh) (regions []Region, borders map[color.RGBA][][]mgl64.Vec2) {
	pieces, seams := m.pieces()
	spare := m.spare(seams)
	type key struct {
		node  int
		color color.RGBA
	}
	parts := map[key][][]int32{}
	for _, p := range pieces {
		k := key{p.node, f.colorOf(m, p)}
		if f.Layers&render.Regions == 0 {
			k.node = min(k.node, 0)
		}
		parts[k] = append(parts[k], p.corners)
	}
	for k, pieces := range parts {
		regions = append(regions, Region{k.node, k.color, place(m.points, outline(pieces), spare)})
	}
	slices.SortFunc(regions, func(a, b Region) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Color.R, b.Color.R), cmp.Compare(a.Color.G, b.Color.G), cmp.Compare(a.Color.B, b.Color.B))
	})
	edges := map[color.RGBA][][2]int32{}
	if f.Layers&render.Regions != 0 && f.Palette == render.PaletteCalm {
		for _, s := range seams {
			if s.left >= 0 {
				c := render.Between(f.Tint(s.left), f.Tint(s.right))
				edges[c] = append(edges[c], s.ends)
			}
		}
	}
	borders = map[color.RGBA][][]mgl64.Vec2{}
	for c, between := range edges {
		borders[c] = place(m.points, chain(between), spare)
	}
	return regions, borders
}

// shades is how many shades the colors have that change within a region.
const shades = 128

// colorOf is the color of a piece. Where it changes within the region it is that of the piece's
// middle, in shades too fine to be seen apart.
func (f Figure) colorOf(m *mesh, p piece) color.RGBA {
	switch {
	case p.node < 0:
		return render.Style.Unreached
	case f.Layers&render.Regions == 0:
		return render.Style.Ground
	case f.Palette == render.PaletteCalm:
		return f.Tint(p.node)
	}
	var middle mgl64.Vec2
	for _, c := range p.corners {
		middle = middle.Add(m.points[c].Mul(1 / float64(len(p.corners))))
	}
	at := m.view.Over(p.node, middle)
	if f.Palette == render.PaletteDistance {
		return render.DistanceColor(math.Round(shades*at.Distance/f.Peak) / shades)
	}
	low := f.Mapped.Lattice.Origin
	size := f.Mapped.Lattice.World(f.Mapped.Lattice.Size).Sub(low)
	shade := func(k int) uint8 {
		return uint8(math.Round(255 * math.Round(shades*(at.Parent[k]-low[k])/size[k]) / shades))
	}
	return color.RGBA{shade(0), shade(1), 0, 255}
}

// drawMap draws regions and isolines.
func (f Figure) drawMap(p pen, low, high mgl64.Vec2) {
	m := newMesh(f.View, f.Mapped, low, high, 1/f.Camera.Scale)
	step := render.IsolineStep(f.Camera.Scale)
	numbers, lines := m.isolines(step)
	regions, borders := f.regions(m)
	for _, r := range regions {
		p.fill(r.Color, r.Rings)
		if len(borders) == 0 {
			p.stroke(r.Color, 0.4, r.Rings) // closes the gap that smoothed edges leave between neighbors
		}
	}
	for _, c := range sortedColors(borders) {
		p.stroke(c, 0.6, borders[c])
	}
	if f.Layers&render.Isolines == 0 {
		return
	}
	ink := render.Style.Isoline
	if f.Layers&render.Regions == 0 {
		ink = render.Style.Hairline
	}
	for _, n := range numbers {
		width := 0.63 // as dark as in pictures, without transparency: not every printer has it
		if n%5 == 0 {
			width = 1.5
		}
		p.stroke(ink, width, lines[n])
	}
}

func sortedColors[T any](by map[color.RGBA]T) []color.RGBA {
	var all []color.RGBA
	for c := range by {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	return all
}

// drawTree draws the path from every corner to its parent.
func (f Figure) drawTree(p pen) {
	var lines [][]mgl64.Vec2
	for i := range f.Mapped.Corners {
		if place, _, parent := f.View.Corner(i); parent >= 0 {
			lines = append(lines, []mgl64.Vec2{place, f.View.Over(parent, place).Parent})
		}
	}
	style := &render.Style
	p.stroke(style.Rim, 0.8*style.TreeCasing, lines)
	p.stroke(style.Ink, style.Tree, lines)
	for _, l := range lines {
		p.mark(style.Ink, l[0], style.TreeRadius)
	}
}

// drawSources draws all lines, then all marks.
func (f Figure) drawSources(p pen) {
	style := &render.Style
	for _, s := range f.Sources {
		for _, l := range s.Lines {
			p.stroke(style.Rim, s.Width+style.SourceCasing, [][]mgl64.Vec2{l[:]})
			p.stroke(s.Color, s.Width, [][]mgl64.Vec2{l[:]})
		}
	}
	for _, s := range f.Sources {
		for _, at := range s.Marks {
			p.mark(s.Color, at, s.Radius)
			p.disc(style.Rim, at, 0.62*s.Radius)
			p.disc(s.Color, at, 0.36*s.Radius)
		}
	}
}

// fonts has the label's font. PDF embeds it; SVG names it.
var fonts = font.NewCache(liberation.Collection())

// drawScale draws a scale bar in the lower left corner, a fifth of the figure long at most.
func (f Figure) drawScale(p pen) {
	most := float64(f.Camera.Width) / 5 / f.Camera.Scale
	length := math.Pow(10, math.Floor(math.Log10(most)))
	for _, times := range []float64{5, 2} {
		if times*length <= most {
			length *= times
			break
		}
	}
	const left, bottom, tick, size = 10, 8, 5, 8 // points
	a := f.Camera.World(left, float64(f.Camera.Height)-bottom)
	b, up := a.Add(mgl64.Vec2{length, 0}), mgl64.Vec2{0, tick / f.Camera.Scale}
	bar := [][]mgl64.Vec2{{a.Add(up), a, b, b.Add(up)}}
	p.stroke(render.Style.Rim, 3, bar)
	p.stroke(render.Style.Ink, 1, bar)
	face := fonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
	end := p.point(b)
	p.SetColor(render.Style.Ink)
	p.FillString(face, vg.Point{X: end.X + 4, Y: end.Y}, fmt.Sprintf("%g m", length))
}
