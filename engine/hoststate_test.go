package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// This file reads all state of a context: every name that OpenGL answers for, found by asking for
// each there can be, and what chapter 23 of the specification of OpenGL 4.5 has besides, which is
// read by functions of its own.

// stateReader knows the names that a context answers for.
type stateReader struct {
	single  []uint32 // by glGetDoublev
	indexed []indexedName
	units   int
	queries []uint32
}

// indexedName is a name that glGetDoublei_v or glGetInteger64i_v answers for, with so many indices.
type indexedName struct {
	name  uint32
	wide  bool // by glGetInteger64i_v
	count uint32
}

// unsteady are values that change by themselves: the time, and how much memory is free; and names
// of the device, which are no state and end the program in some versions of Mesa.
var unsteady = []uint32{
	gl.TIMESTAMP, 0x9047, 0x9048, 0x9049, 0x904A, 0x904B, 0x87FB, 0x87FC, 0x87FD,
	0x9597, 0x9598, 0x9599, 0x959A,
}

// newStateReader asks the current context for everything. Names are 16 bits.
func newStateReader() *stateReader {
	debug := gl.IsEnabled(gl.DEBUG_OUTPUT)
	gl.Disable(gl.DEBUG_OUTPUT)
	r := &stateReader{}
	var values [4096]float64
	var wide [64]int64
	for name := range uint32(1 << 16) {
		if slices.Contains(unsteady, name) {
			continue
		}
		if gl.GetDoublev(name, &values[0]); gl.GetError() == gl.NO_ERROR {
			r.single = append(r.single, name)
		}
		of := indexedName{name: name}
		for ; of.count < 256; of.count++ {
			if gl.GetDoublei_v(name, of.count, &values[0]); gl.GetError() != gl.NO_ERROR {
				break
			}
		}
		if of.count == 0 {
			for of.wide = true; of.count < 256; of.count++ {
				if gl.GetInteger64i_v(name, of.count, &wide[0]); gl.GetError() != gl.NO_ERROR {
					break
				}
			}
		}
		if of.count > 0 {
			r.indexed = append(r.indexed, of)
		}
	}
	var units int32
	gl.GetIntegerv(gl.MAX_COMBINED_TEXTURE_IMAGE_UNITS, &units)
	r.units = int(units)
	r.queries = []uint32{
		gl.SAMPLES_PASSED, gl.ANY_SAMPLES_PASSED, gl.ANY_SAMPLES_PASSED_CONSERVATIVE, gl.TIME_ELAPSED, gl.PRIMITIVES_GENERATED,
		gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
	}
	if debug {
		gl.Enable(gl.DEBUG_OUTPUT)
	}
	return r
}

// glState is values by what they are of.
type glState map[string]string

// read reads all.
func (r *stateReader) read() glState {
	s := glState{}
	note := func(v any, format string, args ...any) { s[fmt.Sprintf(format, args...)] = fmt.Sprint(v) }
	var values [4096]float64
	for _, name := range r.single {
		clear(values[:16])
		gl.GetDoublev(name, &values[0])
		note(values[:16], "0x%04X", name)
	}
	for _, n := range r.indexed {
		for i := range n.count {
			clear(values[:4])
			var wide [16]int64
			if n.wide {
				gl.GetInteger64i_v(n.name, i, &wide[0])
				note(wide[:4], "0x%04X[%d]", n.name, i)
			} else {
				gl.GetDoublei_v(n.name, i, &values[0])
				note(values[:4], "0x%04X[%d]", n.name, i)
			}
		}
	}
	r.readUnits(note)
	r.readArrays(note)
	r.readProgram(note)
	for _, target := range r.queries {
		for stream := range uint32(4) {
			if stream > 0 && target != gl.PRIMITIVES_GENERATED && target != gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN {
				continue
			}
			var name int32
			gl.GetQueryIndexediv(target, stream, gl.CURRENT_QUERY, &name)
			note(name, "query 0x%04X of stream %d", target, stream)
		}
	}
	for name, of := range map[string]uint32{"callback": gl.DEBUG_CALLBACK_FUNCTION, "callback's parameter": gl.DEBUG_CALLBACK_USER_PARAM} {
		var p unsafe.Pointer
		gl.GetPointerv(of, &p)
		note(uintptr(p), "%s", name)
	}
	return s
}

