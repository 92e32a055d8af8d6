package agents

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/agentstest"
	"github.com/wayfront/wayfront/agents/reference"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// stage is a method's program with what it needs to decide situations as they are, without a
// crowd.
type stage struct {
	device  *gpu.Device
	variant kernelVariant
	wishes  *gpu.Pass[avoidInput] // computes wishes; nil: the reference does
	kernel  kernel
	seed    uint64
	lists   *gpu.Pass[avoidInput] // that copies lists into the records of watched agents; nil: none is
	reasons []Reasons             // of all situations, where they are watched
}

// decide gives each situation its new velocity, as agentstest.Decide. Numbers are rounded to
// float32, and walls to agentstest.WallGrain.
func (st *stage) decide(t testing.TB) agentstest.Decide {
	return func(situations []reference.Situation) []mgl64.Vec2 {
		velocities := make([]mgl64.Vec2, len(situations))
		st.reasons = make([]Reasons, len(situations))
		for done := make([]bool, len(situations)); ; {
			// All in a dispatch share the step and its length, and have ids of their own.
			var batch []int
			ids := map[uint32]bool{}
			for i, s := range situations {
				if len(batch) == MaxWatched && st.lists != nil {
					break
				}
				if !done[i] && !ids[s.ID] && (len(batch) == 0 || situations[batch[0]].Step == s.Step && situations[batch[0]].Timestep == s.Timestep) {
					ids[s.ID], done[i] = true, true
					batch = append(batch, i)
				}
			}
			if len(batch) == 0 {
				return velocities
			}
			st.run(t, situations, batch, velocities)
		}
	}
}

func (st *stage) run(t testing.TB, situations []reference.Situation, batch []int, velocities []mgl64.Vec2) {
	t.Helper()
	single := func(v mgl64.Vec2) [2]float32 { return [2]float32{float32(v[0]), float32(v[1])} }
	grain := func(v mgl64.Vec2) (x, y int32) {
		return int32(math.Round(v[0] / agentstest.WallGrain)), int32(math.Round(v[1] / agentstest.WallGrain))
	}
	var mostNeighbors, mostWalls int
	var ids uint32
	for _, i := range batch {
		mostNeighbors = max(mostNeighbors, len(situations[i].Neighbors))
		mostWalls = max(mostWalls, len(situations[i].Walls))
		ids = max(ids, situations[i].ID+1)
		for _, n := range situations[i].Neighbors {
			ids = max(ids, n.ID+1)
		}
	}
	bodies := make([]Body, len(batch))
	params := make([]AvoidanceParams, len(batch))
	guidance := make([]Guidance, ids)
	neighbors := make([]uint32, len(batch)*(mostNeighbors+1))
	nearWalls := make([]uint32, len(batch)*(mostWalls+1))
	walls := make([][4]int32, 1)
	m := motions{}
	moving := make([][4]float32, 2)
	for k, i := range batch {
		s := situations[i]
		params[k] = recordOf(st.variant.method, s.Params)
		bodies[k] = Body{Velocity: single(s.Velocity), Radius: float32(s.Radius), MaxSpeed: float32(s.MaxSpeed), ID: s.ID, Profile: uint32(k)}
		guidance[s.ID].Preferred, guidance[s.ID].Distance = single(s.Preferred), float32(s.Left)
		if st.wishes == nil {
			guidance[s.ID].Wish = single(reference.Wish(s))
		}
		neighbors[k] = uint32(len(s.Neighbors))
		for j, n := range s.Neighbors {
			neighbors[(j+1)*len(batch)+k] = uint32(len(bodies))
			profile := NoProfile
			if n.Shares {
				profile = uint32(k)
			}
			guidance[n.ID].Wish, guidance[n.ID].Distance = single(n.Wish), float32(n.Left)
			bodies = append(bodies, Body{Position: single(n.Position), Velocity: single(n.Velocity), Radius: float32(n.Radius), ID: n.ID, Profile: profile})
		}
		nearWalls[k] = uint32(len(s.Walls))
		for j, w := range s.Walls {
			nearWalls[(j+1)*len(batch)+k] = uint32(len(walls))
			ax, ay := grain(w.A)
			bx, by := grain(w.B)
			walls = append(walls, [4]int32{ax, ay, bx, by})
			v := single(w.Velocity)
			moving = append(moving, [4]float32{v[0], v[1], v[0], v[1]}, [4]float32{})
			m.some = m.some || w.Velocity != mgl64.Vec2{}
		}
	}
	h := gpu.ResourceSet{Device: st.device}
	defer h.Delete()
	there := gpu.Upload(&h, "bodies", bodies)
	spots := texels(&h, there, gpu.RGBA32UI)
	wallTexels := texels(&h, gpu.Upload(&h, "walls", walls), gpu.RGBA32UI)
	m.records = gpu.Upload(&h, "motions of walls", moving)
	m.texels = texels(&h, m.records, gpu.RGBA32F)
	held := gpu.Upload(&h, "guidance", guidance)
	w := watching{shape: reasonShapeFor(params, mostNeighbors)}
	records := make([][4]uint32, len(batch)*w.shape.rows())
	if st.lists != nil {
		for k, i := range batch { // in the order of their ids
			w.slots = append(w.slots, int(situations[i].ID))
			records[k*w.shape.rows()][0] = situations[i].ID
		}
	}
	w.reasons = gpu.Upload(&h, "reasons", records)
	in := avoidInput{
		ReasonInput: w.input(),
		placeInput:  placeInput{latticeStepBits: gpu.DoubleBits(agentstest.WallGrain), wallRecords: wallTexels},
		motionInput: m.input(),
		deferredInput: deferredQueue{
			gpu.Upload(&h, "queues", emptyQueues(len(methods))), gpu.Upload(&h, "queued", make([]uint32, 2*len(batch))),
		}.input(),
		spotsOf: spots, guidance: held, params: gpu.Upload(&h, "params", params),
		neighbors: gpu.Upload(&h, "neighbors", neighbors), nearWalls: gpu.Upload(&h, "near walls", nearWalls),
		count: uint32(len(batch)), clock: situations[batch[0]].Step, timestep: float32(situations[batch[0]].Timestep),
		seed: [2]uint32{uint32(st.seed), uint32(st.seed >> 32)},
	}
	if h.Err != nil {
		t.Fatal(h.Err)
	}
	if st.wishes != nil {
		st.wishes.Run(in, gpu.Groups(len(batch), groupSize))
	}
	st.kernel.run(st.variant, in, 1)
	if st.lists != nil {
		st.lists.Run(in, gpu.Groups(len(batch), groupSize))
		w.reasons.Read(0, records)
		for k, i := range batch {
			st.reasons[i] = w.shape.decode(records[k*w.shape.rows() : (k+1)*w.shape.rows()])
		}
	}
	held.Read(0, guidance)
	for _, i := range batch {
		v := guidance[situations[i].ID].Velocity
		velocities[i] = mgl64.Vec2{float64(v[0]), float64(v[1])}
	}
}

