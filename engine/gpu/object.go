package gpu

import (
	"fmt"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// object is an object of OpenGL: what buffers, textures, targets and mailboxes have in common.
type object struct {
	device *Device
	kind   kind
	label  string
	name   uint32 // 0 once it is deleted

	memory *Memory // that it takes bytes of; nil: of none
	taken  int64
}

// Memory counts the bytes of buffers, textures and mailboxes that are made inside of
// Device.Within, and limits them. Shaders and what drivers need besides are not counted.
type Memory struct {
	Limit int64 // bytes; 0: what the device has
	used  int64
}

// Used is how many bytes the objects take that were made with the memory and not deleted.
func (m *Memory) Used() int64 { return m.used }

// Within runs f, and has what it makes take of a memory. An object that exceeds the limit is a
// *MemoryError, and is not made.
func (d *Device) Within(m *Memory, f func() error) error {
	before := d.memory
	d.memory = m
	defer func() { d.memory = before }()
	return f()
}

// kind is a kind of objects.
type kind struct {
	name       string // in messages
	identifier uint32 // for labels
	remove     func(n int32, names *uint32)
}

var (
	bufferKind  = kind{"buffer", gl.BUFFER, func(n int32, names *uint32) { gl.DeleteBuffers(n, names) }}
	mailboxKind = kind{"mailbox", gl.BUFFER, bufferKind.remove}
	textureKind = kind{"texture", gl.TEXTURE, func(n int32, names *uint32) { gl.DeleteTextures(n, names) }}
	texelsKind  = kind{"texel buffer", gl.TEXTURE, textureKind.remove}
	targetKind  = kind{"target", gl.FRAMEBUFFER, func(n int32, names *uint32) { gl.DeleteFramebuffers(n, names) }}
)

// title names the object in messages.
func (o *object) title() string { return fmt.Sprintf("%s %q", o.kind.name, o.label) }

// create runs make, which makes the object and its memory, and labels it. The error is a
// *CapacityError where the device has no memory for so many bytes.
func (o *object) create(bytes int64, make func()) error {
	m := o.device.memory
	if m != nil && m.Limit > 0 && bytes > m.Limit-m.used {
		return &MemoryError{What: o.title(), Needed: bytes, Used: m.used, Limit: m.Limit}
	}
	if o.device.attempt(make) {
		o.delete()
		return o.exceeds("bytes", bytes, 0)
	}
	if m != nil {
		o.memory, o.taken = m, bytes
		m.used += bytes
	}
	o.device.label(o.kind.identifier, o.name, o.label)
	return nil
}

// exceeds is the error of an object that does not fit the device.
func (o *object) exceeds(unit string, needed, limit int64) error {
	return &CapacityError{What: o.title(), Unit: unit, Needed: needed, Limit: limit}
}

// Name is OpenGL's name of the object. It stays the same until Delete.
func (o *object) Name() uint32 { return o.name }

// alive panics where the object was deleted.
func (o *object) alive(call string) {
	if o.name == 0 {
		panic(fmt.Sprintf("gpu: %s on %s, which was deleted", call, o.title()))
	}
}

// delete frees the object, unless that was done.
func (o *object) delete() {
	if name := o.name; name != 0 {
		o.device.free(func() { o.kind.remove(1, &name) })
		o.name = 0
		if o.memory != nil {
			o.memory.used -= o.taken
			o.memory = nil
		}
	}
}
