package gpu

import (
	"fmt"
	"image"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu/internal/glstate"
)

// Attachment is a texture that a target draws into: one layer, or with AllLayers all of them,
// chosen by gl_Layer. Layer is 0 for a texture without layers.
type Attachment struct {
	Texture *Texture
	Layer   int
}

// Attachments are what a target draws into.
type Attachments struct {
	Color []Attachment // fragment outputs by location
	Depth *Attachment  // a depth or depth-stencil texture; nil for none
}

// Target is what draws go to: textures, or the window.
type Target struct {
	object
	host   bool // the framebuffer is a host's; its name may be 0, the window
	width  int
	height int
	color  []formatInfo
	depth  *formatInfo
}

// NewTarget makes a target of textures of one size, all layered or none.
func NewTarget(d *Device, a Attachments) (*Target, error) {
	all := a.Color
	if a.Depth != nil {
		all = append(append([]Attachment{}, a.Color...), *a.Depth)
	}
	if len(all) == 0 {
		panic("gpu: a target without attachments")
	}
	first := all[0]
	t := &Target{object: object{d, targetKind, first.Texture.label, 0}, width: first.Texture.spec.Width, height: first.Texture.spec.Height}
	if limit := d.info.Limits.ColorAttachments; len(a.Color) > limit {
		return nil, t.exceeds("color attachments", int64(len(a.Color)), int64(limit))
	}
	layered := func(a Attachment) bool { return a.Layer == AllLayers && a.Texture.spec.Layers > 0 }
	for i, x := range all {
		x.Texture.alive("NewTarget")
		x.Texture.checkLayer("NewTarget", x.Layer, true)
		if x.Texture.info.class.depth() != (i == len(a.Color)) {
			panic(fmt.Sprintf("gpu: texture %q of %v is attached in the wrong place of a target", x.Texture.spec.Label, x.Texture.spec.Format))
		}
		if x.Texture.spec.Width != first.Texture.spec.Width || x.Texture.spec.Height != first.Texture.spec.Height || layered(x) != layered(first) {
			panic(fmt.Sprintf("gpu: textures %q and %q of one target differ in size, or only one is attached with all its layers", first.Texture.spec.Label, x.Texture.spec.Label))
		}
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	gl.CreateFramebuffers(1, &t.name)
	d.label(gl.FRAMEBUFFER, t.name, t.label)
	attach := func(point uint32, a Attachment) {
		if layered(a) || a.Texture.spec.Layers == 0 {
			gl.NamedFramebufferTexture(t.name, point, a.Texture.name, 0)
		} else {
			gl.NamedFramebufferTextureLayer(t.name, point, a.Texture.name, 0, int32(max(a.Layer, 0)))
		}
	}
	buffers := make([]uint32, len(a.Color))
	for i, c := range a.Color {
		buffers[i] = gl.COLOR_ATTACHMENT0 + uint32(i)
		attach(buffers[i], c)
		t.color = append(t.color, c.Texture.info)
	}
	if a.Depth != nil {
		point := uint32(gl.DEPTH_ATTACHMENT)
		if a.Depth.Texture.info.class == classDepthStencil {
			point = gl.DEPTH_STENCIL_ATTACHMENT
		}
		attach(point, *a.Depth)
		t.depth = &a.Depth.Texture.info
	}
	if len(buffers) == 0 {
		gl.NamedFramebufferDrawBuffer(t.name, gl.NONE)
		gl.NamedFramebufferReadBuffer(t.name, gl.NONE)
	} else {
		gl.NamedFramebufferDrawBuffers(t.name, int32(len(buffers)), &buffers[0])
		gl.NamedFramebufferReadBuffer(t.name, buffers[0])
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
	rgba, depth := formats[RGBA8], formats[Depth32FStencil8]
	return &Target{
		object: object{d, targetKind, "host's framebuffer", framebuffer},
		host:   true, width: width, height: height, color: []formatInfo{rgba}, depth: &depth,
	}
}

// Size is the target's width and height in pixels.
func (t *Target) Size() (width, height int) { return t.width, t.height }

// ClearColor sets every pixel, of all layers attached, of color attachment i. Values are as in
// Texture.Clear.
func (t *Target) ClearColor(i int, values ...float64) {
	if i < 0 || i >= len(t.color) {
		panic(fmt.Sprintf("gpu: ClearColor of attachment %d on target %q, which has %d", i, t.label, len(t.color)))
	}
	words := t.color[i].words(t.label, values)
	defer t.clearState()()
	if t.color[i].class == classUint {
		gl.ClearNamedFramebufferuiv(t.name, gl.COLOR, int32(i), &words[0])
	} else {
		gl.ClearNamedFramebufferfv(t.name, gl.COLOR, int32(i), (*float32)(unsafe.Pointer(&words[0])))
	}
}

// ClearDepthStencil sets every depth and stencil, of all layers attached; what the target lacks of
// the two is ignored.
func (t *Target) ClearDepthStencil(depth float32, stencil int32) {
	if t.depth == nil {
		panic(fmt.Sprintf("gpu: ClearDepthStencil on target %q, which has neither", t.label))
	}
	defer t.clearState()()
	if t.depth.class == classDepth {
		gl.ClearNamedFramebufferfv(t.name, gl.DEPTH, 0, &depth)
	} else {
		gl.ClearNamedFramebufferfi(t.name, gl.DEPTH_STENCIL, 0, depth, stencil)
	}
}

// ClearStencil sets every stencil, of all layers attached, and keeps the depth.
func (t *Target) ClearStencil(stencil int32) {
	if t.depth == nil || t.depth.class == classDepth {
		panic(fmt.Sprintf("gpu: ClearStencil on target %q, which has none", t.label))
	}
	defer t.clearState()()
	gl.ClearNamedFramebufferiv(t.name, gl.STENCIL, 0, &stencil)
}

// CopyTo copies color attachment 0 to that of another target of the same size, pixel by pixel, on
// the device.
func (t *Target) CopyTo(to *Target) {
	if t.width != to.width || t.height != to.height || len(t.color) == 0 || len(to.color) == 0 {
		panic(fmt.Sprintf("gpu: CopyTo from target %q of %d x %d to target %q of %d x %d: they need a color each and one size",
			t.label, t.width, t.height, to.label, to.width, to.height))
	}
	defer to.clearState()()
	w, h := int32(t.width), int32(t.height)
	gl.BlitNamedFramebuffer(t.name, to.name, 0, 0, w, h, 0, 0, w, h, gl.COLOR_BUFFER_BIT, gl.NEAREST)
}

// clearState sets the masks that clears and copies obey. It returns what ends the call.
func (t *Target) clearState() (end func()) {
	d := t.device
	d.mustEnter()
	d.keep(glstate.Drawing, 0)
	for i := range t.color {
		d.keep(glstate.Output, uint32(i))
		gl.ColorMaski(uint32(i), true, true, true, true)
	}
	gl.DepthMask(true)
	return d.leave
}

// ReadRGBA reads color attachment 0, of layer 0 where it has layers, as a picture: its top row is
// the target's highest. It waits for the device and is counted. The attachment must be of a float
// or normalized format; values outside 0 to 1 are clamped.
func (t *Target) ReadRGBA() *image.RGBA {
	if len(t.color) == 0 || t.color[0].class != classFloat && t.color[0].class != classNormalized {
		panic(fmt.Sprintf("gpu: ReadRGBA on target %q, whose first attachment is no color", t.label))
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
