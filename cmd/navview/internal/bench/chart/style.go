package chart

import (
	"bytes"
	"image/color"
	"io"
	"math"
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

// Drawing is an SVG document to be.
type Drawing interface {
	Empty() bool // has no data
	Write(w io.Writer) error
}

// Key is the meaning of a color.
type Key struct {
	Color color.Color
	Text  string
}

// Sizes. Unit: points of the SVG document.
const (
	width     = 645
	margin    = 12
	textSize  = 9
	titleSize = 11.5
)

// The colors are those of package render, and the palette of Okabe and Ito (2008).
var (
	paper      = RGB(0xFAF8F3)
	grid       = RGB(0xDEDAD0)
	wallColor  = RGB(0x4B5661)
	Ink        = RGB(0x26303A)
	Gray       = RGB(0x8A8F94)
	Blue       = RGB(0x0072B2)
	Vermillion = RGB(0xD55E00)
	Green      = RGB(0x009E73)
	Purple     = RGB(0xCC79A7)
)

// Patterns of lines.
var (
	Dashed = []vg.Length{4, 2.5}
	Dotted = []vg.Length{1.5, 2.5}
)

// RGB returns the opaque color 0xRRGGBB.
func RGB(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// style is the style of text.
func style(size vg.Length) text.Style {
	sans := font.Font{Typeface: "Liberation", Variant: "Sans"}
	return text.Style{Color: Ink, Font: font.From(sans, size), Handler: plot.DefaultTextHandler}
}

// titleStyle is the style of centered titles.
func titleStyle() text.Style {
	s := style(titleSize)
	s.XAlign, s.YAlign = text.XCenter, text.YTop
	return s
}

// newPlot returns an empty plot in the style of the charts.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = paper
	p.Title.Text, p.Title.Padding, p.Title.TextStyle = title, 8, titleStyle()
	for axis, label := range map[*plot.Axis]string{&p.X: x, &p.Y: y} {
		axis.Label.Text, axis.Label.Padding = label, 4
		axis.Label.TextStyle.Color, axis.Label.TextStyle.Font = Ink, style(textSize).Font
		axis.LineStyle.Color = grid
		axis.Tick.Label.Color, axis.Tick.Label.Font = Ink, style(textSize).Font
		axis.Tick.LineStyle.Color, axis.Tick.Marker = grid, plot.TickerFunc(linearTicks)
	}
	lines := plotter.NewGrid()
	lines.Vertical.Color, lines.Horizontal.Color = grid, grid
	p.Add(lines)
	return p
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
			if t.Value < low || t.Value > high { // would take space beside the axis
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

// drawKeys draws a legend in a line at the lower edge.
func drawKeys(c draw.Canvas, keys []Key) {
	s := style(textSize)
	at := vg.Point{X: c.Min.X + margin + 4, Y: c.Min.Y + margin}
	for _, k := range keys {
		disc := draw.GlyphStyle{Color: k.Color, Radius: 3.5, Shape: draw.CircleGlyph{}}
		c.DrawGlyph(disc, at.Add(vg.Point{Y: 3}))
		c.FillText(s, at.Add(vg.Point{X: 7}), k.Text)
		at.X += s.Width(k.Text) + 22
	}
}

// writeSVG writes an SVG document. Liberation Sans has the widths of Helvetica and Arial, which
// browsers have.
func writeSVG(w io.Writer, height vg.Length, paint func(draw.Canvas)) error {
	svg := vgsvg.New(width, height)
	canvas := draw.New(svg)
	canvas.SetColor(paper)
	canvas.Fill(canvas.Rectangle.Path())
	paint(canvas)
	var b bytes.Buffer
	if _, err := svg.WriteTo(&b); err != nil {
		return err
	}
	const drawn, shown = "font-family:Liberation Sans;", "font-family:Helvetica,Arial,Liberation Sans,sans-serif;"
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte(drawn), []byte(shown)))
	return err
}
