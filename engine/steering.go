package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/shaders"
)

// steering moves the agents of some profiles by local maps of their own (package bvp): after their
// preferred velocities are known, and before they avoid each other.
type steering struct {
	device   *gpu.Device
	crowd    *agents.Crowd
	profiles []*scenes.BVP   // by profile; nil: its agents walk straight along the goals' maps
	traits   []agents.Traits // of each agent, once people has read them
	maps     *bvp.Maps       // nil while no agent ever had one
	input    *gpu.Pass[walkerInput]
	guides   *gpu.Buffer[uint32] // by profile
	harmonic harmonic

	exploring exploring
}

// The guides of local maps, by profile.
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
	walkers         *gpu.Buffer[bvp.Walker]        `gpu:"readwrite"`
	traits          *gpu.Buffer[agents.Traits]     `gpu:"read"`
	before          *gpu.Buffer[agents.Agent]      `gpu:"read"`
	guidance        *gpu.Buffer[agents.Guidance]   `gpu:"read"`
	generators      *gpu.Buffer[shaders.Generator] `gpu:"read"`
	places          *gpu.Buffer[[2]uint32]         `gpu:"read"` // the body of each agent
	guides          *gpu.Buffer[uint32]            `gpu:"read"` // of each profile
	ascents         *gpu.Buffer[bvp.Ascent]        `gpu:"read"` // of each cell of the global maps, all layers
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
		"NOT_THERE":      bvp.NotThere,
		"NO_GOAL":        bvp.NoGoal[0],
		"AFAR":           float32(bvp.Afar),
		"GOAL_CELL":      bvp.GoalCell,
	},
}

// parametersOf are what a scene says of a local map.
func parametersOf(s scenes.BVP) bvp.Parameters {
	p := bvp.Parameters{
		Cells: s.Cells, CellSize: s.CellSize, Relaxations: s.Relaxations,
		ViewAngle: s.ViewAngle * math.Pi / 180,
		Bias: bvp.Bias{
			Direction: s.Bias.Direction, Strength: s.Bias.Strength,
			Wave: bvp.Wave{Amplitude: s.Bias.Wave.Amplitude, Frequency: s.Bias.Wave.Frequency},
		},
		Inertia: s.Inertia, SpeedControl: s.SpeedControl,
	}
	p.Method = map[scenes.Method]bvp.Method{scenes.MethodRedBlack: bvp.RedBlack, scenes.MethodJacobiGS: bvp.JacobiGS, scenes.MethodADI: bvp.ADI}[s.Method]
	for _, row := range s.Table {
		p.Bias.Table = append(p.Bias.Table, bvp.Sample{Time: row[0], Direction: mgl64.Vec2{row[1], row[2]}, Strength: row[3]})
	}
	return p
}

// newSteering takes the local maps that a scene's profiles ask for, of the crowd of that scene.
func newSteering(d *gpu.Device, scene *scenes.Scene, crowd *agents.Crowd) *steering {
	s := &steering{device: d, crowd: crowd, profiles: make([]*scenes.BVP, len(scene.Profiles))}
	for i, p := range scene.Profiles {
		if p.Steering == scenes.SteeringBVP {
			s.profiles[i] = &p.BVP
		}
	}
	return s
}

// people are the traits of all agents. The first call reads them from the device: in most worlds
// no agent has a local map.
func (s *steering) people() []agents.Traits {
	if s.traits == nil && s.crowd.Count() > 0 {
		s.traits = make([]agents.Traits, s.crowd.Count())
		s.crowd.Buffers().Traits.Read(0, s.traits)
	}
	return s.traits
}

// steers reports whether any profile has a local map.
func (s *steering) steers() bool {
	return slices.ContainsFunc(s.profiles, func(p *scenes.BVP) bool { return p != nil })
}

// equip makes what the profiles need. After an error, a *gpu.CapacityError or *gpu.CompileError,
// all is as it was.
func (s *steering) equip() error {
	var kinds []bvp.Parameters
	kindOf := make([]int, len(s.profiles))
	guides := make([]uint32, len(s.profiles))
	for i, p := range s.profiles {
		kindOf[i] = bvp.NoMap
		if p != nil {
			kindOf[i] = len(kinds)
			kinds = append(kinds, parametersOf(*p))
			if p.Guide == scenes.GuideHarmonic {
				guides[i] = guideHarmonic
			}
		}
	}
	of := make([]int, s.crowd.Count())
	for agent, t := range s.people() {
		of[agent] = kindOf[t.Profile]
	}
	if s.input == nil {
		input, err := gpu.NewPass(s.device, walkerInputPass)
		if err != nil {
			return err
		}
		s.input = input
	}
	if s.guides == nil {
		buffer, err := gpu.NewBuffer[uint32](s.device, "steering guides", len(guides))
		if err != nil {
			return err
		}
		s.guides = buffer
	}
	if s.maps == nil {
		maps, err := bvp.NewMaps(s.device, kinds, of)
		if err != nil {
			return err
		}
		s.maps = maps
	} else if err := s.maps.Assign(kinds, of); err != nil {
		return err
	}
	s.guides.Write(0, guides)
	return nil
}

