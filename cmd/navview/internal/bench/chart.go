package bench

import (
	"bytes"
	"cmp"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// drawing is a chart or a sheet that can be written as an SVG document.
type drawing interface{ write(w io.Writer) error }

// chart is curves over two axes, logarithmic or linear.
type chart struct {
	title  string
	linear bool
	x, y   string // labels of the axes, with units
	curves []curve
}

// curve is a line through samples, with a mark on each.
type curve struct {
	name    string
	color   color.Color
	dashes  []vg.Length // nil: a solid line
	bare    bool        // without marks
	samples plotter.XYs
}

// bars are stacked bars, a row each.
type bars struct {
	title, x string
	parts    []key
	rows     []bar
}

// bar is the row of a case by a method.
type bar struct {
	group, name string
	parts       []float64 // one for each of bars.parts
}

// key is the meaning of a color.
type key struct {
	color color.Color
	text  string
}

// Measures of charts. Unit: points of the SVG document.
const (
	chartWidth  = 645
	chartHeight = 405
	margin      = 12
	textSize    = 9
	titleSize   = 11.5
	rowHeight   = 12.5
)

// The colors are those of package render, and the palette of Okabe and Ito (2008).
var (
	paper      = rgb(0xFAF8F3)
	ink        = rgb(0x26303A)
	gridColor  = rgb(0xDEDAD0)
	gray       = rgb(0x8A8F94)
	blue       = rgb(0x0072B2)
	vermillion = rgb(0xD55E00)
	green      = rgb(0x009E73)
	purple     = rgb(0xCC79A7)

	dashed = []vg.Length{4, 2.5}
	dotted = []vg.Length{1.5, 2.5}
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// style is the style of text.
func style(size vg.Length) text.Style {
	return text.Style{Color: ink, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size), Handler: plot.DefaultTextHandler}
}

// newPlot returns an empty plot in the style of the charts.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = paper
	p.Title.Text, p.Title.Padding = title, 8
	p.Title.TextStyle = centered(style(titleSize))
	for axis, label := range map[*plot.Axis]string{&p.X: x, &p.Y: y} {
		axis.Label.Text, axis.Label.Padding = label, 4
		size := axis.Label.TextStyle
		axis.Label.TextStyle, axis.Tick.Label.Color, axis.LineStyle.Color, axis.Tick.LineStyle.Color = style(textSize), ink, gridColor, gridColor
		axis.Label.TextStyle.XAlign, axis.Label.TextStyle.YAlign, axis.Label.TextStyle.Rotation = size.XAlign, size.YAlign, size.Rotation
		axis.Tick.Label.Font = style(textSize).Font
		axis.Tick.Marker = plot.TickerFunc(linearTicks)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = gridColor, gridColor
	p.Add(grid)
	return p
}

func centered(s text.Style) text.Style {
	s.XAlign, s.YAlign = text.XCenter, text.YTop
	return s
}

// linearTicks returns at most ten ticks, steps of 1, 2 or 5 times a power of ten.
func linearTicks(low, high float64) (ticks []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, part := range []float64{0.1, 0.2, 0.5} {
		if high-low <= 10*part*step {
			step *= part
			break
		}
	}
	for k := math.Ceil(low / step); k*step <= high; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: tickText(k * step)})
	}
	return ticks
}

