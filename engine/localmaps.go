package engine

import (
	"fmt"
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
	crowd     *agents.Crowd
	profiles  []*scenes.BVP   // by profile; nil: its agents walk straight along the goals' maps
	traits    []agents.Traits // of each agent, once they are read
	maps      *local.Maps     // nil while no agent ever had one
	input     *gpu.Pass[walkerInput]
	guides    *gpu.Buffer[uint32] // by profile, guideSPM or guideHarmonic
	harmonic  harmonicMaps
	explorers explorers
}

// The guides of local maps.
const (
	guideSPM uint32 = iota
	guideHarmonic
)

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
	guides          *gpu.Buffer[uint32]            `gpu:"read"` // of each profile
	ascents         *gpu.Buffer[harmonic.Ascent]   `gpu:"read"` // of each cell of the global maps, all layers
	latticeStepBits [2]uint32
	walkerCount     uint32
	stride          uint32
	sources         uint32
	cellCount       [2]int32
	cellsPerMetre   float32
}

var walkerInputPass = gpu.PassSpec[walkerInput]{
	Stages: []string{"engine/walkerinput.comp.glsl"},
	Defines: map[string]any{
		"GROUP_SIZE":     groupSize,
		"GUIDE_HARMONIC": guideHarmonic,
		"STATUS_WALKING": agents.Walking,
		"OWN_POINT":      agents.OwnPoint,
		"SECTOR_BEAM":    uint32(geom.SectorLightField),
		"NOT_THERE":      local.NotThere,
		"NO_GOAL":        local.NoGoal[0],
		"AFAR":           float32(local.Afar),
		"GOAL_CELL":      harmonic.GoalCell,
	},
}

// newLocalMaps takes the local maps of a scene's profiles, for the crowd of that scene.
func newLocalMaps(d *gpu.Device, scene *scenes.Scene, crowd *agents.Crowd) *localMaps {
	l := &localMaps{device: d, crowd: crowd, profiles: make([]*scenes.BVP, len(scene.Profiles))}
	for i, p := range scene.Profiles {
		if p.Steering == scenes.SteeringBVP {
			l.profiles[i] = &p.BVP
		}
	}
	return l
}

// traitsOf are the traits of all agents. The first call reads them from the device: in most worlds
// no agent has a local map.
func (l *localMaps) traitsOf() []agents.Traits {
	if l.traits == nil && l.crowd.Count() > 0 {
		l.traits = make([]agents.Traits, l.crowd.Count())
		l.crowd.Buffers().Traits.Read(0, l.traits)
	}
	return l.traits
}

// inUse reports whether any profile has a local map.
func (l *localMaps) inUse() bool {
	return slices.ContainsFunc(l.profiles, func(p *scenes.BVP) bool { return p != nil })
}

// prepareLocalMaps makes what local maps need, if there are any. After an error all agents walk as
// before.
func (w *World) prepareLocalMaps() error {
	l := w.local
	if !l.inUse() && l.maps == nil {
		return nil
	}
	if err := w.enlistExplorers(); err != nil {
		return err
	}
	if err := w.solveHarmonicMaps(); err != nil {
		return err
	}
	if l.inUse() {
		if err := w.crowd.SortAlways(true); err != nil {
			return err
		}
	}
	if err := l.equip(); err != nil || l.inUse() {
		return err
	}
	return w.crowd.SortAlways(false)
}

// equip makes what the profiles need. After an error, a *gpu.CapacityError or *gpu.CompileError,
// all is as it was.
func (l *localMaps) equip() (err error) {
	var kinds []scenes.BVP
	kindOf, guides := make([]int, len(l.profiles)), make([]uint32, len(l.profiles))
	for i, p := range l.profiles {
		kindOf[i] = local.NoMap
		if p != nil {
			kindOf[i] = len(kinds)
			kinds = append(kinds, *p)
			if p.Guide == scenes.GuideHarmonic {
				guides[i] = guideHarmonic
			}
		}
	}
	of := make([]int, l.crowd.Count())
	for agent, t := range l.traitsOf() {
		of[agent] = kindOf[t.Profile]
	}
	if l.input == nil {
		if l.input, err = gpu.NewPass(l.device, walkerInputPass); err != nil {
			return err
		}
	}
	if l.guides == nil {
		if l.guides, err = gpu.NewBuffer[uint32](l.device, "guides of local maps", len(guides)); err != nil {
			return err
		}
	}
	if l.maps == nil {
		l.maps, err = local.New(l.device, kinds, of)
	} else {
		err = l.maps.Assign(kinds, of)
	}
	if err == nil {
		l.guides.Write(0, guides)
	}
	return err
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
		guides: l.guides, ascents: l.harmonic.ascents, cellCount: [2]int32{1, 1},
		latticeStepBits: gpu.DoubleBits(s.Lattice.Step), walkerCount: uint32(walkers.Len()),
	}
	if g := l.harmonic.grid; g != nil && g.Count() > 0 {
		in.cellCount, in.cellsPerMetre = g.Size(), float32(1/g.CellSize())
	}
	l.input.Run(in, gpu.Groups(walkers.Len(), groupSize))
	l.explorers.look(l.maps, s)
	l.maps.Step(s)
}

func (l *localMaps) close() {
	if l.maps != nil {
		l.maps.Close()
	}
	l.guides.Delete()
	l.harmonic.clear()
	l.explorers.close()
}

// LocalMaps are the local maps of agents, for drawing and for questions; nil where no agent ever
// had one. The world steps, changes and closes them. Walkers and potentials are other buffers after
// SetLocalMap.
func (w *World) LocalMaps() *local.Maps {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.local.maps
}

// checkProfile panics for the index of a profile that the scene does not have.
func (l *localMaps) checkProfile(profile int) {
	if profile < 0 || profile >= len(l.profiles) {
		panic(fmt.Sprintf("engine: there is no profile %d; the scene has %d, counted from 0", profile, len(l.profiles)))
	}
}

// LocalMap is the local map that the agents of a profile, by its index in the scene, steer by;
// false if they have none.
func (w *World) LocalMap(profile int) (scenes.BVP, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.localMap(profile)
}

func (w *World) localMap(profile int) (scenes.BVP, bool) {
	w.local.checkProfile(profile)
	if p := w.local.profiles[profile]; p != nil {
		return *p, true
	}
	return scenes.BVP{}, false
}

// SetLocalMap changes the local map of the agents of a profile from the next tick on; nil: they
// have none and walk straight along the goals' maps. Agents whose map keeps its size keep its
// potentials, and all keep their headings. The error is a *gpu.CapacityError or *gpu.CompileError,
// and all stays as it was. A profile that the scene does not have panics, and so does what
// scenes.BVP.Check refuses: what a scene leaves out has no default here. Errors besides are those
// of Step.
func (w *World) SetLocalMap(profile int, m *scenes.BVP) error {
	return w.do("SetLocalMap", func() error { return w.setLocalMap(profile, m) })
}

func (w *World) setLocalMap(profile int, m *scenes.BVP) error {
	l := w.local
	l.checkProfile(profile)
	var own *scenes.BVP
	if m != nil {
		if problems := m.Check(); len(problems) > 0 {
			panic(fmt.Sprintf("engine: profile %d cannot have this local map: %v", profile, problems))
		}
		copied := *m
		copied.Table = slices.Clone(m.Table)
		own = &copied
	}
	before := l.profiles
	l.profiles = slices.Clone(before)
	l.profiles[profile] = own
	if err := w.prepareLocalMaps(); err != nil {
		l.profiles = before
		return fmt.Errorf("another local map for profile %d: %w", profile, err)
	}
	return nil
}
