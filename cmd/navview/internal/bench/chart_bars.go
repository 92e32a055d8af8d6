package bench

import (
	"io"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// bars are sums, each drawn as a row of its parts.
type bars struct {
	title string
	x     string // what the axis shows, with its unit
	parts []key
	rows  []bar
}

// bar is one of them.
type bar struct {
	group string // written where it differs from that of the bar before
	name  string
	parts []float64 // of each part of the drawing
}

// Measures of bars, in SVG's pixels.
const (
	barsLeft  = 200
	barsRight = 60
	barHeight = 14
	barStep   = 17
	groupGap  = 9
)

// write writes the bars, of which there is one, as an SVG document.
func (b bars) write(w io.Writer) error {
	var sums []float64
	height := 0.0
	for i, r := range b.rows {
		sum := 0.0
		for _, v := range r.parts {
			sum += v
		}
		sums = append(sums, sum)
		if height += barStep; i > 0 && r.group != b.rows[i-1].group {
			height += groupGap
		}
	}
	const top = chartTop + 22 // below the legend
	x := linearAxis(sums, barsLeft, chartWidth-barsRight)

	out := &svg{w: w}
	out.line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="%s">`,
		chartWidth, top+height+52, chartInk)
	out.line(`<rect width="100%%" height="100%%" fill="%s"/>`, chartPaper)
	out.text(sheetMargin, 28, `font-size="15" font-weight="bold"`, b.title)
	at := float64(sheetMargin)
	for _, k := range b.parts {
		out.line(`<rect x="%.1f" y="44" width="11" height="11" fill="%s"/>`, at, k.colour)
		out.text(at+16, 54, "", k.text)
		at += 16 + 6.6*float64(len(k.text)) + 20
	}
	for _, tick := range x.ticks {
		out.line(`<path d="M%.1f %dV%.1f" stroke="%s"/>`, x.at(tick), top-4, top+height, chartGrid)
		out.text(x.at(tick), top+height+18, `text-anchor="middle"`, tickText(tick))
	}
	out.text((x.from+x.to)/2, top+height+40, `text-anchor="middle"`, b.x)
	y := float64(top)
	for i, r := range b.rows {
		if i == 0 || r.group != b.rows[i-1].group {
			if i > 0 {
				y += groupGap
			}
			out.text(sheetMargin, y+11, `font-weight="bold"`, r.group)
		}
		out.text(barsLeft-8, y+11, `text-anchor="end"`, r.name)
		from := 0.0
		for k, v := range r.parts {
			if v > 0 {
				out.line(`<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`, x.at(from), y, x.at(from+v)-x.at(from), barHeight, b.parts[k].colour)
			}
			from += v
		}
		out.text(x.at(from)+6, y+11, `font-size="11"`, console.Ms(from))
		y += barStep
	}
	out.line(`</svg>`)
	return out.err
}
