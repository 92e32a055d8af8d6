package engine

import (
	"errors"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// goalState is a goal as the world runs it.
type goalState struct {
	id        string
	clearance float64
	sources   spm.Goal       // edits included
	stale     bool           // they changed since a map of them was begun
	asleep    []int          // of them, when it was begun
	awake     spm.Goal       // the others
	begun     agents.Terrain // of that map

	shown agents.Terrain // of the map that readers find
	view  *spm.View
}

// beginMaps begins the maps of the goals whose sources or ground changed since theirs were begun.
func (w *World) beginMaps() error {
	var changes []spm.Change
	for i := range w.goals {
		if g := &w.goals[i]; g.stale || g.begun != w.terrain.of(g.clearance) {
			changes = append(changes, w.change(i))
		}
	}
	if len(changes) == 0 {
		return nil
	}
	if err := w.builder.Begin(w.maps, changes...); err != nil {
		return w.named(err)
	}
	for _, c := range changes {
		g := &w.goals[c.Layer]
		g.stale, g.begun = false, w.terrain.of(g.clearance)
		w.building = append(w.building, c.Layer)
	}
	w.work.Maps += uint64(len(changes))
	return nil
}

// change says what a goal's layer shall be, and which of its sources sleep.
func (w *World) change(layer int) spm.Change {
	g := &w.goals[layer]
	open, clear := w.terrain.of(0).Ground, w.terrain.of(g.clearance).Ground
	asked := scenes.Goal{Points: g.sources.Points, Clearance: g.clearance}
	for _, s := range g.sources.Segments {
		asked.Segments = append(asked.Segments, s)
	}
	awake := asked.SourcesOn(open, clear)
	g.asleep, g.awake = awake.Asleep, spm.Goal{Points: awake.Points, Segments: awake.Segments}
	return spm.Change{Layer: layer, Ground: clear, Goal: g.awake}
}

// named tells the goal that a change failed for.
func (w *World) named(err error) error {
	var failed *spm.ChangeError
	if errors.As(err, &failed) {
		return &GoalError{ID: w.goals[failed.Layer].id, Cause: failed.Cause}
	}
	return err
}

// newMaps makes maps with room for what all layers shall be at first.
func (w *World) newMaps(size int, changes []spm.Change) (*spm.Map, error) {
	side := w.scene.Max().Sub(w.scene.Min())
	spec := spm.MapSpec{Extent: spm.NewExtent(side[0], side[1], size)}
	for _, c := range changes {
		room, err := spm.SourceCount(c.Ground, c.Goal)
		if err != nil {
			return nil, &GoalError{ID: w.goals[c.Layer].id, Cause: err}
		}
		spec.Grounds = append(spec.Grounds, c.Ground)
		spec.Sources = max(spec.Sources, room)
	}
	return w.builder.NewMap(spec)
}

// finishMaps waits for the maps under way, which take effect.
func (w *World) finishMaps() error { return w.advanceMaps(true) }

// advanceMaps takes the maps under way further, to their end if it shall wait for that.
func (w *World) advanceMaps(wait bool) error {
	if len(w.building) == 0 {
		return nil
	}
	done, err := w.builder.Advance()
	if !done && wait {
		w.work.Waits++
		done, err = true, w.builder.Finish()
	}
	if !done {
		return nil
	}
	for _, layer := range w.building {
		g := &w.goals[layer]
		g.shown, g.view = g.begun, nil
		g.stale = g.stale || err != nil // the next tick tries again
		w.steering.harmonic.renew(layer)
	}
	w.building = w.building[:0]
	err = errors.Join(err, w.crowd.SetGuide(w.guide()))
	if w.steering.steers() {
		err = errors.Join(err, w.guideHarmonically(), w.steering.exploring.mark(w))
	}
	return err
}

// guide is how agents read the maps.
func (w *World) guide() agents.Guide {
	guide := agents.Guide{
		Generators: w.maps.Generators, Stride: w.maps.Stride, Sources: w.maps.Sources,
		Parents: w.maps.Parents, Field: w.maps.Field, Unreached: float32(spm.Unreached), Cell: w.maps.Extent.Cell,
	}
	for _, g := range w.goals {
		guide.Terrains = append(guide.Terrains, g.shown)
	}
	return guide
}
