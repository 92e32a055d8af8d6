package gpu

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v4.5-core/gl"

	"github.com/wayfront/wayfront/shaders"
)

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

// buffer is the buffer that a field holds, or nil.
func (f field) buffer(at unsafe.Pointer) *buffer {
	if f.kind != storageType {
		return *(**buffer)(at) // a *Buffer[T] points to its buffer
	}
	if s := *(*Storage)(at); s != nil {
		return s.storage()
	}
	return nil
}

// Info describes the pass that NewPass makes.
func (s PassSpec[T]) Info() PassInfo {
	info := PassInfo{Spec: Spec(s)}
	var structs []any // that buffers hold
	for _, f := range fieldsOf(reflect.TypeFor[T](), 0) {
		switch {
		case f.isBuffer():
			if f.access != "write" {
				info.Reads = append(info.Reads, f.name)
			}
			if f.access != "read" {
				info.Writes = append(info.Writes, f.name)
			}
			if typed, ok := reflect.Zero(f.kind).Interface().(interface{ element() reflect.Type }); ok && typed.element().Kind() == reflect.Struct {
				structs = append(structs, reflect.Zero(typed.element()).Interface())
			}
		case f.kind == textureType || f.kind == texelsType:
			info.Textures = append(info.Textures, f.name)
		case f.kind == attributeType:
			info.Attributes = append(info.Attributes, f.name)
		default:
			info.Uniforms = append(info.Uniforms, f.name)
		}
	}
	info.Structs = append(structs, s.Structs...)
	return info
}

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

func (e *PassError) add(format string, values ...any) {
	e.Faults = append(e.Faults, fmt.Sprintf(format, values...))
}

// match finds what the program uses among the fields.
func (p *pass) match(fields []field) error {
	e := &PassError{Pass: p.label}
	byName := map[string]field{}
	for _, f := range fields {
		e.Inputs = append(e.Inputs, f.name)
		if _, twice := byName[f.name]; twice {
			e.add("two fields are called %s", f.name)
		}
		byName[f.name] = f
		p.check(f, e)
	}
	for _, r := range p.resources {
		e.Shaders = append(e.Shaders, r.name)
		f, ok := byName[r.name]
		switch {
		case !ok:
			e.add("no field gives %s %s", r.what(), r.name)
		case !r.fits(f.kind):
			e.add("%s is a %s in the shaders, a %v in Go", r.name, r.what(), f.kind)
		default:
			p.inputs = append(p.inputs, input{f, r})
		}
	}
	if len(e.Faults) > 0 {
		slices.Sort(e.Faults)
		return e
	}
	return nil
}

// check compares a field with what the shaders declare.
func (p *pass) check(f field, e *PassError) {
	if !f.isBuffer() {
		if f.access != "" {
			e.add("field %s is no storage buffer and has an access", f.name)
		}
		if !p.declared[f.name] {
			e.add("the shaders declare no %s", f.name)
		}
		return
	}
	reads, writes := false, false // in any stage
	for _, b := range p.declaredBlocks {
		if b.Name == f.name {
			reads, writes = reads || b.Read, writes || b.Write
		}
	}
	access := ""
	if reads {
		access = "read"
	}
	if writes {
		access += "write"
	}
	if access == "" {
		e.add("the shaders declare no storage buffer %s", f.name)
	} else if f.access != access {
		e.add("buffer %s is %q in Go and %q by its qualifiers in the shaders", f.name, f.access, access)
	}
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
