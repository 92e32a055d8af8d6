package scenes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tailscale/hujson"
)

// schemaOf compiles the schema.
func schemaOf(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	const url = "https://github.com/wayfront/wayfront/scenes/scene.schema.json"
	if err := c.AddResource(url, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(url)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// accepts reports whether the schema accepts a document.
func accepts(t testing.TB, s *jsonschema.Schema, document []byte) error {
	t.Helper()
	plain, err := hujson.Standardize(bytes.Clone(document))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// node is a part of the schema as the test below reads it.
type node struct {
	Ref                  string           `json:"$ref"`
	Defs                 map[string]*node `json:"$defs"`
	Description          string
	Type                 any // a string, or a list of them
	Const                any
	Enum                 []string
	Default              json.RawMessage
	Minimum              *json.Number
	ExclusiveMinimum     *json.Number
	Maximum              *json.Number
	ExclusiveMaximum     *json.Number
	MinItems, MaxItems   *int
	MinLength            *int
	Items                *node
	Properties           map[string]*node
	Required             []string
	AdditionalProperties *bool
}

func TestSchemaMatchesTheTypes(t *testing.T) {
	var root node
	decoder := json.NewDecoder(bytes.NewReader(Schema))
	if err := decoder.Decode(&root); err != nil {
		t.Fatal(err)
	}
	resolve := func(n *node) *node {
		if n.Ref == "" {
			return n
		}
		d := root.Defs[strings.TrimPrefix(n.Ref, "#/$defs/")]
		if d == nil {
			t.Fatalf("%s is not defined", n.Ref)
		}
		return d
	}
	sameNumber := func(where, what string, tag *float64, n *json.Number) {
		if tag == nil && n == nil {
			return
		}
		if tag == nil || n == nil || n.String() != json.Number(trimFloat(*tag)).String() {
			t.Errorf("%s: %s is %v in the types and %v in the schema", where, what, show(tag), n)
		}
	}
	seen := map[reflect.Type]bool{}
	var compare func(where string, typ reflect.Type, f field, n *node)
	compare = func(where string, typ reflect.Type, f field, n *node) {
		described := n.Description
		if typ == distributionType {
			compareDistribution(t, where, f, n, resolve)
			typ = map[bool]reflect.Type{true: reflect.TypeFor[int](), false: reflect.TypeFor[float64]()}[f.whole]
			n.Ref, n.Type = "", n.Type.([]any)[0]
		}
		n = resolve(n)
		if described == "" && n.Description == "" {
			t.Errorf("%s: no description", where)
		}
		if f.unit != "" && typ.Kind() != reflect.Pointer && !strings.Contains(described+n.Description, "Unit: "+f.unit+".") {
			t.Errorf("%s: the description does not say the unit %s", where, f.unit)
		}
		switch typ.Kind() {
		case reflect.Pointer:
			compare(where, typ.Elem(), f, n)
		case reflect.Struct:
			if seen[typ] {
				return
			}
			seen[typ] = true
			rec := records[typ]
			if n.Type != "object" || n.AdditionalProperties == nil || *n.AdditionalProperties {
				t.Errorf("%s: has to be a closed object", where)
			}
			var required []string
			for _, inner := range rec.fields {
				p := n.Properties[inner.name]
				if p == nil {
					t.Errorf("%s: field %s is not in the schema", where, inner.name)
					continue
				}
				if inner.required {
					required = append(required, inner.name)
				}
				if p.Description == "" {
					t.Errorf("%s.%s: no description", where, inner.name)
				}
				compare(where+"."+inner.name, typ.FieldByIndex(inner.index).Type, inner, p)
			}
			for name := range n.Properties {
				if !slices.Contains(rec.names, name) {
					t.Errorf("%s: %s is in the schema only", where, name)
				}
			}
			if !slices.Equal(required, n.Required) {
				t.Errorf("%s: required are %v in the types, %v in the schema", where, required, n.Required)
			}
		case reflect.Slice:
			if n.Type != "array" || n.Items == nil {
				t.Errorf("%s: has to be a list", where)
				return
			}
			// Outlines need three vertices, and starting points one; that is checked
			// with messages of their own.
			if want := f.min; want != nil && (n.MinItems == nil || float64(*n.MinItems) != *want) {
				t.Errorf("%s: at least %v items in the types", where, *want)
			}
			compare(where+"[*]", typ.Elem(), field{}, n.Items)
		case reflect.Array:
			if n.Type != "array" || n.MinItems == nil || n.MaxItems == nil || *n.MinItems != typ.Len() || *n.MaxItems != typ.Len() {
				t.Errorf("%s: has to be a list of %d", where, typ.Len())
			} else if typ.Elem() == distributionType {
				compareDistribution(t, where+"[*]", field{}, n.Items, resolve)
			} else if typ.Elem().Kind() == reflect.Float64 && n.Items.Type != "number" {
				t.Errorf("%s: has to be of numbers", where)
			}
		default:
			kind := map[reflect.Kind]string{
				reflect.Float64: "number", reflect.Int: "integer", reflect.Uint64: "integer",
				reflect.String: "string", reflect.Bool: "boolean",
			}[typ.Kind()]
			if n.Type != kind {
				t.Errorf("%s: type %s, want %s", where, n.Type, kind)
			}
			sameNumber(where, "above", f.above, n.ExclusiveMinimum)
			sameNumber(where, "min", f.min, n.Minimum)
			sameNumber(where, "below", f.below, n.ExclusiveMaximum)
			if typ.Kind() != reflect.Uint64 { // the type's own limit
				sameNumber(where, "max", f.max, n.Maximum)
			}
			if !slices.Equal(n.Enum, words[typ]) {
				t.Errorf("%s: words %v, want %v", where, n.Enum, words[typ])
			}
		}
		if typ.Kind() != reflect.Pointer && !sameJSON(string(n.Default), f.fallback) {
			t.Errorf("%s: default %q in the types and %q in the schema", where, f.fallback, n.Default)
		}
	}
	compare("$", reflect.TypeFor[Scene](), field{}, &root)
	for typ := range records {
		if plain := strings.HasSuffix(typ.Name(), "[float64]") || strings.HasSuffix(typ.Name(), "[float64,int]"); !seen[typ] && !plain {
			t.Errorf("%v is not in the schema", typ)
		}
	}
}

// compareDistribution has a field accept a number and a distribution.
func compareDistribution(t *testing.T, where string, f field, n *node, resolve func(*node) *node) {
	t.Helper()
	kind := "number"
	if f.whole {
		kind = "integer"
	}
	if !reflect.DeepEqual(n.Type, []any{kind, "object"}) || n.Ref == "" {
		t.Fatalf("%s: type %v, want %s and object, with the reference of distributions", where, n.Type, kind)
	}
	d := resolve(n)
	if d.AdditionalProperties == nil || *d.AdditionalProperties || len(d.Properties) != distributionType.NumField() {
		t.Errorf("%s: distributions have to be closed, of four fields", where)
	}
	for i := range distributionType.NumField() {
		p := d.Properties[distributionType.Field(i).Tag.Get("json")]
		if p == nil || p.Type != "number" || p.Description == "" {
			t.Errorf("%s: %s of distributions is %+v", where, distributionType.Field(i).Name, p)
		}
	}
}

func trimFloat(x float64) string {
	b, _ := json.Marshal(x)
	return string(b)
}

func show(x *float64) string {
	if x == nil {
		return "not given"
	}
	return fmt.Sprint(*x)
}

func sameJSON(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

func TestSchemaAcceptsGoodScenes(t *testing.T) {
	schema := schemaOf(t)
	documents := map[string][]byte{"minimal": []byte(minimal), "full": []byte(full)}
	files, err := filepath.Glob("../assets/scenes/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if documents[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	for name, document := range documents {
		if err := accepts(t, schema, document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// beyondSchema are the refusals that a schema cannot give, by what they need to
// know: geometry, other parts of the document, or the document's text.
var beyondSchema = []string{
	"duplicate", "given twice", "no area", "turned round", "longer side", "too far from the origin", "too large", "too near", "the grid has", "intersects itself",
	"distinct vertices", "outside the", "interior of an obstacle", "wholly inside", "no length", "not after", "unknown profile",
	"mean has to", "min has to", "max has to", "above max", "has to lie between", "all agents have it", "unknown goal", "over all groups", "closes the domain", "with a clearance", "leads away", "is away by", "move nothing", "not a finite number", "too little room", "nearer to points",
}

func TestSchemaRefusesBadScenes(t *testing.T) {
	schema := schemaOf(t)
	refused := 0
	for _, c := range refusals {
		document := []byte(strings.Replace(c.scene, "«", "", 1))
		if len(document) > 1<<20 {
			continue // refused for its size alone
		}
		if plain, err := hujson.Standardize(bytes.Clone(document)); err != nil || !json.Valid(plain) {
			continue // no document at all
		}
		beyond := slices.ContainsFunc(beyondSchema, func(m string) bool { return strings.Contains(c.message, m) })
		err := accepts(t, schema, document)
		if err == nil && !beyond {
			t.Errorf("%s: accepted by the schema", c.name)
		}
		if err != nil {
			refused++
		}
	}
	if refused < 60 {
		t.Errorf("only %d bad scenes were refused: the test has lost its cases", refused)
	}
}
