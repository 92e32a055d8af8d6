package agents

import (
	"maps"
	"reflect"
	"strings"
	"unicode"

	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/shaders"
)

// groupSize is the number of agents a work group. Tests try others.
var groupSize = 64

// hop is how far an agent may go at once towards its target where the lattice has no point to
// stop at from which it sees the target. Such cracks are narrower than two lattice steps; in one
// that is longer than this an agent gets stuck. Unit: lattice steps, 2^-20 of the domain's longer
// side.
const hop = 64

// pass is the pass of an input, not made before it is needed: that of displaceInput is
// displace.comp.glsl.
type pass[T any] struct{ *gpu.Pass[T] }

func (p *pass[T]) need(r *gpu.ResourceSet, own map[string]any) {
	if p.Pass == nil {
		p.Pass = gpu.Compile(r, specOf[T](own))
	}
}

func (p *pass[T]) info(own map[string]any) gpu.PassInfo { return specOf[T](own).Info() }

// anyPass is a pass of any input, with its own constants besides those of all.
type anyPass interface {
	need(r *gpu.ResourceSet, own map[string]any)
	info(own map[string]any) gpu.PassInfo
}

// passes are those of a crowd.
type passes struct {
	change    pass[changeInput]
	events    pass[eventsInput]
	areas     pass[areasInput]
	watch     pass[watchInput]
	displace  pass[displaceInput]
	enter     pass[enterInput]
	escape    pass[escapeInput]
	guide     pass[guideInput]
	serve     pass[serveInput]
	admit     pass[admitInput]
	integrate pass[integrateInput]
	tally     pass[tallyInput]
	measure   pass[measureInput]

	pathFollow pass[pathFollowInput]
	path       pass[pathInput]
	drawList   pass[drawListInput]

	cellsCount  pass[cellsCountInput]
	cellsDivide pass[cellsDivideInput]
	cellsParts  pass[cellsPartsInput]
	cellsScan   pass[cellsScanInput]
	cellsBodies pass[cellsBodiesInput]

	neighbors      pass[neighborsInput]      // lists up to listLength neighbors
	neighborsAgain pass[neighborsAgainInput] // lists any number
	nearWalls      pass[nearWallsInput]      // finds agents that have walls near
	nearWallsList  pass[nearWallsListInput]
	neighborSight  pass[neighborSightInput]
	neighborsPast  pass[neighborsPastInput] // lists those in sight

	contactBodies   pass[contactBodiesInput]
	contactPush     pass[contactPushInput]
	contactMove     pass[contactMoveInput]
	contactDeferred pass[contactDeferredInput] // moves those that contactMove defers

	byMap [2]byMap // for all maps, and for simple ones
}

// byMap is the passes that read maps in a step.
type byMap struct {
	guide     pass[guideByMapInput]
	search    pass[guideSearchInput]
	integrate pass[integrateDeferredInput]
}

// guiding is the passes for maps whose generators are all points, with the walls of the ground
// that agents walk on, or for all maps.
func (p *passes) guiding(simple bool) *byMap {
	if simple {
		return &p.byMap[1]
	}
	return &p.byMap[0]
}

// The passes that are needed together.
func (p *passes) always() []anyPass  { return []anyPass{&p.displace, &p.guide, &p.integrate, &p.tally} }
func (p *passes) serving() []anyPass { return []anyPass{&p.serve, &p.admit} }
func (p *passes) paths() []anyPass   { return []anyPass{&p.pathFollow, &p.path} }
func (m *byMap) all() []anyPass      { return []anyPass{&m.guide, &m.search, &m.integrate} }
func (p *passes) sorting() []anyPass {
	return []anyPass{
		&p.cellsCount, &p.cellsDivide, &p.cellsParts, &p.cellsScan, &p.cellsBodies,
		&p.contactBodies, &p.contactPush, &p.contactMove,
	}
}

func (p *passes) listing() []anyPass {
	return []anyPass{&p.neighbors, &p.neighborsAgain, &p.neighborsPast, &p.neighborSight, &p.nearWalls, &p.nearWallsList}
}

// simpleMaps is what passes that read maps are compiled with, for simple ones or for all: the
// rest is left out, since software renderers run both sides of every branch.
func simpleMaps(simple bool) map[string]any { return map[string]any{"POINT_SOURCES_ONLY": simple} }

// specOf describes the pass of an input: that of displaceInput is displace.comp.glsl.
func specOf[T any](own map[string]any) gpu.PassSpec[T] {
	return specOfStage[T](strings.ToLower(strings.TrimSuffix(reflect.TypeFor[T]().Name(), "Input")), own)
}

