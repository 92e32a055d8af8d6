package shaders

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// files holds every folder beside this file that has shaders in it.
//
//go:embed */*.glsl
var files embed.FS

// Environment says what a stage file may refer to besides the embedded files.
type Environment struct {
	// Defines become macros: true and false are 1 and 0, unsigned integers get the suffix u, floats
	// are written so that they keep their float32 value, strings are pasted as they are.
	Defines map[string]any

	// Structs are values of the Go structs that `#include <Name>` may name, by the name of their type.
	Structs []any

	// Files is looked into before the embedded files, with the same paths. It lets a program bring its
	// own shaders, and a test its broken ones. It may be nil.
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

// fault is an Error of a line, 0 for none.
func fault(file string, line int, format string, values ...any) error {
	return &Error{File: file, Line: line, Message: fmt.Sprintf(format, values...)}
}

// Suffixes of stage files, in the order of the pipeline.
var stages = []string{".comp.glsl", ".vert.glsl", ".geom.glsl", ".frag.glsl"}

// Names lists every embedded stage file, sorted. Files under include/ are no stages.
func Names() []string {
	var names []string
	for _, suffix := range stages {
		found, _ := fs.Glob(files, "*/*"+suffix) // fails for bad patterns alone
		names = append(names, found...)
	}
	slices.Sort(names)
	return names
}

// Digest is a hash of all embedded files: 64 bits in hexadecimal.
func Digest() string {
	hash := sha256.New()
	names, _ := fs.Glob(files, "*/*.glsl") // fails for bad patterns alone
	for _, name := range names {
		text, _ := fs.ReadFile(files, name) // it is there
		fmt.Fprintf(hash, "%s %d\n%s", name, len(text), text)
	}
	return fmt.Sprintf("%.8x", hash.Sum(nil))
}

func isStage(name string) bool {
	return slices.ContainsFunc(stages, func(suffix string) bool { return strings.HasSuffix(name, suffix) })
}

// Load flattens the stage file of that name. Errors are of type *Error, or come from Struct.
func Load(name string, env Environment) (*Source, error) {
	if !isStage(name) {
		return nil, fault(name, 0, "not a stage file: the name must end in one of %s", strings.Join(stages, " "))
	}
	structs := map[string]any{}
	for _, v := range env.Structs {
		t := reflect.TypeOf(v)
		if t == nil || t.Kind() != reflect.Struct || t.Name() == "" {
			return nil, fault(name, 0, "%T among the environment's structs is not a named struct", v)
		}
		structs[StructName(v)] = v
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
	namePattern      = regexp.MustCompile(`^(?:"(.+)"|<(.+)>)$`)
	versionPattern   = regexp.MustCompile(`^\s*#\s*version\b`)
)

// file appends a file. The chain holds the files that are being pasted, the outermost first.
func (f *flattener) file(name string, chain []string) error {
	data, err := f.read(name)
	if err != nil {
		return fault(name, 0, "no such shader file")
	}
	chain = append(chain, name)
	f.seen[name] = true
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), "\n")
	if len(chain) == 1 && !versionPattern.MatchString(lines[0]) {
		return fault(name, 1, "the first line of a stage file must be its #version")
	}
	inComment := false
	depth := 0
	for i, line := range lines {
		code := stripComments(line, &inComment)
		if versionPattern.MatchString(code) {
			if len(chain) > 1 || i > 0 {
				return fault(name, i+1, "#version belongs in the first line of a stage file and nowhere else")
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
			return fault(name, i+1, "#include between #if and #endif: files are pasted before the preprocessor runs, once each, so move it out (no guards are needed)")
		}
		if err := f.include(m[1], name, i+1, chain); err != nil {
			return err
		}
	}
	return nil
}

// include follows one directive.
func (f *flattener) include(what, file string, line int, chain []string) error {
	m := namePattern.FindStringSubmatch(what)
	if m == nil {
		return fault(file, line, `#include %s: it wants "path/from/shaders.glsl" or <GoStruct>`, what)
	}
	target, isFile := m[2], m[1] != ""
	if isFile {
		target = path.Clean(m[1])
		if slices.Contains(chain, target) {
			return fault(file, line, "include goes in a circle: %s -> %s", strings.Join(chain, " -> "), target)
		}
	}
	if f.seen[target] {
		f.emit("", file, line)
		return nil
	}
	if isFile {
		if _, err := f.read(target); err != nil {
			return fault(file, line, "included file %q does not exist (paths start at the shader folder)", m[1])
		}
		return f.file(target, chain)
	}
	v, ok := f.structs[target]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(f.structs)), " ")
		return fault(file, line, "struct <%s> is not in the environment, which has [%s]", target, known)
	}
	f.seen[target] = true
	text, err := Struct(v)
	if err != nil {
		return err
	}
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		f.emit(l, "<"+target+">", i+1)
	}
	return nil
}

var macroPattern = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// defines writes the environment's macros, sorted by name.
func (f *flattener) defines(stage string) error {
	for i, name := range slices.Sorted(maps.Keys(f.env.Defines)) {
		if !macroPattern.MatchString(name) {
			return fault(stage, 0, "%q is no name for a macro", name)
		}
		value, err := literal(f.env.Defines[name])
		if err != nil {
			return fault(stage, 0, "macro %s: %v", name, err)
		}
		f.emit("#define "+name+" "+value, "<defines>", i+1)
	}
	return nil
}

// literal writes a Go value as GLSL.
func literal(value any) (string, error) {
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return "1", nil
		}
		return "0", nil
	case v.CanInt():
		if n := v.Int(); n < math.MinInt32 || n > math.MaxInt32 {
			return "", fmt.Errorf("%d does not fit a GLSL int", n)
		}
		return negative(strconv.FormatInt(v.Int(), 10)), nil
	case v.CanUint():
		if v.Uint() > math.MaxUint32 {
			return "", fmt.Errorf("%d does not fit a GLSL uint", v.Uint())
		}
		return strconv.FormatUint(v.Uint(), 10) + "u", nil
	case v.CanFloat():
		x := float64(float32(v.Float()))
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return "", fmt.Errorf("%v has no GLSL literal", v.Float())
		}
		s := strconv.FormatFloat(x, 'g', -1, 32)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return negative(s), nil
	case v.Kind() == reflect.String && strings.ContainsAny(v.String(), "\r\n"):
		return "", fmt.Errorf("a macro's text must be one line")
	case v.Kind() == reflect.String:
		return v.String(), nil
	}
	return "", fmt.Errorf("a value of type %T cannot be a macro", value)
}

// negative puts a negative number in parentheses.
func negative(number string) string {
	if number[0] == '-' {
		return "(" + number + ")"
	}
	return number
}

// stripComments returns a line's code with comments blanked; inComment carries an open /* from line
// to line.
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
