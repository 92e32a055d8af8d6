package gpu

import (
	"fmt"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// Mode says what vertices make up.
type Mode uint32

// The modes.
const (
	Points        Mode = gl.POINTS
	Lines         Mode = gl.LINES
	LineStrip     Mode = gl.LINE_STRIP
	Triangles     Mode = gl.TRIANGLES
	TriangleStrip Mode = gl.TRIANGLE_STRIP
)

// Compare is a test of a new value against the stored one: Less passes where the new value is less.
type Compare uint32

// The tests. Off is no test, for depth and for stencil.
const (
	Off Compare = iota
	Never
	Less
	LessEqual
	Equal
	Greater
	GreaterEqual
	NotEqual
	Always
)

var compares = [...]uint32{Off: gl.ALWAYS, Never: gl.NEVER, Less: gl.LESS, LessEqual: gl.LEQUAL, Equal: gl.EQUAL, Greater: gl.GREATER, GreaterEqual: gl.GEQUAL, NotEqual: gl.NOTEQUAL, Always: gl.ALWAYS}

// Op is what happens to a stencil.
type Op uint32

// The operations. Increment and Decrement stop at the ends, the Wrap forms go round.
const (
	Keep Op = iota
	Zero
	Replace
	Increment
	IncrementWrap
	Decrement
	DecrementWrap
	Invert
)

var ops = [...]uint32{Keep: gl.KEEP, Zero: gl.ZERO, Replace: gl.REPLACE, Increment: gl.INCR, IncrementWrap: gl.INCR_WRAP, Decrement: gl.DECR, DecrementWrap: gl.DECR_WRAP, Invert: gl.INVERT}

// DepthState is the depth test. Write stores the depth of fragments that pass; with Test Off all do.
type DepthState struct {
	Test  Compare
	Write bool
}

// StencilState is the stencil test: (Ref & ReadMask) against (stored & ReadMask).
type StencilState struct {
	Test      Compare // Off lets all pass
	Ref       uint8
	ReadMask  uint8 // 0 is all bits
	WriteMask uint8 // 0 is all bits; Keep in all three operations writes nothing
	Fail      Op    // where the stencil test fails
	DepthFail Op    // where it passes and the depth test fails
	Pass      Op    // where both pass
}

// Blend says how a fragment's colour joins the stored one. Integer attachments are never blended.
type Blend int

// The blends. Colours are straight for BlendAlpha and multiplied by alpha for BlendPremultiplied.
const (
	BlendNone Blend = iota
	BlendAlpha
	BlendPremultiplied
	BlendAdd
)

// Kind is how an attribute reads its buffer.
type Kind int

// The kinds: float32 for float, vec2 and so on in the shader, int32 for int and ivec, uint32 for uint and uvec.
const (
	Float Kind = iota
	Int
	Uint
)

// Attribute is a vertex input read from a buffer.
type Attribute struct {
	Location   uint32
	Buffer     uint32 // Buffer.Name
	Components int    // 1 to 4
	Kind       Kind
	Offset     int    // bytes from the buffer's start
	Stride     int    // bytes from one element to the next
	Divisor    uint32 // 0: an element a vertex; n: an element every n instances
}

// Indirect is where a draw's counts are: four uint32 (count, instances, first, base instance) at a byte offset that is a
// multiple of 4. BarrierCommand comes after the shader that wrote them.
type Indirect struct {
	Buffer Storage
	Offset int
}

// Rectangle is a part of a target in pixels, from its lower left corner.
type Rectangle struct{ X, Y, Width, Height int32 }

// Draw describes a draw completely. What is left out is off. There is no culling; point sizes come from gl_PointSize,
// lines are one pixel wide; depths are 0 to 1 in clip space as in the buffer.
type Draw struct {
	Program    *Program
	Target     *Target
	Mode       Mode
	First      int
	Count      int       // vertices; 0 draws nothing
	Instances  int       // 0 draws nothing: say 1 for a draw without instances
	Indirect   *Indirect // replaces First, Count and Instances
	Attributes []Attribute
	Depth      DepthState
	Stencil    *StencilState
	Blend      Blend
	HideColor  bool       // no colour is written
	Viewport   [4]int32   // x, y, width, height; all zero is the whole target
	Scissor    *Rectangle // pixels outside keep what they have
}

// Draw draws. It sets every state it depends on, the bindings of buffers, textures and images excepted. In a host's context it
// has to be inside of Device.Do.
func (d *Device) Draw(w Draw) {
	if w.Program == nil || w.Target == nil {
		panic("gpu: a Draw needs a Program and a Target")
	}
	if w.Count < 0 || w.Instances < 0 || w.First < 0 {
		panic(fmt.Sprintf("gpu: Draw of program %q: First %d, Count %d, Instances %d must not be negative", w.Program.label, w.First, w.Count, w.Instances))
	}
	w.Program.use(false)
	if w.Indirect == nil && (w.Count == 0 || w.Instances == 0) {
		return
	}
	w.Program.begin()
	d.opaque()
	d.draw(w, w.Program.label)
}

// draw draws with the current program. The state that is not set here is in state.go.
func (d *Device) draw(w Draw, label string) {
	d.keep(drawing, 0)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, w.Target.name)
	d.rasterState(w)
	d.testState(w)
	d.outputState(w, label)
	d.attributeState(w, label)
	if w.Indirect != nil {
		gl.BindBuffer(gl.DRAW_INDIRECT_BUFFER, w.Indirect.Buffer.storage().name)
		d.drawArraysIndirect(w.Mode, w.Indirect.Offset)
		return
	}
	gl.DrawArraysInstanced(uint32(w.Mode), int32(w.First), int32(w.Count), int32(w.Instances))
}

