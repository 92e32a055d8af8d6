package gpu

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// Archive keeps what buffers hold, in buffers of its own on the device, by names. What it keeps is
// copied there by the device, without a readback, and back again as often as asked for. After the
// first error it keeps nothing more.
type Archive struct {
	device *Device
	parts  []archived
	err    error
}

// archived is what an archive keeps under a name.
type archived struct {
	name  string
	words *Buffer[uint32]
}

// NewArchive makes an archive that keeps nothing.
func NewArchive(d *Device) *Archive { return &Archive{device: d} }

// Err is the first error: a *CapacityError, or one of Device.Do.
func (a *Archive) Err() error { return a.err }

// Keep keeps the first n elements of a buffer. A name that is kept already panics.
func (a *Archive) Keep(name string, src Storage, n int) {
	b := src.storage()
	b.check("Keep", 0, n)
	if words := a.add(name, int(b.bytes(n)/4)); words != nil {
		a.device.copy(b, 0, &words.buffer, 0, b.bytes(n))
	}
}

// add makes a part of so many words; nil after an error.
func (a *Archive) add(name string, words int) *Buffer[uint32] {
	if a.Has(name) {
		panic(fmt.Sprintf("gpu: an archive keeps %q twice; give each buffer a name of its own", name))
	}
	if a.err != nil {
		return nil
	}
	var b *Buffer[uint32]
	if b, a.err = NewBuffer[uint32](a.device, "archived "+name, words); a.err != nil {
		return nil
	}
	a.parts = append(a.parts, archived{name, b})
	return b
}

// part is what is kept under a name; nil where nothing is.
func (a *Archive) part(name string) *Buffer[uint32] {
	if i := slices.IndexFunc(a.parts, func(p archived) bool { return p.name == name }); i >= 0 {
		return a.parts[i].words
	}
	return nil
}

// Has reports whether something is kept under a name.
func (a *Archive) Has(name string) bool { return a.part(name) != nil }

// Words is how many words of 4 bytes are kept under a name.
func (a *Archive) Words(name string) int { return a.part(name).Len() }

// Return copies what is kept under a name to the first elements of a buffer, which are so many or
// more. Where nothing is kept it does nothing.
func (a *Archive) Return(name string, dst Storage) {
	part, b := a.part(name), dst.storage()
	if part == nil {
		return
	}
	if part.Bytes() > b.bytes(b.length) {
		panic(fmt.Sprintf("gpu: an archive returns %d bytes to %s, which has %d", part.Bytes(), b.title(), b.bytes(b.length)))
	}
	b.alive("Return")
	a.device.copy(&part.buffer, 0, b, 0, part.Bytes())
}

// KeepMail keeps the readbacks of a mailbox that are pending. They stay pending.
func KeepMail[T any](a *Archive, name string, m *Mailbox[T]) {
	m.alive("KeepMail")
	pending, size := int(m.posted-m.taken), m.bytes()
	words := a.add(name, pending*size/4)
	if words == nil {
		return
	}
	defer a.device.mustEnter()()
	for i := range pending {
		slot := int(m.taken+int64(i)) % m.spec.Slots
		gl.CopyNamedBufferSubData(m.name, words.name, slot*size, i*size, size)
	}
}

// ReturnMail makes the readbacks of a mailbox that were kept under a name the pending ones, in place
// of those that are.
func ReturnMail[T any](a *Archive, name string, m *Mailbox[T]) {
	words, size := a.part(name), m.bytes()
	if words == nil {
		return
	}
	m.alive("ReturnMail")
	defer a.device.mustEnter()()
	for slot, fence := range m.fences {
		gl.DeleteSync(fence) // ignores 0
		m.fences[slot] = 0
	}
	m.taken = m.posted
	for i := range int(words.Bytes()) / size {
		m.begin(words.name, i*size)
	}
}

// Part is what an archive keeps under a name, read back.
type Part struct {
	Name  string
	Words []uint32
}

// Elements returns what was kept of a buffer of these elements under a name, in the memory of its
// part; nil where there is nothing.
func Elements[T any](parts []Part, name string) []T {
	i := slices.IndexFunc(parts, func(p Part) bool { return p.Name == name })
	if i < 0 || len(parts[i].Words) == 0 {
		return nil
	}
	words := parts[i].Words
	return unsafe.Slice((*T)(unsafe.Pointer(&words[0])), 4*len(words)/int(unsafe.Sizeof(*new(T))))
}

// Read reads all parts back, in the order in which they were kept. It waits for the device.
func (a *Archive) Read() []Part {
	all := make([]Part, len(a.parts))
	for i, p := range a.parts {
		all[i] = Part{p.name, make([]uint32, p.words.Len())}
		p.words.Read(0, all[i].Words)
	}
	return all
}

// Put keeps words that Read has given.
func (a *Archive) Put(p Part) {
	if words := a.add(p.Name, len(p.Words)); words != nil {
		words.Write(0, p.Words)
	}
}

// Bytes is the memory that the archive takes on the device.
func (a *Archive) Bytes() (sum int64) {
	for _, p := range a.parts {
		sum += p.words.Bytes()
	}
	return sum
}

// Delete frees what the archive keeps. Deleting twice, or none, does nothing.
func (a *Archive) Delete() {
	if a == nil {
		return
	}
	for _, p := range a.parts {
		p.words.Delete()
	}
	a.parts = nil
}

// copy copies bytes of a buffer to another one.
func (d *Device) copy(from *buffer, offset int64, to *buffer, at, bytes int64) {
	if bytes == 0 {
		return
	}
	defer d.mustEnter()()
	d.transfer(from, to)
	gl.CopyNamedBufferSubData(from.name, to.name, int(offset), int(at), int(bytes))
}

// bytes is the size of a readback.
func (m *Mailbox[T]) bytes() int { return m.spec.Length * int(unsafe.Sizeof(*new(T))) }
