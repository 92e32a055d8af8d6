package gpu

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unsafe"

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
	declared       map[string]bool // every identifier in a declaration of a uniform or attribute of the sources
	declaredBlocks []shaders.Block
	resources      []*resource // what the program uses, by name
}

// class is what a resource is.
type class int

const (
	storageBlock class = iota
	sampler
	attribute
	plain // another uniform
)

// resource is an active resource of a program that an input gives.
type resource struct {
	name   string // of the input
	class  class
	at     uint32      // binding point, texture unit or location
	target uint32      // of a sampler: GL_TEXTURE_2D and such
	kind   uniformKind // of a plain uniform or an attribute
	held   []uint32    // the value of a plain uniform
}

// what names the class, or the type of a plain uniform, in messages.
func (r *resource) what() string {
	if r.class == plain {
		return r.kind.name
	}
	return [...]string{storageBlock: "storage buffer", sampler: "sampler", attribute: "attribute"}[r.class]
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
	var ok int32
	gl.GetProgramiv(p.name, gl.LINK_STATUS, &ok)
	if ok != 0 {
		return nil
	}
	log := infoLog(p.name, gl.GetProgramiv, gl.GetProgramInfoLog)
	if len(sources) == 1 {
		log = sources[0].Rewrite(log)
	}
	d.watcher.forget() // a driver may also send the failure as a message
	return &CompileError{Program: label, Log: log}
}

func (d *Device) compileStage(p *program, label string, source *shaders.Source) (uint32, error) {
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
	shader := gl.CreateShader(kind)
	text, free := gl.Strs(source.Text)
	length := int32(len(source.Text))
	gl.ShaderSource(shader, 1, text, &length)
	free()
	d.collect()
	gl.CompileShader(shader)
	var ok int32
	gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok)
	if ok == 0 {
		log := source.Rewrite(infoLog(shader, gl.GetShaderiv, gl.GetShaderInfoLog))
		gl.DeleteShader(shader)
		d.watcher.forget() // the driver may also send the failure as a message
		return 0, &CompileError{Program: label, Stage: source.Name, Log: log}
	}
	return shader, nil
}

var (
	uniformPattern = regexp.MustCompile(`\buniform\b[^;{]*`)
	inputPattern   = regexp.MustCompile(`\bin\b[^;{]*;`)
	wordPattern    = regexp.MustCompile(`[A-Za-z_]\w*`)
)

func infoLog(name uint32, get func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var length int32
	get(name, gl.INFO_LOG_LENGTH, &length)
	if length <= 1 {
		return "(the driver gives no reason)"
	}
	log := make([]byte, length)
	var got int32
	read(name, length, &got, &log[0])
	return strings.TrimSpace(string(log[:got]))
}

// introspect lists what the program uses. It gives storage blocks their binding points and samplers
// their texture units, in the order of their names.
func (p *program) introspect(label string) error {
	var unknown error
	use := func(r resource) { p.resources = append(p.resources, &r) }
	p.each(gl.UNIFORM, func(name string, v []int32) {
		name = strings.TrimSuffix(name, "[0]")
		kind, isPlain := uniformKinds[uint32(v[1])]
		target, isSampler := samplerTargets[uint32(v[1])]
		switch {
		case v[0] < 0: // a member of a block
		case isPlain: // zero, as linking leaves it
			use(resource{name: name, class: plain, at: uint32(v[0]), kind: kind, held: make([]uint32, v[2]*int32(kind.components))})
		case isSampler && v[2] == 1:
			use(resource{name: name, class: sampler, at: uint32(v[0]), target: target})
		default:
			unknown = &CompileError{Program: label, Log: fmt.Sprintf("uniform %s is of a type (0x%04X) or size that passes do not take", name, v[1])}
		}
	}, gl.LOCATION, gl.TYPE, gl.ARRAY_SIZE)
	index := uint32(0)
	p.each(gl.SHADER_STORAGE_BLOCK, func(block string, _ []int32) {
		i := slices.IndexFunc(p.declaredBlocks, func(b shaders.Block) bool { return b.Block == block })
		use(resource{name: p.declaredBlocks[i].Name, class: storageBlock, at: index})
		index++
	})
	if !p.compute {
		p.each(gl.PROGRAM_INPUT, func(name string, v []int32) {
			if v[0] >= 0 { // not gl_VertexID and such
				use(resource{name: name, class: attribute, at: uint32(v[0]), kind: uniformKinds[uint32(v[1])]})
			}
		}, gl.LOCATION, gl.TYPE)
	}
	slices.SortFunc(p.resources, func(a, b *resource) int { return strings.Compare(a.name, b.name) })
	var slots, units uint32
	for _, r := range p.resources {
		switch r.class {
		case storageBlock:
			gl.ShaderStorageBlockBinding(p.name, r.at, slots)
			r.at = slots
			slots++
		case sampler:
			gl.ProgramUniform1i(p.name, int32(r.at), int32(units))
			r.at = units
			units++
		}
	}
	return unknown
}