// recordOf is the record of parameters for a method, paramsFrom the parameters of a record. Those
// of a method have the names of the registry in reference.Params.
func recordOf(method Method, p reference.Params) AvoidanceParams {
	m := AvoidanceParams{Method: method, TimeHorizon: float32(p.TimeHorizon), MaxAcceleration: float32(p.MaxAcceleration)}
	own := [...]*float32{&m.Own0, &m.Own1, &m.Own2}
	for i, field := range ownParams(method, &p) {
		*own[i] = float32(field.Convert(reflect.TypeFor[float64]()).Float())
	}
	return m
}

func paramsFrom(m AvoidanceParams) reference.Params {
	p := reference.Params{MaxAcceleration: float64(m.MaxAcceleration), TimeHorizon: float64(m.TimeHorizon)}
	own := [...]float32{m.Own0, m.Own1, m.Own2}
	for i, field := range ownParams(m.Method, &p) {
		field.Set(reflect.ValueOf(own[i]).Convert(field.Type()))
	}
	return p
}

// ownParams are the parameters of a method, in the order of the registry.
func ownParams(method Method, p *reference.Params) (fields []reflect.Value) {
	name := methods[method].name
	for _, parameter := range (scenes.AvoidanceMethods{}).Of(name) {
		field := reflect.ValueOf(p).Elem().FieldByName(parameter.Name)
		if !field.IsValid() {
			panic(fmt.Sprintf("reference.Params has no field %s, a parameter of %s", parameter.Name, name))
		}
		fields = append(fields, field)
	}
	return fields
}

// methodOf is the method of a name.
func methodOf(t testing.TB, name scenes.Avoidance) Method {
	t.Helper()
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == name })
	if i < 0 {
		t.Fatalf("no method %s", name)
	}
	return Method(i)
}