// stepLocalMaps gives walkers their inputs, moves their local maps a step on, and has their
// velocities follow from these.
func (w *World) stepLocalMaps() error {
	s := w.steering
	if context, ok := w.crowd.StepContext(); ok && s.steers() && s.maps.Walkers().Len() > 0 {
		w.device.Stage("local", func() { s.step(context) })
	}
	return nil
}

func (s *steering) step(around agents.StepContext) {
	walkers := s.maps.Walkers()
	size, cellsPerMetre := s.harmonic.size()
	s.input.Run(walkerInput{
		walkers: walkers, traits: around.Traits, before: around.Agents, guidance: around.Guidance, places: around.Places,
		generators: around.Guide.Generators, stride: uint32(around.Guide.Stride), sources: uint32(around.Guide.Sources),
		guides: s.guides, ascents: s.harmonic.ascents, cellCount: size, cellsPerMetre: cellsPerMetre,
		latticeStepBits: gpu.DoubleBits(around.Lattice.Step), walkerCount: uint32(walkers.Len()),
	}, gpu.Groups(walkers.Len(), groupSize))
	s.exploring.look(s.maps, around)
	s.maps.Step(around.Time, around.Timestep, bvp.World{
		Walls: around.Walls, Grid: around.Grid, LatticeStep: around.Lattice.Step,
		Bodies:     bvp.Bodies(around.Bodies),
		Velocities: bvp.Records{Buffer: around.Guidance, Stride: around.Guidance.Stride() / 4, Offset: 0},
		Counters:   around.Counters, Flat: around.ZeroGradient, FlatSum: around.ZeroGradientSum,
	})
}

func (s *steering) close() {
	if s.maps != nil {
		s.maps.Close()
	}
	s.guides.Delete()
	s.harmonic.clear()
	s.exploring.close()
}

// LocalMaps are the local maps of agents, for drawing and for questions; nil where no agent ever
// had one. The world steps, changes and closes them. Walkers and potentials are other buffers after
// SetLocalMap.
func (w *World) LocalMaps() *bvp.Maps { return w.steering.maps }

// checkProfile panics for the index of a profile that the scene does not have.
func (s *steering) checkProfile(profile int) {
	if profile < 0 || profile >= len(s.profiles) {
		panic(fmt.Sprintf("engine: there is no profile %d; the scene has %d, counted from 0", profile, len(s.profiles)))
	}
}

// LocalMap is the local map that the agents of a profile, by its index in the scene, steer by;
// false if they have none.
func (w *World) LocalMap(profile int) (scenes.BVP, bool) {
	w.steering.checkProfile(profile)
	if p := w.steering.profiles[profile]; p != nil {
		return *p, true
	}
	return scenes.BVP{}, false
}

// SetLocalMap changes the local map of the agents of a profile from the next tick on; nil: they
// have none and walk straight along the goals' maps. Agents whose map keeps its size keep its
// potentials, and all keep their headings. The error is a *gpu.CapacityError or *gpu.CompileError, and all
// stays as it was. A profile that the scene does not have panics, and so does what scenes.BVP.Check
// refuses: what a scene leaves out has no default here. Errors besides are those of Step.
func (w *World) SetLocalMap(profile int, m *scenes.BVP) error {
	if err := w.usable("SetLocalMap"); err != nil {
		return err
	}
	s := w.steering
	s.checkProfile(profile)
	if m != nil {
		if problems := m.Check(); len(problems) > 0 {
			panic(fmt.Sprintf("engine: profile %d cannot have this local map: %v", profile, problems))
		}
	}
	before := s.profiles
	s.profiles = slices.Clone(before)
	s.profiles[profile] = nil
	if m != nil {
		own := *m
		own.Table = slices.Clone(m.Table)
		s.profiles[profile] = &own
	}
	if err := w.device.Do(w.prepareSteering); err != nil {
		s.profiles = before
		return fmt.Errorf("engine: another local map for profile %d: %w", profile, err)
	}
	return nil
}

// prepareSteering makes what local maps need, if there are any. After an error all walk as before.
func (w *World) prepareSteering() error {
	s := w.steering
	if !s.steers() && s.maps == nil {
		return nil
	}
	if err := w.explore(); err != nil {
		return err
	}
	if err := w.guideHarmonically(); err != nil {
		return err
	}
	if s.steers() {
		if err := w.crowd.SortAlways(true); err != nil {
			return err
		}
	}
	if err := s.equip(); err != nil || s.steers() {
		return err
	}
	return w.crowd.SortAlways(false)
}
