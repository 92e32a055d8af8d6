package gpu

import (
	"reflect"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// Format says what a texel holds.
type Format int

// The formats. Texture says which Go type reads and writes each.
const (
	RGBA32F Format = iota + 1
	RG32F
	R32F
	RGBA32UI
	RG32UI
	R32UI
	RGBA8            // four bytes; 0 to 1 in shaders
	Depth32F         // a depth
	Depth32FStencil8 // a depth and a stencil; the depth is what samplers see
)

// texelClass is how OpenGL handles the texels of a format.
type texelClass int

const (
	classFloat texelClass = iota // float components
	classUint
	classNormalized // bytes
	classDepth
	classDepthStencil
)

type formatInfo struct {
	name       string
	internal   uint32
	format     uint32 // of transfers
	kind       uint32 // of transfers
	components int
	texel      int // bytes
	class      texelClass
	value      reflect.Type // in Go
}

var (
	floatType   = reflect.TypeFor[float32]()
	uintType    = reflect.TypeFor[uint32]()
	byteType    = reflect.TypeFor[uint8]()
	stencilType = reflect.TypeFor[DepthStencil]()
)

var formats = map[Format]formatInfo{
	RGBA32F:          {"RGBA32F", gl.RGBA32F, gl.RGBA, gl.FLOAT, 4, 16, classFloat, floatType},
	RG32F:            {"RG32F", gl.RG32F, gl.RG, gl.FLOAT, 2, 8, classFloat, floatType},
	R32F:             {"R32F", gl.R32F, gl.RED, gl.FLOAT, 1, 4, classFloat, floatType},
	RGBA32UI:         {"RGBA32UI", gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT, 4, 16, classUint, uintType},
	RG32UI:           {"RG32UI", gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT, 2, 8, classUint, uintType},
	R32UI:            {"R32UI", gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, 1, 4, classUint, uintType},
	RGBA8:            {"RGBA8", gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, 4, 4, classNormalized, byteType},
	Depth32F:         {"Depth32F", gl.DEPTH_COMPONENT32F, gl.DEPTH_COMPONENT, gl.FLOAT, 1, 4, classDepth, floatType},
	Depth32FStencil8: {"Depth32FStencil8", gl.DEPTH32F_STENCIL8, gl.DEPTH_STENCIL, gl.FLOAT_32_UNSIGNED_INT_24_8_REV, 2, 8, classDepthStencil, stencilType},
}

func (f Format) String() string {
	if info, ok := formats[f]; ok {
		return info.name
	}
	return "unknown format"
}
