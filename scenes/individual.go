package scenes

import (
	"fmt"
	"math"
	"reflect"
)

// Individual is what an agent has of its own, of what the distributions of its profile say.
type Individual struct {
	Radius         float64 // of the disc, m
	PreferredSpeed float64 // when nothing hinders it, m/s; it never exceeds MaxSpeed
	MaxSpeed       float64 // m/s
	BVP            BVP     // of its local map, where it has one
}

// Draw is a number that an agent draws from a distribution with bounds on both sides, of which
// infinite ones do not bound. Field is the path of the distribution in the profile, such as
// "bvp.bias.direction[0]".
type Draw func(field string, d Distribution) float64

// Check returns what of it no agent of a scene can have, with paths as in a profile, such as
// $.bvp.cells. No field counts as left out: zeros are zeros.
func (a Individual) Check() []Problem {
	p := DefaultProfile()
	p.Radius, p.PreferredSpeed, p.MaxSpeed, p.BVP = Exactly(a.Radius), Exactly(a.PreferredSpeed), Exactly(a.MaxSpeed), Same(a.BVP)
	return p.Check()
}

// mean draws what all agents would have if none differed.
func mean(_ string, d Distribution) float64 { return d.Mean }

// Mean returns what an agent has that differs from others in nothing: the mean of each number.
func (p *Profile) Mean() Individual { return p.Individual(mean) }

// Individual returns what an agent has. What does not vary is not drawn.
func (p *Profile) Individual(draw Draw) Individual {
	return Individual{
		Radius: p.DrawRadius(draw), PreferredSpeed: p.DrawPreferredSpeed(draw), MaxSpeed: p.DrawMaxSpeed(draw), BVP: p.DrawBVP(draw),
	}
}

// DrawRadius returns the radius of an agent. Unit: m.
func (p *Profile) DrawRadius(draw Draw) float64 { return p.Radius.drawn(draw, fieldOfRadius) }

// DrawMaxSpeed returns the greatest speed of an agent. Unit: m/s.
func (p *Profile) DrawMaxSpeed(draw Draw) float64 { return p.MaxSpeed.drawn(draw, fieldOfMaxSpeed) }

// DrawPreferredSpeed returns the speed that an agent prefers. Unit: m/s.
func (p *Profile) DrawPreferredSpeed(draw Draw) float64 {
	d := p.PreferredSpeed
	limit := p.MaxSpeed.Mean
	if !d.Varies() {
		return min(d.Mean, limit)
	}
	if !d.bounded() {
		d.Min, d.Max = math.Inf(-1), math.Inf(1)
	}
	if math.IsInf(d.Min, -1) {
		d.Min = min(d.Mean, limit) / 10
	}
	if math.IsInf(d.Max, 1) {
		d.Max = max(limit, d.Min)
	}
	return draw("preferredSpeed", d)
}

// DrawBVP returns the parameters of an agent's local map. The table is that of the profile.
func (p *Profile) DrawBVP(draw Draw) (m BVP) {
	drawAll(reflect.ValueOf(&p.BVP).Elem(), reflect.ValueOf(&m).Elem(), field{name: "bvp"}, draw)
	return m
}

// MapsDiffer reports whether agents differ in the parameters of their local maps.
func (p *Profile) MapsDiffer() (differ bool) {
	p.DrawBVP(func(_ string, d Distribution) float64 {
		differ = true
		return d.Mean
	})
	return differ
}

// Same returns the parameters of a profile all of whose agents have these.
func Same(m BVP) (all BVPDistribution) {
	liftAll(reflect.ValueOf(&m).Elem(), reflect.ValueOf(&all).Elem())
	return all
}

var (
	fieldOfRadius   = fieldNamed[Profile]("Radius")
	fieldOfMaxSpeed = fieldNamed[Profile]("MaxSpeed")
	fieldOfTime     = fieldNamed[Service]("Time")
)

func fieldNamed[T any](name string) field {
	sf, ok := reflect.TypeFor[T]().FieldByName(name)
	if !ok {
		panic(fmt.Sprintf("scenes: %v has no field %s", reflect.TypeFor[T](), name))
	}
	return fieldOf(sf)
}

// drawn returns a number of a field, by its path.
func (d Distribution) drawn(draw Draw, f field) float64 {
	if !d.Varies() {
		return d.Mean
	}
	return draw(f.name, d.cut(f))
}

// drawAll sets what holds numbers to those drawn from what holds distributions.
func drawAll(from, to reflect.Value, f field, draw Draw) {
	switch {
	case from.Type() == distributionType:
		x := from.Interface().(Distribution).drawn(draw, f)
		if to.CanInt() {
			to.SetInt(int64(math.Round(x)))
		} else {
			to.SetFloat(x)
		}
	case from.Kind() == reflect.Array && from.Type() != to.Type():
		for i := range from.Len() {
			drawAll(from.Index(i), to.Index(i), field{name: fmt.Sprintf("%s[%d]", f.name, i)}, draw)
		}
	case from.Kind() == reflect.Struct:
		for _, inner := range records[from.Type()].fields {
			at := inner.index
			inner.name = f.name + "." + inner.name
			drawAll(from.FieldByIndex(at), to.FieldByIndex(at), inner, draw)
		}
	default:
		to.Set(from)
	}
}

// liftAll sets what holds distributions to what holds numbers.
func liftAll(from, to reflect.Value) {
	switch {
	case to.Type() == distributionType:
		x := from.Convert(reflect.TypeFor[float64]()).Float()
		to.Set(reflect.ValueOf(Exactly(x)))
	case to.Kind() == reflect.Array && from.Type() != to.Type():
		for i := range to.Len() {
			liftAll(from.Index(i), to.Index(i))
		}
	case to.Kind() == reflect.Struct:
		for i := range to.NumField() {
			liftAll(from.Field(i), to.Field(i))
		}
	default:
		to.Set(from)
	}
}
