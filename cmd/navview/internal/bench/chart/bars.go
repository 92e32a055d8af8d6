package chart

import (
	"io"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// Bars are stacked bars with their sums, a row each.
type Bars struct {
	Title, X string
	Parts    []Key
	Rows     []Bar // from the uppermost
}

// Bar is a row; the zero Bar is a gap.
type Bar struct {
	Name  string
	Parts []float64 // one for each of Bars.Parts
}

func (b *Bars) Empty() bool { return len(b.Rows) == 0 }

// Write writes the bars.
func (b *Bars) Write(w io.Writer) error {
	const rowHeight = 12.5
	p := newPlot(b.Title, b.X, "")
	var names []string
	var sums plotter.XYLabels
	values := make([]plotter.Values, len(b.Parts))
	for _, r := range slices.Backward(b.Rows) { // an axis counts upwards
		sum := 0.0
		for k := range values {
			v := 0.0
			if r.Parts != nil {
				v = r.Parts[k]
			}
			values[k] = append(values[k], v)
			sum += v
		}
		if r.Parts != nil {
			sums.XYs = append(sums.XYs, plotter.XY{X: sum, Y: float64(len(names))})
			sums.Labels = append(sums.Labels, console.MS(sum))
		}
		names = append(names, r.Name)
	}
	var below *plotter.BarChart
	for k, v := range values {
		part, err := plotter.NewBarChart(v, rowHeight-2)
		if err != nil {
			return err
		}
		part.Horizontal, part.Color, part.LineStyle.Width = true, b.Parts[k].Color, 0
		if below != nil {
			part.StackOn(below)
		}
		p.Add(part)
		below = part
	}
	labels, err := plotter.NewLabels(sums)
	if err != nil {
		return err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i] = style(textSize - 1)
		labels.TextStyle[i].YAlign = text.YCenter
	}
	labels.Offset.X = 4
	p.Add(labels)
	p.NominalY(names...)
	p.Y.Tick.Label.Font.Size = textSize - 0.5
	return writeSVG(w, vg.Length(len(names))*rowHeight+90, func(canvas draw.Canvas) {
		p.Draw(draw.Crop(canvas, margin, -2*margin, margin+18, -margin))
		drawKeys(canvas, b.Parts)
	})
}
