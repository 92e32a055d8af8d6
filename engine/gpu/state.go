package gpu

import "github.com/go-gl/gl/v4.5-core/gl"

// This file is all of a host's state that Wayfront relies on or changes. Each entry says how it is
// read, what it has to be for Wayfront, and how it is set. An entry is saved the first time that a
// door needs it, and all that were saved are set back when the door ends, last to first.

// entry is a piece of the context's state. Values are float64, which holds every one exactly. Index
// is 0 where there is one.
type entry struct {
	base []float64 // what Wayfront relies on; nil: whatever Wayfront sets where it needs it
	get  func(index uint32, v []float64) []float64
	set  func(index uint32, v []float64)
}

// group is entries that are saved together.
type group struct {
	id      uint // bit in Device.kept, by index
	entries []entry
}

// The groups.
var (
	// always is saved at the beginning of every door: what transfers rely on.
	always = &group{0, append([]entry{
		toggle(gl.DEBUG_OUTPUT, false), // first: messages about what follows are none of the host's
		bufferBinding(gl.PIXEL_PACK_BUFFER_BINDING, gl.PIXEL_PACK_BUFFER, 0),
		bufferBinding(gl.PIXEL_UNPACK_BUFFER_BINDING, gl.PIXEL_UNPACK_BUFFER, 0),
		// Mesa unbinds this one too where a buffer is deleted that is bound to a numbered point.
		bufferBinding(gl.SHADER_STORAGE_BUFFER_BINDING, gl.SHADER_STORAGE_BUFFER),
	}, pixelStore()...)}

	// running is saved with the first dispatch or draw.
	running = &group{1, []entry{
		{nil, getProgram, setProgram},
		bufferBinding(gl.DISPATCH_INDIRECT_BUFFER_BINDING, gl.DISPATCH_INDIRECT_BUFFER),
	}}

	// drawing is saved with the first draw, clear, blit or read of a target.
	drawing = &group{2, append([]entry{
		framebuffer(gl.DRAW_FRAMEBUFFER_BINDING, gl.DRAW_FRAMEBUFFER),
		framebuffer(gl.READ_FRAMEBUFFER_BINDING, gl.READ_FRAMEBUFFER),
		whole(gl.VERTEX_ARRAY_BINDING, func(v []float64) { gl.BindVertexArray(uint32(v[0])) }),
		bufferBinding(gl.DRAW_INDIRECT_BUFFER_BINDING, gl.DRAW_INDIRECT_BUFFER),
		// Draws go to viewport 0: no shader of this project chooses another.
		{nil, func(_ uint32, v []float64) []float64 {
			var x [4]float32
			gl.GetFloati_v(gl.VIEWPORT, 0, &x[0])
			return append(v, float64(x[0]), float64(x[1]), float64(x[2]), float64(x[3]))
		}, func(_ uint32, v []float64) {
			gl.ViewportIndexedf(0, float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3]))
		}},
		{[]float64{0, 1}, func(_ uint32, v []float64) []float64 {
			var x [2]float64
			gl.GetDoublei_v(gl.DEPTH_RANGE, 0, &x[0])
			return append(v, x[0], x[1])
		}, func(_ uint32, v []float64) { gl.DepthRangeIndexed(0, v[0], v[1]) }},
		{nil, func(_ uint32, v []float64) []float64 {
			var x [4]int32
			gl.GetIntegeri_v(gl.SCISSOR_BOX, 0, &x[0])
			return append(v, float64(x[0]), float64(x[1]), float64(x[2]), float64(x[3]))
		}, func(_ uint32, v []float64) {
			gl.ScissorIndexed(0, int32(v[0]), int32(v[1]), int32(v[2]), int32(v[3]))
		}},
		toggleIndexed(gl.SCISSOR_TEST),
		// Depths are 0 to 1 as stored, so that a float depth keeps its precision near 0.
		{[]float64{gl.LOWER_LEFT, gl.ZERO_TO_ONE}, func(_ uint32, v []float64) []float64 {
			return append(v, float64(integer(gl.CLIP_ORIGIN)), float64(integer(gl.CLIP_DEPTH_MODE)))
		}, func(_ uint32, v []float64) { gl.ClipControl(uint32(v[0]), uint32(v[1])) }},
		whole(gl.POLYGON_MODE, func(v []float64) { gl.PolygonMode(gl.FRONT_AND_BACK, uint32(v[0])) }, gl.FILL),
		{[]float64{1}, func(_ uint32, v []float64) []float64 {
			var x [2]float32
			gl.GetFloatv(gl.LINE_WIDTH, &x[0])
			return append(v, float64(x[0]))
		}, func(_ uint32, v []float64) { gl.LineWidth(float32(v[0])) }},
		whole(gl.PROVOKING_VERTEX, func(v []float64) { gl.ProvokingVertex(uint32(v[0])) }, gl.LAST_VERTEX_CONVENTION),
		whole(gl.POINT_SPRITE_COORD_ORIGIN, func(v []float64) {
			gl.PointParameteri(gl.POINT_SPRITE_COORD_ORIGIN, int32(v[0]))
		}, gl.UPPER_LEFT),
		whole(gl.CLAMP_READ_COLOR, func(v []float64) { gl.ClampColor(gl.CLAMP_READ_COLOR, uint32(v[0])) }, gl.FIXED_ONLY),
		whole(gl.FRAGMENT_SHADER_DERIVATIVE_HINT, func(v []float64) {
			gl.Hint(gl.FRAGMENT_SHADER_DERIVATIVE_HINT, uint32(v[0]))
		}, gl.DONT_CARE),
		toggle(gl.DEPTH_TEST),
		whole(gl.DEPTH_FUNC, func(v []float64) { gl.DepthFunc(uint32(v[0])) }),
		whole(gl.DEPTH_WRITEMASK, func(v []float64) { gl.DepthMask(v[0] != 0) }),
		toggle(gl.STENCIL_TEST),
		whole(gl.STENCIL_WRITEMASK, func(v []float64) { gl.StencilMaskSeparate(gl.FRONT, uint32(int64(v[0]))) }),
		whole(gl.STENCIL_BACK_WRITEMASK, func(v []float64) { gl.StencilMaskSeparate(gl.BACK, uint32(int64(v[0]))) }),
		toggle(gl.MULTISAMPLE, true),
		toggle(gl.PROGRAM_POINT_SIZE, true),
	}, off(
		gl.CULL_FACE, gl.RASTERIZER_DISCARD, gl.POLYGON_OFFSET_FILL, gl.POLYGON_OFFSET_LINE, gl.POLYGON_OFFSET_POINT, gl.POLYGON_SMOOTH, gl.LINE_SMOOTH, gl.DEPTH_CLAMP, gl.FRAMEBUFFER_SRGB,
		gl.COLOR_LOGIC_OP, gl.DITHER, gl.PRIMITIVE_RESTART, gl.PRIMITIVE_RESTART_FIXED_INDEX,
		gl.SAMPLE_MASK, gl.SAMPLE_ALPHA_TO_COVERAGE, gl.SAMPLE_ALPHA_TO_ONE, gl.SAMPLE_COVERAGE, gl.SAMPLE_SHADING,
		gl.CLIP_DISTANCE0, gl.CLIP_DISTANCE1, gl.CLIP_DISTANCE2, gl.CLIP_DISTANCE3,
		gl.CLIP_DISTANCE4, gl.CLIP_DISTANCE5, gl.CLIP_DISTANCE6, gl.CLIP_DISTANCE7,
	)...)}

	// stencil is saved with the first draw that has a stencil test, once its target is bound: OpenGL
	// clamps the reference that it reports to what the stencil of the bound framebuffer holds.
	stencil = &group{3, []entry{
		stencilFunc(gl.FRONT, gl.STENCIL_FUNC, gl.STENCIL_REF, gl.STENCIL_VALUE_MASK),
		stencilFunc(gl.BACK, gl.STENCIL_BACK_FUNC, gl.STENCIL_BACK_REF, gl.STENCIL_BACK_VALUE_MASK),
		stencilOp(gl.FRONT, gl.STENCIL_FAIL, gl.STENCIL_PASS_DEPTH_FAIL, gl.STENCIL_PASS_DEPTH_PASS),
		stencilOp(gl.BACK, gl.STENCIL_BACK_FAIL, gl.STENCIL_BACK_PASS_DEPTH_FAIL, gl.STENCIL_BACK_PASS_DEPTH_PASS),
	}}

	// output is saved with the first use of a color attachment, by number.
	output = &group{4, []entry{
		{nil, func(i uint32, v []float64) []float64 {
			var x [4]bool
			gl.GetBooleani_v(gl.COLOR_WRITEMASK, i, &x[0])
			return append(v, number(x[0]), number(x[1]), number(x[2]), number(x[3]))
		}, func(i uint32, v []float64) { gl.ColorMaski(i, v[0] != 0, v[1] != 0, v[2] != 0, v[3] != 0) }},
		toggleIndexed(gl.BLEND),
		{nil, func(i uint32, v []float64) []float64 {
			return append(v, indexed(gl.BLEND_SRC_RGB, i), indexed(gl.BLEND_DST_RGB, i), indexed(gl.BLEND_SRC_ALPHA, i), indexed(gl.BLEND_DST_ALPHA, i))
		}, func(i uint32, v []float64) {
			gl.BlendFuncSeparatei(i, uint32(v[0]), uint32(v[1]), uint32(v[2]), uint32(v[3]))
		}},
		{nil, func(i uint32, v []float64) []float64 {
			return append(v, indexed(gl.BLEND_EQUATION_RGB, i), indexed(gl.BLEND_EQUATION_ALPHA, i))
		}, func(i uint32, v []float64) { gl.BlendEquationSeparatei(i, uint32(v[0]), uint32(v[1])) }},
	}}

	// storage is saved with the first use of a binding point of storage buffers.
	storage = &group{5, []entry{{nil, func(i uint32, v []float64) []float64 {
		var start, size int64
		gl.GetInteger64i_v(gl.SHADER_STORAGE_BUFFER_START, i, &start)
		gl.GetInteger64i_v(gl.SHADER_STORAGE_BUFFER_SIZE, i, &size)
		return append(v, indexed(gl.SHADER_STORAGE_BUFFER_BINDING, i), float64(start), float64(size))
	}, func(i uint32, v []float64) {
		name, start, size := uint32(v[0]), int(v[1]), int(v[2])
		if size == 0 {
			gl.BindBuffersBase(gl.SHADER_STORAGE_BUFFER, i, 1, &name)
		} else {
			gl.BindBuffersRange(gl.SHADER_STORAGE_BUFFER, i, 1, &name, &start, &size)
		}
	}}}}

	// active is saved before the first unit of textures, since OpenGL reports those of the active
	// unit.
	active = &group{6, []entry{whole(gl.ACTIVE_TEXTURE, func(v []float64) { gl.ActiveTexture(uint32(v[0])) })}}

	// sampling is saved with the first use of a unit, and the unit's binding with the first use of its
	// target. Textures say themselves how they are filtered.
	sampling = &group{7, []entry{{[]float64{0}, func(i uint32, v []float64) []float64 {
		gl.ActiveTexture(gl.TEXTURE0 + i)
		return append(v, float64(integer(gl.SAMPLER_BINDING)))
	}, func(i uint32, v []float64) { gl.BindSampler(i, uint32(v[0])) }}}}
	units = map[uint32]*group{
		gl.TEXTURE_2D:       {8, []entry{textureBinding(gl.TEXTURE_BINDING_2D, gl.TEXTURE_2D)}},
		gl.TEXTURE_2D_ARRAY: {9, []entry{textureBinding(gl.TEXTURE_BINDING_2D_ARRAY, gl.TEXTURE_2D_ARRAY)}},
		gl.TEXTURE_BUFFER:   {10, []entry{textureBinding(gl.TEXTURE_BINDING_BUFFER, gl.TEXTURE_BUFFER)}},
	}
)

