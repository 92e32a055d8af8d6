package engine_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"image/color"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp"
	"github.com/wayfront/wayfront/bvp/harmonic"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/headless"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/scenestest"
	"github.com/wayfront/wayfront/spm"
)

// guestScene has all that uses the device in a way of its own: two goals of which one keeps a
// clearance, agents that avoid others, local maps, guides by harmonic maps, an explorer, a door and
// an obstacle that moves.
const guestScene = `{
  "version": 1, "name": "guest", "domain": [0, 0, 12, 6],
  "obstacles": [{"id": "pillar", "rect": [5, 2, 6, 4]}, {"id": "cart", "rect": [8, 1, 8.5, 1.5], "motion": {"path": [[0, 0], [0, 2]], "speed": 1}}],
  "goals": [{"id": "east", "points": [[11, 3]]}, {"id": "west", "segments": [[[1, 2], [1, 4]]], "clearance": 0.3}],
  "profiles": [
    {"id": "orca", "avoidance": "orca"},
    {"id": "bvp", "steering": "bvp", "avoidance": "rvo", "bvp": {"cells": 11, "relaxations": 4, "guide": "harmonic"}}
  ],
  "groups": [
    {"profile": "orca", "count": 12, "spawn": {"rect": [1, 1, 4, 5]}, "itinerary": ["east", "west"], "onArrival": "loop"},
    {"profile": "bvp", "count": 4, "spawn": {"rect": [7, 2, 11, 5]}, "itinerary": ["west", "east"], "onArrival": "loop"},
    {"profile": "bvp", "spawn": {"points": [[3, 1]]}, "itinerary": ["west"], "onArrival": "stay", "explores": {"team": "x"}}
  ],
  "map": {"size": 48}
}`

func readScene(t testing.TB, text string) *scenes.Scene {
	t.Helper()
	return scenestest.Read(t, "", text)
}

// guest is Wayfront in a host's context, with what a run of it needs.
type guest struct {
	device   *gpu.Device
	renderer *render.Renderer
	scene    *scenes.Scene
	target   *gpu.Target // the host's
	reader   *stateReader
	before   glState  // what check compares with
	name     string   // of the hostile state
	trace    []string // calls of the run with the hash so far
}

// newGuest begins in a context in the state that a host has it in.
func newGuest(t testing.TB, scene string) *guest {
	t.Helper()
	g := &guest{scene: readScene(t, scene), reader: newStateReader()}
	g.before = g.reader.read()
	var err error
	if g.device, err = gpu.New(gpu.Options{}); err != nil {
		t.Fatal(err)
	}
	g.check(t, "gpu.New")
	if g.renderer, err = render.New(g.device); err != nil {
		t.Fatal(err)
	}
	g.check(t, "render.New")
	g.target = gpu.HostTarget(g.device, hostFramebuffer(), 64, 32)
	return g
}

// hostFramebuffer is a framebuffer of 64 x 32 pixels with depth and stencil.
func hostFramebuffer() (name uint32) {
	var colour, depth uint32
	gl.CreateRenderbuffers(1, &colour)
	gl.NamedRenderbufferStorage(colour, gl.RGBA8, 64, 32)
	gl.CreateRenderbuffers(1, &depth)
	gl.NamedRenderbufferStorage(depth, gl.DEPTH24_STENCIL8, 64, 32)
	gl.CreateFramebuffers(1, &name)
	gl.NamedFramebufferRenderbuffer(name, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, colour)
	gl.NamedFramebufferRenderbuffer(name, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, depth)
	return name
}

// check compares all state with that before.
func (g *guest) check(t testing.TB, call string) {
	t.Helper()
	if code := gl.GetError(); code != gl.NO_ERROR {
		t.Errorf("%s leaves error 0x%04X", call, code)
	}
	for _, d := range g.before.differences(g.reader.read()) {
		t.Errorf("%s changes state %s", call, d)
	}
}

// run runs a world with edits and everything that a host may ask it for, and hashes what comes out:
// agents, maps, answers and a picture, call by call in trace. Each call is checked where each is
// set.
func (g *guest) run(t testing.TB, each bool) {
	t.Helper()
	sum := fnv.New64a()
	g.trace = nil
	call := func(name string, f func() error) {
		t.Helper()
		if err := f(); err != nil {
			t.Fatalf("%s: %s: %v", g.name, name, err)
		}
		g.trace = append(g.trace, fmt.Sprintf("%s %x", name, sum.Sum64()))
		if each {
			g.check(t, name)
		}
	}
	var w *engine.World
	call("New", func() (err error) { w, err = engine.New(g.device, g.scene, engine.Options{}); return err })
	call("Step", w.Step)
	east, _ := w.Goal("east")
	pillar, _ := w.Obstacle("pillar")
	call("Edit", func() error {
		_, err := w.Edit(func(e *engine.Edit) error {
			e.SetSources(east, at(mgl64.Vec2{11, 1}, mgl64.Vec2{11, 5}))
			e.MoveObstacle(pillar, mgl64.Vec2{0.5, 0.25})
			return nil
		})
		return err
	})
	call("Step with an edit", w.Step)
	call("Poll", w.Poll)
	g.device.Finish() // a later Poll completes the map
	for w.Building() {
		call("Poll that completes a map", w.Poll)
	}
	call("Step with a map", w.Step)
	call("Advance", func() error { _, err := w.Advance(time.Duration(float64(w.Timestep()) * 1.5)); return err })
	call("Edit", func() error {
		return failed(w.Edit(func(e *engine.Edit) error { e.SetSources(east, at(mgl64.Vec2{11, 3})); return nil }))
	})
	call("Apply", w.Apply)
	for w.Building() {
		g.device.Finish()
		call("Apply that completes a map", w.Apply)
	}
	call("View", func() error {
		v, err := w.View(east)
		if err == nil {
			fmt.Fprint(sum, v.Path(mgl64.Vec2{2, 3.2}), v.Query(mgl64.Vec2{7, 3}))
		}
		return err
	})
	maps := w.Buffers().Maps
	call("NewBatch, Query and InSight", func() error {
		b, err := spm.NewBatch(g.device, maps)
		if err != nil {
			return err
		}
		defer b.Delete()
		answers, err := b.Query(0, []mgl64.Vec2{{2, 2}, {3, 5}, {6, 3}, {-1, 0}})
		if err != nil {
			return err
		}
		seen, err := b.InSight(1, [][2]mgl64.Vec2{{{1, 1}, {11, 5}}, {{1, 1}, {2, 5}}})
		fmt.Fprint(sum, answers, seen)
		return err
	})
	call("Dispatch and DispatchSight", func() error {
		b, err := spm.NewBatch(g.device, maps)
		if err != nil {
			return err
		}
		defer b.Delete()
		points, replies, pairs, sights := room[[2]float32](t, g.device), room[spm.Reply](t, g.device), room[[4]float32](t, g.device), room[uint32](t, g.device)
		points.Write(0, [][2]float32{{1, 1}, {2, 5}, {6, 3}, {11, 1}})
		pairs.Write(0, [][4]float32{{1, 1, 2, 5}, {1, 1, 11, 5}})
		if err := errors.Join(b.Dispatch(0, points, replies, 4), b.DispatchSight(1, pairs, sights, 2)); err != nil {
			return err
		}
		answers, seen := make([]spm.Reply, 4), make([]uint32, 2)
		replies.Read(0, answers)
		sights.Read(0, seen)
		fmt.Fprint(sum, answers, seen)
		return nil
	})
	call("Edit of a local map", func() error {
		local, _ := engine.LocalMap(w, 1)
		local.Cells = 13
		return engine.SetLocalMap(w, 1, &local)
	})
	call("Measure", func() error { return w.Crowd().Measure(true) })
	call("Step with other local maps", w.Step)
	call("CountersNow", func() error { fmt.Fprint(sum, w.Crowd().CountersNow()); return nil })
	call("Read of a walker", func() error {
		walker, potential := w.LocalMaps().Read(0)
		fmt.Fprint(sum, walker, potential)
		return nil
	})
	call("Relax", func() error {
		m, err := w.HarmonicMap(east)
		if err != nil {
			return err
		}
		m.Relax(1)
		ascents := make([]harmonic.Ascent, m.Ascents().Len())
		m.Ascents().Read(0, ascents)
		fmt.Fprint(sum, ascents)
		return nil
	})
	call("Hash", func() error { hash, err := w.Hash(); fmt.Fprint(sum, hash); return err })
	call("Read", func() error {
		parents, field := make([]uint32, maps.Extent.Columns*maps.Extent.Rows), make([][4]float32, maps.Extent.Columns*maps.Extent.Rows)
		for layer := range maps.Layers {
			maps.Parents.Read(layer, parents)
			maps.Field.Read(layer, field)
			fmt.Fprint(sum, parents, field)
		}
		return nil
	})
	call("Draw", func() error {
		ways, err := w.Crowd().Follow([]int{0, 3})
		if err != nil {
			return err
		}
		defer ways.Delete()
		if err := ways.Update(); err != nil {
			return err
		}
		trails, err := render.NewTrails(g.device, w.Buffers().Agents, func(agents.Traits) color.RGBA { return color.RGBA{200, 0, 0, 255} })
		if err != nil {
			return err
		}
		defer trails.Delete()
		trails.Extend(w.Buffers().Agents, 0.1)
		layers := render.Layers(1<<len(render.LayerNames()) - 1)
		potential, err := w.HarmonicMap(east)
		if err != nil {
			return err
		}
		p := render.Picture{
			Target: g.target, Camera: render.Fit(g.scene.Min(), g.scene.Max(), 64, 32, 0), Layers: layers, Map: maps,
			Sources: []mgl64.Vec2{{11, 3}}, Crowd: w.Buffers().Agents, Paths: ways, Trails: trails, Panels: []render.Panel{{Lines: []string{"guest"}}},
			Potential: potential, LocalMaps: w.LocalMaps(), Timestep: 0.1, Agent: 12, Teams: w.Teams(),
		}
		if err := g.renderer.Draw(p); err != nil {
			return err
		}
		_, err = sum.Write(g.target.ReadRGBA().Pix)
		p.Relief = true
		return errors.Join(err, g.renderer.Draw(p))
	})
	call("ReadRGBA", func() error { _, err := sum.Write(g.target.ReadRGBA().Pix); return err })
	call("Close", w.Close)
}

