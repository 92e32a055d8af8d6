package gpu

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/shaders"
)

// Buffer is a storage buffer of a fixed number of elements. T is a 4-byte scalar, an array of them,
// or a struct that shaders.Layout accepts, so that its bytes mean the same in Go and in GLSL.
type Buffer[T any] struct{ buffer }

// buffer is a Buffer whatever its elements are.
type buffer struct {
	object
	length  int
	stride  int // bytes of an element
	history history
}

func (b *buffer) storage() *buffer { return b }

// bytes is the memory that n elements take.
func (b *buffer) bytes(n int) int64 { return int64(n) * int64(b.stride) }

// element is the type of the elements.
func (b *Buffer[T]) element() reflect.Type { return reflect.TypeFor[T]() }

// NewBuffer makes a buffer of n elements, all zero bytes. A buffer of no elements is allowed;
// shaders see one element in it, since OpenGL has no empty buffers, so pass counts apart from
// .length(). The error is a *CapacityError when shaders could not see all of the buffer, or when
// memory runs out; or one of Device.Do.
func NewBuffer[T any](d *Device, label string, n int) (*Buffer[T], error) {
	if n < 0 {
		panic(fmt.Sprintf("gpu: buffer %q of %d elements", label, n))
	}
	checkElement[T](label)
	b := &Buffer[T]{buffer{object: object{device: d, kind: bufferKind, label: label, name: 0}, length: n, stride: int(unsafe.Sizeof(*new(T)))}}
	size := max(b.bytes(n), b.bytes(1))
	if size > d.info.Limits.MaxStorageBlock {
		return nil, b.exceeds("bytes", size, d.info.Limits.MaxStorageBlock)
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if err := b.create(size, func() {
		gl.CreateBuffers(1, &b.name)
		gl.NamedBufferStorage(b.name, int(size), nil, gl.DYNAMIC_STORAGE_BIT)
	}); err != nil {
		return nil, err
	}
	b.Clear()
	return b, nil
}

// checkElement panics where an element's bytes would not mean the same in GLSL.
func checkElement[T any](label string) {
	t := reflect.TypeFor[T]()
	scalar := t
	for scalar.Kind() == reflect.Array {
		scalar = scalar.Elem()
	}
	switch {
	case t.Kind() == reflect.Struct:
		if _, err := shaders.Layout(*new(T)); err != nil {
			panic(fmt.Sprintf("gpu: buffer %q: %v", label, err))
		}
	case t.Size() > 0 && (scalar.Kind() == reflect.Int32 || scalar.Kind() == reflect.Uint32 || scalar.Kind() == reflect.Float32):
	default:
		panic(fmt.Sprintf("gpu: buffer %q: elements of type %s have no layout in GLSL; use int32, uint32, float32, arrays of them, or a struct as in shaders.Layout", label, t))
	}
}

// check panics unless count elements from offset on lie in the buffer.
func (b *buffer) check(call string, offset, count int) {
	b.alive(call)
	if offset < 0 || count < 0 || offset > b.length-count {
		panic(fmt.Sprintf("gpu: %s of elements %d to %d on buffer %q, which has %d", call, offset, offset+count, b.label, b.length))
	}
}

// Len is the number of elements. None has none.
func (b *Buffer[T]) Len() int {
	if b == nil {
		return 0
	}
	return b.length
}

// Bytes is the memory that the elements take. None takes none.
func (b *Buffer[T]) Bytes() int64 {
	if b == nil {
		return 0
	}
	return b.bytes(b.length)
}

// Stride is the size of an element in bytes, for attributes and indirect offsets.
func (b *Buffer[T]) Stride() int { return b.stride }

// Write copies data into the elements from offset on.
func (b *Buffer[T]) Write(offset int, data []T) {
	b.check("Write", offset, len(data))
	if len(data) == 0 {
		return
	}
	defer b.device.mustEnter()()
	b.device.transfer(&b.buffer)
	gl.NamedBufferSubData(b.name, int(b.bytes(offset)), int(b.bytes(len(data))), unsafe.Pointer(&data[0]))
}

// Read fills dst with the elements from offset on, all earlier work done. It waits for the device
// and is counted; no elements are no read.
func (b *Buffer[T]) Read(offset int, dst []T) {
	b.check("Read", offset, len(dst))
	if len(dst) == 0 {
		return
	}
	defer b.device.mustEnter()()
	b.device.readbacks++
	b.device.transfer(&b.buffer)
	gl.GetNamedBufferSubData(b.name, int(b.bytes(offset)), int(b.bytes(len(dst))), unsafe.Pointer(&dst[0]))
}

// Clear sets every byte to zero.
func (b *Buffer[T]) Clear() { b.Fill(0) }

// Fill sets every 4-byte word of the buffer: Fill(0xffffffff) makes every index none,
// Fill(math.Float32bits(x)) every float x.
func (b *Buffer[T]) Fill(word uint32) {
	b.check("Fill", 0, 0)
	defer b.device.mustEnter()()
	b.device.transfer(&b.buffer)
	*b.device.word = word
	gl.ClearNamedBufferData(b.name, gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, unsafe.Pointer(b.device.word))
}

// CopyTo copies the first n elements to the start of another buffer, on the device.
func (b *Buffer[T]) CopyTo(dst *Buffer[T], n int) { b.CopyRange(0, dst, 0, n) }

// CopyRange copies n elements from offset on to another buffer, from offset to on, on the device.
func (b *Buffer[T]) CopyRange(offset int, dst *Buffer[T], to, n int) {
	b.check("CopyTo", offset, n)
	dst.check("CopyTo", to, n)
	if b == dst {
		panic(fmt.Sprintf("gpu: CopyTo from buffer %q to itself", b.label))
	}
	b.device.copy(&b.buffer, b.bytes(offset), &dst.buffer, b.bytes(to), b.bytes(n))
}

// Delete frees the buffer. Deleting twice, or none, does nothing.
func (b *Buffer[T]) Delete() {
	if b != nil {
		b.delete()
	}
}

// DoubleBits is a float64 as shaders take one: its bits, the lower word first.
func DoubleBits(x float64) [2]uint32 {
	bits := math.Float64bits(x)
	return [2]uint32{uint32(bits), uint32(bits >> 32)}
}
