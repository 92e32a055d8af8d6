package studio

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// scale resizes what is dragged, with its box from what it was to another one; evenly: by the larger
// factor in both directions.
func (t *Select) scale(s *Studio, to Figure, evenly bool) error {
	from := t.figure.rect()
	size := func(r scenes.Rect) mgl64.Vec2 { return r.Max().Sub(r.Min()) }
	if evenly && !t.handle.Edge {
		fixed := t.figure.Corners()[(t.handle.N+2)%4]
		was, now := size(from), size(to.rect())
		factor := max(now[0]/max(was[0], tiny), now[1]/max(was[1], tiny))
		d := t.figure.Corners()[t.handle.N].Sub(fixed).Mul(factor)
		to = RectFigure(fixed, fixed.Add(d))
	}
	was, now := size(from), size(to.rect())
	factor := mgl64.Vec2{1, 1}
	for k := range factor {
		if was[k] > tiny {
			factor[k] = now[k] / was[k]
		}
		if factor[k]*max(was[k], tiny) < tiny {
			return nil // nothing would be left
		}
	}
	place := func(p mgl64.Vec2) mgl64.Vec2 {
		for k := range factor {
			if was[k] > tiny {
				p[k] = fine(to.rect()[k] + (p[k]-from[k])*factor[k])
			}
		}
		return p
	}
	return s.Drag(func(scene *scenes.Scene) {
		for _, r := range t.dragged {
			r.transform(scene, func(f Figure) Figure {
				f = f.each(place)
				f.Radius = fine(f.Radius * (factor[0] + factor[1]) / 2)
				return f
			})
			if r.List == Obstacles {
				if m := scene.Obstacles[r.Index].Motion; m != nil && m.Pivot != nil {
					*m.Pivot = place(*m.Pivot)
				}
			}
		}
	})
}

// tiny is the least side of a box that several things are resized to, m.
const tiny = 1e-3
