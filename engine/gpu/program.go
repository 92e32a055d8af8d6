package gpu

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/shaders"
)

// Spec describes a program: its stage files and what they are put together with, as in
// shaders.Environment.
type Spec struct {
	Name    string   // for messages and captures; the first stage's file name where empty
	Stages  []string // stage files; one compute stage, or a vertex stage and others
	Defines map[string]any
	Structs []any
	Files   fs.FS // looked into before the embedded shaders; nil for none
}

// program is a linked program of the driver, which passes of the same sources share.
type program struct {
	name           uint32
	compute        bool
	declared       map[string]bool // identifiers in declarations of uniforms and attributes
	declaredBlocks []shaders.Block
	resources      []*resource // what the program uses, by name
}

// CompileError says why a driver refuses a program.
type CompileError struct {
	Program string
	Stage   string // the stage file; empty where the stages do not fit together
	Log     string // the driver's messages, with file, line and source text
}

func (e *CompileError) Error() string {
	if e.Stage == "" {
		return fmt.Sprintf("gpu: program %q does not link:\n%s", e.Program, e.Log)
	}
	return fmt.Sprintf("gpu: program %q, stage %s does not compile:\n%s", e.Program, e.Stage, e.Log)
}

var stageKinds = map[string]uint32{
	".comp.glsl": gl.COMPUTE_SHADER, ".vert.glsl": gl.VERTEX_SHADER, ".geom.glsl": gl.GEOMETRY_SHADER, ".frag.glsl": gl.FRAGMENT_SHADER,
}

// stageSuffix is the end of a stage file's name, which says what stage it is.
func stageSuffix(file string) string { return file[max(strings.Index(file, "."), 0):] }

// Sources puts the stages together. Errors come from shaders.Load.
func (s Spec) Sources() (sources []*shaders.Source, err error) {
	if len(s.Stages) == 0 {
		panic(fmt.Sprintf("gpu: program %q without stages", s.Name))
	}
	for _, stage := range s.Stages {
		source, err := shaders.Load(stage, shaders.Environment{Defines: s.Defines, Structs: s.Structs, Files: s.Files})
		if err != nil {
			return nil, fmt.Errorf("gpu: program %q: %w", cmp.Or(s.Name, s.Stages[0]), err)
		}
		sources = append(sources, source)
	}
	return sources, nil
}

// program compiles and links, unless the device has a program of the same sources.
func (d *Device) program(s Spec) (*program, error) {
	sources, err := s.Sources()
	if err != nil {
		return nil, err
	}
	all := sha256.New()
	for _, source := range sources {
		fmt.Fprintf(all, "%q %q ", source.Name, source.Text)
	}
	key := [sha256.Size]byte(all.Sum(nil))
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	p := d.programs[key]
	if p == nil {
		if p, err = d.compile(cmp.Or(s.Name, s.Stages[0]), sources); err != nil {
			return nil, err
		}
		d.programs[key] = p
	}
	return p, nil
}

// compile makes a program of the driver.
func (d *Device) compile(label string, sources []*shaders.Source) (*program, error) {
	p := &program{name: gl.CreateProgram(), declared: map[string]bool{}}
	d.label(gl.PROGRAM, p.name, label)
	err := d.link(p, label, sources)
	if err == nil {
		err = p.introspect(label)
	}
	if err != nil {
		gl.DeleteProgram(p.name)
		return nil, err
	}
	return p, nil
}

func (d *Device) link(p *program, label string, sources []*shaders.Source) error {
	for _, source := range sources {
		shader, err := d.compileStage(p, label, source)
		if err != nil {
			return err
		}
		gl.AttachShader(p.name, shader)
		gl.DeleteShader(shader) // lives on as long as it is attached
	}
	d.collect()
	gl.LinkProgram(p.name)
	if log := d.failure(p.name, gl.LINK_STATUS, gl.GetProgramiv, gl.GetProgramInfoLog); log != "" {
		if len(sources) == 1 {
			log = sources[0].Rewrite(log)
		}
		return &CompileError{Program: label, Log: log}
	}
	return nil
}

func (d *Device) compileStage(p *program, label string, source *shaders.Source) (uint32, error) {
	p.declare(label, source)
	shader := gl.CreateShader(stageKinds[stageSuffix(source.Name)])
	text, free := gl.Strs(source.Text)
	length := int32(len(source.Text))
	gl.ShaderSource(shader, 1, text, &length)
	free()
	d.collect()
	gl.CompileShader(shader)
	if log := d.failure(shader, gl.COMPILE_STATUS, gl.GetShaderiv, gl.GetShaderInfoLog); log != "" {
		gl.DeleteShader(shader)
		return 0, &CompileError{Program: label, Stage: source.Name, Log: source.Rewrite(log)}
	}
	return shader, nil
}

// failure is the driver's log of a shader or program that it refuses, else empty.
func (d *Device) failure(name, status uint32, get func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var ok, length int32
	if get(name, status, &ok); ok != 0 {
		return ""
	}
	d.watcher.forget() // a driver may also send the failure as a message
	get(name, gl.INFO_LOG_LENGTH, &length)
	log := make([]byte, length+1)
	read(name, length+1, &length, &log[0])
	return cmp.Or(strings.TrimSpace(string(log[:length])), "(the driver gives no reason)")
}

// declare notes what a stage declares.
func (p *program) declare(label string, source *shaders.Source) {
	kind := stageKinds[stageSuffix(source.Name)]
	p.compute = p.compute || kind == gl.COMPUTE_SHADER
	p.declaredBlocks = append(p.declaredBlocks, source.Blocks()...)
	code := source.Code()
	declarations := uniformPattern.FindAllString(code, -1)
	if i := slices.IndexFunc(declarations, func(s string) bool { return strings.Contains(s, "=") }); i >= 0 {
		panic(fmt.Sprintf("gpu: program %q, stage %s initializes a uniform (%s): make it a constant, or an input of the pass", label, source.Name, declarations[i]))
	}
	if kind == gl.VERTEX_SHADER {
		declarations = append(declarations, inputPattern.FindAllString(code, -1)...)
	}
	for _, declaration := range declarations {
		for _, name := range wordPattern.FindAllString(declaration, -1) {
			p.declared[name] = true
		}
	}
}

var (
	uniformPattern = regexp.MustCompile(`\buniform\b[^;{]*`)
	inputPattern   = regexp.MustCompile(`\bin\b[^;{]*;`)
	wordPattern    = regexp.MustCompile(`[A-Za-z_]\w*`)
)
