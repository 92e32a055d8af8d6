package bench

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// chart is curves over two axes, logarithmic ones or, linear, such that begin with 0.
type chart struct {
	title  string
	linear bool
	x, y   string // what the axes show, with units
	curves []curve
}

// curve is a line through samples, with a mark on each.
type curve struct {
	name    string // written at its right end
	colour  string
	dash    string // of the line, as SVG has it; "" is a whole one
	bare    bool   // without marks
	samples []sample
}

// Measures of a chart, in SVG's pixels.
const (
	chartWidth  = 860
	chartHeight = 540
	chartLeft   = 76 // of the axes
	chartRight  = 196
	chartTop    = 52
	chartBottom = 62
	labelGap    = 15 // between two names

	chartFigures = 11 // along x, which lie apart
)

// Colours of charts: those of pictures.
const (
	chartPaper = "#FAF8F3"
	chartInk   = "#26303A"
	chartGrid  = "#DEDAD0"
)

// axis is a scale.
type axis struct {
	linear   bool
	ticks    []float64 // the first and the last are its ends
	from, to float64   // where these lie, pixels
}

// linearAxis covers 0 and all values, with about ten ticks a step of 1, 2 or 5 times a power of ten apart.
func linearAxis(values []float64, from, to float64) axis {
	a := axis{linear: true, from: from, to: to}
	least, most := min(0, slices.Min(values)), max(0, slices.Max(values))
	span := most - least
	if span == 0 {
		span = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(span)))
	for _, part := range []float64{0.1, 0.2, 0.5} {
		if span/(part*step) <= 10 {
			step *= part
			break
		}
	}
	for k := math.Floor(least / step); ; k++ {
		a.ticks = append(a.ticks, k*step)
		if len(a.ticks) > 1 && k*step >= most {
			return a
		}
	}
}

// axisOver is a logarithmic axis that covers all values, with two ticks at least, 1, 2 and 5 times powers of ten. All values
// are greater than 0.
func axisOver(values []float64, from, to float64) axis {
	a := axis{from: from, to: to}
	least, most := slices.Min(values), slices.Max(values)
	for e := math.Floor(math.Log10(least)); len(a.ticks) < 2 || a.ticks[len(a.ticks)-1] < most; e++ {
		for _, m := range []float64{1, 2, 5} {
			tick := m * math.Pow(10, e)
			if tick <= least {
				a.ticks = a.ticks[:0] // a later beginning will do
			}
			if a.ticks = append(a.ticks, tick); len(a.ticks) >= 2 && tick >= most {
				break
			}
		}
	}
	return a
}

func (a axis) at(v float64) float64 {
	if a.linear {
		low, high := a.ticks[0], a.ticks[len(a.ticks)-1]
		return a.from + (v-low)/(high-low)*(a.to-a.from)
	}
	low, high := math.Log(a.ticks[0]), math.Log(a.ticks[len(a.ticks)-1])
	return a.from + (math.Log(v)-low)/(high-low)*(a.to-a.from)
}

// main reports whether a tick has a whole line and a figure: on a logarithmic axis those that are powers of ten.
func (a axis) main(tick float64) bool {
	if a.linear {
		return true
	}
	e := math.Log10(tick)
	return math.Abs(e-math.Round(e)) < 0.1 // 2 and 5 are 0.3 away
}

