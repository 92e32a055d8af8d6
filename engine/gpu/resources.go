package gpu

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/shaders"
)

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
		case strings.HasPrefix(name, "gl_"): // built in
		case v[0] >= 0 && isPlain: // zero, as linking leaves it
			use(resource{name: name, class: plain, at: uint32(v[0]), kind: kind, held: make([]uint32, v[2]*int32(kind.components))})
		case v[0] >= 0 && isSampler && v[2] == 1:
			use(resource{name: name, class: sampler, at: uint32(v[0]), target: target})
		default:
			unknown = &CompileError{Program: label, Log: fmt.Sprintf("uniform %s is of a type (0x%04X) or size that passes do not take, or in a block", name, v[1])}
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

// Resources is what a linked program uses of what OpenGL has few of, and how its storage buffers
// are laid out.
type Resources struct {
	Stages      map[string]StageResources // by the end of stage files' names: ".comp.glsl"
	Bindings    int                       // binding points of storage blocks
	Attributes  int                       // locations of vertex inputs
	Invocations int                       // of a work group; 0 for a program that draws
	Variables   []Variable                // by name
}

// StageResources is what a stage of a program uses.
type StageResources struct{ StorageBlocks, Textures int }

// Variable is a member of a storage buffer as the driver lays it out.
type Variable struct {
	Name   string // as OpenGL spells it: "items[0].position"
	Type   string // in GLSL
	Offset int    // bytes, in the first element
	Stride int    // bytes from an element of the outermost array to the next; 0 where there is none
}

// references is the property of a resource that a stage refers to it, by the end of stage files'
// names.
var references = map[string]uint32{
	".comp.glsl": gl.REFERENCED_BY_COMPUTE_SHADER,
	".vert.glsl": gl.REFERENCED_BY_VERTEX_SHADER,
	".geom.glsl": gl.REFERENCED_BY_GEOMETRY_SHADER,
	".frag.glsl": gl.REFERENCED_BY_FRAGMENT_SHADER,
}

// Inspect compiles and links a program as NewPass does, with the same errors, and returns what it
// uses. It is how tests compare programs with what every OpenGL 4.5 promises, where their device
// allows more, and what Go and GLSL make of a struct.
func Inspect(d *Device, s Spec) (Resources, error) {
	p, err := d.program(s)
	if err != nil {
		return Resources{}, err
	}
	if err := d.enter(); err != nil {
		return Resources{}, err
	}
	defer d.leave()
	r := Resources{Stages: map[string]StageResources{}}
	for _, x := range p.resources {
		switch x.class {
		case storageBlock:
			r.Bindings++
		case attribute:
			r.Attributes = max(r.Attributes, int(x.at)+1)
		}
	}
	for suffix, reference := range references {
		var s StageResources
		p.each(gl.SHADER_STORAGE_BLOCK, func(_ string, v []int32) { s.StorageBlocks += int(v[0]) }, reference)
		p.each(gl.UNIFORM, func(_ string, v []int32) {
			if _, ok := samplerTargets[uint32(v[1])]; ok {
				s.Textures += int(v[0])
			}
		}, reference, gl.TYPE)
		r.Stages[suffix] = s
	}
	if p.compute {
		var size [3]int32
		gl.GetProgramiv(p.name, gl.COMPUTE_WORK_GROUP_SIZE, &size[0])
		r.Invocations = int(size[0] * size[1] * size[2])
	}
	p.each(gl.BUFFER_VARIABLE, func(name string, v []int32) {
		r.Variables = append(r.Variables, Variable{name, uniformKinds[uint32(v[0])].name, int(v[1]), int(v[2])})
	}, gl.TYPE, gl.OFFSET, gl.TOP_LEVEL_ARRAY_STRIDE)
	slices.SortFunc(r.Variables, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return r, nil
}
