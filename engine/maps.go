package engine

import (
	"errors"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// goalState is a goal as the world runs it.
type goalState struct {
	scenes.Goal                // edits included
	gone        bool           // it was removed, and has no sources
	stale       bool           // they changed since a map of them was begun
	blocked     []int          // of them, when it was begun
	open        spm.Goal       // the others, as the map has them
	begun       agents.Terrain // of that map

	shown agents.Terrain // of the map that readers find
	view  *spm.View

	itinerary int // the crowd's, that leads to this goal alone; -1: none was asked for
}

// beginMaps begins the maps of the goals whose sources or ground changed since theirs were begun.
// It makes all of them, and waits, where goals were added.
func (w *World) beginMaps() error {
	if w.next != nil {
		return w.takeNextMaps()
	}
	var changes []spm.Change
	for i := range w.goals {
		if g := &w.goals[i]; g.stale || g.begun != w.terrain.of(g.Passage()) {
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
		g.stale, g.begun = false, w.terrain.of(g.Passage())
		w.building = append(w.building, c.Layer)
	}
	w.work.Maps += uint64(len(changes))
	return nil
}

// takeNextMaps builds the maps that have a layer for each goal, and takes them in place of the
// others.
func (w *World) takeNextMaps() error {
	before, next, goals := w.maps, w.next.maps, slices.Clone(w.goals)
	var changes []spm.Change
	var all []int
	for i := range w.goals {
		changes, all = append(changes, w.change(i)), append(all, i)
	}
	if err := w.builder.Build(next, changes...); err != nil {
		return w.named(err)
	}
	for i := range w.goals {
		g := &w.goals[i]
		g.stale, g.view, g.begun = false, nil, w.terrain.of(g.Passage())
		g.shown = g.begun
	}
	w.maps = next
	if err := w.crowd.SetGuide(w.guide()); err != nil {
		w.maps, w.goals = before, goals
		return err
	}
	w.maps, w.next = before, nil
	w.replaceMaps(next)
	w.work.Maps += uint64(len(all))
	return w.followMaps(all)
}

// replaceMaps has the world have other maps, or the same.
func (w *World) replaceMaps(to *spm.Map) {
	if to != w.maps {
		w.epoch += w.maps.Epoch() + 1
		w.maps.Delete()
		w.maps = to
	}
}

// followMaps brings up to date what is made of the maps of goals that changed.
func (w *World) followMaps(changed []int) error {
	if !w.local.inUse() {
		return nil
	}
	return errors.Join(w.solveHarmonicMaps(changed...), w.local.explorers.update(w))
}

// prepareGoals makes the maps that the next tick builds where an edit adds goals or changes the size
// of maps, on the grounds that it leaves.
func (e *Edit) prepareGoals(l layout) error {
	w, goals := e.world, e.editedGoals()
	size, now, on := w.sizeOfMaps(e.scene), w.maps.Extent.Size, w.walked.Lattice
	if w.next != nil {
		now, on = w.next.spec.Extent.Size, w.next.spec.Grounds[0].Lattice
	}
	if len(goals) == len(w.goals) && size == now && l.of(scenes.Walked).Lattice == on {
		return nil
	}
	var changes []spm.Change
	for i, g := range goals {
		sources := l.sourcesOf(g.Goal)
		changes = append(changes, spm.Change{Layer: i, Ground: l.of(g.Passage()), Goal: spm.Goal{Points: sources.Points, Segments: sources.Segments}})
	}
	spec, err := w.mapSpec(size, goals, changes)
	if err == nil {
		e.next, err = w.newNextMaps(spec)
	}
	return err
}

// nextMaps are maps with a layer for each goal that the next tick builds and takes.
type nextMaps struct {
	maps *spm.Map
	spec spm.MapSpec
}

func (w *World) newNextMaps(spec spm.MapSpec) (*nextMaps, error) {
	maps, err := w.builder.NewMap(spec)
	if err != nil {
		return nil, err
	}
	return &nextMaps{maps, spec}, nil
}

func (n *nextMaps) delete() {
	if n != nil {
		n.maps.Delete()
	}
}

// unreachable are the goals of the edit that have no source on the grounds that it leaves.
func (e *Edit) unreachable(l layout) (none []GoalID) {
	if len(e.goals)+len(e.obstacles) == 0 {
		return nil
	}
	for i, g := range e.world.goals {
		if !g.gone && len(l.sourcesOf(g.Goal).Of) == 0 {
			none = append(none, e.world.goalIDs.at(i))
		}
	}
	return none
}

// change is the next map of a goal, and finds which of its sources are blocked.
func (w *World) change(layer int) spm.Change {
	g := &w.goals[layer]
	clear := w.terrain.of(g.Passage()).Ground
	sources := g.SourcesOn(w.terrain.of(scenes.Passage{Staff: g.Staff}).Ground, clear)
	g.blocked, g.open = sources.Blocked, spm.Goal{Points: sources.Points, Segments: sources.Segments}
	return spm.Change{Layer: layer, Ground: clear, Goal: g.open}
}

// named adds the goal that a change failed for.
func (w *World) named(err error) error {
	var failed *spm.ChangeError
	if errors.As(err, &failed) {
		return &GoalError{ID: w.goals[failed.Layer].ID, Cause: failed.Cause}
	}
	return err
}

// sizeOfMaps is the size of a scene's maps in the world.
func (w *World) sizeOfMaps(s *scenes.Scene) int {
	if w.mapSize > 0 {
		return w.mapSize
	}
	return s.Map.Size
}

// mapSpec is that of maps with the capacity for what all layers are at first.
func (w *World) mapSpec(size int, goals []goalState, changes []spm.Change) (spm.MapSpec, error) {
	side := w.scene.Max().Sub(w.scene.Min())
	spec := spm.MapSpec{Extent: spm.NewExtent(side[0], side[1], size)}
	for _, c := range changes {
		count, err := spm.SourceCount(c.Ground, c.Goal)
		if err != nil {
			return spec, &GoalError{ID: goals[c.Layer].ID, Cause: err}
		}
		spec.Grounds = append(spec.Grounds, c.Ground)
		spec.Sources = max(spec.Sources, count)
	}
	return spec, nil
}

// finishMaps waits for the pending maps, which take effect.
func (w *World) finishMaps() error { return w.advanceMaps(true) }

// advanceMaps advances the pending maps, or completes them if it shall wait for that.
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
	}
	changed := w.building
	w.building = nil
	return errors.Join(err, w.crowd.SetGuide(w.guide()), w.followMaps(changed))
}

// guide is how agents read the maps.
func (w *World) guide() agents.Guide {
	guide := agents.Guide{
		Generators: w.maps.Generators, Stride: w.maps.Stride, Sources: w.maps.Sources,
		Parents: w.maps.Parents, Field: w.maps.Field, Unreached: float32(spm.Unreached), Cell: w.maps.Extent.Cell,
	}
	for _, g := range w.goals[:w.maps.Layers] {
		guide.Terrains = append(guide.Terrains, g.shown)
	}
	return guide
}
