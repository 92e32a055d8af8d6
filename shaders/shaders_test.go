package shaders

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

type record struct {
	Position [2]float32
	Index    uint32
	Weight   float32
}

// tree makes a file tree of names and texts in turn.
func tree(pairs ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		files[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return files
}

func load(t *testing.T, env Environment, name string) *Source {
	t.Helper()
	s, err := Load(name, env)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const version = "#version 450 core\n"

func TestLoadFlattens(t *testing.T) {
	s := load(t, Environment{
		Files: tree(
			"a/main.comp.glsl", version+"#include \"b/one.glsl\"\n  #  include \"b/two.glsl\" // twice\n#include <Record>\n#include <Record>\nvoid main() {}\n",
			"b/one.glsl", "#include \"b/../b/two.glsl\"\nint one;\r\n",
			"b/two.glsl", "int two;",
		),
		Defines: map[string]any{"B": 2, "A": 1},
		Structs: []any{record{}},
	}, "a/main.comp.glsl")
	want := version + `#define A 1
#define B 2
int two;
int one;

struct Record {
    vec2 position;
    uint index;
    float weight;
};

void main() {}
`
	if s.Text != want {
		t.Errorf("got\n%s\nwant\n%s", s.Text, want)
	}
	places := []string{
		"a/main.comp.glsl:1", "<defines>:1", "<defines>:2", "b/two.glsl:1", "b/one.glsl:2", "a/main.comp.glsl:3", "<Record>:1", "<Record>:2",
		"<Record>:3", "<Record>:4", "<Record>:5", "a/main.comp.glsl:5", "a/main.comp.glsl:6",
	}
	for i, want := range places {
		if got := fmt.Sprintf("%s:%d", s.lines[i].file, s.lines[i].line); got != want {
			t.Errorf("line %d is from %s, want %s", i+1, got, want)
		}
	}
	if len(s.lines) != len(places) {
		t.Errorf("%d lines in the table, want %d", len(s.lines), len(places))
	}
}

func TestLoadIgnoresComments(t *testing.T) {
	text := version + "// #include \"no\"\n/* #include \"no\"\n#include \"no\"\n*/ int a; /* #version 1 */\n/**/ #include \"b.glsl\"\n"
	s := load(t, Environment{Files: tree("a.comp.glsl", text, "b.glsl", "int b;\n")}, "a.comp.glsl")
	if want := strings.Replace(text, "/**/ #include \"b.glsl\"", "int b;", 1); s.Text != want {
		t.Errorf("got\n%s\nwant\n%s", s.Text, want)
	}
}

func TestLoadErrors(t *testing.T) {
	for name, test := range map[string]struct {
		files fstest.MapFS
		env   Environment
		file  string
		line  int
		want  string
	}{
		"no such file":  {tree(), Environment{}, "a.comp.glsl", 0, "no such"},
		"missing":       {tree("a.comp.glsl", version+"\n#include \"b.glsl\"\n"), Environment{}, "a.comp.glsl", 3, `"b.glsl" does not exist`},
		"missing below": {tree("a.comp.glsl", version+"#include \"b.glsl\"\n", "b.glsl", "\n\n#include \"c.glsl\"\n"), Environment{}, "b.glsl", 3, `"c.glsl"`},
		"circle":        {tree("a.comp.glsl", version+"#include \"b.glsl\"\n", "b.glsl", "#include \"c.glsl\"\n", "c.glsl", "int x;\n#include \"b.glsl\"\n"), Environment{}, "c.glsl", 2, "a.comp.glsl -> b.glsl -> c.glsl -> b.glsl"},
		"itself":        {tree("a.comp.glsl", version+"#include \"a.comp.glsl\"\n"), Environment{}, "a.comp.glsl", 2, "circle"},
		"no version":    {tree("a.comp.glsl", "void main() {}\n"), Environment{}, "a.comp.glsl", 1, "#version"},
		"empty":         {tree("a.comp.glsl", ""), Environment{}, "a.comp.glsl", 1, "#version"},
		"two versions":  {tree("a.comp.glsl", version+version), Environment{}, "a.comp.glsl", 2, "first line"},
		"version below": {tree("a.comp.glsl", version+"#include \"b.glsl\"\n", "b.glsl", version), Environment{}, "b.glsl", 1, "first line"},
		"not a struct":  {tree("a.comp.glsl", version+"#include <Record>\n"), Environment{}, "a.comp.glsl", 2, "<Record> is not in the environment"},
		"other structs": {tree("a.comp.glsl", version+"#include <Rekord>\n"), Environment{Structs: []any{record{}}}, "a.comp.glsl", 2, "which has [Record]"},
		"no quotes":     {tree("a.comp.glsl", version+"#include b.glsl\n"), Environment{}, "a.comp.glsl", 2, "want"},
		"nothing":       {tree("a.comp.glsl", version+"#include\n"), Environment{}, "a.comp.glsl", 2, "wants"},
		"conditional":   {tree("a.comp.glsl", version+"#ifdef X\n#include \"b.glsl\"\n#endif\n", "b.glsl", ""), Environment{}, "a.comp.glsl", 3, "#if"},
		"no stage":      {tree("a.glsl", version), Environment{}, "a.glsl", 0, "stage"},
		"bad value":     {tree("a.comp.glsl", version), Environment{Defines: map[string]any{"X": []int{1}}}, "a.comp.glsl", 0, "[]int"},
		"bad name":      {tree("a.comp.glsl", version), Environment{Defines: map[string]any{"X Y": 1}}, "a.comp.glsl", 0, "X Y"},
		"unnamed":       {tree("a.comp.glsl", version), Environment{Structs: []any{struct{ A int32 }{}}}, "a.comp.glsl", 0, "named struct"},
		"nil":           {tree("a.comp.glsl", version), Environment{Structs: []any{nil}}, "a.comp.glsl", 0, "named struct"},
	} {
		test.env.Files = test.files
		_, err := Load(slices.Sorted(keys(test.files, "a.comp.glsl"))[0], test.env)
		var e *Error
		if !errors.As(err, &e) || e.File != test.file || e.Line != test.line || !strings.Contains(e.Message, test.want) {
			t.Errorf("%s: got %v, want %s:%d with %q", name, err, test.file, test.line, test.want)
			continue
		}
		if !strings.HasPrefix(err.Error(), "shaders: "+test.file) {
			t.Errorf("%s: the message %q does not begin with the place", name, err)
		}
	}
	_, err := Load("a.comp.glsl", Environment{Files: tree("a.comp.glsl", version+"#include <Crooked>\n"), Structs: []any{crooked{}}})
	var e *LayoutError
	if !errors.As(err, &e) || e.Field != "B" {
		t.Errorf("a struct that does not fit: %v", err)
	}
}

// keys lists the file to load: the first of the tree, or the one named where the tree is empty.
func keys(files fstest.MapFS, otherwise string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range files {
			if !yield(name) {
				return
			}
		}
		if len(files) == 0 {
			yield(otherwise)
		}
	}
}

func TestDefinesAreSorted(t *testing.T) {
	env := Environment{Files: tree("a.comp.glsl", version), Defines: map[string]any{}}
	var names []string
	for i := range 50 {
		name := fmt.Sprintf("N%d", i*7919%1000)
		env.Defines[name] = i
		names = append(names, name)
	}
	slices.Sort(names)
	first := load(t, env, "a.comp.glsl").Text
	var got []string
	for line := range strings.Lines(first) {
		if f := strings.Fields(line); f[0] == "#define" {
			got = append(got, f[1])
		}
	}
	if !slices.Equal(got, names) {
		t.Errorf("the order is %v", got)
	}
	for range 10 {
		if load(t, env, "a.comp.glsl").Text != first {
			t.Fatal("the same environment gave another text")
		}
	}
}

func TestLiterals(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{true, "1"},
		{false, "0"},
		{0, "0"},
		{-5, "(-5)"},
		{math.MinInt32, "(-2147483648)"},
		{int32(7), "7"},
		{uint32(math.MaxUint32), "4294967295u"},
		{uint8(3), "3u"},
		{float32(0.1), "0.1"},
		{0.1, "0.1"},
		{1.0, "1.0"},
		{-2.5, "(-2.5)"},
		{1e30, "1e+30"},
		{float32(1) / 3, "0.33333334"},
		{math.Copysign(0, -1), "(-0.0)"},
		{"vec2(1)", "vec2(1)"},
	} {
		if got, err := literal(test.value); err != nil || got != test.want {
			t.Errorf("%v (%T): got %q, %v, want %q", test.value, test.value, got, err, test.want)
		}
	}
	for _, bad := range []any{nil, math.NaN(), math.Inf(1), 1e60, 1 << 40, uint64(1) << 40, math.MinInt32 - 1, "a\nb", struct{}{}} {
		if got, err := literal(bad); err == nil {
			t.Errorf("%v (%T) became %q", bad, bad, got)
		}
	}
}