// each calls f with name and properties of every active resource of an interface.
func (p *program) each(kind uint32, f func(name string, values []int32), properties ...uint32) {
	var count, longest int32
	gl.GetProgramInterfaceiv(p.name, kind, gl.ACTIVE_RESOURCES, &count)
	gl.GetProgramInterfaceiv(p.name, kind, gl.MAX_NAME_LENGTH, &longest)
	name, values := make([]byte, longest+1), make([]int32, len(properties))
	for i := range uint32(count) {
		var length int32
		gl.GetProgramResourceName(p.name, kind, i, int32(len(name)), &length, &name[0])
		if n := int32(len(properties)); n > 0 {
			gl.GetProgramResourceiv(p.name, kind, i, n, &properties[0], n, nil, &values[0])
		}
		f(string(name[:length]), values)
	}
}

// uniformKind is what a uniform of a type is made of.
type uniformKind struct {
	name       string
	base       reflect.Kind
	components int
	set        func(program uint32, location, count int32, words *uint32)
}

var uniformKinds = map[uint32]uniformKind{
	gl.FLOAT:             {"float", reflect.Float32, 1, setter(gl.ProgramUniform1fv)},
	gl.FLOAT_VEC2:        {"vec2", reflect.Float32, 2, setter(gl.ProgramUniform2fv)},
	gl.FLOAT_VEC3:        {"vec3", reflect.Float32, 3, setter(gl.ProgramUniform3fv)},
	gl.FLOAT_VEC4:        {"vec4", reflect.Float32, 4, setter(gl.ProgramUniform4fv)},
	gl.FLOAT_MAT3:        {"mat3", reflect.Float32, 9, matrixSetter(gl.ProgramUniformMatrix3fv)},
	gl.FLOAT_MAT4:        {"mat4", reflect.Float32, 16, matrixSetter(gl.ProgramUniformMatrix4fv)},
	gl.INT:               {"int", reflect.Int32, 1, setter(gl.ProgramUniform1iv)},
	gl.INT_VEC2:          {"ivec2", reflect.Int32, 2, setter(gl.ProgramUniform2iv)},
	gl.INT_VEC3:          {"ivec3", reflect.Int32, 3, setter(gl.ProgramUniform3iv)},
	gl.INT_VEC4:          {"ivec4", reflect.Int32, 4, setter(gl.ProgramUniform4iv)},
	gl.UNSIGNED_INT:      {"uint", reflect.Uint32, 1, setter(gl.ProgramUniform1uiv)},
	gl.UNSIGNED_INT_VEC2: {"uvec2", reflect.Uint32, 2, setter(gl.ProgramUniform2uiv)},
	gl.UNSIGNED_INT_VEC3: {"uvec3", reflect.Uint32, 3, setter(gl.ProgramUniform3uiv)},
	gl.UNSIGNED_INT_VEC4: {"uvec4", reflect.Uint32, 4, setter(gl.ProgramUniform4uiv)},
	gl.BOOL:              {"bool", reflect.Bool, 1, setter(gl.ProgramUniform1uiv)},
}

func setter[T any](set func(program uint32, location, count int32, values *T)) func(uint32, int32, int32, *uint32) {
	return func(program uint32, location, count int32, words *uint32) {
		set(program, location, count, (*T)(unsafe.Pointer(words)))
	}
}

func matrixSetter(set func(program uint32, location, count int32, transpose bool, values *float32)) func(uint32, int32, int32, *uint32) {
	return setter(func(program uint32, location, count int32, values *float32) {
		set(program, location, count, false, values)
	})
}

// samplerTargets says what textures each type of sampler reads.
var samplerTargets = map[uint32]uint32{
	gl.SAMPLER_2D: gl.TEXTURE_2D, gl.INT_SAMPLER_2D: gl.TEXTURE_2D, gl.UNSIGNED_INT_SAMPLER_2D: gl.TEXTURE_2D,
	gl.SAMPLER_2D_ARRAY: gl.TEXTURE_2D_ARRAY, gl.INT_SAMPLER_2D_ARRAY: gl.TEXTURE_2D_ARRAY, gl.UNSIGNED_INT_SAMPLER_2D_ARRAY: gl.TEXTURE_2D_ARRAY,
	gl.SAMPLER_BUFFER: gl.TEXTURE_BUFFER, gl.INT_SAMPLER_BUFFER: gl.TEXTURE_BUFFER, gl.UNSIGNED_INT_SAMPLER_BUFFER: gl.TEXTURE_BUFFER,
}
