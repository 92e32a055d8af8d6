package gpu

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu/internal/glstate"
)

// Pass is a compute or drawing program with its inputs, a struct T whose fields have the names in
// the shaders:
//
//	type integrateInput struct {
//		before   *gpu.Buffer[Agent] `gpu:"read"`
//		after    *gpu.Buffer[Agent] `gpu:"write"`
//		parents  *gpu.Texture
//		timestep float32
//	}
//
// Fields are storage buffers (*Buffer or Storage), textures (*Texture), buffers read by texels
// (*TexelBuffer), attributes (VertexAttribute) and uniforms: float32, int32, uint32, bool, arrays
// of them for vectors, matrices (in the order of columns) and arrays. Embedded structs count as
// their fields. Names of fields are compared with a small first letter: First and Portion, which
// RunEach and RunIndirectEach set, are the uniforms first and portion. A buffer's tag says what the
// shaders do to it: read, write or readwrite, the same as the block's qualifiers readonly,
// writeonly or none. The shader's name of a buffer is that of its block's one member, or of a block
// of several members its own, with a small first letter.
//
// Binding points, texture units, locations and barriers follow from that. Passes of the same
// sources share what the driver has made of them.
type Pass[T any] struct{ pass }

// pass is a Pass whatever its inputs are.
type pass struct {
	*program
	device *Device
	label  string
	inputs []input
	count  *PassCount
}

// PassSpec is a Spec of a program that takes a struct T, as in Pass. Structs that buffers of T hold
// need not be in it.
type PassSpec[T any] Spec

// PassInfo describes a pass without a device: what makes its program, and the names of what it
// takes, in the order of the Go struct. A buffer may be in both Reads and Writes.
type PassInfo struct {
	Spec
	Reads, Writes, Textures, Attributes, Uniforms []string
}

// Storage is a Buffer of any element type.
type Storage interface{ storage() *buffer }

// VertexAttribute is a vertex input of a draw, read from a buffer; components and type are those of
// the shader's input.
type VertexAttribute struct {
	Buffer  Storage
	Offset  int // bytes from the start of each element
	Divisor int // 0: an element a vertex; n: an element every n instances
}

// NewPass compiles and links a program, unless the device has it already, and matches the inputs of
// T with it. Errors come from shaders.Load, or are of type *CompileError; or *PassError where a
// field has a name that no shader declares, where the program uses something that no field gives,
// and where types or accesses differ; or they are those of Device.Do. Sources that initialize
// uniforms panic.
func NewPass[T any](d *Device, s PassSpec[T]) (*Pass[T], error) {
	spec := s.Info().Spec
	program, err := d.program(spec)
	if err != nil {
		return nil, err
	}
	p := &Pass[T]{pass{program: program, device: d, label: cmp.Or(spec.Name, spec.Stages[0])}}
	if err := p.match(fieldsOf(reflect.TypeFor[T](), 0)); err != nil {
		return nil, err
	}
	p.count = d.countOf(p.label)
	return p, nil
}

// Run runs a compute pass on x, x*y or x*y*z work groups; none where one of them is 0.
func (p *Pass[T]) Run(in T, groups ...uint32) {
	size := [3]uint32{1, 1, 1}
	if n := copy(size[:], groups); n == 0 || n < len(groups) {
		panic(fmt.Sprintf("gpu: pass %q runs on %d numbers of work groups: want 1 to 3", p.label, len(groups)))
	}
	for i, n := range size {
		if limit := p.device.info.Limits.WorkGroups[i]; int64(n) > int64(limit) {
			panic(fmt.Sprintf("gpu: pass %q runs on %d x %d x %d work groups: the device's limit in direction %d is %d; use larger groups or a second direction",
				p.label, size[0], size[1], size[2], i, limit))
		}
	}
	if slices.Contains(size[:], 0) {
		return
	}
	p.run(unsafe.Pointer(&in), true, nil, func() {
		p.count.Dispatches++
		p.count.Groups += int64(size[0]) * int64(size[1]) * int64(size[2])
		gl.DispatchCompute(size[0], size[1], size[2])
	})
}

// RunIndirect runs a compute pass on as many work groups as three uint32 in a buffer say, at a byte
// offset that is a multiple of 4.
func (p *Pass[T]) RunIndirect(in T, commands Storage, offset int) {
	b := commands.storage()
	p.run(unsafe.Pointer(&in), true, b, func() {
		p.count.Dispatches++
		gl.BindBuffer(gl.DISPATCH_INDIRECT_BUFFER, b.name)
		gl.DispatchComputeIndirect(offset)
	})
}

