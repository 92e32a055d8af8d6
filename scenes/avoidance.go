package scenes

import "reflect"

// AvoidanceMethods is the registry of the methods of avoiding other agents. A field is a method,
// with its name in the document and its parameters: a struct of numbers, at most MaxParameters. The
// words of Profile.Avoidance, the checks, the schema, flags and help follow from it. Package agents
// has the shader of each.
type AvoidanceMethods struct {
	RVO       RVO       `json:"rvo"`
	ClearPath ClearPath `json:"clearpath"`
	ORCA      ORCA      `json:"orca"`
}

// RVO is reciprocal velocity obstacles by sampling (Bleiweiss 2009).
type RVO struct {
	// Samples is the number of candidate velocities. Limit: >= 1.
	Samples int `json:"samples" min:"1" max:"65536" default:"250"`
	// Aggression is alpha, the weight of the time to collision. Limit: >= 0.
	Aggression float64 `json:"aggression" min:"0" default:"1"`
	// LoadFactor is beta, the share of the effort to avoid. Limit: 0 to 1.
	LoadFactor float64 `json:"loadFactor" min:"0" max:"1" default:"0.5"`
}

// ClearPath is the nearest velocity outside of all velocity obstacles (Guy et al. 2009).
type ClearPath struct {
	// Variant 1 keeps to consistent sides, 2 resolves collisions instead.
	Variant int `json:"variant" min:"1" max:"2" default:"2"`
}

// ORCA is optimal reciprocal collision avoidance (van den Berg et al. 2011). It has no parameters.
type ORCA struct{}

// Avoidance is the name of a method of avoiding other agents.
type Avoidance string

// Names of methods that programs choose.
const (
	AvoidanceNone      Avoidance = "none" // no method: the agent walks as if alone
	AvoidanceRVO       Avoidance = "rvo"
	AvoidanceClearPath Avoidance = "clearpath"
	AvoidanceORCA      Avoidance = "orca"
)

// MaxParameters is the greatest number of parameters of an avoidance method.
const MaxParameters = 3

// Avoidances returns "none" and the names of all methods, in the order of the registry.
func Avoidances() []string {
	names := []string{string(AvoidanceNone)}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[AvoidanceMethods]()) {
		names = append(names, f.Tag.Get("json"))
	}
	return names
}

// Parameter is a parameter of an avoidance method.
type Parameter struct {
	Name  string // of the Go field
	Value float64
}

// Of returns the parameters of the method of a name, in the order of its struct; none of "none".
func (m AvoidanceMethods) Of(name Avoidance) (all []Parameter) {
	methods := reflect.ValueOf(m)
	for i := range methods.NumField() {
		if methods.Type().Field(i).Tag.Get("json") != string(name) {
			continue
		}
		method := methods.Field(i)
		for k := range method.NumField() {
			value := method.Field(k).Convert(reflect.TypeFor[float64]()).Float()
			all = append(all, Parameter{method.Type().Field(k).Name, value})
		}
	}
	return all
}
