package spm

import (
	"slices"
	"sync/atomic"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm/exact"
)

// Contents say what a map shows, so that Builder.Restore can make it show that again. They hold
// grounds and sources, and nothing on the device: maps are made of them anew, the same to the last
// byte.
type Contents struct {
	stride, sources int
	layers          []layerContents
}

// layerContents is what a layer shows.
type layerContents struct {
	ground  *geom.Ground
	sources []exact.Source
	builds  uint64
}

// Contents returns what the map shows as last built. It panics with ErrDeleted.
func (m *Map) Contents() *Contents {
	m.mustHave(0)
	s := &Contents{stride: m.Stride, sources: m.Sources}
	for _, l := range m.layers {
		s.layers = append(s.layers, layerContents{l.surface.ground, l.sources, l.builds})
	}
	return s
}

// Records are the records of a layer, and those of them that are for sources: Map.Stride and
// Map.Sources.
func (s *Contents) Records() (stride, sources int) { return s.stride, s.sources }

// Lattice is that of all grounds.
func (s *Contents) Lattice() geom.Lattice { return s.layers[0].ground.Lattice }

// Layers is how many layers the map has.
func (s *Contents) Layers() int { return len(s.layers) }

// Spec is that of a map of an extent with room for what they show, and no more.
func (s *Contents) Spec(e Extent) MapSpec {
	spec := MapSpec{Extent: e, Sources: s.sources, Corners: s.stride - s.sources}
	for _, l := range s.layers {
		spec.Grounds = append(spec.Grounds, l.ground)
	}
	return spec
}

// NewContents are those of a map with a layer for each ground and goal, with so many records a
// layer and so many of them for sources. The error is a *ChangeError, or a *gpu.CapacityError where
// the records are too few.
func NewContents(stride, sources int, grounds []*geom.Ground, goals []Goal) (*Contents, error) {
	s := &Contents{stride: stride, sources: sources}
	for i, g := range grounds {
		all, err := exact.Sources(g, goals[i])
		if err != nil {
			return nil, &ChangeError{i, err}
		}
		if needed := len(all); needed > sources {
			return nil, &gpu.CapacityError{What: "the sources of a layer", Unit: "records", Needed: int64(needed), Limit: int64(sources)}
		}
		if needed := sources + len(g.Corners); needed > stride {
			return nil, &gpu.CapacityError{What: "a layer", Unit: "records", Needed: int64(needed), Limit: int64(stride)}
		}
		s.layers = append(s.layers, layerContents{ground: g, sources: all})
	}
	return s, nil
}

// Restore makes a map show what it showed when Contents was called, with the same numbers of
// generators: layers that have changed since are built anew, and it waits for them. A build that is
// pending is given up. The map has to have as many layers as they, on one lattice; else it
// panics.
//
// The error is a *GroundError round a *gpu.CapacityError, or one of gpu.Device.Do. The map is as it
// was then, and without the pending build.
func (b *Builder) Restore(m *Map, s *Contents) error {
	if len(s.layers) != m.Layers {
		panic("spm: Restore of contents with another number of layers than the map")
	}
	return b.device.Do(func() error {
		if b.building != nil {
			b.drop(b.building)
			b.building = nil
		}
		w := &building{m: m, stride: s.stride, sources: s.sources}
		if err := b.start(w, b.planContents(w, s)); err != nil {
			return err
		}
		return b.Finish()
	})
}

// planContents plans the layers that are not as the contents have them.
func (b *Builder) planContents(w *building, s *Contents) (err error) {
	m := w.m
	same := w.stride == m.Stride && w.sources == m.Sources
	for i, l := range s.layers {
		if l.ground.Lattice != m.lattice {
			panic("spm: Restore of contents on another lattice than that of the map")
		}
		if same && l.builds != 0 && l.builds == m.layers[i].builds {
			continue
		}
		surface, err := b.surface(l.ground, w.sources, w.plan, m.layers)
		if err != nil {
			return err
		}
		builds := l.builds
		if builds == 0 {
			builds = nextBuild()
		}
		w.plan = append(w.plan, layer{i, surface, slices.Clone(l.sources), builds})
	}
	if !same {
		w.generators, err = gpu.NewBuffer[Generator](b.device, "spm generators", m.Layers*w.stride)
	}
	return err
}

// lastBuild is the number of the build begun last, of any map of the process.
var lastBuild atomic.Uint64

// nextBuild is a number that no layer of any map has had. Layers with one number are the same: also
// where contents of one map were restored into another.
func nextBuild() uint64 { return lastBuild.Add(1) }
