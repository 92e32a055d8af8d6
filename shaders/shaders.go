package shaders

import (
	"embed"
	"fmt"
	"io/fs"
	"math"
	"path"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// files holds every folder beside this file that has shaders in it.
//
//go:embed */*.glsl
var files embed.FS

// Environment says what a stage file may refer to besides the embedded files.
type Environment struct {
	// Defines become macros: true and false are 1 and 0, unsigned integers get the suffix u, floats are written so that
	// they keep their float32 value, strings are pasted as they are.
	Defines map[string]any

	// Structs are values of the Go structs that `#include <Name>` may name, by the name of their type.
	Structs []any

	// Files is looked into before the embedded files, with the same paths. It lets a program bring its own shaders, and
	// a test its broken ones. It may be nil.
	Files fs.FS
}

// Source is a stage file after flattening.
type Source struct {
	Name string // the stage file
	Text string // what the driver gets

	lines []position // of each line of Text
}

// position is the place that a flattened line came from.
type position struct {
	file string
	line int // from 1
}

// Error is a fault found while a stage file is put together.
type Error struct {
	File    string // a path from the shader folder
	Line    int    // from 1; 0 where the fault is no single line's
	Message string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("shaders: %s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("shaders: %s:%d: %s", e.File, e.Line, e.Message)
}

// Suffixes of stage files, in the order of the pipeline.
var stages = []string{".comp.glsl", ".vert.glsl", ".geom.glsl", ".frag.glsl"}

// Names lists every embedded stage file, sorted. Files under include/ are no stages.
func Names() []string {
	var names []string
	// The embedded tree cannot fail to be walked.
	_ = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && isStage(name) {
			names = append(names, name)
		}
		return err
	})
	sort.Strings(names)
	return names
}

func isStage(name string) bool {
	return slices.ContainsFunc(stages, func(suffix string) bool { return strings.HasSuffix(name, suffix) })
}

// Load flattens the stage file of that name. Errors are of type *Error, or come from Struct.
func Load(name string, env Environment) (*Source, error) {
	if !isStage(name) {
		return nil, &Error{File: name, Message: "not a stage file: the name must end in one of " + strings.Join(stages, " ")}
	}
	structs := map[string]any{}
	for _, v := range env.Structs {
		t := reflect.TypeOf(v)
		if t == nil || t.Kind() != reflect.Struct || t.Name() == "" {
			return nil, &Error{File: name, Message: fmt.Sprintf("%T among the environment's structs is not a named struct", v)}
		}
		structs[structName(t)] = v
	}
	f := flattener{env: env, structs: structs, seen: map[string]bool{}}
	if err := f.file(name, nil); err != nil {
		return nil, err
	}
	return &Source{Name: name, Text: f.text.String(), lines: f.lines}, nil
}

// flattener gathers the text of one stage file.
type flattener struct {
	env     Environment
	structs map[string]any
	text    strings.Builder
	lines   []position
	seen    map[string]bool // files and structs already pasted
}

func (f *flattener) emit(text, file string, line int) {
	f.text.WriteString(text)
	f.text.WriteByte('\n')
	f.lines = append(f.lines, position{file, line})
}

func (f *flattener) read(name string) ([]byte, error) {
	if f.env.Files != nil {
		if data, err := fs.ReadFile(f.env.Files, name); err == nil {
			return data, nil
		}
	}
	return files.ReadFile(name)
}

var (
	includePattern   = regexp.MustCompile(`^\s*#\s*include\b\s*(.*?)\s*$`)
	directivePattern = regexp.MustCompile(`^\s*#\s*(\w+)`)
	versionPattern   = regexp.MustCompile(`^\s*#\s*version\b`)
)

// file appends a file. The chain holds the files that are being pasted, the outermost first.
func (f *flattener) file(name string, chain []string) error {
	data, err := f.read(name)
	if err != nil {
		return &Error{File: name, Message: "no such shader file"}
	}
	chain = append(chain, name)
	f.seen[name] = true
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), "\n")
	if len(chain) == 1 && !versionPattern.MatchString(lines[0]) {
		return &Error{File: name, Line: 1, Message: "the first line of a stage file must be its #version"}
	}
	inComment := false
	depth := 0
	for i, line := range lines {
		code := stripComments(line, &inComment)
		if versionPattern.MatchString(code) {
			if len(chain) > 1 || i > 0 {
				return &Error{File: name, Line: i + 1, Message: "#version belongs in the first line of a stage file and nowhere else"}
			}
			f.emit(line, name, i+1)
			if err := f.defines(name); err != nil {
				return err
			}
			continue
		}
		if m := directivePattern.FindStringSubmatch(code); m != nil {
			switch m[1] {
			case "if", "ifdef", "ifndef":
				depth++
			case "endif":
				depth--
			}
		}
		m := includePattern.FindStringSubmatch(code)
		if m == nil {
			f.emit(line, name, i+1)
			continue
		}
		if depth > 0 {
			return &Error{File: name, Line: i + 1, Message: "#include between #if and #endif: files are pasted before the preprocessor runs, once each, so move it out (no guards are needed)"}
		}
		if err := f.include(m[1], name, i+1, chain); err != nil {
			return err
		}
	}
	return nil
}