// hostile is a state that a host may have, other than OpenGL begins with. The function returns what
// ends it.
type hostile struct {
	name string
	set  func() (undo func())
}

// objects are of the host's, for bindings.
type objects struct {
	buffer, sampler, vertexArray, framebuffer, renderbuffer, program, pipeline, feedback, timer uint32
	flat, array, cube, solid, texels                                                            uint32
}

func newObjects(t testing.TB) (o objects) {
	gl.CreateBuffers(1, &o.buffer)
	gl.NamedBufferStorage(o.buffer, 1<<16, nil, gl.DYNAMIC_STORAGE_BIT)
	gl.CreateSamplers(1, &o.sampler)
	for name, value := range map[uint32]int32{
		gl.TEXTURE_MIN_FILTER: gl.LINEAR_MIPMAP_LINEAR, gl.TEXTURE_MAG_FILTER: gl.LINEAR, gl.TEXTURE_WRAP_S: gl.REPEAT,
		gl.TEXTURE_WRAP_T: gl.MIRRORED_REPEAT, gl.TEXTURE_COMPARE_MODE: gl.COMPARE_REF_TO_TEXTURE,
	} {
		gl.SamplerParameteri(o.sampler, name, value)
	}
	gl.CreateVertexArrays(1, &o.vertexArray)
	gl.VertexArrayElementBuffer(o.vertexArray, o.buffer)
	for i := range uint32(8) {
		gl.EnableVertexArrayAttrib(o.vertexArray, i)
		gl.VertexArrayVertexBuffer(o.vertexArray, i, o.buffer, 16, 12)
		gl.VertexArrayAttribBinding(o.vertexArray, i, 7-i)
		gl.VertexArrayBindingDivisor(o.vertexArray, i, i)
	}
	o.framebuffer = hostFramebuffer()
	gl.CreateRenderbuffers(1, &o.renderbuffer)
	o.program = hostProgram(t, false)
	gl.CreateProgramPipelines(1, &o.pipeline)
	gl.UseProgramStages(o.pipeline, gl.VERTEX_SHADER_BIT|gl.FRAGMENT_SHADER_BIT, hostProgram(t, true))
	gl.CreateTransformFeedbacks(1, &o.feedback)
	gl.TransformFeedbackBufferBase(o.feedback, 0, o.buffer)
	gl.CreateQueries(gl.TIME_ELAPSED, 1, &o.timer)
	for target, name := range map[uint32]*uint32{gl.TEXTURE_2D: &o.flat, gl.TEXTURE_CUBE_MAP: &o.cube} {
		gl.CreateTextures(target, 1, name)
		gl.TextureStorage2D(*name, 2, gl.RGBA32F, 4, 4)
	}
	for target, name := range map[uint32]*uint32{gl.TEXTURE_2D_ARRAY: &o.array, gl.TEXTURE_3D: &o.solid} {
		gl.CreateTextures(target, 1, name)
		gl.TextureStorage3D(*name, 1, gl.R32UI, 4, 4, 4)
	}
	gl.CreateTextures(gl.TEXTURE_BUFFER, 1, &o.texels)
	gl.TextureBuffer(o.texels, gl.RGBA32F, o.buffer)
	return o
}

// hostProgram is a program with a uniform, subroutines and a varying that can be captured.
func hostProgram(t testing.TB, separable bool) uint32 {
	program := gl.CreateProgram()
	if separable {
		gl.ProgramParameteri(program, gl.PROGRAM_SEPARABLE, gl.TRUE)
	}
	for kind, text := range map[uint32]string{
		gl.VERTEX_SHADER: `#version 450 core
			out gl_PerVertex { vec4 gl_Position; };
			out float kept;
			void main() { kept = 1; gl_Position = vec4(0, 0, 0, 1); }`,
		gl.FRAGMENT_SHADER: `#version 450 core
			subroutine float Shade();
			subroutine(Shade) float dark() { return 0.25; }
			subroutine(Shade) float light() { return 0.75; }
			subroutine uniform Shade shade, other;
			uniform float gain;
			out vec4 colour;
			void main() { colour = vec4(gain * shade() + other()); }`,
	} {
		shader := gl.CreateShader(kind)
		source, free := gl.Strs(text + "\x00")
		gl.ShaderSource(shader, 1, source, nil)
		free()
		gl.CompileShader(shader)
		gl.AttachShader(program, shader)
		gl.DeleteShader(shader)
	}
	varying, free := gl.Strs("kept\x00")
	gl.TransformFeedbackVaryings(program, 1, varying, gl.INTERLEAVED_ATTRIBS)
	free()
	gl.LinkProgram(program)
	var ok int32
	if gl.GetProgramiv(program, gl.LINK_STATUS, &ok); ok == 0 {
		t.Fatal("the host's program does not link")
	}
	gl.ProgramUniform1f(program, 0, 3)
	return program
}

// chooseSubroutines has the current program or pipeline use other subroutines than it begins with,
// whichever those are.
func chooseSubroutines() {
	chosen := [2]uint32{1, 0}
	gl.UniformSubroutinesuiv(gl.FRAGMENT_SHADER, 2, &chosen[0])
}

