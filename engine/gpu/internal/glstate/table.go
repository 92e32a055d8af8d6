package glstate

import "github.com/go-gl/gl/v4.5-core/gl"

// Group is state that is saved together.
type Group struct {
	id      uint // bit in Keeper.kept, by index
	entries []entry
}

// entry is a piece of the context's state. Values are float64, which holds every one exactly. Index
// is 0 where there is one.
type entry struct {
	base []float64 // what Wayfront relies on; nil: whatever Wayfront sets where it needs it
	get  getter
	set  func(index uint32, v []float64)
}

// getter appends the values of a state.
type getter func(index uint32, v []float64) []float64

// The groups.
var (
	// Always is saved at the beginning of every door: what transfers rely on.
	Always = &Group{0, append([]entry{
		toggle(gl.DEBUG_OUTPUT, off), // first: messages about what follows are none of the host's
		bufferBinding(gl.PIXEL_PACK_BUFFER_BINDING, gl.PIXEL_PACK_BUFFER, 0),
		bufferBinding(gl.PIXEL_UNPACK_BUFFER_BINDING, gl.PIXEL_UNPACK_BUFFER, 0),
		// Mesa unbinds this one too where a buffer is deleted that is bound to a numbered point.
		bufferBinding(gl.SHADER_STORAGE_BUFFER_BINDING, gl.SHADER_STORAGE_BUFFER),
	}, pixelStore()...)}

	// Running is saved with the first dispatch or draw.
	Running = &Group{1, []entry{
		{nil, getProgram, setProgram},
		bufferBinding(gl.DISPATCH_INDIRECT_BUFFER_BINDING, gl.DISPATCH_INDIRECT_BUFFER),
	}}

	// Drawing is saved with the first draw, clear, blit or read of a target.
	Drawing = &Group{2, append([]entry{
		framebuffer(gl.DRAW_FRAMEBUFFER_BINDING, gl.DRAW_FRAMEBUFFER),
		framebuffer(gl.READ_FRAMEBUFFER_BINDING, gl.READ_FRAMEBUFFER),
		one(gl.VERTEX_ARRAY_BINDING, func(v uint32) { gl.BindVertexArray(v) }),
		bufferBinding(gl.DRAW_INDIRECT_BUFFER_BINDING, gl.DRAW_INDIRECT_BUFFER),
		// Draws go to viewport 0: no shader of this project chooses another.
		{nil, indexed(gl.GetFloati_v, 4, gl.VIEWPORT), func(i uint32, v []float64) {
			gl.ViewportIndexedf(i, float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3]))
		}},
		{[]float64{0, 1}, indexed(gl.GetDoublei_v, 2, gl.DEPTH_RANGE), func(i uint32, v []float64) {
			gl.DepthRangeIndexed(i, v[0], v[1])
		}},
		toggleIndexed(gl.SCISSOR_TEST, off),
		// Depths are 0 to 1 as stored, so that a float depth keeps its precision near 0.
		{[]float64{gl.LOWER_LEFT, gl.ZERO_TO_ONE}, whole(gl.CLIP_ORIGIN, gl.CLIP_DEPTH_MODE), func(_ uint32, v []float64) {
			gl.ClipControl(uint32(v[0]), uint32(v[1]))
		}},
		one(gl.POLYGON_MODE, func(v uint32) { gl.PolygonMode(gl.FRONT_AND_BACK, v) }, gl.FILL),
		{[]float64{1}, func(_ uint32, v []float64) []float64 {
			var x [2]float32
			gl.GetFloatv(gl.LINE_WIDTH, &x[0])
			return append(v, float64(x[0]))
		}, func(_ uint32, v []float64) { gl.LineWidth(float32(v[0])) }},
		one(gl.PROVOKING_VERTEX, func(v uint32) { gl.ProvokingVertex(v) }, gl.LAST_VERTEX_CONVENTION),
		one(gl.POINT_SPRITE_COORD_ORIGIN, func(v uint32) {
			gl.PointParameteri(gl.POINT_SPRITE_COORD_ORIGIN, int32(v))
		}, gl.UPPER_LEFT),
		one(gl.CLAMP_READ_COLOR, func(v uint32) { gl.ClampColor(gl.CLAMP_READ_COLOR, v) }, gl.FIXED_ONLY),
		one(gl.FRAGMENT_SHADER_DERIVATIVE_HINT, func(v uint32) {
			gl.Hint(gl.FRAGMENT_SHADER_DERIVATIVE_HINT, v)
		}, gl.DONT_CARE),
		toggle(gl.DEPTH_TEST),
		one(gl.DEPTH_FUNC, func(v uint32) { gl.DepthFunc(v) }),
		one(gl.DEPTH_WRITEMASK, func(v uint32) { gl.DepthMask(v != 0) }),
		toggle(gl.STENCIL_TEST),
		one(gl.STENCIL_WRITEMASK, func(v uint32) { gl.StencilMaskSeparate(gl.FRONT, v) }, 0xff),
		one(gl.STENCIL_BACK_WRITEMASK, func(v uint32) { gl.StencilMaskSeparate(gl.BACK, v) }, 0xff),
		toggle(gl.MULTISAMPLE, on),
		toggle(gl.PROGRAM_POINT_SIZE, on),
	}, allOff(
		gl.CULL_FACE, gl.RASTERIZER_DISCARD, gl.POLYGON_OFFSET_FILL, gl.POLYGON_OFFSET_LINE, gl.POLYGON_OFFSET_POINT, gl.POLYGON_SMOOTH, gl.LINE_SMOOTH, gl.DEPTH_CLAMP, gl.FRAMEBUFFER_SRGB,
		gl.COLOR_LOGIC_OP, gl.DITHER, gl.PRIMITIVE_RESTART, gl.PRIMITIVE_RESTART_FIXED_INDEX,
		gl.SAMPLE_MASK, gl.SAMPLE_ALPHA_TO_COVERAGE, gl.SAMPLE_ALPHA_TO_ONE, gl.SAMPLE_COVERAGE, gl.SAMPLE_SHADING,
		gl.CLIP_DISTANCE0, gl.CLIP_DISTANCE1, gl.CLIP_DISTANCE2, gl.CLIP_DISTANCE3,
		gl.CLIP_DISTANCE4, gl.CLIP_DISTANCE5, gl.CLIP_DISTANCE6, gl.CLIP_DISTANCE7,
	)...)}

	// Stencil is saved with the first draw that has a stencil test, once its target is bound: OpenGL
	// clamps the reference that it reports to what the stencil of the bound framebuffer holds.
	Stencil = &Group{3, []entry{
		stencilFunc(gl.FRONT, gl.STENCIL_FUNC, gl.STENCIL_REF, gl.STENCIL_VALUE_MASK),
		stencilFunc(gl.BACK, gl.STENCIL_BACK_FUNC, gl.STENCIL_BACK_REF, gl.STENCIL_BACK_VALUE_MASK),
		stencilOp(gl.FRONT, gl.STENCIL_FAIL, gl.STENCIL_PASS_DEPTH_FAIL, gl.STENCIL_PASS_DEPTH_PASS),
		stencilOp(gl.BACK, gl.STENCIL_BACK_FAIL, gl.STENCIL_BACK_PASS_DEPTH_FAIL, gl.STENCIL_BACK_PASS_DEPTH_PASS),
	}}

	// Output is saved with the first use of a color attachment, by number.
	Output = &Group{4, []entry{
		{nil, indexed(gl.GetIntegeri_v, 4, gl.COLOR_WRITEMASK), func(i uint32, v []float64) {
			gl.ColorMaski(i, v[0] != 0, v[1] != 0, v[2] != 0, v[3] != 0)
		}},
		toggleIndexed(gl.BLEND),
		{nil, indexed(gl.GetIntegeri_v, 1, gl.BLEND_SRC_RGB, gl.BLEND_DST_RGB, gl.BLEND_SRC_ALPHA, gl.BLEND_DST_ALPHA), func(i uint32, v []float64) {
			gl.BlendFuncSeparatei(i, uint32(v[0]), uint32(v[1]), uint32(v[2]), uint32(v[3]))
		}},
		{nil, indexed(gl.GetIntegeri_v, 1, gl.BLEND_EQUATION_RGB, gl.BLEND_EQUATION_ALPHA), func(i uint32, v []float64) {
			gl.BlendEquationSeparatei(i, uint32(v[0]), uint32(v[1]))
		}},
	}}

	// Storage is saved with the first use of a binding point of storage buffers.
	Storage = &Group{5, []entry{{nil, indexed(gl.GetInteger64i_v, 1,
		gl.SHADER_STORAGE_BUFFER_BINDING, gl.SHADER_STORAGE_BUFFER_START, gl.SHADER_STORAGE_BUFFER_SIZE,
	), func(i uint32, v []float64) {
		b := ranges.Get().(*bufferRange)
		defer ranges.Put(b)
		b.name, b.start, b.size = uint32(v[0]), int(v[1]), int(v[2])
		if b.size == 0 {
			gl.BindBuffersBase(gl.SHADER_STORAGE_BUFFER, i, 1, &b.name)
		} else {
			gl.BindBuffersRange(gl.SHADER_STORAGE_BUFFER, i, 1, &b.name, &b.start, &b.size)
		}
	}}}}

	// Active is saved before the first unit of textures, since OpenGL reports those of the active
	// unit.
	Active = &Group{6, []entry{one(gl.ACTIVE_TEXTURE, func(v uint32) { gl.ActiveTexture(v) })}}

	// Sampling is saved with the first use of a unit, and the unit's binding with the first use of its
	// target. Textures say themselves how they are filtered.
	Sampling = &Group{7, []entry{{[]float64{0}, func(i uint32, v []float64) []float64 {
		gl.ActiveTexture(gl.TEXTURE0 + i)
		return append(v, float64(Integer(gl.SAMPLER_BINDING)))
	}, func(i uint32, v []float64) { gl.BindSampler(i, uint32(v[0])) }}}}
	Units = map[uint32]*Group{
		gl.TEXTURE_2D:       {8, []entry{textureBinding(gl.TEXTURE_BINDING_2D, gl.TEXTURE_2D)}},
		gl.TEXTURE_2D_ARRAY: {9, []entry{textureBinding(gl.TEXTURE_BINDING_2D_ARRAY, gl.TEXTURE_2D_ARRAY)}},
		gl.TEXTURE_BUFFER:   {10, []entry{textureBinding(gl.TEXTURE_BINDING_BUFFER, gl.TEXTURE_BUFFER)}},
	}
)

