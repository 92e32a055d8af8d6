package gpu

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/engine/gpu/internal/glstate"
	"github.com/wayfront/wayfront/shaders"
)

// Storage is a Buffer of any element type.
type Storage interface{ storage() *buffer }

// VertexAttribute is a vertex input of a draw, read from a buffer; components and type are those of
// the shader's input.
type VertexAttribute struct {
	Buffer  Storage
	Offset  int // bytes from the start of each element
	Divisor int // 0: an element a vertex; n: an element every n instances
}

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
// their fields. A buffer's tag says what the shaders do to it: read, write or readwrite, the same
// as the block's qualifiers readonly, writeonly or none. The shader's name of a buffer is that of
// its block's one member, or of a block of several members its own, with a small first letter.
//
// Binding points, texture units, locations and barriers follow from that. Passes of the same
// sources share what the driver has made of them.
type Pass[T any] struct{ pass }

type pass struct {
	*program
	device *Device
	label  string
	inputs []input
	count  *PassCount
}

// field is where a struct has an input.
type field struct {
	name   string
	offset uintptr
	kind   reflect.Type
	access string
}

// input is a field with the resource of the program that takes it.
type input struct {
	field
	to *resource
}

// The types of fields that are no uniforms.
var (
	storageType   = reflect.TypeFor[Storage]()
	textureType   = reflect.TypeFor[*Texture]()
	texelsType    = reflect.TypeFor[*TexelBuffer]()
	attributeType = reflect.TypeFor[VertexAttribute]()
)

// PassError says how the inputs that Go declares for a pass differ from what its shaders declare.
type PassError struct {
	Pass    string
	Faults  []string
	Inputs  []string // of the Go struct
	Shaders []string // what the shaders use
}

func (e *PassError) Error() string {
	return fmt.Sprintf("gpu: pass %q: %s\n\tGo has:      %s\n\tshaders use: %s",
		e.Pass, strings.Join(e.Faults, "; "), strings.Join(e.Inputs, " "), strings.Join(e.Shaders, " "))
}

// fieldsOf lists the inputs that a struct declares, which begins at a byte offset.
func fieldsOf(t reflect.Type, offset uintptr) (fields []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			fields = append(fields, fieldsOf(f.Type, offset+f.Offset)...)
			continue
		}
		fields = append(fields, field{shaders.FieldName(f.Name), offset + f.Offset, f.Type, f.Tag.Get("gpu")})
	}
	return fields
}

// isBuffer reports whether an input is a storage buffer.
func (f field) isBuffer() bool { return f.kind.Implements(storageType) }

// structs are the Go structs that a pass's buffers hold.
func structs(fields []field) (all []any) {
	for _, f := range fields {
		if f.isBuffer() && f.kind != storageType {
			element := reflect.Zero(f.kind).Interface().(interface{ element() reflect.Type }).element()
			if element.Kind() == reflect.Struct {
				all = append(all, reflect.Zero(element).Interface())
			}
		}
	}
	return all
}

// PassSpec is a Spec of a program that takes a struct T, as in Pass. Structs that buffers of T hold
// need not be in it.
type PassSpec[T any] Spec

// spec is the whole of it.
func (s PassSpec[T]) spec() Spec {
	s.Structs = append(structs(fieldsOf(reflect.TypeFor[T](), 0)), s.Structs...)
	return Spec(s)
}

// PassInfo describes a pass without a device: what makes its program, and what it takes.
type PassInfo struct {
	Spec
	Reads, Writes, Textures, Attributes, Uniforms []string // names, in the order of the Go struct; a buffer may be in both
}

// Info describes the pass that NewPass makes.
func (s PassSpec[T]) Info() PassInfo {
	info := PassInfo{Spec: s.spec()}
	for _, f := range fieldsOf(reflect.TypeFor[T](), 0) {
		switch {
		case f.isBuffer():
			if f.access != "write" {
				info.Reads = append(info.Reads, f.name)
			}
			if f.access != "read" {
				info.Writes = append(info.Writes, f.name)
			}
		case f.kind == textureType || f.kind == texelsType:
			info.Textures = append(info.Textures, f.name)
		case f.kind == attributeType:
			info.Attributes = append(info.Attributes, f.name)
		default:
			info.Uniforms = append(info.Uniforms, f.name)
		}
	}
	return info
}

