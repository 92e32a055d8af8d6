package shaders

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Field is a member of a storage buffer's struct.
type Field struct {
	Name   string // in GLSL: the Go name with its leading capitals lowered
	Type   string // in GLSL
	Offset int    // bytes, the same in Go and in std430
	Size   int    // bytes
}

// LayoutError says why a Go struct cannot be laid out alike in Go and in std430.
type LayoutError struct {
	Struct  string
	Field   string // empty where the fault is the struct's
	Message string
}

func (e *LayoutError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("shaders: struct %s: %s", e.Struct, e.Message)
	}
	return fmt.Sprintf("shaders: struct %s, field %s: %s", e.Struct, e.Field, e.Message)
}

// StructName is what GLSL calls a Go struct, and how `#include <Name>` names it: the type's name
// with its first letter upper case.
func StructName(v any) string {
	r := []rune(reflect.TypeOf(v).Name())
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// FieldName is what GLSL calls a Go field: leading capitals are lowered, keeping the last where a
// lower-case letter follows it: FromX is fromX, X is x, ID is id, GPUTime is gpuTime.
func FieldName(name string) string {
	r := []rune(name)
	for i := range r {
		if !unicode.IsUpper(r[i]) || i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}

// glslType is a field's type in GLSL and its alignment in std430 (OpenGL 4.5 core, section
// 7.6.2.2), in bytes.
func glslType(t reflect.Type) (name string, align int, ok bool) {
	switch {
	case t.Kind() == reflect.Int32:
		return "int", 4, true
	case t.Kind() == reflect.Uint32:
		return "uint", 4, true
	case t.Kind() == reflect.Float32:
		return "float", 4, true
	case t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Float32 && (t.Len() == 2 || t.Len() == 4):
		return fmt.Sprintf("vec%d", t.Len()), 4 * t.Len(), true
	}
	return "", 0, false
}

// Layout gives the members of a Go struct as GLSL lays them out in a std430 buffer. Fields may be
// int32, uint32, float32, [2]float32 (vec2) and [4]float32 (vec4), or types made of them. std430
// aligns a vec2 to 8 and a vec4 to 16 bytes, Go to 4: a struct whose offsets or whose stride in an
// array would differ is refused with a *LayoutError that says what to move or to add.
func Layout(v any) ([]Field, error) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Struct || t.Name() == "" {
		return nil, &LayoutError{Struct: fmt.Sprintf("%T", v), Message: "not a named struct"}
	}
	fault := func(field, format string, values ...any) ([]Field, error) {
		return nil, &LayoutError{Struct: t.Name(), Field: field, Message: fmt.Sprintf(format, values...)}
	}
	if t.NumField() == 0 {
		return fault("", "has no fields, which GLSL does not allow")
	}
	fields := make([]Field, 0, t.NumField())
	widest := 4
	for i := range t.NumField() {
		f := t.Field(i)
		name, align, ok := glslType(f.Type)
		if !ok {
			return fault(f.Name, "type %s has no place in a buffer; use int32, uint32, float32, [2]float32 or [4]float32", f.Type)
		}
		if f.Name == "_" {
			return fault(f.Name, "a blank field has no name in GLSL; name the padding")
		}
		if gap := int(f.Offset) % align; gap != 0 {
			return fault(f.Name, "a %s starts at a multiple of %d bytes in GLSL, here it is at %d; move it before the smaller fields, or put %d bytes of other fields in front of it", name, align, f.Offset, align-gap)
		}
		glsl := FieldName(f.Name)
		if slices.ContainsFunc(fields, func(other Field) bool { return other.Name == glsl }) {
			return fault(f.Name, "another field has the name %s in GLSL too", glsl)
		}
		widest = max(widest, align)
		fields = append(fields, Field{Name: glsl, Type: name, Offset: int(f.Offset), Size: int(f.Type.Size())})
	}
	if size := int(t.Size()); size%widest != 0 {
		return fault("", "takes %d bytes in Go, but in a GLSL array a multiple of %d; add %d bytes of fields at its end", size, widest, widest-size%widest)
	}
	return fields, nil
}

// Struct gives the GLSL definition of a Go struct, under the rules of Layout.
func Struct(v any) (string, error) {
	fields, err := Layout(v)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "struct %s {\n", StructName(v))
	for _, f := range fields {
		fmt.Fprintf(&b, "    %s %s;\n", f.Type, f.Name)
	}
	b.WriteString("};\n")
	return b.String(), nil
}
