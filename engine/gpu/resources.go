package gpu

import "github.com/go-gl/gl/v4.5-core/gl"

// StageResources is what a stage of a program uses of what OpenGL has few of.
type StageResources struct{ StorageBlocks, UniformBlocks, Images, Textures int }

// Resources is what a linked program uses of what OpenGL has few of.
type Resources struct {
	Stages         map[string]StageResources // by the ending of stage files: ".comp.glsl"
	StorageBinding int                       // the highest binding point of a storage block, -1 for none
	ImageUnit      int                       // the highest of an image, -1 for none
	TextureUnit    int                       // the highest of a sampler, -1 for none
	Attributes     int                       // vertex inputs
	Invocations    int                       // of a work group; 0 for a program that draws
}

// references is the property of a resource that a stage refers to it, by the ending of stage files.
var references = map[string]uint32{
	".comp.glsl": gl.REFERENCED_BY_COMPUTE_SHADER,
	".vert.glsl": gl.REFERENCED_BY_VERTEX_SHADER,
	".geom.glsl": gl.REFERENCED_BY_GEOMETRY_SHADER,
	".frag.glsl": gl.REFERENCED_BY_FRAGMENT_SHADER,
}

// Resources counts what the linked program uses, by introspection. It is how tests compare programs
// with what every OpenGL 4.5 promises, where the test's own device allows more.
func (p *Program) Resources() Resources {
	r := Resources{Stages: map[string]StageResources{}, StorageBinding: -1, ImageUnit: -1, TextureUnit: -1}
	for ending, reference := range references {
		var s StageResources
		p.each(gl.SHADER_STORAGE_BLOCK, []uint32{reference, gl.BUFFER_BINDING}, func(v []int32) {
			s.StorageBlocks += int(v[0])
			r.StorageBinding = max(r.StorageBinding, int(v[1]))
		})
		p.each(gl.UNIFORM_BLOCK, []uint32{reference}, func(v []int32) { s.UniformBlocks += int(v[0]) })
		p.each(gl.UNIFORM, []uint32{reference, gl.LOCATION, gl.TYPE, gl.ARRAY_SIZE}, func(v []int32) {
			kind := uint32(v[2])
			if _, ok := uniformKinds[kind]; ok || v[1] < 0 {
				return
			}
			var unit int32
			gl.GetUniformiv(p.name, v[1], &unit)
			last := int(unit + v[3] - 1)
			if kind >= gl.IMAGE_1D && kind <= gl.UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY {
				s.Images += int(v[0] * v[3])
				r.ImageUnit = max(r.ImageUnit, last)
			} else {
				s.Textures += int(v[0] * v[3])
				r.TextureUnit = max(r.TextureUnit, last)
			}
		})
		r.Stages[ending] = s
	}
	if p.compute {
		var size [3]int32
		gl.GetProgramiv(p.name, gl.COMPUTE_WORK_GROUP_SIZE, &size[0])
		r.Invocations = int(size[0] * size[1] * size[2])
	} else {
		p.each(gl.PROGRAM_INPUT, []uint32{gl.LOCATION}, func(v []int32) { r.Attributes = max(r.Attributes, int(v[0])+1) })
	}
	return r
}

// each calls f with properties of every active resource of an interface.
func (p *Program) each(kind uint32, properties []uint32, f func(values []int32)) {
	var count int32
	gl.GetProgramInterfaceiv(p.name, kind, gl.ACTIVE_RESOURCES, &count)
	values := make([]int32, len(properties))
	for i := range uint32(count) {
		n := int32(len(properties))
		gl.GetProgramResourceiv(p.name, kind, i, n, &properties[0], n, nil, &values[0])
		f(values)
	}
}
