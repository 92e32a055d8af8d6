package gpu

import "github.com/go-gl/gl/v4.5-core/gl"

// use is a way in which a command reaches a buffer. Each has its own bit of glMemoryBarrier.
type use int

const (
	inStorage  use = iota // a storage block of a shader
	asTexels              // a TexelBuffer
	asVertices            // attributes
	asCommand             // the counts of an indirect dispatch or draw
	byTransfer            // Write, Read, Clear, copies, mailboxes
	uses
)

var barrierBits = [uses]uint32{
	inStorage: gl.SHADER_STORAGE_BARRIER_BIT, asTexels: gl.TEXTURE_FETCH_BARRIER_BIT, asVertices: gl.VERTEX_ATTRIB_ARRAY_BARRIER_BIT,
	asCommand: gl.COMMAND_BARRIER_BIT, byTransfer: gl.BUFFER_UPDATE_BARRIER_BIT,
}

// history is the last two runs, by number, whose shaders wrote a buffer, and that read it. Two,
// since the last may be of the group that goes on.
type history struct{ written, read [2]uint64 }

// order derives barriers. Writes of shaders are not ordered with the commands after them (OpenGL
// 4.5 core, section 7.12.2): a command that reads them in some way, or overwrites them, comes after
// a barrier of that way, and so does a shader that writes what earlier ones read. All other writes
// (transfers, attachments of targets) are ordered by OpenGL.
type order struct {
	run   uint64       // the number of the command that is being issued
	done  [uses]uint64 // barriers of each use order all runs up to this one
	group bool         // commands share a number, since their order does not matter
}

// next begins a command.
func (o *order) next() {
	if !o.group {
		o.run++
	}
}

// needs reports whether the command has to come after a barrier of a use.
func (o *order) needs(h *history, u use, writes bool) bool {
	stale := func(runs [2]uint64) bool {
		if runs[0] == o.run {
			runs[0] = runs[1]
		}
		return runs[0] > o.done[u]
	}
	return stale(h.written) || writes && u == inStorage && stale(h.read)
}

// barrier notes that a barrier was issued before the command.
func (o *order) barrier(u use) { o.done[u] = o.run - 1 }

// note records what the command's shaders do to a buffer.
func (o *order) note(h *history, writes bool) {
	runs := &h.read
	if writes {
		runs = &h.written
	}
	if runs[0] != o.run {
		runs[0], runs[1] = o.run, runs[0]
	}
}

// access is how a run of a pass reaches a buffer.
type access struct {
	buffer *buffer
	use    use
	writes bool
}

// arrange issues the barrier that a run needs, and records the run for later ones. It reports
// whether there was a barrier.
func (d *Device) arrange(accesses []access) bool {
	d.order.next()
	var needed uint
	for _, a := range accesses {
		if d.order.needs(&a.buffer.history, a.use, a.writes) {
			needed |= 1 << a.use
		}
	}
	if needed != 0 {
		d.barrier(needed)
	}
	for _, a := range accesses {
		d.order.note(&a.buffer.history, a.writes)
		d.dirty = d.dirty || a.writes
	}
	return needed != 0
}

// transfer orders a command that is no run of a pass after what shaders did to buffers.
func (d *Device) transfer(buffers ...*buffer) {
	group := d.order.group
	d.order.group = false
	d.order.next()
	d.order.group = group
	for _, b := range buffers {
		if d.order.needs(&b.history, byTransfer, true) {
			d.barrier(1 << byTransfer)
			return
		}
	}
}

// barrier issues one barrier for a set of uses, bit 1 << u for use u. It covers storage blocks
// besides, which later passes mostly reach: what writes commands or attributes and other buffers
// then takes one barrier, not two.
func (d *Device) barrier(set uint) {
	set |= 1 << inStorage
	var bits uint32
	for u := range uses {
		if set>>u&1 != 0 {
			bits |= barrierBits[u]
			d.order.barrier(u)
		}
	}
	gl.MemoryBarrier(bits)
	d.barriers++
}

// Unordered runs f, whose passes may run in any order or at once: they write different parts of
// buffers, or what they write does not depend on the order. No barriers come between them.
func (d *Device) Unordered(f func()) {
	if d.order.group {
		f()
		return
	}
	d.order.next()
	d.order.group = true
	defer func() { d.order.group = false }()
	f()
}
