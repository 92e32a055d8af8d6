package bench

import (
	"io"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/wayfront/wayfront/engine/geom"
)

// sheet is moments of crowds, side by side, or one below the other where they are wide.
type sheet struct {
	title  string
	legend []key
	panels []panel // all of one shape
}

// panel is a moment of a crowd: a plotter of its agents.
type panel struct {
	caption string
	view    [4]float64 // x0, y0, x1, y1
	walls   []geom.Polygon
	agents  []agentSample
	colors  []int   // of each agent, an index of the legend
	radius  float64 // of each agent, m
	legend  []key
}

// write draws all panels at one scale.
func (s sheet) write(w io.Writer) error {
	const gap, caption, title = 10, 18, 34
	view := s.panels[0].view
	width, height := view[2]-view[0], view[3]-view[1]
	columns, rows := max(2, len(s.panels)), 1
	if width > 2*height {
		columns, rows = 1, len(s.panels)
	}
	scale := (chartWidth - 2*margin - gap*float64(columns-1)) / float64(columns) / width // points a meter
	cell := vg.Point{X: vg.Length(width * scale), Y: vg.Length(height*scale) + caption}
	total := title + vg.Length(rows)*cell.Y + 2*margin
	return writeSVG(w, total, func(c draw.Canvas) {
		c.FillText(centered(style(titleSize)), vg.Point{X: chartWidth / 2, Y: total - margin}, s.title)
		for i, p := range s.panels {
			low := vg.Point{X: margin + vg.Length(i%columns)*(cell.X+gap), Y: total - title - vg.Length(i/columns+1)*cell.Y}
			p.legend = s.legend
			p.draw(draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{Min: low.Add(vg.Point{Y: caption}), Max: low.Add(cell)}})
			c.FillText(style(textSize), low.Add(vg.Point{Y: 6}), p.caption)
		}
		drawKeys(c, s.legend)
	})
}

// draw draws a panel that fills a canvas.
func (p panel) draw(c draw.Canvas) {
	pl := plot.New()
	pl.HideAxes()
	pl.X.Padding, pl.Y.Padding = 0, 0
	for _, wall := range p.walls {
		rings := []plotter.XYer{ring(wall.Outer)}
		for _, hole := range wall.Holes {
			rings = append(rings, ring(hole))
		}
		if polygon, err := plotter.NewPolygon(rings...); err == nil { // walls of a scene have corners
			polygon.Color, polygon.LineStyle.Width = rgb(0x4B5661), 0
			pl.Add(polygon)
		}
	}
	pl.Add(p)
	pl.X.Min, pl.Y.Min, pl.X.Max, pl.Y.Max = p.view[0], p.view[1], p.view[2], p.view[3]
	pl.Draw(c)
	c.SetLineStyle(draw.LineStyle{Color: gridColor, Width: 0.7})
	c.Stroke(append(c.Rectangle.Path(), vg.PathComp{Type: vg.CloseComp}))
}

func ring(points geom.Ring) plotter.XYs {
	all := make(plotter.XYs, len(points))
	for i, p := range points {
		all[i] = plotter.XY{X: p[0], Y: p[1]}
	}
	return all
}

// Plot draws agents as discs with a line in their direction.
func (p panel) Plot(c draw.Canvas, pl *plot.Plot) {
	x, y := pl.Transforms(&c)
	at := func(v mgl64.Vec2) vg.Point { return vg.Point{X: x(v[0]), Y: y(v[1])} }
	radius := 0.94 * (x(p.view[0]+p.radius) - x(p.view[0])) // those that touch can be distinguished
	for color, k := range p.legend {
		var discs vg.Path
		for i, a := range p.agents {
			if p.colors[i] == color {
				discs.Move(at(a.at).Add(vg.Point{X: radius}))
				discs.Arc(at(a.at), radius, 0, 2*math.Pi)
				discs.Close()
			}
		}
		c.SetColor(k.color)
		c.Fill(discs)
	}
	var headings vg.Path // all of them at once: documents stay small
	for _, a := range p.agents {
		if speed := a.velocity.Len(); speed > 0.05 {
			headings.Move(at(a.at))
			headings.Line(at(a.at.Add(a.velocity.Mul(1.7 * p.radius / speed))))
		}
	}
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: 0.3 * radius})
	c.Stroke(headings)
}
