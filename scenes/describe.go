package scenes

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// RecordInfo is what there is to know of a struct of the document: for help, pages and forms.
type RecordInfo struct {
	Type        reflect.Type
	Name        string // as the schema has it, such as "obstacle"; empty for the scene
	Description string
	Examples    []string // JSON
	Fields      []FieldInfo
}

// FieldInfo is what there is to know of a field.
type FieldInfo struct {
	Name        string
	Index       []int  // of the struct's field, as for reflect.Value.FieldByIndex
	Kind        string // as messages have it: "a number", "a list"
	Description string
	Unit        string
	// Limits of a number, or of a list's length; nil: none. It is greater than Above, at least Min,
	// at most Max and less than Below.
	Above, Min, Max, Below *float64
	Default                string   // JSON; empty where there is none, or where Description says it
	Words                  []string // that a string may be; nil: any
	Required               bool
	Varies                 bool         // may be a Distribution
	Whole                  bool         // of whole numbers
	Of                     reflect.Type // the struct that it holds, or that it is a list of; nil: none
}

// Limits says what a number may be, as "above 0 m" or "0 to 65536"; empty where nothing limits it.
func (f FieldInfo) Limits() string {
	bare := field{unit: f.Unit}
	switch {
	case f.Min != nil && f.Max != nil:
		return fmt.Sprintf("%s to %s", field{}.amount(*f.Min), bare.amount(*f.Max))
	case f.Min != nil && f.Below != nil:
		return fmt.Sprintf("at least %s, below %s", bare.amount(*f.Min), bare.amount(*f.Below))
	case f.Above != nil && f.Max != nil:
		return fmt.Sprintf("above %s, at most %s", bare.amount(*f.Above), bare.amount(*f.Max))
	case f.Above != nil:
		return "above " + bare.amount(*f.Above)
	case f.Min != nil:
		return "at least " + bare.amount(*f.Min)
	}
	return ""
}

// Records describes every struct of the document, the scene first, then in the order in which
// fields lead to them. What it returns is not to be changed.
var Records = sync.OnceValue(func() []RecordInfo {
	var root schemaNode
	if err := json.Unmarshal(Schema, &root); err != nil {
		panic("scenes: the schema: " + err.Error()) // a test holds it against the types
	}
	d := describer{root: &root, seen: map[reflect.Type]bool{}}
	d.record(reflect.TypeFor[Scene](), &root, "")
	return d.all
})

// schemaNode is a part of the schema, as far as descriptions need it.
type schemaNode struct {
	Ref         string                 `json:"$ref"`
	Defs        map[string]*schemaNode `json:"$defs"`
	Description string                 `json:"description"`
	Examples    []json.RawMessage      `json:"examples"`
	Items       *schemaNode            `json:"items"`
	Properties  map[string]*schemaNode `json:"properties"`
}

type describer struct {
	root *schemaNode
	all  []RecordInfo
	seen map[reflect.Type]bool
}

// record describes a struct and what its fields hold.
func (d *describer) record(t reflect.Type, n *schemaNode, name string) {
	if d.seen[t] {
		return
	}
	d.seen[t] = true
	info := RecordInfo{Type: t, Name: name, Description: n.Description}
	for _, e := range n.Examples {
		info.Examples = append(info.Examples, string(e))
	}
	type inner struct {
		of   reflect.Type
		node *schemaNode
		name string
	}
	var below []inner
	for _, f := range records[t].fields {
		typ := t.FieldByIndex(f.index).Type
		p := n.Properties[f.name]
		field := FieldInfo{
			Name: f.name, Index: f.index, Kind: shapeOf(typ), Description: p.Description, Unit: f.unit,
			Above: f.above, Min: f.min, Max: f.max, Below: f.below, Default: f.fallback, Words: words[typ], Required: f.required,
			Varies: typ == distributionType, Whole: f.whole,
		}
		if field.Varies {
			field.Kind = "a number or a distribution"
			if f.whole {
				field.Kind = "a whole number or a distribution"
			}
		}
		if typ.Kind() == reflect.Slice && records[typ.Elem()] == nil {
			field.Kind = "a list, each " + shapeOf(typ.Elem())
		}
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
			if typ = typ.Elem(); p.Items != nil {
				p = p.Items
			}
		}
		if records[typ] != nil {
			field.Of = typ
			at := strings.TrimPrefix(p.Ref, "#/$defs/")
			below = append(below, inner{typ, d.root.Defs[at], at})
		}
		info.Fields = append(info.Fields, field)
	}
	d.all = append(d.all, info)
	for _, b := range below {
		d.record(b.of, b.node, b.name)
	}
}

// Defaults returns what a struct of the document has where its fields are left out: every default,
// for a profile those of its base. Of other types it panics.
func Defaults(of reflect.Value) reflect.Value { return records[of.Type()].blankOf(of) }