// hostiles are values of everything that OpenGL 4.5 lets a host set, one by one.
func hostiles(o objects) (all []hostile) {
	add := func(name string, set, undo func()) {
		all = append(all, hostile{name, func() func() { set(); return undo }})
	}
	for unit := range uint32(8) {
		add(fmt.Sprintf("sampler object on unit %d", unit), func() { gl.BindSampler(unit, o.sampler) }, func() { gl.BindSampler(unit, 0) })
		for i, texture := range []uint32{o.flat, o.array, o.cube, o.solid, o.texels} {
			add(fmt.Sprintf("texture %d on unit %d", i, unit), func() { gl.BindTextureUnit(unit, texture) }, func() { gl.BindTextureUnit(unit, 0) })
		}
		add(fmt.Sprintf("image on unit %d", unit), func() { gl.BindImageTexture(unit, o.array, 0, false, 2, gl.WRITE_ONLY, gl.R32I) },
			func() { gl.BindImageTexture(unit, 0, 0, false, 0, gl.READ_ONLY, gl.R8) })
	}
	for binding := range uint32(8) {
		for name, target := range map[string]uint32{"storage": gl.SHADER_STORAGE_BUFFER, "uniform": gl.UNIFORM_BUFFER} {
			add(fmt.Sprintf("%s buffer %d", name, binding), func() { gl.BindBufferBase(target, binding, o.buffer) }, func() { gl.BindBufferBase(target, binding, 0) })
			add(fmt.Sprintf("range of %s buffer %d", name, binding), func() { gl.BindBufferRange(target, binding, o.buffer, 256, 1024) },
				func() { gl.BindBufferBase(target, binding, 0) })
		}
	}
	for _, target := range []uint32{
		gl.ARRAY_BUFFER, gl.ATOMIC_COUNTER_BUFFER, gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, gl.DISPATCH_INDIRECT_BUFFER, gl.DRAW_INDIRECT_BUFFER,
		gl.PIXEL_PACK_BUFFER, gl.PIXEL_UNPACK_BUFFER, gl.QUERY_BUFFER, gl.SHADER_STORAGE_BUFFER, gl.TEXTURE_BUFFER, gl.UNIFORM_BUFFER,
	} {
		add(fmt.Sprintf("buffer of target 0x%04X", target), func() { gl.BindBuffer(target, o.buffer) }, func() { gl.BindBuffer(target, 0) })
	}
	add("atomic counters", func() { gl.BindBufferRange(gl.ATOMIC_COUNTER_BUFFER, 0, o.buffer, 4, 8) }, func() { gl.BindBufferBase(gl.ATOMIC_COUNTER_BUFFER, 0, 0) })
	store := func(name uint32, value, back int32) {
		add(fmt.Sprintf("pixel store 0x%04X", name), func() { gl.PixelStorei(name, value) }, func() { gl.PixelStorei(name, back) })
	}
	for _, names := range [][2]uint32{
		{gl.PACK_SWAP_BYTES, gl.UNPACK_SWAP_BYTES},
		{gl.PACK_LSB_FIRST, gl.UNPACK_LSB_FIRST},
		{gl.PACK_SKIP_PIXELS, gl.UNPACK_SKIP_PIXELS},
		{gl.PACK_SKIP_ROWS, gl.UNPACK_SKIP_ROWS},
		{gl.PACK_SKIP_IMAGES, gl.UNPACK_SKIP_IMAGES},
		{gl.PACK_COMPRESSED_BLOCK_WIDTH, gl.UNPACK_COMPRESSED_BLOCK_WIDTH},
		{gl.PACK_COMPRESSED_BLOCK_HEIGHT, gl.UNPACK_COMPRESSED_BLOCK_HEIGHT},
		{gl.PACK_COMPRESSED_BLOCK_DEPTH, gl.UNPACK_COMPRESSED_BLOCK_DEPTH},
		{gl.PACK_COMPRESSED_BLOCK_SIZE, gl.UNPACK_COMPRESSED_BLOCK_SIZE},
	} {
		store(names[0], 1, 0)
		store(names[1], 1, 0)
	}
	for _, name := range []uint32{gl.UNPACK_SKIP_PIXELS, gl.PACK_ROW_LENGTH, gl.UNPACK_ROW_LENGTH, gl.PACK_IMAGE_HEIGHT, gl.UNPACK_IMAGE_HEIGHT} {
		store(name, 5, 0)
	}
	store(gl.PACK_ALIGNMENT, 8, 4)
	store(gl.UNPACK_ALIGNMENT, 8, 4)
	for _, name := range []uint32{
		gl.BLEND, gl.COLOR_LOGIC_OP, gl.CULL_FACE, gl.DEPTH_CLAMP, gl.DEPTH_TEST, gl.FRAMEBUFFER_SRGB, gl.LINE_SMOOTH, gl.POLYGON_OFFSET_FILL,
		gl.POLYGON_OFFSET_LINE, gl.POLYGON_OFFSET_POINT, gl.POLYGON_SMOOTH, gl.PRIMITIVE_RESTART, gl.PRIMITIVE_RESTART_FIXED_INDEX,
		gl.PROGRAM_POINT_SIZE, gl.RASTERIZER_DISCARD, gl.SAMPLE_ALPHA_TO_COVERAGE, gl.SAMPLE_ALPHA_TO_ONE, gl.SAMPLE_COVERAGE, gl.SAMPLE_MASK,
		gl.SAMPLE_SHADING, gl.SCISSOR_TEST, gl.STENCIL_TEST, gl.TEXTURE_CUBE_MAP_SEAMLESS,
		gl.CLIP_DISTANCE0, gl.CLIP_DISTANCE1, gl.CLIP_DISTANCE2, gl.CLIP_DISTANCE3, gl.CLIP_DISTANCE4, gl.CLIP_DISTANCE5, gl.CLIP_DISTANCE6, gl.CLIP_DISTANCE7,
	} {
		add(fmt.Sprintf("capability 0x%04X", name), func() { gl.Enable(name) }, func() { gl.Disable(name) })
	}
	add("no dithering", func() { gl.Disable(gl.DITHER) }, func() { gl.Enable(gl.DITHER) })
	add("no multisampling", func() { gl.Disable(gl.MULTISAMPLE) }, func() { gl.Enable(gl.MULTISAMPLE) })
	for i := range uint32(8) {
		add(fmt.Sprintf("colour mask %d", i), func() { gl.ColorMaski(i, false, true, false, i == 0) }, func() { gl.ColorMaski(i, true, true, true, true) })
		add(fmt.Sprintf("blend %d", i), func() {
			gl.Enablei(gl.BLEND, i)
			gl.BlendFuncSeparatei(i, gl.ZERO, gl.ZERO, gl.ONE, gl.DST_COLOR)
			gl.BlendEquationSeparatei(i, gl.FUNC_REVERSE_SUBTRACT, gl.MAX)
		}, func() {
			gl.Disablei(gl.BLEND, i)
			gl.BlendFunci(i, gl.ONE, gl.ZERO)
			gl.BlendEquationi(i, gl.FUNC_ADD)
		})
	}
	for i := range uint32(16) {
		box := float32(i + 1)
		add(fmt.Sprintf("viewport %d", i), func() { gl.ViewportIndexedf(i, box, 2, 3.5, 4) }, func() { gl.ViewportIndexedf(i, 0, 0, 0, 0) })
		add(fmt.Sprintf("depth range %d", i), func() { gl.DepthRangeIndexed(i, 1, 0.125) }, func() { gl.DepthRangeIndexed(i, 0, 1) })
		add(fmt.Sprintf("scissor %d", i), func() { gl.ScissorIndexed(i, int32(i), 2, 1, 1); gl.Enablei(gl.SCISSOR_TEST, i) },
			func() { gl.ScissorIndexed(i, 0, 0, 0, 0); gl.Disablei(gl.SCISSOR_TEST, i) })
	}
	add("depth function", func() { gl.DepthFunc(gl.NEVER) }, func() { gl.DepthFunc(gl.LESS) })
	add("depth mask", func() { gl.DepthMask(false) }, func() { gl.DepthMask(true) })
	add("stencil", func() {
		// The reference is reported as far as the framebuffer's stencil holds it.
		gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, o.framebuffer)
		gl.StencilFuncSeparate(gl.FRONT, gl.NEVER, 200, 0x55)
		gl.StencilFuncSeparate(gl.BACK, gl.GREATER, 100, 0xffffffff)
		gl.StencilOpSeparate(gl.FRONT, gl.INVERT, gl.REPLACE, gl.INCR)
		gl.StencilOpSeparate(gl.BACK, gl.DECR, gl.ZERO, gl.INCR_WRAP)
		gl.StencilMaskSeparate(gl.FRONT, 0)
		gl.StencilMaskSeparate(gl.BACK, 0x80000001)
	}, func() {
		gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)
		gl.StencilFunc(gl.ALWAYS, 0, math.MaxUint32)
		gl.StencilOp(gl.KEEP, gl.KEEP, gl.KEEP)
		gl.StencilMask(math.MaxUint32)
	})
	add("stencil without a framebuffer", func() { gl.StencilFunc(gl.EQUAL, 77, 3) }, func() { gl.StencilFunc(gl.ALWAYS, 0, math.MaxUint32) })
	for name, set := range map[string][2]func(){
		"clip control":   {func() { gl.ClipControl(gl.UPPER_LEFT, gl.NEGATIVE_ONE_TO_ONE) }, func() { gl.ClipControl(gl.LOWER_LEFT, gl.NEGATIVE_ONE_TO_ONE) }},
		"polygon mode":   {func() { gl.PolygonMode(gl.FRONT_AND_BACK, gl.LINE) }, func() { gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL) }},
		"polygon offset": {func() { gl.PolygonOffset(7, 1e6); gl.Enable(gl.POLYGON_OFFSET_FILL) }, func() { gl.PolygonOffset(0, 0); gl.Disable(gl.POLYGON_OFFSET_FILL) }},
		"offset of points and lines": {func() {
			gl.PolygonOffset(-7, -1e6)
			gl.Enable(gl.POLYGON_OFFSET_POINT)
			gl.Enable(gl.POLYGON_OFFSET_LINE)
		}, func() {
			gl.PolygonOffset(0, 0)
			gl.Disable(gl.POLYGON_OFFSET_POINT)
			gl.Disable(gl.POLYGON_OFFSET_LINE)
		}},
		"culling":            {func() { gl.Enable(gl.CULL_FACE); gl.CullFace(gl.FRONT_AND_BACK); gl.FrontFace(gl.CW) }, func() { gl.Disable(gl.CULL_FACE); gl.CullFace(gl.BACK); gl.FrontFace(gl.CCW) }},
		"logic operation":    {func() { gl.Enable(gl.COLOR_LOGIC_OP); gl.LogicOp(gl.CLEAR) }, func() { gl.Disable(gl.COLOR_LOGIC_OP); gl.LogicOp(gl.COPY) }},
		"line width":         {func() { gl.LineWidth(4) }, func() { gl.LineWidth(1) }},
		"point size":         {func() { gl.PointSize(9) }, func() { gl.PointSize(1) }},
		"point fade":         {func() { gl.PointParameterf(gl.POINT_FADE_THRESHOLD_SIZE, 5) }, func() { gl.PointParameterf(gl.POINT_FADE_THRESHOLD_SIZE, 1) }},
		"point origin":       {func() { gl.PointParameteri(gl.POINT_SPRITE_COORD_ORIGIN, gl.LOWER_LEFT) }, func() { gl.PointParameteri(gl.POINT_SPRITE_COORD_ORIGIN, gl.UPPER_LEFT) }},
		"provoking vertex":   {func() { gl.ProvokingVertex(gl.FIRST_VERTEX_CONVENTION) }, func() { gl.ProvokingVertex(gl.LAST_VERTEX_CONVENTION) }},
		"clamped reads":      {func() { gl.ClampColor(gl.CLAMP_READ_COLOR, gl.FALSE) }, func() { gl.ClampColor(gl.CLAMP_READ_COLOR, gl.FIXED_ONLY) }},
		"restart index":      {func() { gl.PrimitiveRestartIndex(1); gl.Enable(gl.PRIMITIVE_RESTART) }, func() { gl.PrimitiveRestartIndex(0); gl.Disable(gl.PRIMITIVE_RESTART) }},
		"patches":            {func() { gl.PatchParameteri(gl.PATCH_VERTICES, 5) }, func() { gl.PatchParameteri(gl.PATCH_VERTICES, 3) }},
		"blend colour":       {func() { gl.BlendColor(1, 2, 3, 4) }, func() { gl.BlendColor(0, 0, 0, 0) }},
		"clear values":       {func() { gl.ClearColor(1, 0, 1, 1); gl.ClearDepth(0.25); gl.ClearStencil(3) }, func() { gl.ClearColor(0, 0, 0, 0); gl.ClearDepth(1); gl.ClearStencil(0) }},
		"sample coverage":    {func() { gl.SampleCoverage(0, true); gl.Enable(gl.SAMPLE_COVERAGE) }, func() { gl.SampleCoverage(1, false); gl.Disable(gl.SAMPLE_COVERAGE) }},
		"sample mask":        {func() { gl.SampleMaski(0, 0); gl.Enable(gl.SAMPLE_MASK) }, func() { gl.SampleMaski(0, math.MaxUint32); gl.Disable(gl.SAMPLE_MASK) }},
		"sample shading":     {func() { gl.MinSampleShading(1); gl.Enable(gl.SAMPLE_SHADING) }, func() { gl.MinSampleShading(0); gl.Disable(gl.SAMPLE_SHADING) }},
		"active texture":     {func() { gl.ActiveTexture(gl.TEXTURE5) }, func() { gl.ActiveTexture(gl.TEXTURE0) }},
		"vertex array":       {func() { gl.BindVertexArray(o.vertexArray) }, func() { gl.BindVertexArray(0) }},
		"framebuffer":        {func() { gl.BindFramebuffer(gl.FRAMEBUFFER, o.framebuffer) }, func() { gl.BindFramebuffer(gl.FRAMEBUFFER, 0) }},
		"read framebuffer":   {func() { gl.BindFramebuffer(gl.READ_FRAMEBUFFER, o.framebuffer) }, func() { gl.BindFramebuffer(gl.READ_FRAMEBUFFER, 0) }},
		"renderbuffer":       {func() { gl.BindRenderbuffer(gl.RENDERBUFFER, o.renderbuffer) }, func() { gl.BindRenderbuffer(gl.RENDERBUFFER, 0) }},
		"program":            {func() { gl.UseProgram(o.program); chooseSubroutines() }, func() { gl.UseProgram(0) }},
		"pipeline":           {func() { gl.BindProgramPipeline(o.pipeline); chooseSubroutines() }, func() { gl.BindProgramPipeline(0) }},
		"attribute's value":  {func() { gl.VertexAttrib4f(3, 1, 2, 3, 4) }, func() { gl.VertexAttrib4f(3, 0, 0, 0, 1) }},
		"query of time":      {func() { gl.BeginQuery(gl.TIME_ELAPSED, o.timer) }, func() { gl.EndQuery(gl.TIME_ELAPSED) }},
		"transform feedback": {func() { gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, o.feedback) }, func() { gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, 0) }},
		"paused feedback": {func() {
			gl.UseProgram(o.program)
			gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, o.feedback)
			gl.BeginTransformFeedback(gl.POINTS)
			gl.PauseTransformFeedback()
		}, func() {
			gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, o.feedback)
			gl.EndTransformFeedback()
			gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, 0)
			gl.UseProgram(0)
		}},
		"debug output":      {func() { gl.Disable(gl.DEBUG_OUTPUT) }, func() { gl.Enable(gl.DEBUG_OUTPUT) }},
		"synchronous debug": {func() { gl.Enable(gl.DEBUG_OUTPUT_SYNCHRONOUS) }, func() { gl.Disable(gl.DEBUG_OUTPUT_SYNCHRONOUS) }},
		"full stack of debug groups": {func() {
			for depth := int32(1); depth < limit(gl.MAX_DEBUG_GROUP_STACK_DEPTH); depth++ {
				gl.PushDebugGroup(gl.DEBUG_SOURCE_APPLICATION, 1, 1, gl.Str("g\x00"))
			}
		}, func() {
			for depth := int32(1); depth < limit(gl.MAX_DEBUG_GROUP_STACK_DEPTH); depth++ {
				gl.PopDebugGroup()
			}
		}},
	} {
		add(name, set[0], set[1])
	}
	for _, name := range []uint32{gl.LINE_SMOOTH_HINT, gl.POLYGON_SMOOTH_HINT, gl.TEXTURE_COMPRESSION_HINT, gl.FRAGMENT_SHADER_DERIVATIVE_HINT} {
		add(fmt.Sprintf("hint 0x%04X", name), func() { gl.Hint(name, gl.FASTEST) }, func() { gl.Hint(name, gl.DONT_CARE) })
	}
	slices.SortFunc(all, func(a, b hostile) int { return strings.Compare(a.name, b.name) })
	return all
}

