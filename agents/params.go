package agents

import (
	"fmt"
	"slices"

	"github.com/wayfront/wayfront/scenes"
)

// Method is a way of avoiding others: an index in the list of methods. 0 is none.
type Method = uint32

// NoMethod is the Method of agents that walk as if alone.
const NoMethod Method = 0

// AvoidanceParams is the record of how the agents of a profile avoid others. On the device there
// is one for each profile of the scene, in order.
type AvoidanceParams struct {
	Method           Method
	NeighborDistance float32 // m, above 0: others count within it, from center to center
	MaxNeighbors     uint32  // how many count, the nearest
	TimeHorizon      float32 // s, above 0; at least a step is looked ahead
	MaxAcceleration  float32 // m/s2, above 0

	// The parameters of the method, in the order of its struct in scenes.AvoidanceMethods. Shaders
	// call them by the names there: SAMPLES is own0 for rvo.
	Own0, Own1, Own2 float32
}

// paramsOf is the record of a profile.
func paramsOf(p scenes.Profile) AvoidanceParams {
	var own [scenes.MaxParameters]float32
	for i, parameter := range p.AvoidanceMethods.Of(p.Avoidance) {
		own[i] = float32(parameter.Value)
	}
	return AvoidanceParams{
		Method:           Method(slices.IndexFunc(methods, func(m method) bool { return m.name == p.Avoidance })),
		NeighborDistance: float32(p.NeighborDistance),
		MaxNeighbors:     uint32(p.MaxNeighbors),
		TimeHorizon:      float32(p.TimeHorizon),
		MaxAcceleration:  float32(p.MaxAcceleration),
		Own0:             own[0], Own1: own[1], Own2: own[2],
	}
}

// paramMacros are what a method's shader calls its parameters.
func paramMacros(name scenes.Avoidance) map[string]any {
	macros := map[string]any{}
	for i, parameter := range (scenes.AvoidanceMethods{}).Of(name) {
		macros[macroName(parameter.Name)] = fmt.Sprintf("own%d", i)
	}
	return macros
}

// Profile returns a profile of the scene, by its index, as its agents follow it now. An index
// that the scene does not have panics.
func (c *Crowd) Profile(profile int) scenes.Profile {
	c.checkProfile(profile)
	return c.profiles[profile]
}

func (c *Crowd) checkProfile(profile int) {
	if count := len(c.profiles); profile < 0 || profile >= count {
		panic(fmt.Sprintf("agents: there is no profile %d; the scene has %d, counted from 0", profile, count))
	}
}

// SetAvoidance changes how the agents of a profile, by its index in the scene, avoid others, from
// the next step on: to Avoidance, the parameters of methods, NeighborDistance, MaxNeighbors,
// TimeHorizon and MaxAcceleration of another profile. The error is a *gpu.CapacityError where the
// device has no memory for that many neighbors, or a *gpu.CompileError; all is then as it was.
// What no scene could have panics, and so does an index that the scene does not have.
func (c *Crowd) SetAvoidance(profile int, to scenes.Profile) error {
	c.checkProfile(profile)
	if problems := to.Check(); len(problems) > 0 {
		panic(fmt.Sprintf("agents: profile %d cannot have this avoidance: %v", profile, problems))
	}
	err := c.change("other avoidance for", func(*resources) {
		c.profiles, c.params = slices.Clone(c.profiles), slices.Clone(c.params)
		p := &c.profiles[profile]
		p.Avoidance, p.AvoidanceMethods = to.Avoidance, to.AvoidanceMethods
		p.NeighborDistance, p.MaxNeighbors = to.NeighborDistance, to.MaxNeighbors
		p.TimeHorizon, p.MaxAcceleration = to.TimeHorizon, to.MaxAcceleration
		c.params[profile] = paramsOf(*p)
	})
	if err != nil {
		return err
	}
	return c.do(func() error { c.paramBuffer.Write(0, c.params); return nil })
}
