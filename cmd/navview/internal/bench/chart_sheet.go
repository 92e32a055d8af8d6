package bench

import (
	"fmt"
	"io"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/engine/geom"
)

// drawing is what can be written as an SVG document.
type drawing interface{ write(w io.Writer) error }

// sheet is moments of crowds, one below the other where they are wide, else side by side.
type sheet struct {
	title  string
	legend []key
	panels []panel // all of one shape
}

// key says what a colour means.
type key struct{ colour, text string }

// panel is a moment of a crowd.
type panel struct {
	caption string
	view    measure.Rect
	walls   []geom.Polygon
	people  []person
	radius  float64 // of each of them, m
}

// person is somebody in a panel.
type person struct {
	at, velocity mgl64.Vec2
	colour       string
}

// Measures of a sheet, in SVG's pixels.
const (
	sheetMargin  = 16
	sheetGap     = 14 // between panels side by side
	sheetCaption = 24 // height of a line of words
	sheetTop     = 46
)

// chartWall is the colour of walls.
const chartWall = "#4B5661"

// write writes the sheet, which has a panel, as an SVG document.
func (s sheet) write(w io.Writer) error {
	size := s.panels[0].view.High.Sub(s.panels[0].view.Low)
	columns, rows := max(2, len(s.panels)), 1
	if size[0] > 2*size[1] {
		columns, rows = 1, len(s.panels)
	}
	scale := (chartWidth - 2*sheetMargin - sheetGap*float64(columns-1)) / float64(columns) / size[0] // pixels a metre
	width, height := size[0]*scale, size[1]*scale
	bottom := sheetTop + float64(rows)*(height+sheetCaption+6)

	out := &svg{w: w}
	out.line(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="%s">`,
		chartWidth, bottom+sheetCaption+4, chartInk)
	out.line(`<rect width="100%%" height="100%%" fill="%s"/>`, chartPaper)
	out.text(sheetMargin, 28, `font-size="15" font-weight="bold"`, s.title)
	for i, p := range s.panels {
		x := sheetMargin + float64(i%columns)*(width+sheetGap)
		y := sheetTop + float64(i/columns)*(height+sheetCaption+6)
		out.text(x, y+height+16, "", p.caption)
		out.line(`<svg x="%.1f" y="%.1f" width="%.1f" height="%.1f" viewBox="0 0 %.1f %.1f">`, x, y, width, height, width, height)
		out.line(`<rect width="100%%" height="100%%" fill="#FFFFFF"/>`)
		at := func(v mgl64.Vec2) mgl64.Vec2 { // y goes up
			return mgl64.Vec2{(v[0] - p.view.Low[0]) * scale, (p.view.High[1] - v[1]) * scale}
		}
		for _, wall := range p.walls {
			path := ""
			for _, ring := range append([]geom.Ring{wall.Outer}, wall.Holes...) {
				for k, v := range ring {
					path += map[bool]string{true: "M", false: "L"}[k == 0] + coordinates(at(v))
				}
				path += "Z"
			}
			out.line(`<path d="%s" fill="%s" fill-rule="evenodd"/>`, path, chartWall)
		}
		for _, k := range s.legend { // one group of a colour
			out.line(`<g fill="%s" stroke="%s" stroke-width="%.2f">`, k.colour, chartPaper, 0.12*scale*p.radius)
			for _, who := range p.people {
				if who.colour == k.colour {
					c := at(who.at)
					out.line(`<circle cx="%.1f" cy="%.1f" r="%.2f"/>`, c[0], c[1], p.radius*scale)
				}
			}
			out.line(`</g>`)
		}
		// Where they walk to: a line from the middle on.
		path := ""
		for _, who := range p.people {
			if speed := who.velocity.Len(); speed > 0.05 {
				path += "M" + coordinates(at(who.at)) + "L" + coordinates(at(who.at.Add(who.velocity.Mul(1.7*p.radius/speed))))
			}
		}
		out.line(`<path d="%s" stroke="%s" stroke-width="%.2f" stroke-linecap="round"/>`, path, chartInk, 0.3*scale*p.radius)
		out.line(`<rect width="100%%" height="100%%" fill="none" stroke="%s" stroke-width="1"/>`, chartGrid)
		out.line(`</svg>`)
	}
	x := float64(sheetMargin)
	for _, k := range s.legend {
		out.line(`<circle cx="%.1f" cy="%.1f" r="5" fill="%s"/>`, x+5, bottom+8, k.colour)
		out.text(x+15, bottom+12, "", k.text)
		x += 15 + 6.4*float64(len(k.text)) + 20
	}
	out.line(`</svg>`)
	return out.err
}

// coordinates are those of a point of a path.
func coordinates(v mgl64.Vec2) string { return fmt.Sprintf("%.1f %.1f", v[0], v[1]) }