const groups = 11

// bufferRange is a part of a buffer.
type bufferRange struct {
	name        uint32
	start, size int
}

var ranges = pool[bufferRange]()

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
			all = append(all, one(name, func(v uint32) { gl.PixelStorei(name, int32(v)) }, base))
		}
	}
	return all
}

// whole reads whole numbers.
func whole(names ...uint32) getter {
	return func(_ uint32, v []float64) []float64 {
		for _, name := range names {
			v = append(v, float64(Integer(name))) // masks are unsigned: 32 bits with a sign do not hold them
		}
		return v
	}
}

// indexed reads n numbers of each name at an index.
func indexed[T int32 | int64 | float32 | float64](get func(name, index uint32, values *T), n int, names ...uint32) getter {
	values := pool[[4]T]()
	return func(index uint32, v []float64) []float64 {
		x := values.Get().(*[4]T)
		defer values.Put(x)
		for _, name := range names {
			get(name, index, &x[0])
			for _, value := range x[:n] {
				v = append(v, float64(value))
			}
		}
		return v
	}
}

// one is a state that is one whole number.
func one(name uint32, set func(v uint32), base ...float64) entry {
	return entry{base, whole(name), func(_ uint32, v []float64) { set(uint32(int64(v[0]))) }}
}

// The values of capabilities.
const (
	off = 0.0
	on  = 1.0
)

