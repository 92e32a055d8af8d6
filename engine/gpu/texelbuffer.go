package gpu

import (
	"fmt"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// TexelBuffer is a view of a buffer that shaders read as a samplerBuffer, a texel at a time.
// Software renderers fetch texels several times as fast as elements of storage buffers, and stages
// may have more samplers than storage buffers.
type TexelBuffer struct {
	device *Device
	label  string
	name   uint32
	buffer *buffer
	texels int
}

// Len is the number of texels.
func (t *TexelBuffer) Len() int { return t.texels }

// NewTexelBuffer makes a view of a buffer, which has to outlive it. Elements have to be whole
// texels of the format, of 4-byte components. The error is a *CapacityError where the buffer has
// more texels than the device allows, or one of Device.Do.
func NewTexelBuffer[T any](b *Buffer[T], format Format) (*TexelBuffer, error) {
	info := formats[format]
	size := 4 * info.components
	if info.class > classInt || b.Stride()%size != 0 {
		panic(fmt.Sprintf("gpu: buffer %q as texels of format %v: elements of %d bytes are no whole number of texels", b.label, format, b.Stride()))
	}
	if err := b.device.enter(); err != nil {
		return nil, err
	}
	defer b.device.leave()
	texels, limit := int64(b.Len())*int64(b.Stride()/size), int64(integer(gl.MAX_TEXTURE_BUFFER_SIZE))
	if texels > limit {
		return nil, &CapacityError{What: fmt.Sprintf("buffer %q as texels", b.label), Unit: "texels", Needed: texels, Limit: limit}
	}
	t := &TexelBuffer{device: b.device, label: b.label, buffer: &b.buffer, texels: int(texels)}
	gl.CreateTextures(gl.TEXTURE_BUFFER, 1, &t.name)
	gl.TextureBuffer(t.name, info.internal, b.name)
	b.device.label(gl.TEXTURE, t.name, b.label)
	return t, nil
}

// alive panics unless the view and its buffer are there.
func (t *TexelBuffer) alive(pass, name string) {
	if t == nil || t.name == 0 || t.buffer.name == 0 {
		panic(fmt.Sprintf("gpu: pass %q: texel buffer %s is nil or was deleted", pass, name))
	}
}

// Delete frees the view, not the buffer. It may be called twice.
func (t *TexelBuffer) Delete() {
	if t != nil && t.name != 0 {
		name := t.name
		t.device.free(func() { gl.DeleteTextures(1, &name) })
		t.name = 0
	}
}