// write writes the chart, which has a curve, as an SVG document.
func (c chart) write(w io.Writer) error {
	var xs, ys []float64
	for _, k := range c.curves {
		for _, s := range k.samples {
			xs, ys = append(xs, s.x), append(ys, s.y)
		}
	}
	over := axisOver
	if c.linear {
		over = linearAxis
	}
	x := over(xs, chartLeft, chartWidth-chartRight)
	y := over(ys, chartHeight-chartBottom, chartTop)

	out := &svg{w: w}
	out.line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="%s">`, chartWidth, chartHeight, chartInk)
	out.line(`<rect width="%d" height="%d" fill="%s"/>`, chartWidth, chartHeight, chartPaper)
	out.text(chartLeft, 28, `font-size="15" font-weight="bold"`, c.title)
	for _, tick := range x.ticks {
		out.line(`<path d="M%.1f %.1fV%.1f" stroke="%s"/>`, x.at(tick), y.from, y.to, chartGrid)
		if len(x.ticks) <= chartFigures || x.main(tick) {
			out.text(x.at(tick), chartHeight-chartBottom+18, `text-anchor="middle"`, tickText(tick))
		}
	}
	for _, tick := range y.ticks {
		dash := "1 3"
		if y.main(tick) {
			dash = ""
			out.text(chartLeft-8, y.at(tick)+4, `text-anchor="end"`, tickText(tick))
		}
		out.line(`<path d="M%.1f %.1fH%.1f" stroke="%s" stroke-dasharray="%s"/>`, x.from, y.at(tick), x.to, chartGrid, dash)
	}
	out.text((x.from+x.to)/2, chartHeight-18, `text-anchor="middle"`, c.x)
	out.line(`<g transform="translate(20 %.1f) rotate(-90)">`, (y.from+y.to)/2)
	out.text(0, 0, `text-anchor="middle"`, c.y)
	out.line(`</g>`)

	// Names stand at the right ends of their curves, moved apart where these are close.
	order := make([]int, len(c.curves))
	for i := range order {
		order[i] = i
	}
	end := func(i int) sample { return c.curves[i].samples[len(c.curves[i].samples)-1] }
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, end(b).y-end(a).y)) })
	last := math.Inf(-1)
	for _, i := range order {
		k := c.curves[i]
		path := ""
		for n, s := range k.samples {
			path += fmt.Sprintf("%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[n == 0], x.at(s.x), y.at(s.y))
		}
		out.line(`<path d="%s" fill="none" stroke="%s" stroke-width="1.8" stroke-linejoin="round" stroke-dasharray="%s"/>`, path, k.colour, k.dash)
		for _, s := range k.samples {
			if !k.bare {
				out.line(`<circle cx="%.1f" cy="%.1f" r="3.2" fill="%s" stroke="%s"/>`, x.at(s.x), y.at(s.y), k.colour, chartPaper)
			}
		}
		at := max(y.at(end(i).y), last+labelGap)
		last = at
		out.line(`<path d="M%.1f %.1fL%.1f %.1f" stroke="%s" stroke-width="0.7"/>`, x.at(end(i).x)+5, y.at(end(i).y), x.to+10, at, k.colour)
		out.text(x.to+14, at+4, fmt.Sprintf(`fill="%s"`, k.colour), k.name)
	}
	out.line(`</svg>`)
	return out.err
}

// tickText is a tick without what a product of two float64 has lost; small ones have no rows of zeros.
func tickText(tick float64) string {
	if tick > 0 && tick < 0.0005 {
		return strconv.FormatFloat(tick, 'g', 3, 64)
	}
	return console.Figure(math.Round(tick*1e9) / 1e9)
}

// svg writes lines of a document and keeps the first error.
type svg struct {
	w   io.Writer
	err error
}

func (s *svg) line(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format+"\n", args...)
	}
}

func (s *svg) text(x, y float64, attributes, words string) {
	s.line(`<text x="%.1f" y="%.1f" %s>%s</text>`, x, y, attributes, html.EscapeString(words))
}

// growthChart is cost against vertices: all families by all methods, and the paper's own times.
func growthChart(report Report) chart {
	colours := map[string]string{"wavefront": "#0072B2", "sequential": "#D55E00", methodCPU: "#009E73"}
	dashes := map[string]string{"squares": "", "octagons": "5 3"}
	c := chart{
		title: fmt.Sprintf("From the scene to the finished map, %s", report.Renderer),
		x:     "vertices of obstacles", y: "wall time, ms",
	}
	all := curves(report.Results)
	for _, family := range []string{"squares", "octagons"} {
		for _, method := range []string{"wavefront", "sequential", methodCPU} {
			if samples := all[series{suiteSPM, family, method}]; len(samples) > 0 {
				c.curves = append(c.curves, curve{name: method + ", " + family, colour: colours[method], dash: dashes[family], samples: samples})
			}
		}
	}
	if len(c.curves) == 0 {
		return c
	}
	paper := curve{name: "paper (GeForce GTX 970)", colour: "#8A8F94", dash: "2 3"}
	for i, name := range table1[7:] {
		paper.samples = append(paper.samples, sample{float64(profilingVertices[i]), printed[name].computed})
	}
	c.curves = append(c.curves, paper)
	for _, f := range report.Fits {
		if f.Family == "squares" && f.Method == "wavefront" {
			// From where the fit begins, as n log n goes on.
			samples := all[series{f.Suite, f.Family, f.Method}]
			from := samples[slices.IndexFunc(samples, func(s sample) bool { return s.x == float64(f.From) })]
			growth := math.Pow(float64(f.To)/float64(f.From), f.NLogN)
			c.curves = append(c.curves, curve{name: "n log n", colour: chartInk, dash: "1 4", bare: true, samples: []sample{from, {float64(f.To), from.y * growth}}})
		}
	}
	return c
}
