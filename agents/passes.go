package agents

import (
	"maps"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/shaders"
)

// groupSize is the number of agents a work group. Tests try others.
var groupSize = 64

// sectorBeam is the Kind of a generator that is a beam; see shaders.Generator.
const sectorBeam = uint32(geom.SectorLightField)

// hop is how far an agent may go at once towards its target where the lattice
// has no point to stop at from which it sees the target. Such cracks are narrower
// than two lattice steps; in one that is longer than this an agent gets stuck.
// Units: lattice steps, 2^-20 of the domain's longer side.
const hop = 64

// specOf describes the pass of a stage of this package. All stages have the same constants, besides
// their own.
func specOf[T any](stage string, own map[string]any) gpu.PassSpec[T] {
	defines := map[string]any{
		"GROUP_SIZE":      groupSize,
		"STATUS_WAITING":  Waiting,
		"STATUS_WALKING":  Walking,
		"STATUS_ARRIVED":  Arrived,
		"STATUS_LEFT":     Left,
		"STEERING_SPM":    SPM,
		"ON_ARRIVAL_STAY": OnArrivalStay,
		"ON_ARRIVAL_LOOP": OnArrivalLoop,
		"OWN_POINT":       OwnPoint,
		"WAY_OUT":         WayOut,
		"ELSEWHERE":       Elsewhere,
		"SECTOR_BEAM":     sectorBeam,
		"HOP":             hop,

		"BENDS":           mostBends,
		"BEND_PARTS":      float64(bendParts),
		"SOURCES_AT_ONCE": uint32(searchAtOnce),
		"STEERING":        uint32(steering),
		"MOVING":          uint32(moving),
		"SEARCHING":       uint32(searching),

		"SCAN_SIZE":   scanSize,
		"PART_AGENTS": uint32(partAgents),

		"ROUND_FIRST": uint32(roundFirst),
		"OFF_TURNS":   offTurns,
		"MOST_TURNS":  uint32(gpu.LongestInvocation / 2), // of eight bodies, which are the work of two

		"COUNTERS":                       uint32(counterCount),
		"COUNTER_REACHED":                uint32(counterReached),
		"COUNTER_LOST":                   uint32(counterLost),
		"COUNTER_BURIED":                 uint32(counterBuried),
		"COUNTER_DISPLACED":              uint32(counterDisplaced),
		"COUNTER_STUCK":                  uint32(counterStuck),
		"COUNTER_NEIGHBOR_LIST_OVERFLOW": uint32(counterNeighborListOverflow),
		"COUNTER_WALL_LIST_OVERFLOW":     uint32(counterWallListOverflow),
		"COUNTER_STEP":                   uint32(counterStep),
		"COUNTER_CONTACTS":               uint32(counterContacts),
		"COUNTER_WALL_CONTACTS":          uint32(counterWallContacts),
		"COUNTER_TRAVEL":                 uint32(counterTravel),
		"COUNTER_TRAVELLERS":             uint32(counterTravellers),
		"COUNTER_GREATEST":               uint32(counterGreatest),
		"COUNTER_PENETRATION":            uint32(counterPenetration),
		"COUNTER_WALL_PENETRATION":       uint32(counterWallPenetration),
		"COUNTER_SPEED_EXCESS":           uint32(counterSpeedExcess),
		"COUNTER_FIRST":                  uint32(counterFirst),
		"COUNTER_LAST":                   uint32(counterLast),
	}
	maps.Copy(defines, own)
	return gpu.PassSpec[T]{
		Stages:  []string{"agents/" + stage + ".comp.glsl"},
		Structs: []any{Traits{}, Agent{}, Guidance{}, Stage{}, Command{}, AvoidanceParams{}, Body{}, Shift{}, Rest{}, shaders.Generator{}},
		Defines: defines,
	}
}

// Passes are the passes of this package.
func Passes() []gpu.PassInfo {
	specs := []gpu.PassInfo{
		displacePass().Info(), enterPass().Info(), escapePass().Info(), guidePass().Info(),
		pathFollowPass().Info(), pathPass().Info(), integratePass().Info(),
		contactBodiesPass().Info(), contactPushPass().Info(), contactMovePass().Info(), contactDeferredPass().Info(),
		tallyPass().Info(), measurePass().Info(),
	}
	for _, simple := range []bool{false, true} {
		specs = append(specs, guideByMapPass(simple).Info(), guideSearchPass(simple).Info(), integrateDeferredPass(simple).Info())
	}
	specs = append(specs, cellsPasses()...)
	specs = append(specs, neighborPasses()...)
	return append(specs, avoidancePasses()...)
}

// simpleMaps says whether a variant of a pass is for maps whose generators are points, of the
// ground that agents walk on: it leaves the rest out, since software renderers run both sides of
// every branch.
func simpleMaps(only bool) map[string]any {
	if only {
		return map[string]any{"POINT_SOURCES_ONLY": 1}
	}
	return map[string]any{"POINT_SOURCES_ONLY": 0}
}

// Inputs that passes share by including the shaders that declare them.

// placeInput is that of agents/place.glsl, with include/wallrecords.glsl.
type placeInput struct {
	latticeStepBits [2]uint32
	latticeSize     [2]int32
	wallGrid        [4]int32
	wallRecords     *gpu.TexelBuffer
}

func (c *Crowd) place() placeInput {
	return placeInput{
		latticeStepBits: gpu.DoubleBits(c.lattice.Step), latticeSize: [2]int32{c.lattice.Size.X, c.lattice.Size.Y},
		wallGrid: c.walls.head(c.walls.own), wallRecords: c.walls.texels,
	}
}

// generatorInput is that of agents/generators.glsl.
type generatorInput struct {
	placeInput
	generators *gpu.Buffer[shaders.Generator] `gpu:"read"`
	stride     uint32
	cleared    bool
}

func (c *Crowd) generators() generatorInput {
	return generatorInput{c.place(), c.guide.Generators, uint32(c.guide.Stride), cleared(c.walls.own, c.guide.Terrains)}
}

// texelInput is that of agents/texels.glsl.
type texelInput struct {
	parents, field *gpu.Texture
	texelsPerMetre float32
	unreached      float32
}

func (c *Crowd) texels() texelInput {
	return texelInput{c.guide.Parents, c.guide.Field, float32(1 / c.guide.Cell), c.guide.Unreached}
}

// routeInput is that of agents/route.glsl.
type routeInput struct {
	generatorInput
	texelInput
	deferredInput
	traits *gpu.Buffer[Traits] `gpu:"read"`
	stages *gpu.Buffer[Stage]  `gpu:"read"`
	count  uint32              // of the queue
	pass   uint32
}

func (c *Crowd) route(queue deferredQueue, count, pass int) routeInput {
	return routeInput{
		generatorInput: c.generators(), texelInput: c.texels(), deferredInput: queue.input(),
		traits: c.traits, stages: c.stages, count: uint32(count), pass: uint32(pass),
	}
}
