package scenes

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

const formatPage = "../docs/scene-format.md"

// TestExamples reads every example of the schema, as far as a part of a scene can be read alone.
func TestExamples(t *testing.T) {
	for _, r := range Records() {
		for _, e := range r.Examples {
			read := newReader("example.json", []byte(e))
			to := reflect.New(r.Type).Elem()
			if !read.parse() {
				t.Errorf("%s: no JSON: %s", r.Name, e)
				continue
			}
			read.decode(&read.root, to, field{})
			if read.failed {
				t.Errorf("%s: %s: %v", r.Name, e, read.sorted())
			}
			if reflect.DeepEqual(to.Interface(), records[r.Type].blank.Interface()) {
				t.Errorf("%s: the example %s shows nothing", r.Name, e)
			}
			if r.Name == "" {
				if s, problems := Read("example.json", []byte(e)); s == nil || len(problems) > 0 {
					t.Errorf("the scene is refused: %v", problems)
				}
			}
		}
	}
}

// TestFormatPage compares the page of the scene format with the types and the schema. UPDATE=1
// writes it: make docs.
func TestFormatPage(t *testing.T) {
	var tables strings.Builder
	for _, r := range Records() {
		tables.WriteString(section(r))
	}
	page, err := os.ReadFile(formatPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), "<!-- fields -->\n")
	_, after, end := strings.Cut(rest, "<!-- /fields -->")
	if !ok || !end {
		t.Fatal("the page has no place for the fields")
	}
	want := before + "<!-- fields -->\n" + tables.String() + "<!-- /fields -->" + after
	if want == string(page) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatal("docs/scene-format.md is stale: run make docs")
	}
	if err := os.WriteFile(formatPage, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

// section describes a struct: what it is, its fields, and an example, of all defaults where the
// schema has none.
func section(r RecordInfo) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%s\n\n| field | value | default | what it is |\n| --- | --- | --- | --- |\n", title(r), r.Description)
	for _, f := range r.Fields {
		value := f.Kind
		if limits := f.Limits(); limits != "" && !strings.Contains(f.Kind, "list") {
			value += ", " + limits
		}
		if f.Words != nil {
			value = "`\"" + strings.Join(f.Words, "\"`, `\"") + "\"`"
		}
		if f.Of != nil {
			name := title(recordOf(f.Of))
			value += fmt.Sprintf(": [%s](#%s)", name, strings.ToLower(strings.ReplaceAll(name, " ", "-")))
		}
		def := ""
		switch {
		case f.Required:
			def = "**required**"
		case f.Default != "":
			def = "`" + f.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Name, value, def, strings.ReplaceAll(f.Description, "|", "\\|"))
	}
	examples := r.Examples
	if examples == nil {
		e := encoder{whole: true}
		var out bytes.Buffer
		e.object(records[r.Type].blank, false).print(&out, 0, 0, false)
		examples = []string{out.String()}
	}
	b.WriteString("\n```jsonc\n" + strings.Join(examples, "\n") + "\n```\n\n")
	return b.String()
}

func title(r RecordInfo) string {
	if r.Name == "" {
		return "scene"
	}
	return r.Name
}

func recordOf(t reflect.Type) RecordInfo {
	for _, r := range Records() {
		if r.Type == t {
			return r
		}
	}
	panic(fmt.Sprint("no record of ", t))
}
