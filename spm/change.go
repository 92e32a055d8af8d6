package spm

import (
	"errors"
	"fmt"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/spm/exact"
)

// Change says what a layer of a map shall be.
type Change struct {
	Layer  int
	Ground *geom.Ground // nil: the one that it has. On the map's lattice
	Goal   Goal
}

// ChangeError says which layer cannot be what it shall be.
type ChangeError struct {
	Layer int
	Cause error // *SourceError
}

func (e *ChangeError) Error() string { return fmt.Sprintf("layer %d: %v", e.Layer, e.Cause) }

// Unwrap returns the cause.
func (e *ChangeError) Unwrap() error { return e.Cause }

// GroundError says that a device cannot hold maps of a ground, whatever their size in texels: the
// obstacles have too many corners, or the goals too many sources.
type GroundError struct {
	Corners int
	Cause   error // *gpu.CapacityError
}

func (e *GroundError) Error() string {
	return fmt.Sprintf("spm: maps of a ground with %d corners: %v", e.Corners, e.Cause)
}

// Unwrap returns the cause.
func (e *GroundError) Unwrap() error { return e.Cause }

// refused makes a *GroundError of a *gpu.CapacityError. Other errors stay as they are.
func refused(err error, corners int) error {
	if full := (*gpu.CapacityError)(nil); errors.As(err, &full) {
		return &GroundError{Corners: corners, Cause: full}
	}
	return err
}

// building is a build that has begun.
type building struct {
	m               *Map
	layers          []int   // that are built
	plan            []layer // of each of them, what it will be
	stride, sources int     // of the map when it is done

	generators *gpu.Buffer[Generator] // in place of the map's, where it grows; nil where it does not

	waiting []*layerBatch // have not begun
	current *layerBatch   // spreads
	done    []*layerBatch
}

// Begin starts to make layers of a map anew. Until Advance or Finish has said that it is done,
// Generators, Parents and Field are the last complete maps, to the last byte. Of several changes of
// one layer the last counts. One build is pending at a time: Begin panics before the one begun last
// is done.
//
// Only what changes is made: a new goal alone uploads its sources and nothing of the ground; a
// ground that several layers stand on is uploaded once. Where it does not hold as many sources or
// corners, the map grows (see Map.Epoch) when the build is done.
//
// The error is a *ChangeError round a *SourceError, or a *GroundError round a *gpu.CapacityError.
// All is then as it was.
func (b *Builder) Begin(m *Map, changes ...Change) error {
	return b.device.Do(func() error { return b.begin(m, changes) })
}

func (b *Builder) begin(m *Map, changes []Change) error {
	if b.building != nil {
		panic("spm: Begin before the last build is done; call Finish first")
	}
	w := &building{m: m, stride: m.Stride, sources: m.Sources}
	err := b.plan(w, changes)
	if err == nil && b.wavefront != nil && len(w.plan) > 0 {
		w.waiting = []*layerBatch{{}}
		for i := range w.plan {
			w.waiting[0].layers = append(w.waiting[0].layers, i)
		}
		b.device.Stage("spm "+b.method.String(), func() { err = b.beginNext(w) })
	}
	if err != nil {
		b.drop(w)
		return refused(err, w.stride-w.sources)
	}
	b.building = w
	return nil
}

// plan checks the changes, and uploads what they need of new grounds.
func (b *Builder) plan(w *building, changes []Change) error {
	m := w.m
	last := make([]*Change, m.Layers)
	sites := make([][]exact.Source, m.Layers)
	grounds := make([]*geom.Ground, m.Layers)
	corners := m.Stride - m.Sources
	for i := range changes {
		c := &changes[i]
		g := c.Ground
		if g == nil {
			g = m.Ground(c.Layer)
		}
		if g.Lattice != m.lattice {
			panic("spm: a change to a ground of another lattice; all grounds of a map cover one domain")
		}
		var err error
		if sites[c.Layer], err = exact.Sources(g, c.Goal); err != nil {
			return &ChangeError{c.Layer, err}
		}
		if walls := len(g.Walls); b.wavefront == nil && walls > b.sequential.walls {
			return &gpu.CapacityError{What: "a dispatch of method sequential (wavefront is cut into many)", Unit: "walls", Needed: int64(walls), Limit: int64(b.sequential.walls)}
		}
		last[c.Layer], grounds[c.Layer] = c, g
		if n := len(sites[c.Layer]); n > w.sources {
			w.sources = larger(uint32(n))
		}
		if n := len(g.Corners); n > corners {
			corners = larger(uint32(n))
		}
	}
	w.stride = w.sources + corners
	for i := range m.layers {
		old := &m.layers[i]
		if last[i] == nil {
			if w.sources == m.Sources {
				continue
			}
			grounds[i], sites[i] = old.surface.ground, old.sources // parents are counted from behind the sources
		}
		s, err := b.surface(w, grounds[i])
		if err != nil {
			return err
		}
		w.layers = append(w.layers, i)
		w.plan = append(w.plan, layer{surface: s, sources: sites[i], builds: old.builds + 1})
	}
	if w.stride == m.Stride {
		return nil
	}
	var err error
	w.generators, err = gpu.NewBuffer[Generator](b.device, "spm generators", m.Layers*w.stride)
	return err
}

// surface is a ground on the device as a build needs it: one that some layer has, or a new one.
func (b *Builder) surface(w *building, g *geom.Ground) (*surface, error) {
	for _, layers := range [][]layer{w.plan, w.m.layers} {
		for _, l := range layers {
			if s := l.surface; s.ground == g && s.capacity == w.sources {
				s.users++
				return s, nil
			}
		}
	}
	if err := enlarge(b.device, &b.unreached, "spm unreached", len(g.Triangles)); err != nil {
		return nil, err
	}
	b.stats.Grounds++
	return newSurface(b.device, g, w.sources)
}