// specOfStage describes the pass of a stage of this package. All stages have the same constants,
// besides their own.
func specOfStage[T any](stage string, own map[string]any) gpu.PassSpec[T] {
	defines := map[string]any{
		"GROUP_SIZE":      groupSize,
		"STATUS_WAITING":  Waiting,
		"STATUS_WALKING":  Walking,
		"STATUS_ARRIVED":  Arrived,
		"STATUS_LEFT":     Left,
		"STATUS_PLACED":   Placed,
		"CONTROL_ENGINE":  ControlEngine,
		"STEERING_SPM":    SPM,
		"EVENT_ENTERED":   EventEntered,
		"EVENT_ARRIVED":   EventArrived,
		"EVENT_LEFT":      EventLeft,
		"EVENT_STUCK":     EventStuck,
		"EVENT_FREED":     EventFreed,
		"EVENT_NO_ROUTE":  EventNoRoute,
		"EVENT_DISPLACED": EventDisplaced,
		"EVENT_BLOCKED":   EventBlocked,
		"EVENT_MISSED":    EventMissed,
		"EVENT_CAME_IN":   EventCameIn,
		"EVENT_WENT_OUT":  EventWentOut,
		"NO_AREA":         NoArea,
		"MARK_STUCK":      uint32(markStuck),
		"CHANGE_NEW":      ChangeNew,
		"CHANGE_TRAITS":   ChangeTraits,
		"CHANGE_PLACE":    ChangePlace,
		"CHANGE_GOAL":     ChangeGoal,
		"CHANGE_STATUS":   ChangeStatus,
		"ON_ARRIVAL_STAY": OnArrivalStay,
		"ON_ARRIVAL_LOOP": OnArrivalLoop,
		"OWN_POINT":       OwnPoint,
		"WAY_OUT":         WayOut,
		"ELSEWHERE":       Elsewhere,
		"IN_SERVICE":      InService,
		"SECTOR_BEAM":     uint32(geom.SectorLightField), // Kind of a generator that is a light field
		"HOP":             hop,

		"BENDS":           mostBends,
		"BEND_PARTS":      float64(bendParts),
		"SOURCES_AT_ONCE": uint32(searchAtOnce),
		"STEERING":        uint32(steering),
		"MOVING":          uint32(moving),
		"SEARCHING":       uint32(searching),

		"SCAN_SIZE":   scanSize,
		"PART_AGENTS": uint32(partAgents),

		"CHUNK":         chunk,
		"WALL_CAPACITY": uint32(wallCapacity),
		"STREAM_AVOID":  spawn.StreamAvoid,

		"STREAM_SERVICE": spawn.StreamService,
		"TIME_PARTS":     uint32(timeParts),
		"LINE_GAP":       float64(lineGap),
		"LINE_REACH":     float64(lineReach),
		"MOST_GONE":      uint32(mostGone),

		"ROUND_FIRST": uint32(roundFirst),
		"OFF_TURNS":   offTurns,
		"MOST_TURNS":  uint32(gpu.LongestInvocation / 2), // of eight bodies, which are the work of two

		"COUNTERS": uint32(counterWords),
	}
	t := reflect.TypeFor[deviceCounters]()
	for i := range t.NumField() {
		defines["COUNTER_"+macroName(t.Field(i).Name)] = uint32(t.Field(i).Offset / 4)
	}
	maps.Copy(defines, reasonMacros())
	maps.Copy(defines, own)
	return gpu.PassSpec[T]{
		Stages:  []string{"agents/" + stage + ".comp.glsl"},
		Structs: []any{Traits{}, Agent{}, Guidance{}, Stage{}, Command{}, AvoidanceParams{}, Body{}, Shift{}, Rest{}, Presence{}, DeskState{}, InLine{}, shaders.Generator{}},
		Defines: defines,
	}
}

// macroName is a Go name as macros are written: WALL_CONTACTS of WallContacts.
func macroName(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// Passes are the passes of this package, with lists of one size.
func Passes() (all []gpu.PassInfo) {
	const capacity = 10
	var p passes
	add := func(own map[string]any, passes ...anyPass) {
		for _, pass := range passes {
			all = append(all, pass.info(own))
		}
	}
	add(nil, append(p.always(), &p.change, &p.events, &p.areas, &p.enter, &p.escape, &p.measure, &p.drawList)...)
	add(watchMacros(), &p.watch)
	add(nil, p.serving()...)
	add(simpleMaps(false), append(p.paths(), p.guiding(false).all()...)...)
	add(simpleMaps(true), append(p.guiding(true).all(), &p.contactDeferred)...)
	add(nil, p.sorting()...)
	add(listMacros(capacity), p.listing()...)
	all = append(all, wishesPass().Info(), watchListsPass().Info())
	for m := NoMethod + 1; int(m) < len(methods); m++ {
		for _, nested := range [...]bool{false, true} {
			if nested && !methods[m].nests {
				continue
			}
			for _, watched := range [...]bool{false, true} {
				for _, pass := range avoidPasses(kernelVariant{m, nested, watched}, capacity) {
					all = append(all, pass.Info())
				}
			}
		}
	}
	return all
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
		wallGrid: c.walls.head(c.terrain), wallRecords: c.walls.texels,
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
	return generatorInput{c.place(), c.guide.Generators, uint32(c.guide.Stride), c.cleared()}
}

// texelInput is that of agents/texels.glsl.
type texelInput struct {
	parents, field *gpu.Texture
	texelsPerMeter float32
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