func limit(name uint32) int32 {
	var v [4]int32
	gl.GetIntegerv(name, &v[0])
	return v[0]
}

// TestHostState runs Wayfront in contexts in which a host has every other value. All state is after
// each run what it was before it, and what comes out is to the last bit what comes out of a context
// of Wayfront's own.
func TestHostState(t *testing.T) {
	var want []string
	gputest.Fresh(t, func(d *gpu.Device) {
		g := &guest{device: d, scene: readScene(t, guestScene), target: gpu.HostTarget(d, hostFramebuffer(), 64, 32)}
		var err error
		if g.renderer, err = render.New(d); err != nil {
			t.Fatal(err)
		}
		g.run(t, false)
		want = g.trace
	})
	gputest.Host(t, func(*headless.Context) {
		g := newGuest(t, guestScene)
		if g.run(t, true); !slices.Equal(g.trace, want) {
			t.Errorf("a guest differs: %q, want %q", g.trace, want)
		}
		all := hostiles(newObjects(t))
		random := rand.New(rand.NewPCG(1, 2))
		for i := range 4 {
			var some []hostile
			for _, k := range random.Perm(len(all))[:10+random.IntN(len(all)-10)] {
				some = append(some, all[k])
			}
			g.under(t, fmt.Sprintf("combination %d", i), some, func() {
				if g.run(t, false); !slices.Equal(g.trace, want) {
					t.Errorf("%s differs: %q, want %q", g.name, g.trace, want)
				}
			})
		}
	})
}