// beginNext begins the next of the batches that wait, in parts where it is too large.
func (b *Builder) beginNext(w *building) error {
	for {
		f := w.waiting[0]
		if f.wave > 0 {
			b.stats.Restarts++
		}
		whole, err := b.wavefront.begin(w, f)
		if err != nil {
			return err
		}
		if whole {
			w.waiting, w.current = w.waiting[1:], f
			return nil
		}
		half := len(f.layers) / 2
		b.wavefront.keep(f)
		w.waiting = append([]*layerBatch{{layers: f.layers[:half]}, {layers: f.layers[half:]}}, w.waiting[1:]...)
	}
}

// drop gives up a build.
func (b *Builder) drop(w *building) {
	for _, l := range w.plan {
		l.surface.release()
	}
	w.generators.Delete()
	w.generators = nil
	batches := append(w.done, w.waiting...)
	if w.current != nil {
		batches = append(batches, w.current)
	}
	for _, f := range batches {
		b.wavefront.keep(f)
	}
}

// Advance takes the pending build further, without waiting for the device, and reports whether it
// is done. When all waves are over it draws, and all later commands of the device see the new
// layers. Without a pending build it is done.
//
// After an error, a *GroundError round a *gpu.CapacityError or that of a device that was lost, the
// build is over and the map is as it was.
//
// Where the error is one of gpu.Device.Do, nothing was done and the build is pending as before.
func (b *Builder) Advance() (done bool, err error) {
	if b.building == nil {
		return true, nil
	}
	err = b.device.Do(func() (err error) {
		done, err = b.goOn()
		return err
	})
	return done, err
}

// goOn is Advance of a pending build.
func (b *Builder) goOn() (done bool, err error) {
	w := b.building
	if w.current != nil {
		b.device.Stage("spm "+b.method.String(), func() { err = b.advance(w) })
	}
	if err != nil {
		b.building = nil
		b.drop(w)
		return true, refused(err, w.stride-w.sources)
	}
	if w.current != nil {
		return false, nil
	}
	b.building = nil
	b.device.Stage("spm "+b.method.String(), func() { b.show(w) })
	return true, nil
}

// advance takes the batch that spreads further.
func (b *Builder) advance(w *building) error {
	f := w.current
	waves := f.wave
	how, err := b.wavefront.poll(f)
	b.stats.Waves += int(f.wave - waves)
	if err != nil {
		return err
	}
	switch how {
	case full:
		w.waiting, w.current = append([]*layerBatch{f}, w.waiting...), nil
	case completed:
		if !b.undrawn {
			if err := b.wavefront.sort(f); err != nil {
				return err
			}
		}
		w.done, w.current = append(w.done, f), nil
	}
	if w.current == nil && len(w.waiting) > 0 {
		return b.beginNext(w)
	}
	return nil
}

// layersOf is what the layers of a batch will be.
func (w *building) layersOf(f *layerBatch) []layer {
	all := make([]layer, len(f.layers))
	for i, l := range f.layers {
		all[i] = w.plan[l]
	}
	return all
}

// show makes the new layers visible.
func (b *Builder) show(w *building) {
	m := w.m
	if w.generators != nil {
		records := min(m.Stride, w.stride)
		for i := range m.layers {
			m.Generators.CopyRange(i*m.Stride, w.generators, i*w.stride, records)
		}
		m.Generators.Delete()
		m.Generators, m.Stride, m.Sources = w.generators, w.stride, w.sources
		m.epoch++
	}
	for i, layer := range w.layers {
		m.layers[layer].surface.release()
		m.layers[layer] = w.plan[i]
	}
	if b.sequential != nil {
		for _, layer := range w.layers {
			b.sequential.build(m, layer)
			b.resolveLayer(m, layer)
		}
	}
	for _, f := range w.done {
		for slot, i := range f.layers {
			f.records.CopyRange(slot*m.Stride, m.Generators, w.layers[i]*m.Stride, m.Stride)
		}
	}
	for _, f := range w.done {
		for slot, i := range f.layers {
			if !b.undrawn {
				b.wavefront.draw(m, w.layers[i], f.collected, slot)
				b.resolveLayer(m, w.layers[i])
			}
		}
		b.wavefront.keep(f)
	}
	b.stats.Layers += len(w.layers)
}

// Finish advances until the build that was begun is done, and waits for the device meanwhile.
// Errors are as in Advance.
func (b *Builder) Finish() error { return b.device.Do(b.finish) }

func (b *Builder) finish() error {
	for b.building != nil {
		if done, err := b.goOn(); done {
			return err
		}
		if !b.wavefront.mail.Wait() {
			b.drop(b.building)
			b.building = nil
			return errLost
		}
	}
	return nil
}

// SkipFields has later builds by method wavefront leave Parents and Field as they are, and make
// Generators only: all that a View needs. Of grounds of many corners fields take most of the time
// and memory. Method sequential finds generators by drawing, and draws.
func (b *Builder) SkipFields() { b.undrawn = true }

// Build makes layers of a map anew: Begin and Finish, with the errors of both.
func (b *Builder) Build(m *Map, changes ...Change) error {
	if err := b.Begin(m, changes...); err != nil {
		return err
	}
	return b.Finish()
}

// Stats counts what a builder has done since it was made.
type Stats struct {
	Grounds  int // grounds uploaded
	Layers   int // layers drawn
	Waves    int // waves issued
	Restarts int // builds that began anew, since a queue was too small
}

// Stats says what was done so far.
func (b *Builder) Stats() Stats { return b.stats }
