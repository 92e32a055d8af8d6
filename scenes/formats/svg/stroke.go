package svg

import (
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// paint is how shapes are painted, as far as it says where walls are. Empty: not given.
type paint struct {
	fill, stroke, cap, dashes string
	width                     float64 // of the stroke
}

// style takes what an element says of its paint.
func (r *reader) style(look func(string) string, f *frame) {
	p, width := &f.paint, ""
	for name, to := range map[string]*string{
		"fill": &p.fill, "stroke": &p.stroke, "stroke-linecap": &p.cap, "stroke-dasharray": &p.dashes, "stroke-width": &width,
	} {
		if v := look(name); v != "" && v != "inherit" {
			*to = v
		}
	}
	if width == "" {
		return
	}
	var err error
	if p.width, err = length(width, diagonal(f.size)); err != nil || !(p.width >= 0) {
		r.fail("stroke-width=%s: a length, 0 or more, is needed", text.Quote(width))
	}
}

func (p paint) filled() bool { return p.fill != "none" && p.fill != "transparent" }

func (p paint) stroked() bool {
	return p.stroke != "" && p.stroke != "none" && p.stroke != "transparent" && p.width > 0
}

// extended reports whether lines reach beyond their ends by half of the stroke's width.
func (p paint) extended() bool { return p.cap == "square" || p.cap == "round" }

// walls takes the stroke of lines as obstacles.
func (r *reader) walls(s plan.Shape, lines []plan.Line, f frame) {
	var rings []geom.Ring
	for _, l := range lines {
		rings = append(rings, l.Stroke(f.paint.width, f.paint.extended())...)
	}
	if f.paint.dashes != "" && f.paint.dashes != "none" {
		r.Notef(s.At, "the dashes of strokes are taken as solid")
	}
	r.AddStrokes(s, rings, f.toWorld)
}
