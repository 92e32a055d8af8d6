package gpu

import (
	"slices"
	"strings"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// Resources is what a linked program uses of what OpenGL has few of, and how its storage buffers
// are laid out.
type Resources struct {
	Stages      map[string]StageResources // by the end of stage files' names: ".comp.glsl"
	Bindings    int                       // binding points of storage blocks
	Units       int                       // of textures
	Attributes  int                       // locations of vertex inputs
	Invocations int                       // of a work group; 0 for a program that draws
	Variables   []Variable                // by name
}

// StageResources is what a stage of a program uses.
type StageResources struct{ StorageBlocks, UniformBlocks, Textures int }

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
		case sampler:
			r.Units++
		case attribute:
			r.Attributes = max(r.Attributes, int(x.at)+1)
		}
	}
	for suffix, reference := range references {
		var s StageResources
		p.each(gl.SHADER_STORAGE_BLOCK, func(_ string, v []int32) { s.StorageBlocks += int(v[0]) }, reference)
		p.each(gl.UNIFORM_BLOCK, func(_ string, v []int32) { s.UniformBlocks += int(v[0]) }, reference)
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
