package render

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Sizes of sources. Unit: nominal pixels.
const (
	sourceRadius = 8
	sourceWidth  = 4.5 // of segments
	sourceCasing = 7.5 // the paler line below
)

// ground returns the ground whose obstacles are shown.
func (p Picture) ground() *geom.Ground {
	if p.Ground != nil {
		return p.Ground
	}
	return p.Map.Ground(p.Layer)
}

// blockedOf is the number of blocked ones of n sources from an index on.
func (p Picture) blockedOf(from, n int) int {
	blocked := 0
	for i := range n {
		if slices.Contains(p.Blocked, from+i) {
			blocked++
		}
	}
	return blocked
}

// sources returns the points, then the ends of segments, blocked ones last.
func (p Picture) sources() []mgl64.Vec2 {
	var all []mgl64.Vec2
	for _, blocked := range []bool{false, true} {
		for i, s := range p.Sources {
			if slices.Contains(p.Blocked, i) == blocked {
				all = append(all, s)
			}
		}
	}
	for _, blocked := range []bool{false, true} {
		for i, s := range p.Segments {
			if slices.Contains(p.Blocked, len(p.Sources)+i) == blocked {
				all = append(all, s[0], s[1])
			}
		}
	}
	return all
}

func (r *Renderer) drawSources(p Picture) {
	points, segments := len(p.Sources), len(p.Segments)
	lines := func(first, n int) gpu.Draw {
		return gpu.Draw{Mode: gpu.Lines, First: points + 2*first, Count: 2 * n, Instances: 1}
	}
	awake := segments - p.blockedOf(points, segments)
	r.drawLines(p, lines(0, segments), r.sources, sourceCasing, vec4(rim, 1))
	r.drawLines(p, lines(0, awake), r.sources, sourceWidth, vec4(source, 1))
	r.drawLines(p, lines(awake, segments-awake), r.sources, sourceWidth, vec4(blocked, 1))
	awake = points - p.blockedOf(0, points)
	r.drawMarks(p, gpu.Draw{Count: awake, Instances: 1}, r.sources, sourceRadius, source, true)
	r.drawMarks(p, gpu.Draw{First: awake, Count: points - awake, Instances: 1}, r.sources, sourceRadius, blocked, true)
}
