package chart

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

// Sheet is moments of crowds, side by side, or one below the other where they are wide.
type Sheet struct {
	Title  string
	Legend []Key
	Panels []Panel // all of one shape
}

// Panel is a moment of a crowd.
type Panel struct {
	Caption string
	View    [4]float64 // x0, y0, x1, y1
	Walls   []geom.Polygon
	Radius  float64 // of each agent, m
	Agents  []Agent
}

// Agent is an agent of a panel.
type Agent struct {
	At, Velocity mgl64.Vec2
	Color        int // index of the legend
}

func (s *Sheet) Empty() bool { return len(s.Panels) == 0 }

// Write draws all panels at one scale.
func (s *Sheet) Write(w io.Writer) error {
	const gap, caption, title = 10, 18, 34
	view := s.Panels[0].View
	wide, high := view[2]-view[0], view[3]-view[1]
	columns, rows := max(2, len(s.Panels)), 1
	if wide > 2*high {
		columns, rows = 1, len(s.Panels)
	}
	scale := (width - 2*margin - gap*float64(columns-1)) / float64(columns) / wide // points a meter
	cell := vg.Point{X: vg.Length(wide * scale), Y: vg.Length(high*scale) + caption}
	total := title + vg.Length(rows)*cell.Y + 2*margin
	return writeSVG(w, total, func(c draw.Canvas) {
		c.FillText(titleStyle(), vg.Point{X: width / 2, Y: total - margin}, s.Title)
		for i, p := range s.Panels {
			low := vg.Point{
				X: margin + vg.Length(i%columns)*(cell.X+gap),
				Y: total - title - vg.Length(i/columns+1)*cell.Y,
			}
			area := vg.Rectangle{Min: low.Add(vg.Point{Y: caption}), Max: low.Add(cell)}
			p.draw(draw.Canvas{Canvas: c, Rectangle: area}, s.Legend)
			c.FillText(style(textSize), low.Add(vg.Point{Y: 6}), p.Caption)
		}
		drawKeys(c, s.Legend)
	})
}

// draw draws a panel that fills a canvas.
func (p Panel) draw(c draw.Canvas, legend []Key) {
	pl := plot.New()
	pl.HideAxes()
	pl.X.Padding, pl.Y.Padding = 0, 0
	for _, wall := range p.Walls {
		rings := []plotter.XYer{ring(wall.Outer)}
		for _, hole := range wall.Holes {
			rings = append(rings, ring(hole))
		}
		if polygon, err := plotter.NewPolygon(rings...); err == nil { // walls of a scene have corners
			polygon.Color, polygon.LineStyle.Width = wallColor, 0
			pl.Add(polygon)
		}
	}
	pl.Add(crowd{p, legend})
	pl.X.Min, pl.Y.Min, pl.X.Max, pl.Y.Max = p.View[0], p.View[1], p.View[2], p.View[3]
	pl.Draw(c)
	c.SetLineStyle(draw.LineStyle{Color: grid, Width: 0.7})
	c.Stroke(append(c.Rectangle.Path(), vg.PathComp{Type: vg.CloseComp}))
}

// ring is the corners of a polygon as a plotter.XYer.
type ring geom.Ring

func (r ring) Len() int                { return len(r) }
func (r ring) XY(i int) (x, y float64) { return r[i][0], r[i][1] }

// crowd is a plot.Plotter of agents.
type crowd struct {
	Panel
	legend []Key
}

// Plot draws agents as discs with a line in their direction.
func (p crowd) Plot(c draw.Canvas, pl *plot.Plot) {
	x, y := pl.Transforms(&c)
	at := func(v mgl64.Vec2) vg.Point { return vg.Point{X: x(v[0]), Y: y(v[1])} }
	radius := 0.94 * (x(p.View[0]+p.Radius) - x(p.View[0])) // those that touch can be distinguished
	var headings vg.Path                                    // all of them at once: documents stay small
	for color, k := range p.legend {
		var discs vg.Path
		for _, a := range p.Agents {
			if a.Color == color {
				discs.Move(at(a.At).Add(vg.Point{X: radius}))
				discs.Arc(at(a.At), radius, 0, 2*math.Pi)
				discs.Close()
			}
		}
		c.SetColor(k.Color)
		c.Fill(discs)
	}
	for _, a := range p.Agents {
		if speed := a.Velocity.Len(); speed > 0.05 {
			headings.Move(at(a.At))
			headings.Line(at(a.At.Add(a.Velocity.Mul(1.7 * p.Radius / speed))))
		}
	}
	c.SetLineStyle(draw.LineStyle{Color: Ink, Width: 0.3 * radius})
	c.Stroke(headings)
}