// logTicks returns multiples of powers of ten. Powers of ten have labels; below three decades 2 and
// 5 have them too.
func logTicks(low, high float64) (ticks []plot.Tick) {
	for e := math.Floor(math.Log10(low)); math.Pow(10, e) <= high; e++ {
		for m := 1.0; m < 10; m++ {
			t := plot.Tick{Value: m * math.Pow(10, e)}
			if t.Value < low || t.Value > high { // would take room beside the axis
				continue
			}
			if m == 1 || high < 1000*low && (m == 2 || m == 5) {
				t.Label = tickText(t.Value)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// tickText formats a tick without the rounding error of its product.
func tickText(tick float64) string {
	if tick > 0 && tick < 0.0005 {
		return strconv.FormatFloat(tick, 'g', 3, 64)
	}
	return console.Figure(math.Round(tick*1e9)/1e9 + 0) // -0 is 0
}

// write writes the chart, with a legend in the order of the curves' ends.
func (c chart) write(w io.Writer) error {
	p, legend := newPlot(c.title, c.x, c.y), plot.NewLegend()
	legend.Top, legend.Left, legend.Padding, legend.TextStyle, legend.ThumbnailWidth = true, true, 3, style(textSize), 24
	if !c.linear {
		p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(logTicks), plot.TickerFunc(logTicks)
	}
	end := func(k curve) float64 { return k.samples[len(k.samples)-1].Y }
	for _, k := range slices.SortedStableFunc(slices.Values(c.curves), func(a, b curve) int { return cmp.Compare(end(b), end(a)) }) {
		line, points, err := plotter.NewLinePoints(k.samples)
		if err != nil {
			return err
		}
		line.Color, line.Width, line.Dashes = k.color, 1.4, k.dashes
		points.Color, points.Radius, points.Shape = k.color, 2.4, draw.CircleGlyph{}
		p.Add(line)
		if k.bare {
			legend.Add(k.name, line)
		} else {
			p.Add(points)
			legend.Add(k.name, line, points)
		}
	}
	if c.linear {
		p.Y.Min, p.Y.Max = min(p.Y.Min, 0), max(p.Y.Max, 0)
	}
	return writeSVG(w, chartHeight, func(canvas draw.Canvas) {
		right := legend.Rectangle(canvas).Size().X + 8
		p.Draw(draw.Crop(canvas, margin, -right-2*margin, margin, -margin))
		legend.Draw(draw.Crop(canvas, chartWidth-right-margin, 0, margin, -margin-titleSize-18))
	})
}

// write writes the bars with their sums, and gaps between groups.
func (b bars) write(w io.Writer) error {
	p := newPlot(b.title, b.x, "")
	var names []string
	var sums plotter.XYLabels
	values := make([]plotter.Values, len(b.parts))
	for i, r := range slices.Backward(b.rows) { // the first row is the uppermost
		name := r.name
		if first := i == 0 || b.rows[i-1].group != r.group; first {
			name = r.group + "   " + name
		}
		if n := len(names); n > 0 && b.rows[i+1].group != r.group {
			names = append(names, "")
			for k := range values {
				values[k] = append(values[k], 0)
			}
		}
		sum := 0.0
		for k, v := range r.parts {
			values[k] = append(values[k], v)
			sum += v
		}
		sums.XYs = append(sums.XYs, plotter.XY{X: sum, Y: float64(len(names))})
		sums.Labels = append(sums.Labels, console.MS(sum))
		names = append(names, name)
	}
	var below *plotter.BarChart
	for k, v := range values {
		part, err := plotter.NewBarChart(v, rowHeight-2)
		if err != nil {
			return err
		}
		part.Horizontal, part.Color, part.LineStyle.Width = true, b.parts[k].color, 0
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
	height := vg.Length(len(names))*rowHeight + 90
	return writeSVG(w, height, func(canvas draw.Canvas) {
		p.Draw(draw.Crop(canvas, margin, -2*margin, margin+18, -margin))
		drawKeys(canvas, b.parts)
	})
}

// drawKeys draws a legend in a line at the lower edge.
func drawKeys(c draw.Canvas, keys []key) {
	s := style(textSize)
	at := vg.Point{X: c.Min.X + margin + 4, Y: c.Min.Y + margin}
	for _, k := range keys {
		c.DrawGlyph(draw.GlyphStyle{Color: k.color, Radius: 3.5, Shape: draw.CircleGlyph{}}, at.Add(vg.Point{Y: 3}))
		c.FillText(s, at.Add(vg.Point{X: 7}), k.text)
		at.X += s.Width(k.text) + 22
	}
}

// writeSVG writes an SVG document. Liberation Sans has the widths of Helvetica and Arial, which
// browsers have.
func writeSVG(w io.Writer, height vg.Length, paint func(draw.Canvas)) error {
	svg := vgsvg.New(chartWidth, height)
	canvas := draw.New(svg)
	canvas.SetColor(paper)
	canvas.Fill(canvas.Rectangle.Path())
	paint(canvas)
	var b bytes.Buffer
	if _, err := svg.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Helvetica,Arial,Liberation Sans,sans-serif;")))
	return err
}