func TestRewrite(t *testing.T) {
	s := load(t, Environment{
		Files: tree(
			"a/main.frag.glsl", version+"#include \"b.glsl\"\nint wrong = 1.0;\n",
			"b.glsl", "// b\n  float x = y;  \n",
		),
		Defines: map[string]any{"N": 3},
	}, "a/main.frag.glsl")
	// Flattened: 1 version, 2 define, 3 and 4 b.glsl, 5 wrong.
	for name, test := range map[string][2]string{
		"Mesa":            {"0:4(12): error: `y' undeclared\n0:5(5): warning: hm\n", "b.glsl:2: error: `y' undeclared\n\tfloat x = y;\na/main.frag.glsl:3: warning: hm\n\tint wrong = 1.0;"},
		"NVIDIA":          {"0(4) : error C1503: undefined variable \"y\"\n0(5) : warning C7011: implicit cast\n", "b.glsl:2: error C1503: undefined variable \"y\"\n\tfloat x = y;\na/main.frag.glsl:3: warning C7011: implicit cast\n\tint wrong = 1.0;"},
		"Intel, AMD":      {"ERROR: 0:4: 'y' : undeclared identifier\nWARNING: 0:5: hm\nERROR: 1 compilation errors. No code generated.\n", "b.glsl:2: error: 'y' : undeclared identifier\n\tfloat x = y;\na/main.frag.glsl:3: warning: hm\n\tint wrong = 1.0;\nERROR: 1 compilation errors. No code generated."},
		"the defines":     {"0:2(1): error: x", "<defines>:1: error: x\n\t#define N 3"},
		"no place":        {"error: too bad\n\n", "error: too bad"},
		"beyond the text": {"0:600(1): error: x\n0:0(1): error: z", "0:600(1): error: x\n0:0(1): error: z"},
		"empty":           {"", ""},
		"zero byte":       {"0:5(1): e\x00", "a/main.frag.glsl:3: e\n\tint wrong = 1.0;"},
	} {
		if got := s.Rewrite(test[0]); got != test[1] {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, test[1])
		}
	}
}

