package chart

import (
	"cmp"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Chart is curves over two axes, logarithmic or linear.
type Chart struct {
	Title  string
	X, Y   string // labels of the axes, with units
	Linear bool
	Curves []*Curve
}

// Curve is a line through points, with a mark on each.
type Curve struct {
	Name   string
	Color  color.Color
	Dashes []vg.Length // nil: a solid line
	Bare   bool        // without marks
	Points plotter.XYs
}

// Add adds points to the curve of this name, which it creates if it is missing.
func (c *Chart) Add(k Curve, points ...plotter.XY) {
	i := slices.IndexFunc(c.Curves, func(other *Curve) bool { return other.Name == k.Name })
	if len(points) > 0 && i < 0 {
		c.Curves, i = append(c.Curves, &k), len(c.Curves)
	}
	if i >= 0 {
		c.Curves[i].Points = append(c.Curves[i].Points, points...)
	}
}

func (c *Chart) Empty() bool { return len(c.Curves) == 0 }

// Write writes the chart, with a legend in the order of the curves' ends.
func (c *Chart) Write(w io.Writer) error {
	p, legend := newPlot(c.Title, c.X, c.Y), plot.NewLegend()
	legend.Top, legend.Left, legend.Padding = true, true, 3
	legend.TextStyle, legend.ThumbnailWidth = style(textSize), 24
	if !c.Linear {
		p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(logTicks), plot.TickerFunc(logTicks)
	}
	end := func(k *Curve) float64 { return k.Points[len(k.Points)-1].Y }
	slices.SortStableFunc(c.Curves, func(a, b *Curve) int { return cmp.Compare(end(b), end(a)) })
	for _, k := range c.Curves {
		line, marks, err := plotter.NewLinePoints(k.Points)
		if err != nil {
			return err
		}
		line.Color, line.Width, line.Dashes = k.Color, 1.4, k.Dashes
		marks.Color, marks.Radius, marks.Shape = k.Color, 2.4, draw.CircleGlyph{}
		p.Add(line)
		if k.Bare {
			legend.Add(k.Name, line)
		} else {
			p.Add(marks)
			legend.Add(k.Name, line, marks)
		}
	}
	if c.Linear {
		p.Y.Min, p.Y.Max = min(p.Y.Min, 0), max(p.Y.Max, 0)
	}
	const height = 405
	return writeSVG(w, height, func(canvas draw.Canvas) {
		right := legend.Rectangle(canvas).Size().X + 8
		p.Draw(draw.Crop(canvas, margin, -right-2*margin, margin, -margin))
		legend.Draw(draw.Crop(canvas, width-right-margin, 0, margin, -margin-titleSize-18))
	})
}
