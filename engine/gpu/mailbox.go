package gpu

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"
)

// MailboxSpec describes a Mailbox.
type MailboxSpec struct {
	Label  string
	Length int // elements of a readback, > 0

	// Slots is how many readbacks may be pending; 0 is 4, or Latency + 1.
	Slots int

	// Latency, where above 0, fixes when readbacks arrive: readback k arrives right after readback k +
	// Latency was posted, however fast the device is; where it is slower than that, Take waits. With 0
	// a readback arrives when the device is done, and Take never waits.
	Latency int
}

// Mailbox reads small results back without waiting for the device: Post copies them aside, on the
// device, and Take returns them some frames later. Readbacks have numbers from 0 and arrive in
// order.
type Mailbox[T any] struct {
	object
	spec   MailboxSpec
	memory []T // of all slots, mapped for as long as the mailbox lives
	fences []uintptr
	posted int64 // readbacks posted so far
	taken  int64 // readbacks taken so far
}

// NewMailbox makes a mailbox. The error is a *CapacityError, or one of Device.Do.
func NewMailbox[T any](d *Device, spec MailboxSpec) (*Mailbox[T], error) {
	if spec.Slots == 0 {
		spec.Slots = max(4, spec.Latency+1)
	}
	if spec.Length <= 0 || spec.Latency < 0 || spec.Slots <= spec.Latency {
		panic(fmt.Sprintf("gpu: mailbox %q: Length %d must be above 0, and Slots %d above Latency %d", spec.Label, spec.Length, spec.Slots, spec.Latency))
	}
	checkElement[T](spec.Label)
	m := &Mailbox[T]{object: object{device: d, kind: mailboxKind, label: spec.Label, name: 0}, spec: spec, fences: make([]uintptr, spec.Slots)}
	count := spec.Slots * spec.Length
	size := count * int(unsafe.Sizeof(*new(T)))
	const flags = gl.MAP_READ_BIT | gl.MAP_PERSISTENT_BIT | gl.MAP_COHERENT_BIT
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	var memory unsafe.Pointer
	if err := m.create(int64(size), func() {
		gl.CreateBuffers(1, &m.name)
		gl.NamedBufferStorage(m.name, size, nil, flags|gl.CLIENT_STORAGE_BIT)
		memory = gl.MapNamedBufferRange(m.name, 0, size, flags)
	}); err != nil {
		return nil, err
	}
	if memory == nil {
		m.delete()
		return nil, m.exceeds("bytes", int64(size), 0)
	}
	m.memory = unsafe.Slice((*T)(memory), count)
	return m, nil
}

// Post begins a readback: of Length elements of a buffer from offset on, as they are after all
// earlier work. It never waits. It reports false, and begins none, where every slot holds a
// readback that has not been taken.
func (m *Mailbox[T]) Post(src *Buffer[T], offset int) bool {
	src.check("Post", offset, m.spec.Length)
	m.alive("Post")
	if m.posted-m.taken == int64(m.spec.Slots) {
		return false
	}
	defer m.device.mustEnter()()
	m.device.transfer(&src.buffer)
	m.begin(src.name, int(src.bytes(offset)))
	return true
}

// begin begins a readback of a buffer by name, from a byte on.
func (m *Mailbox[T]) begin(src uint32, offset int) {
	slot := int(m.posted % int64(m.spec.Slots))
	gl.CopyNamedBufferSubData(src, m.name, offset, slot*m.bytes(), m.bytes())
	m.fences[slot] = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
	m.posted++
}

// Posted is how many readbacks were posted so far, and so the number of the next one.
func (m *Mailbox[T]) Posted() int64 { return m.posted }

// Take copies the oldest readback that has arrived into dst, which holds Length elements, and
// returns its number. Without one it reports false.
func (m *Mailbox[T]) Take(dst []T) (number int64, ok bool) {
	m.check(dst)
	if m.taken+int64(m.spec.Latency) >= m.posted {
		return 0, false
	}
	return m.take(dst, m.spec.Latency > 0)
}

// TakeNow is Take of the oldest readback that was posted, whatever the Latency: it waits for it.
func (m *Mailbox[T]) TakeNow(dst []T) (number int64, ok bool) {
	m.check(dst)
	if m.taken == m.posted {
		return 0, false
	}
	return m.take(dst, true)
}

func (m *Mailbox[T]) check(dst []T) {
	if len(dst) != m.spec.Length || m.name == 0 {
		panic(fmt.Sprintf("gpu: Take of %d elements from mailbox %q, whose readbacks have %d, or which was deleted", len(dst), m.spec.Label, m.spec.Length))
	}
}

// take takes the oldest pending readback, if it has arrived.
func (m *Mailbox[T]) take(dst []T, wait bool) (number int64, ok bool) {
	defer m.device.mustEnter()()
	if !m.arrived(wait) {
		return 0, false
	}
	slot := int(m.taken % int64(m.spec.Slots))
	gl.DeleteSync(m.fences[slot])
	m.fences[slot] = 0
	copy(dst, m.memory[slot*m.spec.Length:])
	number = m.taken
	m.taken++
	return number, true
}

// Wait waits until the oldest pending readback has arrived, for Take. It reports false where none
// is pending, or where the device was lost.
func (m *Mailbox[T]) Wait() bool {
	if m.posted == m.taken {
		return false
	}
	defer m.device.mustEnter()()
	return m.arrived(true)
}

// arrived reports whether the oldest pending readback has arrived, or waits for it.
func (m *Mailbox[T]) arrived(wait bool) bool {
	fence := m.fences[m.taken%int64(m.spec.Slots)]
	// The flush makes sure that the fence is reached some time.
	status := gl.ClientWaitSync(fence, gl.SYNC_FLUSH_COMMANDS_BIT, 0)
	for wait && status == gl.TIMEOUT_EXPIRED {
		status = gl.ClientWaitSync(fence, gl.SYNC_FLUSH_COMMANDS_BIT, 1e9)
	}
	return status == gl.ALREADY_SIGNALED || status == gl.CONDITION_SATISFIED
}

// Delete frees the mailbox with the readbacks in it. Deleting twice does nothing.
func (m *Mailbox[T]) Delete() {
	if m == nil || m.name == 0 {
		return
	}
	m.device.free(func() {
		for _, fence := range m.fences {
			gl.DeleteSync(fence) // ignores 0
		}
	})
	m.delete() // and unmaps it
	m.memory = nil
}
