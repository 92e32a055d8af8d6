package gpu

import (
	"fmt"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu/internal/glstate"
)

// TexelBuffer is a view of a buffer that shaders read as a samplerBuffer, a texel at a time.
// Software renderers fetch texels several times as fast as elements of storage buffers, and stages
// may have more samplers than storage buffers.
type TexelBuffer struct {
	object
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
	if info.class > classUint || b.Stride()%size != 0 {
		panic(fmt.Sprintf("gpu: buffer %q as texels of format %v: elements of %d bytes are no whole number of texels", b.label, format, b.Stride()))
	}
	t := &TexelBuffer{object: object{device: b.device, kind: texelsKind, label: b.label, name: 0}, buffer: &b.buffer, texels: b.Len() * (b.Stride() / size)}
	if err := b.device.enter(); err != nil {
		return nil, err
	}
	defer b.device.leave()
	if limit := glstate.Integer(gl.MAX_TEXTURE_BUFFER_SIZE); t.texels > limit {
		return nil, t.exceeds("texels", int64(t.texels), int64(limit))
	}
	return t, t.create(0, func() {
		gl.CreateTextures(gl.TEXTURE_BUFFER, 1, &t.name)
		gl.TextureBuffer(t.name, info.internal, b.name)
	})
}

// Delete frees the view, not the buffer. Deleting twice, or none, does nothing.
func (t *TexelBuffer) Delete() {
	if t != nil {
		t.delete()
	}
}