func number(b bool) float64 {
	if b {
		return on
	}
	return off
}

// toggle is a capability.
func toggle(name uint32, base ...float64) entry {
	set := [...]func(uint32){gl.Disable, gl.Enable}
	return entry{
		base, func(_ uint32, v []float64) []float64 { return append(v, number(gl.IsEnabled(name))) },
		func(_ uint32, v []float64) { set[int(v[0])](name) },
	}
}

// toggleIndexed is a capability of a viewport or color attachment.
func toggleIndexed(name uint32, base ...float64) entry {
	set := [...]func(name, index uint32){gl.Disablei, gl.Enablei}
	return entry{
		base, func(i uint32, v []float64) []float64 { return append(v, number(gl.IsEnabledi(name, i))) },
		func(i uint32, v []float64) { set[int(v[0])](name, i) },
	}
}

func allOff(names ...uint32) (all []entry) {
	for _, name := range names {
		all = append(all, toggle(name, off))
	}
	return all
}

func bufferBinding(name, target uint32, base ...float64) entry {
	return one(name, func(v uint32) { gl.BindBuffer(target, v) }, base...)
}

func framebuffer(name, target uint32) entry {
	return one(name, func(v uint32) { gl.BindFramebuffer(target, v) })
}

func textureBinding(name, target uint32) entry {
	return entry{nil, func(i uint32, v []float64) []float64 {
		gl.ActiveTexture(gl.TEXTURE0 + i)
		return append(v, float64(Integer(name)))
	}, func(i uint32, v []float64) {
		gl.ActiveTexture(gl.TEXTURE0 + i)
		gl.BindTexture(target, uint32(v[0]))
	}}
}

