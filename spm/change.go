package spm

import (
	"errors"
	"fmt"
	"slices"

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
	plan            []layer // that are built, as they will be
	stride, sources int     // of the map when it is done

	generators *gpu.Buffer[Generator] // in place of the map's, where it grows; nil where it does not

	batches []*layerBatch // by method wavefront, in turn
	at      int           // the one that spreads: those before are complete
}

// spreads reports whether some batch is not complete.
func (w *building) spreads() bool { return w.at < len(w.batches) }

// Begin starts to make layers of a map anew. Until Advance or Finish has said that it is done,
// Generators, Parents and Field are the last complete maps, to the last byte. Of several changes of
// one layer the last counts. One build is pending at a time: Begin panics before the one begun last
// is done.
//
// Only what changes is made: a new goal alone uploads its sources and nothing of the ground; a
// ground that several layers have is uploaded once. Where it does not hold as many sources or
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
	return b.start(w, b.plan(w, changes))
}

// start has a planned build pending, unless planning it failed.
func (b *Builder) start(w *building, err error) error {
	if err == nil && b.wavefront != nil && len(w.plan) > 0 {
		w.batches = []*layerBatch{{layers: w.plan}}
		b.stage(func() { err = b.spread(w) })
	}
	if err != nil {
		b.drop(w)
		return refused(err, w.stride-w.sources)
	}
	b.building = w
	return nil
}

// stage runs f as a stage of the device that has the method's name.
func (b *Builder) stage(f func()) { b.device.Stage("spm "+b.method.String(), f) }

// plan checks the changes, and uploads what they need of new grounds.
func (b *Builder) plan(w *building, changes []Change) error {
	m, corners := w.m, w.stride-w.sources
	grounds, sources := make([]*geom.Ground, m.Layers), make([][]exact.Source, m.Layers)
	for _, c := range changes {
		g := c.Ground
		if g == nil {
			g = m.Ground(c.Layer)
		}
		if g.Lattice != m.lattice {
			panic("spm: a change to a ground of another lattice; all grounds of a map cover one domain")
		}
		var err error
		if sources[c.Layer], err = exact.Sources(g, c.Goal); err != nil {
			return &ChangeError{c.Layer, err}
		}
		if walls := len(g.Walls); b.sequential != nil && walls > b.sequential.walls {
			return &gpu.CapacityError{
				What: "a dispatch of method sequential (wavefront is cut into many)", Unit: "walls",
				Needed: int64(walls), Limit: int64(b.sequential.walls),
			}
		}
		grounds[c.Layer] = g
		w.sources = grown(w.sources, len(sources[c.Layer]))
		corners = grown(corners, len(g.Corners))
	}
	w.stride = w.sources + corners
	for i, old := range m.layers {
		if grounds[i] == nil {
			if w.sources == m.Sources {
				continue
			}
			grounds[i], sources[i] = old.surface.ground, old.sources // corners come behind the sources
		}
		s, err := b.surface(grounds[i], w.sources, w.plan, m.layers)
		if err != nil {
			return err
		}
		w.plan = append(w.plan, layer{i, s, sources[i], nextBuild()})
	}
	if w.stride == m.Stride {
		return nil
	}
	var err error
	w.generators, err = gpu.NewBuffer[Generator](b.device, "spm generators", m.Layers*w.stride)
	return err
}

// surface is a ground on the device, for a capacity for sources: one that some layer has, or a new
// one.
func (b *Builder) surface(g *geom.Ground, capacity int, known ...[]layer) (*surface, error) {
	for _, layers := range known {
		for _, l := range layers {
			if s := l.surface; s.ground == g && s.capacity == capacity {
				s.users++
				return s, nil
			}
		}
	}
	if err := enlarge(b.device, &b.unreached, "spm unreached", len(g.Triangles)); err != nil {
		return nil, err
	}
	b.stats.Grounds++
	return newSurface(b.device, g, capacity)
}

// spread begins the next batch, in parts where it is too large.
func (b *Builder) spread(w *building) error {
	for {
		f := w.batches[w.at]
		if f.wave > 0 {
			b.stats.Restarts++
		}
		whole, err := b.wavefront.begin(w, f)
		if whole || err != nil {
			return err
		}
		b.wavefront.keep(f)
		half := len(f.layers) / 2
		w.batches = slices.Replace(w.batches, w.at, w.at+1, &layerBatch{layers: f.layers[:half]}, &layerBatch{layers: f.layers[half:]})
	}
}

// drop gives up a build.
func (b *Builder) drop(w *building) {
	for _, l := range w.plan {
		l.surface.release()
	}
	w.generators.Delete()
	for _, f := range w.batches {
		b.wavefront.keep(f)
	}
}

// Advance advances the pending build, without waiting for the device, and reports whether it
// is done. When all waves are over it draws, and all later commands of the device see the new
// layers. Without a pending build it is done.
//
// After an error, a *GroundError round a *gpu.CapacityError or that of a device that was lost, the
// build is over and the map is as it was. Where the error is one of gpu.Device.Do, nothing was done
// and the build is pending as before.
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
	b.stage(func() {
		if w.spreads() {
			err = b.advance(w)
		}
		if done = err != nil || !w.spreads(); !done {
			return
		}
		b.building = nil
		if err != nil {
			b.drop(w)
		} else {
			b.show(w)
		}
	})
	return done, refused(err, w.stride-w.sources)
}

// advance advances the batch that spreads.
func (b *Builder) advance(w *building) error {
	f := w.batches[w.at]
	how, err := b.wavefront.poll(f)
	if err == nil && how == completed {
		if !b.undrawn {
			err = b.wavefront.sort(f)
		}
		w.at++
	}
	if err != nil || how == spreading || !w.spreads() {
		return err
	}
	return b.spread(w)
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
	for _, l := range w.plan {
		m.layers[l.index].surface.release()
		m.layers[l.index] = l
		if b.sequential != nil {
			b.sequential.build(m, l.index)
			b.resolveLayer(m, l.index)
		}
	}
	for _, f := range w.batches {
		for slot, l := range f.layers {
			f.records.CopyRange(slot*m.Stride, m.Generators, l.index*m.Stride, m.Stride)
		}
	}
	for _, f := range w.batches {
		for slot, l := range f.layers {
			if !b.undrawn {
				b.wavefront.draw(m, l.index, f.collected, slot)
				b.resolveLayer(m, l.index)
			}
		}
		b.wavefront.keep(f)
	}
	b.stats.Layers += len(w.plan)
}

// Finish advances until the build that was begun is done, and waits for the device meanwhile.
// Errors are as in Advance.
func (b *Builder) Finish() error {
	return b.device.Do(func() error {
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
	})
}

// Build makes layers of a map anew: Begin and Finish, with the errors of both.
func (b *Builder) Build(m *Map, changes ...Change) error {
	if err := b.Begin(m, changes...); err != nil {
		return err
	}
	return b.Finish()
}

// SkipFields has later builds by method wavefront leave Parents and Field as they are, and make
// Generators only: all that a View needs. Of grounds of many corners fields take most of the time
// and memory. Method sequential finds generators by drawing, and draws.
func (b *Builder) SkipFields() { b.undrawn = true }

// Stats counts what a builder has done since it was made.
type Stats struct {
	Grounds  int // grounds uploaded
	Layers   int // layers drawn
	Restarts int // builds that began anew, since a queue was too small
}

// Stats returns what was done so far.
func (b *Builder) Stats() Stats { return b.stats }
