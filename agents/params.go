package agents

import (
	"fmt"
	"math"
	"slices"

	"github.com/wayfront/wayfront/scenes"
)

// Method is a way of avoiding others: an index in the list of methods. 0 is none.
type Method = uint32

// NoMethod is the Method of agents that walk as if alone.
const NoMethod Method = 0

// AvoidanceParams are the parameters of all methods: how the agents of a profile avoid others. On
// the device there is one for each profile of the scene, in order.
type AvoidanceParams struct {
	Method           Method
	NeighborDistance float32 // m, above 0: others count within it, from centre to centre
	MaxNeighbors     uint32  // how many count, the nearest
	TimeHorizon      float32 // s, above 0; at least a step is looked ahead
	MaxAcceleration  float32 // m/s2, above 0
	Samples          uint32  // rvo: velocities tried, besides the preferred one
	Aggression       float32 // rvo: what collisions weigh, m; at least 0
	LoadFactor       float32 // rvo: one's own share of evading, 0 to 1
	Variant          uint32  // clearpath: 1 or 2
}

// MethodOf is the method of a name, and false for a name that is not in the list.
func MethodOf(name scenes.Avoidance) (Method, bool) {
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == name })
	return Method(max(i, 0)), i >= 0
}

// AvoidanceParamsOf returns the parameters of a scene's profile.
func AvoidanceParamsOf(p scenes.Profile) AvoidanceParams {
	m, _ := MethodOf(p.Avoidance)
	return AvoidanceParams{
		Method:           m,
		NeighborDistance: float32(p.NeighborDistance),
		MaxNeighbors:     uint32(p.MaxNeighbors),
		TimeHorizon:      float32(p.TimeHorizon),
		MaxAcceleration:  float32(p.MaxAcceleration),
		Samples:          uint32(p.RVO.Samples),
		Aggression:       float32(p.RVO.Aggression),
		LoadFactor:       float32(p.RVO.LoadFactor),
		Variant:          uint32(p.ClearPath.Variant),
	}
}

// check panics on values that no scene can have.
func (m AvoidanceParams) check() {
	positive := func(name string, v float32) {
		if !(v > 0) || math.IsInf(float64(v), 1) {
			panic(fmt.Sprintf("agents: %s of AvoidanceParams is %v; it has to be finite and above 0", name, v))
		}
	}
	positive("NeighborDistance", m.NeighborDistance)
	positive("TimeHorizon", m.TimeHorizon)
	positive("MaxAcceleration", m.MaxAcceleration)
	if int(m.Method) >= len(methods) {
		panic(fmt.Sprintf("agents: Method of AvoidanceParams is %d; there are %d", m.Method, len(methods)))
	}
	if !(m.Aggression >= 0) || !(m.LoadFactor >= 0 && m.LoadFactor <= 1) {
		panic(fmt.Sprintf("agents: Aggression of AvoidanceParams is %v, at least 0 is allowed, LoadFactor %v, 0 to 1 is", m.Aggression, m.LoadFactor))
	}
}
