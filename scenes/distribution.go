package scenes

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/tailscale/hujson"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Distribution is how a number differs between the agents of a profile: normal, and cut to
// Min..Max. In a document it is an object of these fields, or a plain number that all agents share.
// Of mean and std the field's defaults hold where one is left out; min and max without both are
// uniform.
type Distribution struct {
	// Mean of the normal distribution before it is cut. With a Std of 0 all agents have it.
	Mean float64 `json:"mean"`
	// Std is the standard deviation before the cut. Limit: >= 0. +Inf: the numbers are uniform from
	// Min to Max, and Mean does not count.
	Std float64 `json:"std"`
	// Min and Max are the least and the greatest number. Both 0: there are none. An infinite one
	// alone is none, too. Without them the field's limits hold; see Profile.
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

var distributionType = reflect.TypeFor[Distribution]()

// Exactly returns the distribution of a number that all agents share.
func Exactly(x float64) Distribution { return Distribution{Mean: x} }

// Uniform returns the uniform distribution from one number to another.
func Uniform(from, to float64) Distribution {
	return Distribution{Mean: from + (to-from)/2, Std: math.Inf(1), Min: from, Max: to}
}

// Varies reports whether agents differ.
func (d Distribution) Varies() bool { return d.Std != 0 }

// bounded reports whether Min and Max count.
func (d Distribution) bounded() bool { return d.Min != 0 || d.Max != 0 }

// String returns a plain number, "1.3 ± 0.2", or "0.1 to 0.9"; with its bounds as "1.3 ± 0.2, 1 to
// 2".
func (d Distribution) String() string {
	show := func(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }
	s := show(d.Mean)
	if !d.Varies() {
		return s
	}
	uniform := math.IsInf(d.Std, 1)
	if s += " ± " + show(d.Std); uniform {
		s = ""
	} else if d.bounded() {
		s += ", "
	}
	if d.bounded() {
		s += show(d.Min) + " to " + show(d.Max)
	}
	return s
}

// UnmarshalJSON reads what a document has, without a check: of mean and std d holds the defaults.
func (d *Distribution) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		*d = Distribution{}
		return json.Unmarshal(data, &d.Mean)
	}
	var given struct{ Mean, Std, Min, Max *float64 }
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	or := func(x *float64, other float64) float64 {
		if x == nil {
			return other
		}
		return *x
	}
	bounded := given.Min != nil || given.Max != nil
	*d = Distribution{Mean: or(given.Mean, d.Mean), Std: or(given.Std, d.Std)}
	if bounded {
		d.Min, d.Max = or(given.Min, math.Inf(-1)), or(given.Max, math.Inf(1))
	}
	if given.Mean == nil && given.Std == nil && given.Min != nil && given.Max != nil {
		*d = Uniform(d.Min, d.Max)
	}
	return nil
}

// cut returns the distribution with bounds on both sides, as the limits of its field have them
// where it has none of its own: a number that has to be above a limit then is by a tenth of what
// the mean is.
func (d Distribution) cut(f field) Distribution {
	if !d.bounded() {
		d.Min, d.Max = math.Inf(-1), math.Inf(1)
	}
	if f.above != nil && math.IsInf(d.Min, -1) {
		d.Min = *f.above + (d.Mean-*f.above)/10
	}
	if f.min != nil {
		d.Min = max(d.Min, *f.min)
	}
	if f.max != nil {
		d.Max = min(d.Max, *f.max)
	}
	if f.below != nil {
		d.Max = min(d.Max, *f.below-margin)
	}
	return d
}

// margin is how far numbers stay below a limit that they have to be below.
const margin = 1.0 / (1 << 20)

// parts describes the fields of a distribution that a field of the document holds.
func (f field) parts() *record {
	zero := 0.0
	blank := Distribution{}
	if f.fallback != "" {
		if err := json.Unmarshal([]byte(f.fallback), &blank); err != nil {
			panic(fmt.Sprintf("scenes: the default of %s: %v", f.name, err))
		}
	}
	blank.Min, blank.Max = math.Inf(-1), math.Inf(1)
	rec := &record{names: []string{"mean", "std", "min", "max"}, blank: reflect.ValueOf(blank)}
	for i, name := range rec.names {
		part := field{name: name, index: []int{i}, unit: f.unit, above: f.above, below: f.below, min: f.min, max: f.max}
		if name == "std" {
			part = field{name: name, index: []int{i}, unit: f.unit, min: &zero}
		}
		rec.fields = append(rec.fields, part)
	}
	return rec
}

