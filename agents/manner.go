package agents

import (
	"fmt"
	"math"
	"slices"

	"github.com/wayfront/wayfront/scenes"
)

// Method is a way of avoiding others: an index in the list of methods. 0 is none.
type Method = uint32

// NoMethod is the Method of who walks as if alone.
const NoMethod Method = 0

// Manner is how the agents of a profile avoid others: the parameters of all methods. On
// the device there is one for each profile of the scene, in order.
type Manner struct {
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

// MannerOf is the manner that a scene's profile asks for.
func MannerOf(p scenes.Profile) Manner {
	m, _ := MethodOf(p.Avoidance)
	return Manner{
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

// check panics for what no scene could say.
func (m Manner) check() {
	positive := func(name string, v float32) {
		if !(v > 0) || math.IsInf(float64(v), 1) {
			panic(fmt.Sprintf("agents: a Manner's %s is %v; it has to be finite and above 0", name, v))
		}
	}
	positive("NeighborDistance", m.NeighborDistance)
	positive("TimeHorizon", m.TimeHorizon)
	positive("MaxAcceleration", m.MaxAcceleration)
	if int(m.Method) >= len(methods) {
		panic(fmt.Sprintf("agents: a Manner's Method is %d; there are %d", m.Method, len(methods)))
	}
	if !(m.Aggression >= 0) || !(m.LoadFactor >= 0 && m.LoadFactor <= 1) {
		panic(fmt.Sprintf("agents: a Manner's Aggression is %v, at least 0 is allowed, its LoadFactor %v, 0 to 1 is", m.Aggression, m.LoadFactor))
	}
}