const groups = 11

// pixelStore is the layout of transfers, which clears of buffers and textures obey too: without
// gaps.
func pixelStore() (all []entry) {
	for _, pair := range [...][2]uint32{
		{gl.PACK_SWAP_BYTES, gl.UNPACK_SWAP_BYTES},
		{gl.PACK_LSB_FIRST, gl.UNPACK_LSB_FIRST},
		{gl.PACK_ROW_LENGTH, gl.UNPACK_ROW_LENGTH},
		{gl.PACK_IMAGE_HEIGHT, gl.UNPACK_IMAGE_HEIGHT},
		{gl.PACK_SKIP_ROWS, gl.UNPACK_SKIP_ROWS},
		{gl.PACK_SKIP_PIXELS, gl.UNPACK_SKIP_PIXELS},
		{gl.PACK_SKIP_IMAGES, gl.UNPACK_SKIP_IMAGES},
		{gl.PACK_ALIGNMENT, gl.UNPACK_ALIGNMENT},
		{gl.PACK_COMPRESSED_BLOCK_WIDTH, gl.UNPACK_COMPRESSED_BLOCK_WIDTH},
		{gl.PACK_COMPRESSED_BLOCK_HEIGHT, gl.UNPACK_COMPRESSED_BLOCK_HEIGHT},
		{gl.PACK_COMPRESSED_BLOCK_DEPTH, gl.UNPACK_COMPRESSED_BLOCK_DEPTH},
		{gl.PACK_COMPRESSED_BLOCK_SIZE, gl.UNPACK_COMPRESSED_BLOCK_SIZE},
	} {
		for _, name := range pair {
			base := 0.0
			if name == gl.PACK_ALIGNMENT || name == gl.UNPACK_ALIGNMENT {
				base = 1
			}
			all = append(all, whole(name, func(v []float64) { gl.PixelStorei(name, int32(v[0])) }, base))
		}
	}
	return all
}

