package gpu

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu/internal/glstate"
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

// The tests. Off is no test.
const (
	Off          Compare = 0
	Never        Compare = gl.NEVER
	Less         Compare = gl.LESS
	LessEqual    Compare = gl.LEQUAL
	Equal        Compare = gl.EQUAL
	Greater      Compare = gl.GREATER
	GreaterEqual Compare = gl.GEQUAL
	NotEqual     Compare = gl.NOTEQUAL
	Always       Compare = gl.ALWAYS
)

// opengl is OpenGL's name of the test.
func (c Compare) opengl() uint32 {
	if c == Off {
		return gl.ALWAYS
	}
	return uint32(c)
}

// DepthState is the depth test. Write stores the depth of fragments that pass; with Test Off all
// do.
type DepthState struct {
	Test  Compare
	Write bool
}

// StencilState is the stencil test, of Ref against the stored value.
type StencilState struct {
	Test    Compare // Off lets all pass
	Ref     uint8
	Replace bool // stores Ref where this test and that of depth pass
}

// Blend says how a fragment's color joins the stored one. Integers are never blended.
type Blend int

// The blends. Colors are straight for BlendAlpha and multiplied by alpha for BlendPremultiplied.
const (
	BlendNone Blend = iota
	BlendAlpha
	BlendPremultiplied
)

// Indirect is where a draw's counts are: four uint32 (count, instances, first, base instance) at a
// byte offset that is a multiple of 4.
type Indirect struct {
	Buffer Storage
	Offset int
}

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
	HideColor bool // no color is written
}

// draw draws with the current program, which is the pass's. The state that is not set here is in
// internal/glstate.
func (p *pass) draw(w Draw, in unsafe.Pointer) {
	d := p.device
	d.keep(glstate.Drawing, 0)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, w.Target.name)
	gl.ViewportIndexedf(0, 0, 0, float32(w.Target.width), float32(w.Target.height))
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

// testState sets the tests of depth and stencil.
func (d *Device) testState(w Draw) {
	if w.Depth.Test == Off && !w.Depth.Write {
		gl.Disable(gl.DEPTH_TEST)
	} else {
		gl.Enable(gl.DEPTH_TEST) // without the test there are no writes
		gl.DepthFunc(w.Depth.Test.opengl())
	}
	gl.DepthMask(w.Depth.Write)
	if s := w.Stencil; s != nil {
		d.keep(glstate.Stencil, 0)
		gl.Enable(gl.STENCIL_TEST)
		gl.StencilFunc(s.Test.opengl(), int32(s.Ref), 0xff)
		pass := uint32(gl.KEEP)
		if s.Replace {
			pass = gl.REPLACE
		}
		gl.StencilOp(gl.KEEP, gl.KEEP, pass)
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
}

// outputState sets how fragments join what is stored.
func (d *Device) outputState(w Draw, label string) {
	if w.Blend < 0 || int(w.Blend) >= len(blends) {
		panic(fmt.Sprintf("gpu: draw of pass %q: there is no blend %d", label, w.Blend))
	}
	d.keep(glstate.Output, 0)
	gl.ColorMaski(0, !w.HideColor, !w.HideColor, !w.HideColor, !w.HideColor)
	if w.Blend == BlendNone {
		gl.Disablei(gl.BLEND, 0)
		return
	}
	gl.Enablei(gl.BLEND, 0)
	gl.BlendEquationi(0, gl.FUNC_ADD)
	f := blends[w.Blend]
	gl.BlendFuncSeparatei(0, f[0], f[1], f[2], f[3])
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