func stencilFunc(face, test, ref, mask uint32) entry {
	return entry{nil, whole(test, ref, mask), func(_ uint32, v []float64) {
		gl.StencilFuncSeparate(face, uint32(v[0]), int32(v[1]), uint32(int64(v[2])))
	}}
}

func stencilOp(face, fail, depthFail, pass uint32) entry {
	return entry{nil, whole(fail, depthFail, pass), func(_ uint32, v []float64) {
		gl.StencilOpSeparate(face, uint32(v[0]), uint32(v[1]), uint32(v[2]))
	}}
}

// programStages are the stages of programs.
var programStages = [...]uint32{gl.VERTEX_SHADER, gl.TESS_CONTROL_SHADER, gl.TESS_EVALUATION_SHADER, gl.GEOMETRY_SHADER, gl.FRAGMENT_SHADER, gl.COMPUTE_SHADER}

// getProgram reads the current program, and of each stage the subroutines that are chosen, which
// the context forgets when another program is used: how many, and each. Where no program is
// current, those are of the bound pipeline.
func getProgram(_ uint32, v []float64) []float64 {
	current, pipeline := int32(Integer(gl.CURRENT_PROGRAM)), uint32(Integer(gl.PROGRAM_PIPELINE_BINDING))
	v = append(v, float64(current))
	if current == 0 && pipeline == 0 {
		return v
	}
	s := stages.Get().(*programStage)
	defer stages.Put(s)
	for _, stage := range programStages {
		s.program, s.count = current, 0
		if current == 0 {
			gl.GetProgramPipelineiv(pipeline, stage, &s.program)
		}
		if s.program != 0 {
			gl.GetProgramStageiv(uint32(s.program), stage, gl.ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS, &s.count)
		}
		v = append(v, float64(s.count))
		for location := range s.count {
			gl.GetUniformSubroutineuiv(stage, location, &s.chosen)
			v = append(v, float64(s.chosen))
		}
	}
	Errors() // Mesa refuses to answer for stages that the program lacks; keep has taken older ones
	return v
}

// programStage is a stage of a program, with a subroutine of it.
type programStage struct {
	program, count int32
	chosen         uint32
}

var stages = pool[programStage]()

func setProgram(_ uint32, v []float64) {
	gl.UseProgram(uint32(v[0]))
	v = v[1:]
	for _, stage := range programStages {
		if len(v) == 0 {
			break
		}
		count := int(v[0])
		if count > 0 {
			chosen := make([]uint32, count)
			for i := range chosen {
				chosen[i] = uint32(v[1+i])
			}
			gl.UniformSubroutinesuiv(stage, int32(count), &chosen[0])
		}
		v = v[1+count:]
	}
}