// include follows one directive.
func (f *flattener) include(what, file string, line int, chain []string) error {
	if len(what) < 3 {
		return &Error{File: file, Line: line, Message: `#include wants "path/from/shaders.glsl" or <GoStruct>`}
	}
	inner := what[1 : len(what)-1]
	switch {
	case what[0] == '"' && what[len(what)-1] == '"':
		target := path.Clean(inner)
		if slices.Contains(chain, target) {
			return &Error{File: file, Line: line, Message: "include goes in a circle: " + strings.Join(append(slices.Clone(chain), target), " -> ")}
		}
		if f.seen[target] {
			f.emit("", file, line)
			return nil
		}
		if _, err := f.read(target); err != nil {
			return &Error{File: file, Line: line, Message: fmt.Sprintf("included file %q does not exist (paths start at the shader folder)", inner)}
		}
		return f.file(target, chain)
	case what[0] == '<' && what[len(what)-1] == '>':
		v, ok := f.structs[inner]
		if !ok {
			known := make([]string, 0, len(f.structs))
			for name := range f.structs {
				known = append(known, name)
			}
			sort.Strings(known)
			return &Error{File: file, Line: line, Message: fmt.Sprintf("struct <%s> is not in the environment, which has [%s]", inner, strings.Join(known, " "))}
		}
		key := "<" + inner + ">"
		if f.seen[key] {
			f.emit("", file, line)
			return nil
		}
		f.seen[key] = true
		text, err := Struct(v)
		if err != nil {
			return err
		}
		for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			f.emit(l, key, i+1)
		}
		return nil
	}
	return &Error{File: file, Line: line, Message: fmt.Sprintf(`#include %s: want "path/from/shaders.glsl" or <GoStruct>`, what)}
}

var macroPattern = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// defines writes the environment's macros, sorted by name.
func (f *flattener) defines(stage string) error {
	names := make([]string, 0, len(f.env.Defines))
	for name := range f.env.Defines {
		names = append(names, name)
	}
	sort.Strings(names)
	for i, name := range names {
		if !macroPattern.MatchString(name) {
			return &Error{File: stage, Message: fmt.Sprintf("%q is no name for a macro", name)}
		}
		value, err := literal(f.env.Defines[name])
		if err != nil {
			return &Error{File: stage, Message: fmt.Sprintf("macro %s: %v", name, err)}
		}
		f.emit("#define "+name+" "+value, "<defines>", i+1)
	}
	return nil
}

// literal writes a Go value as GLSL.
func literal(value any) (string, error) {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return "1", nil
		}
		return "0", nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := v.Int(); n < math.MinInt32 || n > math.MaxInt32 {
			return "", fmt.Errorf("%d does not fit a GLSL int", n)
		}
		if v.Int() < 0 {
			return "(" + strconv.FormatInt(v.Int(), 10) + ")", nil
		}
		return strconv.FormatInt(v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Uint() > math.MaxUint32 {
			return "", fmt.Errorf("%d does not fit a GLSL uint", v.Uint())
		}
		return strconv.FormatUint(v.Uint(), 10) + "u", nil
	case reflect.Float32, reflect.Float64:
		x := float32(v.Float())
		if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
			return "", fmt.Errorf("%v has no GLSL literal", v.Float())
		}
		s := strconv.FormatFloat(float64(x), 'g', -1, 32)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		if x < 0 || s[0] == '-' {
			s = "(" + s + ")"
		}
		return s, nil
	case reflect.String:
		if strings.ContainsAny(v.String(), "\r\n") {
			return "", fmt.Errorf("a macro's text must be one line")
		}
		return v.String(), nil
	}
	return "", fmt.Errorf("a value of type %T cannot be a macro", value)
}

// stripComments returns a line's code with comments blanked; inComment carries an open /* from line to line.
func stripComments(line string, inComment *bool) string {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		switch {
		case *inComment && strings.HasPrefix(rest, "*/"):
			*inComment = false
			b.WriteByte(' ')
			i++
		case *inComment:
		case strings.HasPrefix(rest, "//"):
			return b.String()
		case strings.HasPrefix(rest, "/*"):
			*inComment = true
			i++
		default:
			b.WriteByte(line[i])
		}
	}
	return b.String()
}