func TestNames(t *testing.T) {
	names := Names()
	if !slices.IsSorted(names) || len(names) == 0 {
		t.Errorf("names are missing or not sorted: %v", names)
	}
	for _, name := range names {
		if !isStage(name) || path.Dir(name) == "include" {
			t.Errorf("%s is no stage file", name)
		}
		if data, err := fs.ReadFile(files, name); err != nil || !strings.HasPrefix(string(data), version) {
			t.Errorf("%s does not begin with %q", name, version)
		}
	}
}

func TestIncludesHaveNoMain(t *testing.T) {
	included, err := fs.Glob(files, "include/*")
	if err != nil || len(included) == 0 {
		t.Fatalf("no files under include: %v", err)
	}
	for _, name := range included {
		data, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if isStage(name) || strings.Contains(string(data), "void main(") {
			t.Errorf("%s is a stage", name)
		}
	}
}

// Package gpu derives binding points and texture units from linked programs: shaders give none.
// Branches for software OpenGL are those of include/branch.glsl.
func TestShadersAvoid(t *testing.T) {
	all, err := fs.Glob(files, "*/*.glsl")
	if err != nil || len(all) < 100 {
		t.Fatalf("%d files: %v", len(all), err)
	}
	for _, name := range all {
		data, err := files.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		if regexp.MustCompile(`\bbinding\s*=`).Match(data) {
			t.Errorf("%s gives a binding", name)
		}
		if regexp.MustCompile(`for \(.*= false\) \{`).Match(data) {
			t.Errorf("%s has a loop of one turn: write BRANCH (include/branch.glsl)", name)
		}
	}
}