// whole is a state that is a whole number.
func whole(name uint32, set func(v []float64), base ...float64) entry {
	return entry{base, func(_ uint32, v []float64) []float64 {
		var x [4]int64 // masks are unsigned: 32 bits with a sign do not hold them
		gl.GetInteger64v(name, &x[0])
		return append(v, float64(x[0]))
	}, func(_ uint32, v []float64) { set(v) }}
}

// toggle is a capability.
func toggle(name uint32, base ...bool) entry {
	var values []float64
	for _, b := range base {
		values = append(values, number(b))
	}
	return entry{values, func(_ uint32, v []float64) []float64 { return append(v, number(gl.IsEnabled(name))) }, func(_ uint32, v []float64) {
		if v[0] != 0 {
			gl.Enable(name)
		} else {
			gl.Disable(name)
		}
	}}
}

// toggleIndexed is a capability of a viewport or color attachment.
func toggleIndexed(name uint32) entry {
	return entry{nil, func(i uint32, v []float64) []float64 { return append(v, number(gl.IsEnabledi(name, i))) }, func(i uint32, v []float64) {
		if v[0] != 0 {
			gl.Enablei(name, i)
		} else {
			gl.Disablei(name, i)
		}
	}}
}

func off(names ...uint32) (all []entry) {
	for _, name := range names {
		all = append(all, toggle(name, false))
	}
	return all
}

