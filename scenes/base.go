package scenes

import "reflect"

// Base names what a profile has where it does not say otherwise, in place of the defaults.
type Base string

// The values of Base.
const (
	BaseAdult    Base = "adult"
	BaseChild    Base = "child"
	BaseElderly  Base = "elderly"
	BaseWeidmann Base = "weidmann"
)

// bases has what the bases change of the default profile.
//
// Walking speeds of adults, children and the elderly are those of Simulex, as ranges: men 1.15 to
// 1.55 m/s and women 0.95 to 1.35 m/s, here as one; children 0.6 to 1.2 m/s; elderly 0.5 to
// 1.1 m/s. So are the areas of bodies, 0.118 m2 at the median, 0.070 m2 of children and 0.113 m2 of
// the elderly: radii are to the default one as the roots of these (A Review of Building Evacuation
// Models, NIST, tables A.4 and A.5). The other is the normal distribution of free speeds in
// Weidmann, Transporttechnik der Fussgänger, 1993.
var bases = map[Base]func(*Profile){
	BaseAdult:   func(p *Profile) { p.PreferredSpeed = Uniform(0.95, 1.55) },
	BaseChild:   func(p *Profile) { p.PreferredSpeed, p.Radius = Uniform(0.6, 1.2), Exactly(0.19) },
	BaseElderly: func(p *Profile) { p.PreferredSpeed, p.Radius = Uniform(0.5, 1.1), Exactly(0.245) },
	BaseWeidmann: func(p *Profile) {
		p.PreferredSpeed = Distribution{Mean: 1.34, Std: 0.26}
	},
}

var profileType = reflect.TypeFor[Profile]()

// blankOf returns the defaults of a struct of the document: those of its base where it has one.
func (r *record) blankOf(v reflect.Value) reflect.Value {
	if v.Type() != profileType {
		return r.blank
	}
	return r.based(v.Interface().(Profile).Base)
}

// based returns the defaults of profiles with a base.
func (r *record) based(base Base) reflect.Value {
	change := bases[base]
	if change == nil {
		return r.blank
	}
	p := r.blank.Interface().(Profile)
	change(&p)
	return reflect.ValueOf(p)
}