// Draw draws, as described. It sets every state it depends on.
func (p *Pass[T]) Draw(in T, w Draw) {
	if w.Count < 0 || w.Instances < 0 || w.First < 0 {
		panic(fmt.Sprintf("gpu: draw of pass %q: First %d, Count %d, Instances %d must not be negative", p.label, w.First, w.Count, w.Instances))
	}
	if w.Target == nil {
		panic(fmt.Sprintf("gpu: draw of pass %q without a Target", p.label))
	}
	var commands *buffer
	if w.Indirect != nil {
		commands = w.Indirect.Buffer.storage()
	} else if w.Count == 0 || w.Instances == 0 {
		return
	}
	p.run(unsafe.Pointer(&in), false, commands, func() {
		p.count.Draws++
		p.draw(w, unsafe.Pointer(&in))
	})
}

// run binds the inputs, issues the barrier that they need, and a command.
func (p *pass) run(in unsafe.Pointer, compute bool, commands *buffer, command func()) {
	if p.compute != compute {
		panic(fmt.Sprintf("gpu: pass %q: compute passes run, others draw", p.label))
	}
	d := p.device
	defer d.mustEnter()()
	d.keep(glstate.Running, 0)
	d.accesses = d.accesses[:0]
	for _, x := range p.inputs {
		p.bind(x, unsafe.Add(in, x.offset))
	}
	if commands != nil {
		p.access(commands, "of commands", asCommand, false)
	}
	if d.arrange(d.accesses) {
		p.count.Barriers++
	}
	gl.UseProgram(p.name)
	command()
}

// bind gives the program an input.
func (p *pass) bind(x input, at unsafe.Pointer) {
	d := p.device
	switch x.to.class {
	case storageBlock:
		b := p.access(x.buffer(at), x.name, inStorage, x.access != "read")
		d.keep(glstate.Storage, x.to.at)
		gl.BindBuffersBase(gl.SHADER_STORAGE_BUFFER, x.to.at, 1, &b.name)
	case sampler:
		d.keep(glstate.Active, 0)
		d.keep(glstate.Sampling, x.to.at)
		d.keep(glstate.Units[x.to.target], x.to.at)
		gl.BindTextureUnit(x.to.at, p.textureName(x, at))
	case attribute:
		b := (*VertexAttribute)(at).Buffer
		if b == nil {
			panic(fmt.Sprintf("gpu: pass %q: attribute %s has no buffer", p.label, x.name))
		}
		p.access(b.storage(), x.name, asVertices, false)
	case plain:
		x.to.upload(p.program.name, at)
	}
}

// access notes that the command reaches a buffer, which an input or commands name.
func (p *pass) access(b *buffer, name string, u use, writes bool) *buffer {
	if b == nil || b.name == 0 {
		panic(fmt.Sprintf("gpu: pass %q: buffer %s is nil or was deleted", p.label, name))
	}
	p.device.accesses = append(p.device.accesses, access{b, u, writes})
	p.count.Bytes += b.bytes(b.length)
	return b
}

// textureName is OpenGL's name of the texture that an input holds.
func (p *pass) textureName(x input, at unsafe.Pointer) uint32 {
	if x.kind == texelsType {
		t := *(**TexelBuffer)(at)
		if t == nil || t.name == 0 {
			panic(fmt.Sprintf("gpu: pass %q: texel buffer %s is nil or was deleted", p.label, x.name))
		}
		p.access(t.buffer, x.name, asTexels, false)
		return t.name
	}
	t := *(**Texture)(at)
	if t == nil || t.name == 0 || t.target() != x.to.target {
		panic(fmt.Sprintf("gpu: pass %q: texture %s is nil, was deleted, or has layers where the shader has none, or none where it has", p.label, x.name))
	}
	p.count.Bytes += t.Bytes()
	return t.name
}

// PassCount is what a pass has done since the counts were reset.
type PassCount struct {
	Name       string
	Dispatches int64
	Groups     int64 // work groups, of direct dispatches
	Draws      int64
	Barriers   int64 // that came before its runs
	// Bytes is the sum over runs of the sizes of the buffers and textures bound: an upper estimate of
	// what they touch.
	Bytes int64
}

// countOf is the count of a name; passes of the same name share one.
func (d *Device) countOf(name string) *PassCount {
	i := slices.IndexFunc(d.counts, func(c *PassCount) bool { return c.Name == name })
	if i < 0 {
		i = len(d.counts)
		d.counts = append(d.counts, &PassCount{Name: name})
	}
	return d.counts[i]
}

// Counts lists what passes have done since ResetCounts, those that ran, in the order in which they
// were made.
func (d *Device) Counts() (counts []PassCount) {
	for _, c := range d.counts {
		if c.Dispatches+c.Draws > 0 {
			counts = append(counts, *c)
		}
	}
	return counts
}

// ResetCounts begins to count anew.
func (d *Device) ResetCounts() {
	for _, c := range d.counts {
		*c = PassCount{Name: c.Name}
	}
}

// Barriers counts the barriers that were issued so far.
func (d *Device) Barriers() int64 { return d.barriers }
