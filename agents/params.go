package agents

import (
	"fmt"
	"slices"

	"github.com/wayfront/wayfront/engine/gpu"
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

func (c *Crowd) checkProfile(profile int) {
	if count := len(c.profiles); profile < 0 || profile >= count {
		panic(fmt.Sprintf("agents: there is no profile %d; the crowd has %d, counted from 0", profile, count))
	}
}

// AddProfile adds a profile for Traits.Profile, and returns its index. The error is that of
// SetProfile; the profiles are then those of before. What no scene could have panics.
func (c *Crowd) AddProfile(p scenes.Profile) (int, error) {
	added := len(c.profiles)
	err := c.changeProfiles(added, p, func() {
		c.profiles, c.params = append(slices.Clip(c.profiles), p), append(slices.Clip(c.params), paramsOf(p))
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// SetProfile changes a profile, by its index, from the next step on. Its agents then avoid others
// by Avoidance, the parameters of methods, NeighborDistance, MaxNeighbors, TimeHorizon and
// MaxAcceleration of the new one. Their radius and speeds are Traits, which Apply changes. The
// error is a *gpu.CapacityError where the device has no memory for that many neighbors, a
// *gpu.CompileError or ErrDeleted; all is then as it was. What no scene could have panics, and so
// does an index that there is not.
func (c *Crowd) SetProfile(profile int, to scenes.Profile) error {
	c.checkProfile(profile)
	return c.changeProfiles(profile, to, func() {
		c.profiles, c.params = slices.Clone(c.profiles), slices.Clone(c.params)
		c.profiles[profile], c.params[profile] = to, paramsOf(to)
	})
}

// changeProfiles makes what profiles need after a change of one to another.
func (c *Crowd) changeProfiles(profile int, to scenes.Profile, change func()) error {
	if problems := to.Check(); len(problems) > 0 {
		panic(fmt.Sprintf("agents: profile %d cannot have this avoidance: %v", profile, problems))
	}
	err := c.change("another profile for", func(r *gpu.ResourceSet) {
		change()
		if needed := len(c.params); needed > c.paramBuffer.Len() {
			gpu.Fit(r, &c.paramBuffer, "agents avoidance parameters", 2*needed)
		}
	})
	if err != nil {
		return err
	}
	return c.do(func() error { c.paramBuffer.Write(0, c.params); return nil })
}

// SetContactRounds changes the number of rounds of a step that separate agents, from the next step
// on. The error is a *gpu.CapacityError, ErrDeleted or one of gpu.Device.Do; all is then as it was.
// Fewer rounds than the crowd had once need no memory.
func (c *Crowd) SetContactRounds(rounds int) error {
	if rounds == c.contacts.rounds {
		return nil
	}
	return c.change("another number of contact rounds for", func(*gpu.ResourceSet) {
		c.contacts.rounds = rounds
		c.admit()
	})
}

// SetSeed changes the seed of the samples of methods that draw velocities at random, from the next
// step on. The error is ErrDeleted or one of gpu.Device.Do.
func (c *Crowd) SetSeed(seed uint64) error {
	return c.do(func() error {
		c.seed = [2]uint32{uint32(seed), uint32(seed >> 32)}
		return nil
	})
}
