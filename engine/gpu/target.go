package gpu

import (
	"fmt"
	"image"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu/internal/glstate"
)

// Target is what draws go to: a layer of a texture, or the window, with a depth or without.
type Target struct {
	object
	host   bool // the framebuffer is a host's; its name may be 0, the window
	width  int
	height int
	color  formatInfo
	depth  texelClass // classFloat: none
}

// NewTarget makes a target of a layer of a color texture, 0 where it has no layers, and of a depth
// texture of the same size without layers, or nil. The error is one of Device.Do, or says that the
// driver cannot draw into these.
func NewTarget(d *Device, color *Texture, layer int, depth *Texture) (*Target, error) {
	color.checkLayer("NewTarget", layer)
	t := &Target{object: object{device: d, kind: targetKind, label: color.label, name: 0}, width: color.spec.Width, height: color.spec.Height, color: color.info}
	if color.info.class >= classDepth || depth != nil && (depth.info.class < classDepth || depth.spec.Layers > 0) {
		panic(fmt.Sprintf("gpu: %s: a color and a depth without layers are needed, in this order", t.title()))
	}
	if depth != nil {
		depth.alive("NewTarget")
		t.depth = depth.info.class
		if depth.spec.Width != t.width || depth.spec.Height != t.height {
			panic(fmt.Sprintf("gpu: textures %q and %q of one target differ in size", color.label, depth.label))
		}
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	gl.CreateFramebuffers(1, &t.name)
	d.label(gl.FRAMEBUFFER, t.name, t.label)
	if color.spec.Layers == 0 {
		gl.NamedFramebufferTexture(t.name, gl.COLOR_ATTACHMENT0, color.name, 0)
	} else {
		gl.NamedFramebufferTextureLayer(t.name, gl.COLOR_ATTACHMENT0, color.name, 0, int32(layer))
	}
	switch t.depth {
	case classDepth:
		gl.NamedFramebufferTexture(t.name, gl.DEPTH_ATTACHMENT, depth.name, 0)
	case classDepthStencil:
		gl.NamedFramebufferTexture(t.name, gl.DEPTH_STENCIL_ATTACHMENT, depth.name, 0)
	}
	if status := gl.CheckNamedFramebufferStatus(t.name, gl.DRAW_FRAMEBUFFER); status != gl.FRAMEBUFFER_COMPLETE {
		t.Delete()
		return nil, fmt.Errorf("gpu: the driver cannot draw into the target of texture %q (framebuffer status 0x%04X)", t.label, status)
	}
	return t, nil
}

// DefaultTarget is the window's own framebuffer, of a size in pixels. Make another when the size
// changes; it costs nothing.
func DefaultTarget(d *Device, width, height int) *Target { return HostTarget(d, 0, width, height) }

// HostTarget is a framebuffer of the host's, of a size in pixels, by OpenGL's name for it: one
// color that is no integer, with a depth and a stencil or without. It stays the host's: Delete does
// not free it.
func HostTarget(d *Device, framebuffer uint32, width, height int) *Target {
	return &Target{
		object: object{device: d, kind: targetKind, label: "host's framebuffer", name: framebuffer},
		host:   true, width: width, height: height, color: formats[RGBA8], depth: classDepthStencil,
	}
}

// Size is the target's width and height in pixels.
func (t *Target) Size() (width, height int) { return t.width, t.height }

// ClearColor sets every pixel. Values are the components, in order, 0 to 1 for RGBA8; those left out
// are zero. Infinities and NaN are kept by the F formats.
func (t *Target) ClearColor(values ...float64) {
	words := t.color.words(t.label, values)
	defer t.clearState()()
	if t.color.class == classUint {
		gl.ClearNamedFramebufferuiv(t.name, gl.COLOR, 0, &words[0])
	} else {
		gl.ClearNamedFramebufferfv(t.name, gl.COLOR, 0, (*float32)(unsafe.Pointer(&words[0])))
	}
}

// ClearDepthStencil sets every depth and stencil; what the target lacks of the two is ignored.
func (t *Target) ClearDepthStencil(depth float32, stencil int32) {
	defer t.clearState()()
	switch t.depth {
	case classDepth:
		gl.ClearNamedFramebufferfv(t.name, gl.DEPTH, 0, &depth)
	case classDepthStencil:
		gl.ClearNamedFramebufferfi(t.name, gl.DEPTH_STENCIL, 0, depth, stencil)
	default:
		panic(fmt.Sprintf("gpu: ClearDepthStencil on %s, which has neither", t.title()))
	}
}

// ClearStencil sets every stencil, and keeps the depth.
func (t *Target) ClearStencil(stencil int32) {
	if t.depth != classDepthStencil {
		panic(fmt.Sprintf("gpu: ClearStencil on %s, which has none", t.title()))
	}
	defer t.clearState()()
	gl.ClearNamedFramebufferiv(t.name, gl.STENCIL, 0, &stencil)
}

// CopyTo copies the color to that of another target of the same size, pixel by pixel, on the
// device.
func (t *Target) CopyTo(to *Target) { t.CopyColumns(to, 0, t.width) }

// CopyColumns does what CopyTo does with the columns of pixels from one on, before another.
func (t *Target) CopyColumns(to *Target, from, before int) {
	if t.width != to.width || t.height != to.height {
		panic(fmt.Sprintf("gpu: CopyTo from %s of %d x %d to %s of %d x %d: they need one size",
			t.title(), t.width, t.height, to.title(), to.width, to.height))
	}
	defer to.clearState()()
	x0, x1, h := int32(from), int32(before), int32(t.height)
	gl.BlitNamedFramebuffer(t.name, to.name, x0, 0, x1, h, x0, 0, x1, h, gl.COLOR_BUFFER_BIT, gl.NEAREST)
}

// clearState sets the masks that clears and copies obey. It returns what ends the call.
func (t *Target) clearState() (end func()) {
	end = t.device.mustEnter()
	t.device.keep(glstate.Drawing, 0)
	t.device.keep(glstate.Output, 0)
	gl.ColorMaski(0, true, true, true, true)
	gl.DepthMask(true)
	return end
}

// Lend runs f, which draws to the target by calls of OpenGL of its own, as libraries of user
// interfaces do: the target's framebuffer is bound for drawing, and the viewport is all of it.
// Afterwards all state that this package relies on is set again, and a host's is given back as after
// every call. F uses texture unit 0 alone, and puts back what else it changes, such as the scissor's
// rectangle and the bindings of buffers.
//
// The error is that of f, or one of Device.Do.
func (t *Target) Lend(f func() error) error {
	d := t.device
	return d.Do(func() error {
		d.keep(glstate.Running, 0)
		d.keep(glstate.Drawing, 0)
		d.keep(glstate.Output, 0)
		d.keep(glstate.Active, 0)
		d.keep(glstate.Sampling, 0)
		d.keep(glstate.Units[gl.TEXTURE_2D], 0)
		gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, t.name)
		gl.ViewportIndexedf(0, 0, 0, float32(t.width), float32(t.height))
		d.keep(glstate.Stencil, 0)
		gl.ColorMaski(0, true, true, true, true)
		defer glstate.Again() // later calls within the same door rely on it
		return f()
	})
}

// ReadRGBA reads the color as a picture: its top row is the target's highest. It waits for the
// device and is counted. The format must be a float or normalized one; values outside 0 to 1 are
// clamped.
func (t *Target) ReadRGBA() *image.RGBA {
	if t.color.class == classUint {
		panic(fmt.Sprintf("gpu: ReadRGBA on %s, which has no color but integers", t.title()))
	}
	defer t.device.mustEnter()()
	t.device.keep(glstate.Drawing, 0)
	t.device.readbacks++
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, t.name)
	picture := image.NewRGBA(image.Rect(0, 0, t.width, t.height))
	if t.width == 0 || t.height == 0 {
		return picture
	}
	rows := make([]byte, len(picture.Pix))
	gl.ReadPixels(0, 0, int32(t.width), int32(t.height), gl.RGBA, gl.UNSIGNED_BYTE, unsafe.Pointer(&rows[0]))
	for y := range t.height {
		copy(picture.Pix[y*picture.Stride:], rows[(t.height-1-y)*picture.Stride:][:picture.Stride])
	}
	return picture
}

// Delete frees the target, not its textures. Deleting twice, or none, does nothing.
func (t *Target) Delete() {
	if t != nil && !t.host {
		t.delete()
	}
}
