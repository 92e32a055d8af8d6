package engine

import (
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/harmonic"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/shaders"
)

// localMaps moves the agents of some profiles by local maps of their own (package bvp/local): after
// their preferred velocities are known, and before they avoid each other.
type localMaps struct {
	device    *gpu.Device
	used      bool         // some profile has a local map
	owners    []handleSlot // of the maps, by slot
	maps      *local.Maps  // nil while no agent ever had one
	input     *gpu.Pass[walkerInput]
	harmonic  harmonicMaps
	explorers explorers
}

// groupSize is the number of walkers a work group.
const groupSize = 64

// Passes are the passes of this package.
func Passes() []gpu.PassInfo {
	return []gpu.PassInfo{walkerInputPass.Info(), exploreGuidePass.Info()}
}

// walkerInput is what walkerinput.comp.glsl takes: it gives walkers their inputs from the goals'
// maps.
type walkerInput struct {
	walkers         *gpu.Buffer[local.Walker]      `gpu:"readwrite"`
	traits          *gpu.Buffer[agents.Traits]     `gpu:"read"`
	before          *gpu.Buffer[agents.Agent]      `gpu:"read"`
	guidance        *gpu.Buffer[agents.Guidance]   `gpu:"read"`
	generators      *gpu.Buffer[shaders.Generator] `gpu:"read"`
	places          *gpu.Buffer[[2]uint32]         `gpu:"read"` // the body of each agent
	settings        *gpu.Buffer[local.Settings]    `gpu:"read"`
	ascents         *gpu.Buffer[harmonic.Ascent]   `gpu:"read"` // of each cell of the global maps, all layers
	latticeStepBits [2]uint32
	walkerCount     uint32
	stride          uint32
	sources         uint32
	cellCount       [2]int32
	cellsPerMeter   float32
}

var walkerInputPass = gpu.PassSpec[walkerInput]{
	Stages: []string{"engine/walkerinput.comp.glsl"},
	Defines: map[string]any{
		"GROUP_SIZE":     groupSize,
		"HARMONIC":       local.Harmonic,
		"ROBUST":         local.Robust,
		"STATUS_WALKING": agents.Walking,
		"OWN_POINT":      agents.OwnPoint,
		"IN_SERVICE":     agents.InService,
		"SECTOR_BEAM":    uint32(geom.SectorLightField),
		"NOT_THERE":      local.NotThere,
		"NO_GOAL":        local.NoGoal[0],
		"AFAR":           float32(local.Afar),
		"GOAL_CELL":      harmonic.GoalCell,
	},
}

// inUse reports whether any profile has a local map.
func (l *localMaps) inUse() bool { return l.used }

// prepareLocalMaps makes what local maps need, if there are any. After an error all agents walk as
// before.
func (w *World) prepareLocalMaps() (err error) {
	l, before := w.local, w.local.used
	l.used = slices.ContainsFunc(w.profiles, func(p Profile) bool { return p.localMap() != nil })
	if !l.used && l.maps == nil {
		return nil
	}
	defer func() {
		if err != nil {
			l.used = before
		}
	}()
	if err := w.enlistExplorers(); err != nil {
		return err
	}
	if err := w.solveHarmonicMaps(); err != nil {
		return err
	}
	if l.used {
		if err := w.crowd.SortAlways(true); err != nil {
			return err
		}
	}
	if err := l.equip(&w.population); err != nil || l.used {
		return err
	}
	return w.crowd.SortAlways(false)
}

// equip makes what the profiles need. After an error, a *gpu.CapacityError or *gpu.CompileError,
// all is as it was.
func (l *localMaps) equip(r *population) (err error) {
	var kinds []scenes.BVP
	kindOf := make([]int, len(r.profiles))
	for i := range r.profiles {
		kindOf[i] = local.NoMap
		if p := r.profiles[i].localMap(); p != nil {
			kindOf[i] = len(kinds)
			kinds = append(kinds, r.profiles[i].Mean().BVP)
		}
	}
	slots := max(len(r.agents), len(l.owners)) // fewer agents than before, after a rollback
	of, kept := slices.Repeat([]int{local.NoMap}, slots), slices.Repeat([]int{local.NoMap}, slots)
	again := false // a slot has another agent than before
	for slot, a := range r.agents {
		if a.present {
			of[slot] = kindOf[a.traits.Profile]
		}
		if a.bvp != nil && of[slot] != local.NoMap {
			of[slot] = len(kinds)
			kinds = append(kinds, *a.bvp)
		}
		if kept[slot] = of[slot]; slot < len(l.owners) && l.owners[slot].generation != r.agentIDs.slots[slot].generation {
			kept[slot], again = local.NoMap, again || of[slot] != local.NoMap
		}
	}
	if l.input == nil {
		if l.input, err = gpu.NewPass(l.device, walkerInputPass); err != nil {
			return err
		}
	}
	switch {
	case l.maps == nil:
		l.maps, err = local.New(l.device, kinds, of)
	case again:
		if err = l.maps.Assign(kinds, kept); err == nil { // agents that are new begin anew
			err = l.maps.Assign(kinds, of)
		}
	default:
		err = l.maps.Assign(kinds, of)
	}
	if err != nil {
		return err
	}
	l.owners = make([]handleSlot, slots)
	copy(l.owners, r.agentIDs.slots[:len(r.agents)])
	return nil
}

// stepLocalMaps gives walkers their inputs, moves their local maps a step on, and has their
// velocities follow from these.
func (w *World) stepLocalMaps() error {
	l := w.local
	if context, ok := w.crowd.StepContext(); ok && l.inUse() && l.maps.Walkers().Len() > 0 {
		w.device.Stage("local", func() { l.step(context) })
	}
	return nil
}

func (l *localMaps) step(s agents.StepContext) {
	walkers := l.maps.Walkers()
	in := walkerInput{
		walkers: walkers, traits: s.Traits, before: s.Agents, guidance: s.Guidance, places: s.Places,
		generators: s.Guide.Generators, stride: uint32(s.Guide.Stride), sources: uint32(s.Guide.Sources),
		settings: l.maps.Settings(s.Time, s.Timestep), ascents: l.harmonic.ascents, cellCount: [2]int32{1, 1},
		latticeStepBits: gpu.DoubleBits(s.Lattice.Step), walkerCount: uint32(walkers.Len()),
	}
	if g := l.harmonic.grid; g != nil && g.Count() > 0 {
		in.cellCount, in.cellsPerMeter = g.Size(), float32(1/g.CellSize())
	}
	l.input.Run(in, gpu.Groups(walkers.Len(), groupSize))
	l.explorers.look(l.maps, s)
	l.maps.Step(s)
}

func (l *localMaps) close() {
	if l.maps != nil {
		l.maps.Close()
	}
	l.harmonic.clear()
	l.explorers.close()
}

// LocalMaps are the local maps of agents, for drawing and for questions; nil where no agent ever
// had one. The world steps, changes and closes them. Walkers and potentials are other buffers after
// edits of agents and profiles.
func (w *World) LocalMaps() *local.Maps {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.local.maps
}
