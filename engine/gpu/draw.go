package gpu

import (
	"fmt"
	"reflect"
	"unsafe"

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

// DepthState is the depth test. Write stores the depth of fragments that pass; with Test Off all
// do.
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

// Blend says how a fragment's color joins the stored one. Integer attachments are never blended.
type Blend int

// The blends. Colors are straight for BlendAlpha and multiplied by alpha for BlendPremultiplied.
const (
	BlendNone Blend = iota
	BlendAlpha
	BlendPremultiplied
	BlendAdd
)

// Indirect is where a draw's counts are: four uint32 (count, instances, first, base instance) at a
// byte offset that is a multiple of 4.
type Indirect struct {
	Buffer Storage
	Offset int
}

// Rectangle is a part of a target in pixels, from its lower left corner.
type Rectangle struct{ X, Y, Width, Height int32 }

// Draw describes a draw completely. What is left out is off. There is no culling; point sizes come
// from gl_PointSize, lines are one pixel wide; depths are 0 to 1 in clip space as in the buffer.
type Draw struct {
	Target    *Target
	Mode      Mode
	First     int
	Count     int       // vertices; 0 draws nothing
	Instances int       // 0 draws nothing: say 1 for a draw without instances
	Indirect  *Indirect // replaces First, Count and Instances
	Depth     DepthState
	Stencil   *StencilState
	Blend     Blend
	HideColor bool       // no color is written
	Viewport  [4]int32   // x, y, width, height; all zero is the whole target
	Scissor   *Rectangle // pixels outside keep what they have
}

// draw draws with the current program, which is the pass's. The state that is not set here is in
// state.go.
func (p *pass) draw(w Draw, in unsafe.Pointer) {
	d := p.device
	d.keep(drawing, 0)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, w.Target.name)
	d.rasterState(w)
	d.testState(w)
	d.outputState(w, p.label)
	p.attributeState(in)
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

// blends are the factors of each Blend: of a fragment's color and of the stored one, then of both
// alphas.
var blends = [...][4]uint32{
	BlendNone:          {gl.ONE, gl.ZERO, gl.ONE, gl.ZERO},
	BlendAlpha:         {gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA},
	BlendPremultiplied: {gl.ONE, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA},
	BlendAdd:           {gl.ONE, gl.ONE, gl.ONE, gl.ONE},
}

// outputState sets how fragments join each attachment.
func (d *Device) outputState(w Draw, label string) {
	if w.Blend < 0 || int(w.Blend) >= len(blends) {
		panic(fmt.Sprintf("gpu: draw of pass %q: there is no blend %d", label, w.Blend))
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

// attributeState describes the attributes to the device's one vertex array, each with a binding
// point of its own.
func (p *pass) attributeState(in unsafe.Pointer) {
	d := p.device
	array := d.vertexArray
	gl.BindVertexArray(array)
	for _, location := range d.enabled {
		gl.DisableVertexArrayAttrib(array, location)
	}
	d.enabled = d.enabled[:0]
	for _, x := range p.inputs {
		if x.to.class != attribute {
			continue
		}
		a, binding, location := (*VertexAttribute)(unsafe.Add(in, x.offset)), uint32(len(d.enabled)), x.to.at
		components := int32(x.to.kind.components)
		b := a.Buffer.storage()
		gl.VertexArrayVertexBuffer(array, binding, b.name, a.Offset, int32(b.stride))
		gl.VertexArrayBindingDivisor(array, binding, uint32(a.Divisor))
		gl.VertexArrayAttribBinding(array, location, binding)
		switch x.to.kind.base {
		case reflect.Int32:
			gl.VertexArrayAttribIFormat(array, location, components, gl.INT, 0)
		case reflect.Uint32:
			gl.VertexArrayAttribIFormat(array, location, components, gl.UNSIGNED_INT, 0)
		default:
			gl.VertexArrayAttribFormat(array, location, components, gl.FLOAT, false, 0)
		}
		gl.EnableVertexArrayAttrib(array, location)
		d.enabled = append(d.enabled, location)
	}
}