func bufferBinding(name, target uint32, base ...float64) entry {
	return whole(name, func(v []float64) { gl.BindBuffer(target, uint32(v[0])) }, base...)
}

func framebuffer(name, target uint32) entry {
	return whole(name, func(v []float64) { gl.BindFramebuffer(target, uint32(v[0])) })
}

func textureBinding(name, target uint32) entry {
	return entry{nil, func(i uint32, v []float64) []float64 {
		gl.ActiveTexture(gl.TEXTURE0 + i)
		return append(v, float64(integer(name)))
	}, func(i uint32, v []float64) {
		gl.ActiveTexture(gl.TEXTURE0 + i)
		gl.BindTexture(target, uint32(v[0]))
	}}
}

func stencilFunc(face, test, ref, mask uint32) entry {
	return entry{nil, func(_ uint32, v []float64) []float64 {
		return append(v, float64(integer(test)), float64(integer(ref)), float64(integer(mask)))
	}, func(_ uint32, v []float64) {
		gl.StencilFuncSeparate(face, uint32(v[0]), int32(v[1]), uint32(int64(v[2])))
	}}
}

func stencilOp(face, fail, depthFail, pass uint32) entry {
	return entry{nil, func(_ uint32, v []float64) []float64 {
		return append(v, float64(integer(fail)), float64(integer(depthFail)), float64(integer(pass)))
	}, func(_ uint32, v []float64) { gl.StencilOpSeparate(face, uint32(v[0]), uint32(v[1]), uint32(v[2])) }}
}

