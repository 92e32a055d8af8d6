package spm

import (
	"errors"

	"github.com/wayfront/wayfront/engine/gpu"
)

// sequential is the method of that name: its passes, and what an iteration's passes hand on.
type sequential struct {
	search    *gpu.Pass[searchInput]
	shadow    *gpu.Pass[shadowInput]
	cone      *gpu.Pass[coneInput]
	distances *gpu.Pass[distancesInput]

	current  *gpu.Buffer[cone]
	commands *gpu.Buffer[commands]

	walls  int                  // of a ground, at most: mostWalls
	most   int                  // iterations, for Stop; 0: as many as there are generators
	report func(issued, of int) // for Watch; nil where no one watches
}

// mostWalls is how many walls a ground may have for this method. An invocation of distances.comp
// tests all of them, twice, which Mesa's software renderer ends after 65,535 turns without a word,
// and a dispatch every one for each of about as many corners: half a billion tests, well below what
// a watchdog allows. It is the method to compare with, for some thousand corners: more of them take
// an iteration each, and minutes.
const mostWalls = 1 << 14

func newSequential(d *gpu.Device) (b *sequential, err error) {
	b = &sequential{walls: mostWalls}
	err = errors.Join(
		compile(d, searchPass, &b.search),
		compile(d, shadowPass, &b.shadow),
		compile(d, conePass, &b.cone),
		compile(d, distancesPass, &b.distances),
		enlarge(d, &b.current, "spm cone", 1),
		enlarge(d, &b.commands, "spm commands", 1),
	)
	return b, err
}

func (b *sequential) delete() {
	free(b.current, b.commands)
}

// build makes the map of a layer whose sources are set, one generator an iteration.
func (b *sequential) build(m *Map, layer int) {
	records := make([]Generator, m.Stride)
	l := &m.layers[layer]
	g := l.surface.ground
	layerRecords(records[:m.Sources+len(g.Corners)], g, l.sources, m.Sources)
	base, walls := layer*m.Stride, uint32(l.surface.wallCount)
	m.Generators.Write(base, records)
	target := m.targets[layer]
	target.ClearColor(float64(NoParent))

	search := searchInput{
		generators: m.Generators, cone: b.current, commands: b.commands, base: uint32(base), count: uint32(m.Stride), walls: walls,
	}
	distances := distancesInput{
		generators: m.Generators, cone: b.current, walls: l.surface.walls,
		base: uint32(base), count: uint32(m.Stride), wallCount: walls, latticeStep: float32(g.Lattice.Step),
	}
	iterations := len(l.sources) + len(g.Corners)
	if b.most > 0 {
		iterations = min(iterations, b.most)
	}
	for i := range iterations {
		// Shadows are marked with the iteration's own stencil value, so that the stencil is cleared once
		// in 255.
		mark := uint8(i%255 + 1)
		if mark == 1 {
			if i == 0 {
				target.ClearDepthStencil(1, 0)
			} else {
				target.ClearStencil(0)
			}
		}
		b.search.Run(search, 1)
		if walls > 0 {
			b.castShadows(m, layer, mark)
		}
		b.drawCone(m, layer, mark)
		b.distances.RunIndirect(distances, b.commands, distanceCommand)
		if b.report != nil {
			b.report(i+1, iterations)
		}
	}
}