// decodeDistribution reads a number or a distribution.
func (r *reader) decodeDistribution(node *hujson.Value, to *Distribution, f field) {
	switch value := node.Value.(type) {
	case *hujson.Object:
		errors := r.errors + r.more
		rec := f.parts()
		r.decodeObject(node, value, reflect.ValueOf(to).Elem(), rec)
		if errors == r.errors+r.more {
			r.fitDistribution(node, to, f)
		}
		return
	case hujson.Literal:
		if value.Kind() == '0' {
			number := reflect.New(reflect.TypeFor[float64]()).Elem()
			if f.whole {
				number = reflect.New(reflect.TypeFor[int]()).Elem()
			}
			if message := f.decodeNumber(string(value), number); message != "" {
				r.wrong(node, "%s", message)
			}
			*to = Exactly(number.Convert(reflect.TypeFor[float64]()).Float())
			return
		}
	}
	what := "a number"
	if f.whole {
		what = "a whole number"
	}
	r.wrong(node, "expected %s, got %s; or give an object of mean, std, min and max", withUnit(what, f.unit), kindOf(node))
}

// fitDistribution finds what of a distribution does not fit together, and brings it to the form
// that Distribution documents.
func (r *reader) fitDistribution(node *hujson.Value, d *Distribution, f field) {
	wrong := func(name, format string, args ...any) {
		if part := text.Member(node, name); part != nil {
			r.inside(text.Step{Name: name}, func() { r.wrong(part, format, args...) })
			return
		}
		r.wrong(node, format, args...)
	}
	given := func(name string) bool { return text.Member(node, name) != nil }
	uniform := !given("mean") && !given("std") && given("min") && given("max")
	if uniform {
		d.Mean, d.Std = d.Min+(d.Max-d.Min)/2, math.Inf(1)
	}
	whole := func(x float64) bool { return !f.whole || x == math.Trunc(x) } // an infinite one is
	switch {
	case d.Min > d.Max:
		wrong("min", "min is %v, above max, which is %v", d.Min, d.Max)
	case d.Mean < d.Min || d.Mean > d.Max:
		wrong("mean", "the mean, %v, has to lie between min and max: %v to %v", d.Mean, d.Min, d.Max)
	case !whole(d.Min):
		wrong("min", "min has to be a whole number, got %v", d.Min)
	case !whole(d.Max):
		wrong("max", "max has to be a whole number, got %v", d.Max)
	case d.Std == 0 && !whole(d.Mean):
		wrong("mean", "expected a whole number, got %v: all agents have it, as std is 0", d.Mean)
	}
	if d.Std == 0 && (given("min") || given("max")) {
		r.note(node, "without a std all agents have the mean, %v, and min and max do nothing", d.Mean)
	}
	switch {
	case d.Std == 0 || d.Min == d.Max:
		*d = Exactly(d.Mean)
	case math.IsInf(d.Min, -1) && math.IsInf(d.Max, 1):
		d.Min, d.Max = 0, 0
	}
}

// distribution returns the JSON of a distribution.
func (e *encoder) distribution(d Distribution) value {
	if !d.Varies() {
		s := e.number(d.Mean)
		return value{scalar: s, width: len(s), plain: true}
	}
	t := value{open: '{', width: 0}
	part := func(name string, x float64) {
		s := e.number(x)
		name = quote(name) + ": "
		t.names, t.parts = append(t.names, name), append(t.parts, value{scalar: s, width: len(s), plain: true})
		t.width += len(name) + len(s) + 2
	}
	bounded := d.bounded()
	if !math.IsInf(d.Std, 1) || !bounded || math.IsInf(d.Min, 0) || math.IsInf(d.Max, 0) {
		part("mean", d.Mean)
		part("std", d.Std)
	}
	if bounded && !math.IsInf(d.Min, -1) {
		part("min", d.Min)
	}
	if bounded && !math.IsInf(d.Max, 1) {
		part("max", d.Max)
	}
	return t
}