// readUnits reads what is bound to the units of textures.
func (r *stateReader) readUnits(note func(any, string, ...any)) {
	var active int32
	gl.GetIntegerv(gl.ACTIVE_TEXTURE, &active)
	for unit := range r.units {
		gl.ActiveTexture(gl.TEXTURE0 + uint32(unit))
		for _, name := range []uint32{
			gl.TEXTURE_BINDING_1D, gl.TEXTURE_BINDING_2D, gl.TEXTURE_BINDING_3D, gl.TEXTURE_BINDING_1D_ARRAY, gl.TEXTURE_BINDING_2D_ARRAY,
			gl.TEXTURE_BINDING_RECTANGLE, gl.TEXTURE_BINDING_CUBE_MAP, gl.TEXTURE_BINDING_CUBE_MAP_ARRAY, gl.TEXTURE_BINDING_BUFFER,
			gl.TEXTURE_BINDING_2D_MULTISAMPLE, gl.TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY, gl.SAMPLER_BINDING,
		} {
			var v int32
			gl.GetIntegerv(name, &v)
			if v != 0 {
				note(v, "unit %d, 0x%04X", unit, name)
			}
		}
	}
	gl.ActiveTexture(uint32(active))
}

// readArrays reads the attributes of the bound vertex array, and their current values.
func (r *stateReader) readArrays(note func(any, string, ...any)) {
	for i := range uint32(16) {
		if i > 0 {
			var current [4]float64
			gl.GetVertexAttribdv(i, gl.CURRENT_VERTEX_ATTRIB, &current[0])
			note(current, "attribute %d", i)
		}
		for _, name := range []uint32{
			gl.VERTEX_ATTRIB_ARRAY_ENABLED, gl.VERTEX_ATTRIB_ARRAY_SIZE, gl.VERTEX_ATTRIB_ARRAY_STRIDE, gl.VERTEX_ATTRIB_ARRAY_TYPE,
			gl.VERTEX_ATTRIB_ARRAY_NORMALIZED, gl.VERTEX_ATTRIB_ARRAY_INTEGER, gl.VERTEX_ATTRIB_ARRAY_LONG, gl.VERTEX_ATTRIB_ARRAY_DIVISOR,
			gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, gl.VERTEX_ATTRIB_BINDING, gl.VERTEX_ATTRIB_RELATIVE_OFFSET,
		} {
			var v int32
			gl.GetVertexAttribiv(i, name, &v)
			note(v, "attribute %d, 0x%04X", i, name)
		}
	}
}

// readProgram reads the current program: its uniforms, and the subroutines that are chosen of its
// fragment stage.
func (r *stateReader) readProgram(note func(any, string, ...any)) {
	var program, pipeline int32
	gl.GetIntegerv(gl.CURRENT_PROGRAM, &program)
	gl.GetIntegerv(gl.PROGRAM_PIPELINE_BINDING, &pipeline)
	if program == 0 && pipeline != 0 {
		gl.GetProgramPipelineiv(uint32(pipeline), gl.FRAGMENT_SHADER, &program)
	}
	if program == 0 {
		return
	}
	var uniforms int32
	gl.GetProgramiv(uint32(program), gl.ACTIVE_UNIFORMS, &uniforms)
	for location := range uniforms {
		var v [16]float32
		gl.GetnUniformfv(uint32(program), location, int32(unsafe.Sizeof(v)), &v[0])
		note(v, "uniform %d", location)
	}
	var locations int32
	gl.GetProgramStageiv(uint32(program), gl.FRAGMENT_SHADER, gl.ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS, &locations)
	for location := range locations {
		var v uint32
		gl.GetUniformSubroutineuiv(gl.FRAGMENT_SHADER, location, &v)
		note(v, "subroutine %d", location)
	}
}

// differences lists what is not the same.
func (s glState) differences(other glState) (all []string) {
	names := maps.Clone(s)
	maps.Copy(names, other)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if s[name] != other[name] {
			all = append(all, fmt.Sprintf("%s: %q before, %q after", name, s[name], other[name]))
		}
	}
	return all
}
