package scenes

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the registry of avoidance methods says into the schema")

// commentsOf returns the comments on the types of a file, by type, and on their fields, by type and
// field, without the limits.
func commentsOf(t *testing.T, file string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	add := func(name string, comment *ast.CommentGroup) {
		text, _, _ := strings.Cut(strings.Join(strings.Fields(comment.Text()), " "), " Limit:")
		all[name] = text
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		decl, ok := n.(*ast.GenDecl)
		if !ok || decl.Tok != gotoken.TYPE {
			return true
		}
		spec := decl.Specs[0].(*ast.TypeSpec)
		add(spec.Name.Name, decl.Doc)
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range s.Fields.List {
				add(spec.Name.Name+"."+f.Names[0].Name, f.Doc)
			}
		}
		return true
	})
	return all
}

// withMethods returns the schema with the parts that follow from the registry of avoidance methods.
func withMethods(t *testing.T, schema string) string {
	t.Helper()
	comments := commentsOf(t, "avoidance.go")
	var properties, definitions strings.Builder
	methods := reflect.TypeFor[AvoidanceMethods]()
	for i := range methods.NumField() {
		typ, name := methods.Field(i).Type, methods.Field(i).Tag.Get("json")
		fmt.Fprintf(&properties, `        %q: {"description": "Parameters of avoidance \"%s\".", "$ref": "#/$defs/%s"},`+"\n", name, name, name)
		var fields []string
		for _, f := range records[typ].fields {
			sf := typ.FieldByIndex(f.index)
			kind := map[reflect.Kind]string{reflect.Int: "integer", reflect.Float64: "number"}[sf.Type.Kind()]
			line := fmt.Sprintf(`        %q: {"description": %q, "type": %q`, f.name, comments[typ.Name()+"."+sf.Name], kind)
			for _, limit := range []struct {
				name  string
				value *float64
			}{{"minimum", f.min}, {"exclusiveMinimum", f.above}, {"maximum", f.max}, {"exclusiveMaximum", f.below}} {
				if limit.value != nil {
					line += fmt.Sprintf(`, %q: %v`, limit.name, trimFloat(*limit.value))
				}
			}
			fields = append(fields, line+fmt.Sprintf(`, "default": %s}`, f.fallback))
		}
		open, end := "{\n", "\n      }"
		if len(fields) == 0 {
			open, end = "{", "}"
		}
		fmt.Fprintf(&definitions, "    %q: {\n      \"description\": %q,\n      \"type\": \"object\",\n      \"additionalProperties\": false,\n      \"properties\": %s%s%s\n    },\n",
			name, comments[typ.Name()], open, strings.Join(fields, ",\n"), end)
	}
	for _, part := range []struct{ after, until, text string }{
		{`"How agents avoid one another.",` + "\n", `, "default": "clearpath"`, `          "type": "string", "enum": ["` + strings.Join(Avoidances(), `", "`) + `"]`},
		{`"maximum": 65536, "default": 10},` + "\n", `        "bvp": {"description": "Parameters`, properties.String()},
		{`The greatest number. Default: the field's limit.", "type": "number"}` + "\n      },\n      \"additionalProperties\": false\n    },\n", `    "bvp": {` + "\n", definitions.String()},
	} {
		before, rest, ok := strings.Cut(schema, part.after)
		_, behind, ok2 := strings.Cut(rest, part.until)
		if !ok || !ok2 {
			t.Fatalf("the schema has no place after %s and before %s", part.after, part.until)
		}
		schema = before + part.after + part.text + part.until + behind
	}
	return schema
}

func TestSchemaHasTheMethods(t *testing.T) {
	want := withMethods(t, string(Schema))
	if want == string(Schema) {
		return
	}
	if !*update {
		t.Fatal("the schema differs from the registry of avoidance methods: run go test ./scenes -run TestSchemaHasTheMethods -update")
	}
	if err := os.WriteFile("scene.schema.json", []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
