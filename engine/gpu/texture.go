package gpu

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// TextureSpec describes a texture.
type TextureSpec struct {
	Label  string
	Format Format
	Width  int // texels, > 0
	Height int // texels, > 0
	Layers int // 0 makes a sampler2D, more a sampler2DArray of so many layers

	// Fill is what every texel holds at first: its components, in order, as in Target.ClearColor, or
	// the depth and the stencil. Those that the format lacks are ignored.
	Fill [4]float64
}

// Texture is a two-dimensional texture, or an array of them, of one mip level. Samplers see it
// clamped to its edge, and not filtered.
type Texture struct {
	object
	spec TextureSpec
	info formatInfo
}

// DepthStencil is a texel of format Depth32FStencil8, as Write takes and Read gives it.
type DepthStencil struct {
	Depth   float32
	Stencil uint32 // 0 to 255
}

// NewTexture makes a texture. The error is a *CapacityError where it is too large for the device,
// or one of Device.Do.
func NewTexture(d *Device, spec TextureSpec) (*Texture, error) {
	info, ok := formats[spec.Format]
	if !ok || spec.Width <= 0 || spec.Height <= 0 || spec.Layers < 0 {
		panic(fmt.Sprintf("gpu: texture %q of %d x %d texels, %d layers, %v: sizes must be positive and the format one of this package's", spec.Label, spec.Width, spec.Height, spec.Layers, spec.Format))
	}
	t := &Texture{object{device: d, kind: textureKind, label: spec.Label, name: 0}, spec, info}
	limits := d.info.Limits
	if size := max(spec.Width, spec.Height); size > limits.MaxTextureSize {
		return nil, t.exceeds("texels a side", int64(size), int64(limits.MaxTextureSize))
	}
	if spec.Layers > limits.MaxArrayLayers {
		return nil, t.exceeds("layers", int64(spec.Layers), int64(limits.MaxArrayLayers))
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if err := t.create(t.Bytes(), func() {
		gl.CreateTextures(t.target(), 1, &t.name)
		if spec.Layers == 0 {
			gl.TextureStorage2D(t.name, 1, info.internal, int32(spec.Width), int32(spec.Height))
		} else {
			gl.TextureStorage3D(t.name, 1, info.internal, int32(spec.Width), int32(spec.Height), int32(spec.Layers))
		}
	}); err != nil {
		return nil, err
	}
	for parameter, value := range map[uint32]int32{
		gl.TEXTURE_WRAP_S: gl.CLAMP_TO_EDGE, gl.TEXTURE_WRAP_T: gl.CLAMP_TO_EDGE, gl.TEXTURE_MAX_LEVEL: 0,
		gl.TEXTURE_MIN_FILTER: gl.NEAREST, gl.TEXTURE_MAG_FILTER: gl.NEAREST,
	} {
		gl.TextureParameteri(t.name, parameter, value)
	}
	words := info.words(spec.Label, spec.Fill[:info.components])
	kind := info.kind
	if info.class == classNormalized {
		kind = gl.FLOAT
	}
	gl.ClearTexImage(t.name, 0, info.format, kind, unsafe.Pointer(&words[0]))
	return t, nil
}

// target is what the texture is bound to.
func (t *Texture) target() uint32 {
	if t.spec.Layers == 0 {
		return gl.TEXTURE_2D
	}
	return gl.TEXTURE_2D_ARRAY
}

// Spec describes the texture.
func (t *Texture) Spec() TextureSpec { return t.spec }

// Bytes is the memory that the texels take. None takes none.
func (t *Texture) Bytes() int64 {
	if t == nil {
		return 0
	}
	return int64(t.layerBytes()) * int64(max(t.spec.Layers, 1))
}

func (t *Texture) layerBytes() int { return t.spec.Width * t.spec.Height * t.info.texel }

// checkLayer panics where the texture was deleted, or has no such layer.
func (t *Texture) checkLayer(call string, layer int) {
	t.alive(call)
	if layers := max(t.spec.Layers, 1); layer < 0 || layer >= layers {
		panic(fmt.Sprintf("gpu: %s of layer %d on texture %q, which has %d", call, layer, t.label, layers))
	}
}

// texels checks that data is a slice of one layer's texels and returns its first element.
func (t *Texture) texels(call string, layer int, data any) unsafe.Pointer {
	t.checkLayer(call, layer)
	v, got := reflect.ValueOf(data), fmt.Sprintf("%T", data)
	if v.Kind() == reflect.Slice {
		value := v.Type().Elem()
		if value.Kind() == reflect.Array {
			value = value.Elem()
		}
		if value == t.info.value && v.Len()*int(v.Type().Elem().Size()) == t.layerBytes() {
			return v.UnsafePointer()
		}
		got += fmt.Sprintf(" of length %d", v.Len())
	}
	panic(fmt.Sprintf("gpu: %s on texture %q of %d x %d texels, %v: want %d values of type %s, got %s",
		call, t.label, t.spec.Width, t.spec.Height, t.spec.Format, t.layerBytes()/int(t.info.value.Size()), t.info.value, got))
}

// Write replaces a layer. Data is a slice of the layer's texels, row 0 first: float32 for the F and
// Depth32F formats, uint32 or uint8 for the others, or arrays of them ([4]float32 for RGBA32F),
// DepthStencil for Depth32FStencil8.
func (t *Texture) Write(layer int, data any) {
	texels := t.texels("Write", layer, data)
	defer t.device.mustEnter()()
	if t.spec.Layers == 0 {
		gl.TextureSubImage2D(t.name, 0, 0, 0, int32(t.spec.Width), int32(t.spec.Height), t.info.format, t.info.kind, texels)
	} else {
		gl.TextureSubImage3D(t.name, 0, 0, 0, int32(layer), int32(t.spec.Width), int32(t.spec.Height), 1, t.info.format, t.info.kind, texels)
	}
}

// Read fills dst, a slice as in Write, with a layer, all earlier work done. It waits for the device
// and is counted.
func (t *Texture) Read(layer int, dst any) {
	texels := t.texels("Read", layer, dst)
	defer t.device.mustEnter()()
	t.device.readbacks++
	gl.GetTextureSubImage(t.name, 0, 0, 0, int32(layer), int32(t.spec.Width), int32(t.spec.Height), 1,
		t.info.format, t.info.kind, int32(t.layerBytes()), texels)
	if mixed, ok := dst.([]DepthStencil); ok {
		for i := range mixed {
			mixed[i].Stencil &= 0xff // the other bits are undefined
		}
	}
}

// words turns the values of a clear into four words as OpenGL takes them: floats for float and
// normalized formats, integers for the others, a float and an integer for depth and stencil.
func (f formatInfo) words(label string, values []float64) (words [4]uint32) {
	if len(values) > f.components {
		panic(fmt.Sprintf("gpu: Clear of %q, a %s, with %d values: it has %d components", label, f.name, len(values), f.components))
	}
	for i, v := range values {
		limit := uint32(math.MaxUint32)
		if f.class == classDepthStencil {
			limit = math.MaxUint8
		}
		switch {
		case f.class != classUint && (f.class != classDepthStencil || i == 0):
			words[i] = math.Float32bits(float32(v))
		case v != math.Trunc(v) || !(v >= 0 && v <= float64(limit)):
			panic(fmt.Sprintf("gpu: Clear of %q, a %s, to %v: want a whole number from 0 to %d", label, f.name, v, limit))
		default:
			words[i] = uint32(v)
		}
	}
	return words
}

// Delete frees the texture. Deleting twice, or none, does nothing.
func (t *Texture) Delete() {
	if t != nil {
		t.delete()
	}
}