// NewPass compiles and links a program, unless the device has it already, and matches the inputs of
// T with it. Errors come from shaders.Load, or are of type *CompileError; or *PassError where a
// field has a name that no shader declares, where the program uses something that no field gives,
// and where types or accesses differ; or they are those of Device.Do. Sources that initialize
// uniforms panic.
func NewPass[T any](d *Device, s PassSpec[T]) (*Pass[T], error) {
	spec := s.spec()
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

// match finds what the program uses among the fields.
func (p *pass) match(fields []field) error {
	e := PassError{Pass: p.label}
	byName := map[string]field{}
	for _, f := range fields {
		e.Inputs = append(e.Inputs, f.name)
		if _, twice := byName[f.name]; twice {
			e.Faults = append(e.Faults, fmt.Sprintf("two fields are called %s", f.name))
		}
		byName[f.name] = f
		e.Faults = append(e.Faults, p.check(f)...)
	}
	for _, r := range p.resources {
		e.Shaders = append(e.Shaders, r.name)
		f, ok := byName[r.name]
		switch {
		case !ok:
			e.Faults = append(e.Faults, fmt.Sprintf("no field gives %s %s", r.what(), r.name))
		case !r.fits(f.kind):
			e.Faults = append(e.Faults, fmt.Sprintf("%s is a %s in the shaders, a %v in Go", r.name, r.what(), f.kind))
		default:
			p.inputs = append(p.inputs, input{f, r})
		}
	}
	if len(e.Faults) > 0 {
		slices.Sort(e.Shaders)
		slices.Sort(e.Faults)
		return &e
	}
	return nil
}

// check compares a field with what the shaders declare.
func (p *pass) check(f field) (faults []string) {
	if !f.isBuffer() {
		if f.access != "" {
			faults = append(faults, fmt.Sprintf("field %s is no storage buffer and has an access", f.name))
		}
		if !p.declared[f.name] {
			faults = append(faults, fmt.Sprintf("the shaders declare no %s", f.name))
		}
		return faults
	}
	reads, writes := false, false // in any stage
	for _, b := range p.declaredBlocks {
		if b.Name == f.name {
			reads, writes = reads || b.Read, writes || b.Write
		}
	}
	if !reads && !writes {
		return append(faults, fmt.Sprintf("the shaders declare no storage buffer %s", f.name))
	}
	access := map[[2]bool]string{{true, false}: "read", {false, true}: "write", {true, true}: "readwrite"}[[2]bool{reads, writes}]
	if f.access != access {
		faults = append(faults, fmt.Sprintf("buffer %s is %q in Go and %q by its qualifiers in the shaders", f.name, f.access, access))
	}
	return faults
}

// fits reports whether a field of a type gives the resource.
func (r *resource) fits(t reflect.Type) bool {
	switch {
	case r.class == storageBlock:
		return t.Implements(storageType)
	case r.class == sampler && r.target == gl.TEXTURE_BUFFER:
		return t == texelsType
	case r.class == sampler:
		return t == textureType
	case r.class == attribute:
		return t == attributeType
	}
	words := 1
	for ; t.Kind() == reflect.Array; t = t.Elem() {
		words *= t.Len()
	}
	return t.Kind() == r.kind.base && words == len(r.held) && (t.Kind() != reflect.Bool || words == 1)
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
	if size[0] == 0 || size[1] == 0 || size[2] == 0 {
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
	if w.Indirect == nil && (w.Count == 0 || w.Instances == 0) {
		return
	}
	var commands *buffer
	if w.Indirect != nil {
		commands = w.Indirect.Buffer.storage()
	}
	p.run(unsafe.Pointer(&in), false, commands, func() {
		p.count.Draws++
		p.draw(w, unsafe.Pointer(&in))
	})
}

// run makes the program current with its inputs, after the barrier that they need, and issues a
// command.
func (p *pass) run(in unsafe.Pointer, compute bool, commands *buffer, command func()) {
	if p.compute != compute {
		panic(fmt.Sprintf("gpu: pass %q: compute passes run, others draw", p.label))
	}
	d := p.device
	defer d.mustEnter()()
	d.keep(glstate.Running, 0)
	d.accesses = d.accesses[:0]
	access := func(b *buffer, u use, writes bool) {
		d.accesses = append(d.accesses, access{b, u, writes})
		p.count.Bytes += b.bytes(b.length)
	}
	for _, x := range p.inputs {
		at := unsafe.Add(in, x.offset)
		switch x.to.class {
		case storageBlock:
			b := x.buffer(p.label, at)
			access(b, inStorage, x.access != "read")
			d.keep(glstate.Storage, x.to.at)
			gl.BindBuffersBase(gl.SHADER_STORAGE_BUFFER, x.to.at, 1, &b.name)
		case sampler:
			var name uint32
			if x.kind == texelsType {
				t := *(**TexelBuffer)(at)
				if t == nil || t.name == 0 || t.buffer.name == 0 {
					panic(fmt.Sprintf("gpu: pass %q: texel buffer %s is nil or was deleted", p.label, x.name))
				}
				access(t.buffer, asTexels, false)
				name = t.name
			} else {
				t := *(**Texture)(at)
				if t == nil || t.name == 0 || t.target() != x.to.target {
					panic(fmt.Sprintf("gpu: pass %q: texture %s is nil, was deleted, or has layers where the shader has none, or none where it has", p.label, x.name))
				}
				p.count.Bytes += t.Bytes()
				name = t.name
			}
			d.keep(glstate.Active, 0)
			d.keep(glstate.Sampling, x.to.at)
			d.keep(glstate.Units[x.to.target], x.to.at)
			gl.BindTextureUnit(x.to.at, name)
		case attribute:
			b := (*VertexAttribute)(at).Buffer
			if b == nil {
				panic(fmt.Sprintf("gpu: pass %q: attribute %s has no buffer", p.label, x.name))
			}
			b.storage().alive(p.label)
			access(b.storage(), asVertices, false)
		case plain:
			x.to.upload(p.name, at)
		}
	}
	if commands != nil {
		commands.alive(p.label)
		access(commands, asCommand, false)
	}
	if d.arrange(d.accesses) {
		p.count.Barriers++
	}
	gl.UseProgram(p.name)
	command()
}

// buffer is the buffer that a field holds.
func (f field) buffer(label string, at unsafe.Pointer) *buffer {
	var b *buffer
	if f.kind != storageType {
		b = *(**buffer)(at) // a *Buffer[T] points to its buffer
	} else if s := *(*Storage)(at); s != nil {
		b = s.storage()
	}
	if b == nil || b.name == 0 {
		panic(fmt.Sprintf("gpu: pass %q: buffer %s is nil or was deleted", label, f.name))
	}
	return b
}

// upload gives a uniform its value, unless it has it.
func (r *resource) upload(program uint32, value unsafe.Pointer) {
	var word uint32
	if r.kind.base == reflect.Bool {
		if *(*bool)(value) {
			word = 1
		}
		value = unsafe.Pointer(&word)
	}
	if words := unsafe.Slice((*uint32)(value), len(r.held)); !slices.Equal(r.held, words) {
		copy(r.held, words)
		r.kind.set(program, int32(r.at), int32(len(words)/r.kind.components), &r.held[0])
	}
}

// PassCount is what a pass has done since the counts were reset.
type PassCount struct {
	Name       string
	Dispatches int64
	Groups     int64 // work groups, of direct dispatches
	Draws      int64
	Barriers   int64 // that came before its runs
	Bytes      int64 // sum over runs of the sizes of the buffers and textures bound: an upper estimate of what they touch
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