// under runs f while hostile values are set, and checks that all state stays.
func (g *guest) under(t *testing.T, name string, some []hostile, f func()) {
	t.Helper()
	var undo []func()
	for _, h := range some {
		undo = append(undo, h.set())
	}
	for gl.GetError() != gl.NO_ERROR { // values that do not go together
	}
	g.before, g.name = g.reader.read(), name
	f()
	g.check(t, "a run with "+name)
	for _, end := range slices.Backward(undo) {
		end()
	}
}

// TestEachHostState runs a world through as many ticks as a host has other values, with one of them
// each, and compares every tick with that of an undisturbed run. Each tick has an edit of a goal,
// whose map is built and drawn.
func TestEachHostState(t *testing.T) {
	const scene = `{
	  "version": 1, "domain": [0, 0, 8, 4], "obstacles": [{"rect": [3, 1, 4, 3]}],
	  "goals": [{"id": "east", "points": [[7, 2]]}, {"id": "west", "points": [[1, 2]]}],
	  "profiles": [{"id": "orca", "avoidance": "orca"}, {"id": "bvp", "steering": "bvp", "bvp": {"cells": 7, "relaxations": 2}}],
	  "groups": [
	    {"profile": "orca", "count": 6, "spawn": {"rect": [0.5, 0.5, 2.5, 3.5]}, "itinerary": ["east", "west"], "onArrival": "loop"},
	    {"profile": "bvp", "count": 2, "spawn": {"rect": [5, 1, 7, 3]}, "itinerary": ["west", "east"], "onArrival": "loop"}
	  ],
	  "map": {"size": 24}
	}`
	begin := func(g *guest) *engine.World {
		w, err := engine.New(g.device, g.scene, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	tick := func(g *guest, w *engine.World, i int) uint64 {
		sum := fnv.New64a()
		east := w.Goals()[0]
		_, err := w.Edit(func(e *engine.Edit) error { e.SetSources(east, at(mgl64.Vec2{7, 1 + float64(i%20)/10})); return nil })
		if err == nil {
			err = w.Step()
		}
		for err == nil && w.Building() {
			g.device.Finish()
			err = w.Poll()
		}
		if err != nil {
			t.Fatalf("tick %d with %s: %v", i, g.name, err)
		}
		maps := w.Buffers().Maps
		field := make([][4]float32, maps.Extent.Columns*maps.Extent.Rows)
		maps.Field.Read(0, field)
		camera := render.Fit(g.scene.Min(), g.scene.Max(), 64, 32, 0)
		layers := render.Regions | render.Obstacles | render.Agents
		err = g.renderer.Draw(render.Picture{Target: g.target, Camera: camera, Layers: layers, Map: maps, Crowd: w.Buffers().Agents})
		if err != nil {
			t.Fatalf("tick %d with %s: %v", i, g.name, err)
		}
		fmt.Fprint(sum, hashOf(t, w), field, g.target.ReadRGBA().Pix)
		return sum.Sum64()
	}
	gputest.Host(t, func(*headless.Context) {
		g := newGuest(t, scene)
		all := hostiles(newObjects(t))
		want := make([]uint64, len(all))
		w := begin(g)
		for i := range want {
			want[i] = tick(g, w, i)
		}
		w = begin(g)
		for i, h := range all {
			g.under(t, h.name, []hostile{h}, func() {
				if got := tick(g, w, i); got != want[i] {
					t.Fatalf("tick %d with %s ends in %x, without in %x", i, h.name, got, want[i])
				}
			})
		}
	})
}

// refusals are what a host may be in the middle of that cannot be put aside.
func refusals(t testing.TB, o objects) map[string][2]func() {
	all := map[string][2]func(){
		"transform feedback": {func() {
			gl.UseProgram(o.program)
			gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, o.feedback)
			gl.BeginTransformFeedback(gl.POINTS)
		}, func() {
			gl.EndTransformFeedback()
			gl.BindTransformFeedback(gl.TRANSFORM_FEEDBACK, 0)
			gl.UseProgram(0)
		}},
		"a deleted program": {func() { p := hostProgram(t, false); gl.UseProgram(p); gl.DeleteProgram(p) }, func() { gl.UseProgram(0) }},
	}
	for name, target := range map[string]uint32{
		"samples": gl.SAMPLES_PASSED, "any samples": gl.ANY_SAMPLES_PASSED, "any samples, conservative": gl.ANY_SAMPLES_PASSED_CONSERVATIVE,
		"primitives": gl.PRIMITIVES_GENERATED, "primitives written": gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
	} {
		var query uint32
		gl.CreateQueries(target, 1, &query)
		all["a query of "+name] = [2]func(){func() { gl.BeginQuery(target, query) }, func() { gl.EndQuery(target) }}
	}
	for _, target := range []uint32{gl.PRIMITIVES_GENERATED, gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN} {
		var query uint32
		gl.CreateQueries(target, 1, &query)
		all[fmt.Sprintf("a query 0x%04X of stream 2", target)] = [2]func(){
			func() { gl.BeginQueryIndexed(target, 2, query) }, func() { gl.EndQueryIndexed(target, 2) },
		}
	}
	for _, mode := range []uint32{gl.QUERY_WAIT, gl.QUERY_NO_WAIT, gl.QUERY_BY_REGION_WAIT} {
		var query uint32
		gl.CreateQueries(gl.SAMPLES_PASSED, 1, &query)
		gl.BeginQuery(gl.SAMPLES_PASSED, query) // nothing passes
		gl.EndQuery(gl.SAMPLES_PASSED)
		all[fmt.Sprintf("conditional rendering 0x%04X", mode)] = [2]func(){func() { gl.BeginConditionalRender(query, mode) }, gl.EndConditionalRender}
	}
	return all
}

// inGuest runs f with a world of the small scene in a host's context.
func inGuest(t *testing.T, f func(c *headless.Context, g *guest, w *engine.World)) {
	t.Helper()
	gputest.Host(t, func(c *headless.Context) {
		g := &guest{scene: readScene(t, rooms2), reader: newStateReader()}
		var err error
		if g.device, err = gpu.New(gpu.Options{}); err != nil {
			t.Fatal(err)
		}
		w, err := engine.New(g.device, g.scene, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f(c, g, w)
	})
}

// refused checks that no call on the world does anything but return an error of a type.
func refused[E error](t *testing.T, name string, w *engine.World) {
	t.Helper()
	ticks := w.Ticks()
	for call, f := range map[string]func() error{
		"Step": w.Step, "Poll": w.Poll, "Apply": w.Apply,
		"Advance": func() error { _, err := w.Advance(time.Second); return err },
		"View":    func() error { _, err := w.View(w.Goals()[0]); return err },
		"Edit":    func() error { m := scenes.Default[scenes.BVP](); return engine.SetLocalMap(w, 0, &m) },
		"Hash":    func() error { _, err := w.Hash(); return err },
	} {
		var want E
		if err := f(); !errors.As(err, &want) {
			t.Errorf("%s: %s returns %v, want a %T", name, call, err, want)
		}
	}
	if w.Ticks() != ticks {
		t.Errorf("%s: refused calls ran %d ticks", name, w.Ticks()-ticks)
	}
}

// TestHostIsRefused tries every call while the host is in the middle of something, and then
// without.
func TestHostIsRefused(t *testing.T) {
	var want uint64
	world(t, func(_ *gpu.Device, w *engine.World) {
		steps(t, w, 5)
		want = hashOf(t, w)
	})
	inGuest(t, func(_ *headless.Context, g *guest, w *engine.World) {
		o := newObjects(t)
		for name, r := range refusals(t, o) {
			r[0]()
			if code := gl.GetError(); code != gl.NO_ERROR {
				t.Fatalf("%s: error 0x%04X", name, code)
			}
			g.before = g.reader.read()
			refused[*gpu.StateError](t, name, w)
			if _, err := engine.New(g.device, g.scene, engine.Options{}); err == nil {
				t.Errorf("%s: New makes a world", name)
			}
			g.check(t, name)
			r[1]()
		}
		steps(t, w, 5)
		if got := hashOf(t, w); got != want {
			t.Errorf("afterwards 5 ticks end in %x, want %x", got, want)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestHostErrorsAreTheHosts leaves errors pending in the host's context.
func TestHostErrorsAreTheHosts(t *testing.T) {
	inGuest(t, func(_ *headless.Context, g *guest, w *engine.World) {
		var host *gpu.HostError
		gl.Enable(0xffff)
		if _, err := gpu.New(gpu.Options{}); !errors.As(err, &host) || !slices.Equal(host.Codes, []uint32{gl.INVALID_ENUM}) {
			t.Errorf("gpu.New with an error of the host's pending: %v", err)
		}
		gl.LineWidth(-1)
		if err := w.Step(); !errors.As(err, &host) || !slices.Equal(host.Codes, []uint32{gl.INVALID_VALUE}) || w.Ticks() != 0 {
			t.Errorf("Step with an error of the host's pending: %v, %d ticks", err, w.Ticks())
		}
		if err := w.Step(); err != nil || w.Ticks() != 1 {
			t.Errorf("the next Step: %v, %d ticks", err, w.Ticks())
		}
		// Deleting reads no errors: they wait for the host.
		gl.Enable(0xffff)
		if err := errors.Join(w.Close(), g.device.Close(), g.device.Err()); err != nil {
			t.Error(err)
		}
		if code := gl.GetError(); code != gl.INVALID_ENUM {
			t.Errorf("after Close the host finds error 0x%04X", code)
		}
	})
}

// TestHostHearsItsOwn has a host with a debug callback, which hears of its own errors and of
// nothing that Wayfront does.
func TestHostHearsItsOwn(t *testing.T) {
	gputest.Host(t, func(c *headless.Context) {
		var heard []string
		gl.DebugMessageCallback(func(_, _, _, _ uint32, _ int32, message string, _ unsafe.Pointer) { heard = append(heard, message) }, nil)
		gl.Enable(gl.DEBUG_OUTPUT_SYNCHRONOUS)
		gl.Enable(gl.DEBUG_OUTPUT)
		g := newGuest(t, rooms2)
		w, err := engine.New(g.device, g.scene, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		steps(t, w, 2)
		// A device of Wayfront's own in another context hears that context, and takes nothing from
		// this one.
		own, err := headless.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		if err := own.MakeCurrent(); err != nil {
			t.Fatal(err)
		}
		d, err := gpu.NewOwn()
		if err != nil {
			t.Fatal(err)
		}
		heard = nil
		gl.Enable(0xffff)
		var message *gpu.DebugError
		if err := d.Err(); !errors.As(err, &message) {
			t.Errorf("a device of its own context reports %v", err)
		}
		if err := d.Close(); err != nil || len(heard) > 0 {
			t.Errorf("Close: %v; the host has heard %q of another context", err, heard)
		}
		if err := c.MakeCurrent(); err != nil {
			t.Fatal(err)
		}
		g.check(t, "a device of another context")
		if err := errors.Join(w.Step(), w.Close(), g.device.Close()); err != nil {
			t.Error(err)
		}
		if len(heard) > 0 {
			t.Errorf("the host has heard %q, of what Wayfront does", heard)
		}
		gl.Enable(0xffff)
		if gl.GetError(); len(heard) != 1 {
			t.Errorf("of its own error the host has heard %q", heard)
		}
	})
}

// TestWrongContext uses a world where its context is not current, was destroyed, or has been
// replaced.
func TestWrongContext(t *testing.T) {
	check := func(t *testing.T, name string, kind gpu.ContextKind, d *gpu.Device, w *engine.World) {
		refused[*gpu.ContextError](t, name, w)
		var wrong *gpu.ContextError
		for call, err := range map[string]error{
			"Close": w.Close(), "Device.Close": d.Close(),
			"New": func() error { _, err := engine.New(d, w.Scene(), engine.Options{}); return err }(),
		} {
			if !errors.As(err, &wrong) || wrong.Kind != kind {
				t.Errorf("%s: %s returns %v, want a *gpu.ContextError of kind %d", name, call, err, kind)
			}
		}
	}
	inGuest(t, func(c *headless.Context, g *guest, w *engine.World) {
		done := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			defer close(done)
			check(t, "another thread", gpu.NoContext, g.device, w)
		}()
		<-done
		if err := c.Release(); err != nil {
			t.Fatal(err)
		}
		check(t, "a released context", gpu.NoContext, g.device, w)
		if _, err := gpu.New(gpu.Options{}); err == nil {
			t.Error("gpu.New without a context makes a device")
		}
		gputest.Host(t, func(*headless.Context) {
			check(t, "another context", gpu.OtherContext, g.device, w)
			// Of a device of its own, which has the same names.
			if _, err := gpu.New(gpu.Options{}); err != nil {
				t.Fatal(err)
			}
			check(t, "another context with a device", gpu.OtherContext, g.device, w)
			if code := gl.GetError(); code != gl.NO_ERROR {
				t.Errorf("the other context is left with error 0x%04X", code)
			}
		})
		// In its own context all goes on, and nothing wrong was kept.
		if err := c.MakeCurrent(); err != nil {
			t.Fatal(err)
		}
		v, err := w.View(w.Goals()[0])
		if err != nil {
			t.Fatal(err)
		}
		if path := v.Path(mgl64.Vec2{2, 2}); len(path) != 4 { // over both corners of the wall
			t.Errorf("the path is %v", path)
		}
		// A view that is made stays good. Of a map that is new there is none.
		if _, err := w.Edit(func(e *engine.Edit) error { e.SetSources(w.Goals()[0], at(mgl64.Vec2{15, 9})); return nil }); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 2)
		c.Close()
		check(t, "a destroyed context", gpu.NoContext, g.device, w)
		gputest.Host(t, func(*headless.Context) {
			if _, err := gpu.New(gpu.Options{}); err != nil {
				t.Fatal(err)
			}
			check(t, "a context made afterwards", gpu.OtherContext, g.device, w)
		})
	})
}

// TestThreadsOfTheirOwn makes devices and worlds on several threads at a time.
func TestThreadsOfTheirOwn(t *testing.T) {
	hashes := make(chan uint64)
	for range 3 {
		go func() {
			var hash uint64
			defer func() { hashes <- hash }()
			gputest.Host(t, func(*headless.Context) {
				d, err := gpu.New(gpu.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				w, err := engine.New(d, readScene(t, rooms2), engine.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				for range 3 {
					if err := w.Step(); err != nil {
						t.Error(err)
					}
				}
				hash = hashOf(t, w)
				if err := errors.Join(w.Close(), d.Close()); err != nil {
					t.Error(err)
				}
			})
		}()
	}
	if a, b, c := <-hashes, <-hashes, <-hashes; a != b || b != c {
		t.Errorf("three threads end in %x, %x and %x", a, b, c)
	}
}

// TestWorldsShareADevice runs two worlds, of other scenes, sizes and avoidance, in turns. Their
// programs are the same, and each comes out as it does alone.
func TestWorldsShareADevice(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		texts := []string{guestScene, strings.Replace(rooms2, `"avoidance": "none"`, `"avoidance": "orca"`, 1)}
		open := func(i int) *engine.World {
			w, err := engine.New(d, readScene(t, texts[i]), engine.Options{MapSize: 48 + 16*i})
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		act := func(w *engine.World, tick int) {
			if tick == 3 {
				goal := w.Goals()[0]
				if _, err := w.Edit(func(e *engine.Edit) error { e.SetSources(goal, at(mgl64.Vec2{11, 5})); return nil }); err != nil {
					t.Fatal(err)
				}
			}
			steps(t, w, 1)
			if err := w.Poll(); err != nil {
				t.Fatal(err)
			}
		}
		var alone [2]uint64
		for i := range alone {
			w := open(i)
			for tick := range 12 {
				act(w, tick)
			}
			alone[i] = hashOf(t, w)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		w := [2]*engine.World{open(0), open(1)}
		for tick := range 12 {
			act(w[tick%2], tick)
			act(w[1-tick%2], tick)
		}
		for i := range w {
			if got := hashOf(t, w[i]); got != alone[i] {
				t.Errorf("world %d ends in %x beside another, in %x alone", i, got, alone[i])
			}
			if err := w[i].Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// panicked is the error that f panics with; nil where it does not, or with something else.
func panicked(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

// failed is the error of a call that has a result too.
func failed[T any](_ T, err error) error { return err }

// TestPartsAfterClose uses what a world has handed out before it was closed, and what it hands out
// afterwards.
func TestPartsAfterClose(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, readScene(t, guestScene), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		steps(t, w, 3)
		maps := w.Buffers().Maps
		batch, err := spm.NewBatch(d, maps)
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Delete()
		ways, err := w.Crowd().Follow([]int{0})
		if err != nil {
			t.Fatal(err)
		}
		list, err := w.Crowd().NewDrawList(3)
		if err != nil {
			t.Fatal(err)
		}
		west, _ := w.Goal("west")
		whole, err := w.HarmonicMap(west)
		if err != nil || whole == nil {
			t.Fatalf("the harmonic map: %v, %v", whole, err)
		}
		view, err := w.View(west)
		if err != nil {
			t.Fatal(err)
		}
		point := []mgl64.Vec2{{2, 3}}
		before := view.Query(point[0])
		points, pairs, sights, replies := room[[2]float32](t, d), room[[4]float32](t, d), room[uint32](t, d), room[spm.Reply](t, d)
		crowd, local, teams := w.Crowd(), w.LocalMaps(), w.Teams()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for call, errs := range map[string][2]error{
			"Query":         {failed(batch.Query(0, point)), spm.ErrDeleted},
			"empty Query":   {failed(batch.Query(0, nil)), spm.ErrDeleted},
			"InSight":       {failed(batch.InSight(0, [][2]mgl64.Vec2{{}})), spm.ErrDeleted},
			"Dispatch":      {batch.Dispatch(0, points, replies, 1), spm.ErrDeleted},
			"DispatchSight": {batch.DispatchSight(0, pairs, sights, 1), spm.ErrDeleted},
			"NewBatch":      {failed(spm.NewBatch(d, w.Buffers().Maps)), spm.ErrDeleted},
			"Map.View":      {panicked(func() { maps.View(0) }), spm.ErrDeleted},
			"Map.Ground":    {panicked(func() { maps.Ground(0) }), spm.ErrDeleted},
			"Follow":        {failed(w.Crowd().Follow([]int{0})), agents.ErrDeleted},
			"Update":        {ways.Update(), agents.ErrDeleted},
			"NewDrawList":   {failed(w.Crowd().NewDrawList(3)), agents.ErrDeleted},
			"Update a list": {list.Update(agents.Everywhere), agents.ErrDeleted},
			"Measure":       {crowd.Measure(true), agents.ErrDeleted},
			"SetLaunch":     {crowd.SetLaunch(agents.LaunchNested), agents.ErrDeleted},
			"Snapshot":      {panicked(func() { crowd.Snapshot(make([]agents.Agent, crowd.Count())) }), agents.ErrDeleted},
			"CountersNow":   {panicked(func() { crowd.CountersNow() }), agents.ErrDeleted},
			"Read":          {panicked(func() { local.Read(0) }), bvp.ErrClosed},
			"Converge":      {panicked(whole.Converge), bvp.ErrClosed},
			"Add":           {teams.Add(1), bvp.ErrClosed},
			"MarkStale":     {teams.MarkStale([]int{0}), bvp.ErrClosed},
			"Relax":         {panicked(func() { teams.Relax(1) }), bvp.ErrClosed},
		} {
			if !errors.Is(errs[0], errs[1]) {
				t.Errorf("%s after Close: %v, not %v", call, errs[0], errs[1])
			}
		}
		if bytes := maps.Bytes(); bytes != 0 {
			t.Errorf("the deleted map takes %d bytes", bytes)
		}
		if after := view.Query(point[0]); after != before {
			t.Errorf("the view answers %v after Close, %v before", after, before)
		}
		ways.Delete()
		list.Delete()
		if err := d.Err(); err != nil {
			t.Error(err)
		}
	})
}

// TestAfterClose calls everything on a closed world.
func TestAfterClose(t *testing.T) {
	world(t, func(_ *gpu.Device, w *engine.World) {
		obstacle, goal := w.Obstacles()[0], w.Goals()[0]
		if err := errors.Join(w.Close(), w.Close()); err != nil {
			t.Fatal(err)
		}
		for call, err := range map[string]error{
			"Step": w.Step(), "Poll": w.Poll(), "Apply": w.Apply(), "Edit": failed(w.Edit(func(*engine.Edit) error { return nil })),
			"Advance": func() error { _, err := w.Advance(time.Second); return err }(),
			"View":    func() error { _, err := w.View(w.Goals()[0]); return err }(),
			"Sources": failed(w.Sources(goal)), "HarmonicMap": failed(w.HarmonicMap(goal)),
			"ObstacleState": failed(w.ObstacleState(obstacle)),
			"Hash":          failed(w.Hash()),
		} {
			if !errors.Is(err, engine.ErrClosed) {
				t.Errorf("%s after Close returns %v", call, err)
			}
		}
	})
}

// TestNestedEdit changes a world inside of an Edit.
func TestNestedEdit(t *testing.T) {
	world(t, func(_ *gpu.Device, w *engine.World) {
		var late *engine.Edit
		_, err := w.Edit(func(e *engine.Edit) error {
			late = e
			for call, err := range map[string]error{
				"Edit": failed(w.Edit(func(*engine.Edit) error { return nil })), "Step": w.Step(), "Poll": w.Poll(), "Apply": w.Apply(), "Close": w.Close(),
				"Advance": func() error { _, err := w.Advance(time.Second); return err }(),
			} {
				var usage *engine.UsageError
				if !errors.As(err, &usage) || usage.Call != call {
					t.Errorf("%s inside of an Edit returns %v", call, err)
				}
			}
			e.AddObstacle(scenes.Obstacle{}.Shaped(geom.Polygon{Outer: geom.Ring{{1, 1}, {2, 1}, {2, 2}, {1, 2}}}))
			return nil
		})
		if err != nil || len(w.Obstacles()) != 2 || w.Ticks() != 0 {
			t.Errorf("the edit: %v; %d obstacles, %d ticks", err, len(w.Obstacles()), w.Ticks())
		}
		func() {
			defer func() {
				if _, ok := recover().(*engine.UsageError); !ok {
					t.Error("a change after the edit is taken")
				}
			}()
			late.RemoveObstacle(w.Obstacles()[0])
		}()
		func() {
			defer func() { _ = recover() }()
			_, _ = w.Edit(func(*engine.Edit) error { panic("on purpose") })
		}()
		steps(t, w, 1)
	})
}

// TestAdvanceForEver gives Advance more time than there is, in between of small ones.
func TestAdvanceForEver(t *testing.T) {
	world(t, func(_ *gpu.Device, w *engine.World) {
		for _, elapsed := range []time.Duration{30 * time.Millisecond, math.MaxInt64, 30 * time.Millisecond, math.MaxInt64, math.MinInt64} {
			p, err := w.Advance(elapsed)
			want := engine.MaxTicks
			if elapsed < math.MaxInt64 {
				want = 0
			}
			if err != nil || p.Ticks != want || p.Dropped < 0 || p.Fraction < 0 || p.Fraction >= 1 {
				t.Fatalf("Advance(%v): %+v, %v", elapsed, p, err)
			}
		}
		if p, err := w.Advance(w.Timestep()); err != nil || p.Ticks != 1 {
			t.Errorf("afterwards a tick's time: %+v, %v", p, err)
		}
	})
}

// TestBadArguments are errors of a type, or plain answers.
func TestBadArguments(t *testing.T) {
	world(t, func(d *gpu.Device, w *engine.World) {
		nan, inf := math.NaN(), math.Inf(1)
		for _, p := range []mgl64.Vec2{{nan, 1}, {1, nan}, {nan, nan}, {nan, inf}} {
			if _, ok := w.NearestFree(p, 0); ok || w.Sees(p, mgl64.Vec2{1, 1}) {
				t.Errorf("there is free ground near %v, or it sees something", p)
			}
		}
		if p, ok := w.NearestFree(mgl64.Vec2{inf, -inf}, 0); !ok || p != (mgl64.Vec2{20, 0}) {
			t.Errorf("nearest to infinity is %v", p)
		}
		for _, radius := range []float64{nan, -1, inf, 1e9} {
			if _, ok := w.NearestFree(mgl64.Vec2{1, 1}, radius); ok {
				t.Errorf("a disc of %v fits", radius)
			}
		}
		for _, m := range []spm.Method{9, -1} {
			var method *spm.MethodError
			if _, err := engine.New(d, w.Scene(), engine.Options{Method: m}); !errors.As(err, &method) || method.Method != m {
				t.Errorf("a world by method %d: %v", int(m), err)
			}
		}
		var usage *engine.UsageError
		if _, err := engine.New(d, w.Scene(), engine.Options{MapSize: -3}); !errors.As(err, &usage) {
			t.Errorf("a map of -3 texels: %v", err)
		}
		if _, err := engine.New(d, nil, engine.Options{}); !errors.As(err, &usage) {
			t.Errorf("a world of no scene: %v", err)
		}
		if _, err := w.Edit(nil); !errors.As(err, &usage) {
			t.Errorf("an edit of no function: %v", err)
		}
		steps(t, w, 1)
		large := *w.Scene()
		large.Map.Size = spm.MaxSize + 1
		for _, o := range []engine.Options{{}, {MapSize: spm.MaxSize + 2}} {
			var full *gpu.CapacityError
			if _, err := engine.New(d, &large, o); !errors.As(err, &full) || full.Needed != int64(max(o.MapSize, spm.MaxSize+1)) || !strings.Contains(err.Error(), "lower the scene's map.size") {
				t.Errorf("a map of too many texels, options %+v: %v", o, err)
			}
		}
		maps := w.Buffers().Maps
		var none *gpu.ContextError
		for call, err := range map[string]error{
			"New": failed(engine.New(nil, w.Scene(), engine.Options{})), "NewBatch": failed(spm.NewBatch(nil, maps)),
		} {
			if !errors.As(err, &none) || none.Kind != gpu.NoDevice {
				t.Errorf("%s on no device: %v", call, err)
			}
		}
		if _, err := spm.NewBatch(d, nil); !errors.Is(err, spm.ErrDeleted) {
			t.Errorf("a batch of no map: %v", err)
		}
		b, err := spm.NewBatch(d, maps)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Delete()
		points, pairs, sights, replies := room[[2]float32](t, d), room[[4]float32](t, d), room[uint32](t, d), room[spm.Reply](t, d)
		for _, count := range []int{-3, 5, math.MinInt} {
			var wrong *spm.CountError
			if err := b.Dispatch(0, points, replies, count); !errors.As(err, &wrong) || wrong.Capacity != 4 {
				t.Errorf("Dispatch of %d questions: %v", count, err)
			}
			if err := b.DispatchSight(0, pairs, sights, count); !errors.As(err, &wrong) {
				t.Errorf("DispatchSight of %d questions: %v", count, err)
			}
		}
		var count *spm.CountError
		if err := b.Dispatch(0, nil, replies, 1); !errors.As(err, &count) || count.Capacity != 0 {
			t.Errorf("Dispatch of no buffer: %v", err)
		}
		if err := b.Dispatch(0, nil, nil, 0); err != nil {
			t.Errorf("Dispatch of no questions: %v", err)
		}
		for _, layer := range []int{7, maps.Layers, -1, math.MinInt} {
			for call, err := range map[string]error{
				"Query": failed(b.Query(layer, []mgl64.Vec2{{1, 1}})), "empty Query": failed(b.Query(layer, nil)),
				"InSight":  failed(b.InSight(layer, [][2]mgl64.Vec2{{}})),
				"Dispatch": b.Dispatch(layer, points, replies, 1), "empty Dispatch": b.Dispatch(layer, points, replies, 0),
				"DispatchSight": b.DispatchSight(layer, pairs, sights, 1),
				"View":          panicked(func() { maps.View(layer) }), "Ground": panicked(func() { maps.Ground(layer) }),
				"Builds": panicked(func() { maps.Builds(layer) }),
			} {
				var wrong *spm.LayerError
				if !errors.As(err, &wrong) || *wrong != (spm.LayerError{Layer: layer, Layers: maps.Layers}) {
					t.Errorf("%s of layer %d: %v", call, layer, err)
				}
			}
		}
		for call, f := range map[string]func(){} {
			func() {
				defer func() {
					if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "agents: there is no profile") {
						t.Errorf("%s of a profile that is not there: %v", call, text)
					}
				}()
				f()
			}()
		}
	})
}

// room is a buffer of four.
func room[T any](t testing.TB, d *gpu.Device) *gpu.Buffer[T] {
	b, err := gpu.NewBuffer[T](d, t.Name(), 4)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Delete)
	return b
}