// rasterState sets what is not the same for all draws; the rest is in state.go.
func (d *Device) rasterState(w Draw) {
	v := w.Viewport
	if v == [4]int32{} {
		v = [4]int32{0, 0, int32(w.Target.width), int32(w.Target.height)}
	}
	gl.ViewportIndexedf(0, float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3]))
	if s := w.Scissor; s != nil {
		gl.Enablei(gl.SCISSOR_TEST, 0)
		gl.ScissorIndexed(0, s.X, s.Y, s.Width, s.Height)
	} else {
		gl.Disablei(gl.SCISSOR_TEST, 0)
	}
}

func (d *Device) testState(w Draw) {
	if w.Depth.Test == Off && !w.Depth.Write {
		gl.Disable(gl.DEPTH_TEST)
	} else {
		gl.Enable(gl.DEPTH_TEST) // without the test there are no writes
		gl.DepthFunc(compares[w.Depth.Test])
	}
	gl.DepthMask(w.Depth.Write)
	if s := w.Stencil; s != nil {
		d.keep(stencil, 0)
		gl.Enable(gl.STENCIL_TEST)
		gl.StencilFunc(compares[s.Test], int32(s.Ref), uint32(allBits(s.ReadMask)))
		gl.StencilMask(uint32(allBits(s.WriteMask)))
		gl.StencilOp(ops[s.Fail], ops[s.DepthFail], ops[s.Pass])
	} else {
		gl.Disable(gl.STENCIL_TEST)
	}
}

// blends are the factors of each Blend: of a fragment's colour and of the stored one, then of both alphas.
var blends = [...][4]uint32{
	BlendNone:          {gl.ONE, gl.ZERO, gl.ONE, gl.ZERO},
	BlendAlpha:         {gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA},
	BlendPremultiplied: {gl.ONE, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA},
	BlendAdd:           {gl.ONE, gl.ONE, gl.ONE, gl.ONE},
}

// outputState sets how fragments join each attachment.
func (d *Device) outputState(w Draw, label string) {
	if w.Blend < 0 || int(w.Blend) >= len(blends) {
		panic(fmt.Sprintf("gpu: Draw of program %q: there is no blend %d", label, w.Blend))
	}
	for i := range uint32(len(w.Target.color)) {
		d.keep(output, i)
		gl.ColorMaski(i, !w.HideColor, !w.HideColor, !w.HideColor, !w.HideColor)
		if w.Blend == BlendNone {
			gl.Disablei(gl.BLEND, i)
			continue
		}
		gl.Enablei(gl.BLEND, i)
		gl.BlendEquationi(i, gl.FUNC_ADD)
		f := blends[w.Blend]
		gl.BlendFuncSeparatei(i, f[0], f[1], f[2], f[3])
	}
}

func allBits(mask uint8) uint8 {
	if mask == 0 {
		return 0xff
	}
	return mask
}

// attributeState describes the attributes to the device's one vertex array; attribute i uses its binding point i.
func (d *Device) attributeState(w Draw, label string) {
	gl.BindVertexArray(d.vertexArray)
	for _, location := range d.enabled {
		gl.DisableVertexArrayAttrib(d.vertexArray, location)
	}
	d.enabled = d.enabled[:0]
	for i, a := range w.Attributes {
		if a.Components < 1 || a.Components > 4 || a.Buffer == 0 || a.Stride <= 0 || a.Offset < 0 {
			panic(fmt.Sprintf("gpu: Draw of program %q: attribute %d is not complete: %+v", label, a.Location, a))
		}
		binding := uint32(i)
		gl.VertexArrayVertexBuffer(d.vertexArray, binding, a.Buffer, a.Offset, int32(a.Stride))
		gl.VertexArrayBindingDivisor(d.vertexArray, binding, a.Divisor)
		gl.VertexArrayAttribBinding(d.vertexArray, a.Location, binding)
		switch a.Kind {
		case Float:
			gl.VertexArrayAttribFormat(d.vertexArray, a.Location, int32(a.Components), gl.FLOAT, false, 0)
		case Int:
			gl.VertexArrayAttribIFormat(d.vertexArray, a.Location, int32(a.Components), gl.INT, 0)
		case Uint:
			gl.VertexArrayAttribIFormat(d.vertexArray, a.Location, int32(a.Components), gl.UNSIGNED_INT, 0)
		default:
			panic(fmt.Sprintf("gpu: Draw of program %q: attribute %d: there is no kind %d", label, a.Location, a.Kind))
		}
		gl.EnableVertexArrayAttrib(d.vertexArray, a.Location)
		d.enabled = append(d.enabled, a.Location)
	}
}