// programStages are the stages of programs.
var programStages = [...]uint32{gl.VERTEX_SHADER, gl.TESS_CONTROL_SHADER, gl.TESS_EVALUATION_SHADER, gl.GEOMETRY_SHADER, gl.FRAGMENT_SHADER, gl.COMPUTE_SHADER}

// getProgram reads the current program, and of each stage the subroutines that are chosen, which
// the context forgets when another program is used: how many, and each. Where no program is
// current, those are of the bound pipeline.
func getProgram(_ uint32, v []float64) []float64 {
	current, pipeline := int32(integer(gl.CURRENT_PROGRAM)), uint32(integer(gl.PROGRAM_PIPELINE_BINDING))
	v = append(v, float64(current))
	if current == 0 && pipeline == 0 {
		return v
	}
	for _, stage := range programStages {
		program, count := current, int32(0)
		if current == 0 {
			gl.GetProgramPipelineiv(pipeline, stage, &program)
		}
		if program != 0 {
			gl.GetProgramStageiv(uint32(program), stage, gl.ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS, &count)
		}
		v = append(v, float64(count))
		for location := range count {
			var chosen uint32
			gl.GetUniformSubroutineuiv(stage, location, &chosen)
			v = append(v, float64(chosen))
		}
	}
	glErrors() // Mesa refuses to answer for stages that the program lacks; keep has taken older ones
	return v
}

func setProgram(_ uint32, v []float64) {
	gl.UseProgram(uint32(v[0]))
	v = v[1:]
	for _, stage := range programStages {
		if len(v) == 0 {
			break
		}
		chosen := make([]uint32, int(v[0]))
		for i := range chosen {
			chosen[i] = uint32(v[1+i])
		}
		if v = v[1+len(chosen):]; len(chosen) > 0 {
			gl.UniformSubroutinesuiv(stage, int32(len(chosen)), &chosen[0])
		}
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func integer(name uint32) int {
	var v [4]int64 // some names have several values
	gl.GetInteger64v(name, &v[0])
	return int(v[0])
}

func indexed(name, index uint32) float64 {
	var v [4]int32
	gl.GetIntegeri_v(name, index, &v[0])
	return float64(v[0])
}

// saved is an entry of the host's, of the values from first on.
type saved struct {
	entry       *entry
	index       uint32
	first, last int
}

// keep makes what a group relies on true, once a door: in a host's context it saves the host's
// values first. In a context of its own the device has set them when it was made.
func (d *Device) keep(g *group, index uint32) {
	if d.guest && d.kept[g.id]&(1<<index) == 0 {
		d.collect()
		d.keepAll(g, index)
	}
}

func (d *Device) keepAll(g *group, index uint32) {
	d.kept[g.id] |= 1 << index
	for i := range g.entries {
		e := &g.entries[i]
		first := len(d.values)
		d.values = e.get(index, d.values)
		d.saved = append(d.saved, saved{e, index, first, len(d.values)})
		if e.base != nil {
			e.set(index, e.base)
		}
	}
}

// putBack gives the host its state back.
func (d *Device) putBack() {
	for i := len(d.saved) - 1; i >= 0; i-- {
		s := d.saved[i]
		s.entry.set(s.index, d.values[s.first:s.last])
	}
	d.saved, d.values, d.kept = d.saved[:0], d.values[:0], [groups]uint64{}
	if codes := glErrors(); codes != nil {
		d.stick(&StateError{"bindings of objects that were deleted in another context (" + glNames(codes) + ")", "unbind objects before they are deleted: these could not be bound again"})
	}
}

// own sets what this package relies on for good, in a context of its own.
func own() {
	for _, g := range []*group{always, drawing} {
		for _, e := range g.entries {
			if e.base != nil {
				e.set(0, e.base)
			}
		}
	}
}
