package shaders

import (
	"fmt"
	"reflect"
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

// StructName is what GLSL calls a Go struct, and how `#include <Name>` names it: the type's name with its first letter upper
// case.
func StructName(v any) string { return structName(reflect.TypeOf(v)) }

// structName is what StructName says, of a type.
func structName(t reflect.Type) string {
	r := []rune(t.Name())
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// FieldName is what GLSL calls a Go field: leading capitals are lowered, keeping the last where a lower-case letter follows it:
// FromX is fromX, X is x, ID is id, GPUTime is gpuTime.
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

// glslType gives a field's type in GLSL and its alignment in std430 (OpenGL 4.5 core, section 7.6.2.2), in bytes.
func glslType(t reflect.Type) (name string, align int, ok bool) {
	switch t.Kind() {
	case reflect.Int32:
		return "int", 4, true
	case reflect.Uint32:
		return "uint", 4, true
	case reflect.Float32:
		return "float", 4, true
	case reflect.Array:
		if t.Elem().Kind() != reflect.Float32 {
			return "", 0, false
		}
		switch t.Len() {
		case 2:
			return "vec2", 8, true
		case 4:
			return "vec4", 16, true
		}
	}
	return "", 0, false
}

// Layout gives the members of a Go struct as GLSL lays them out in a std430 buffer. Fields may be int32, uint32,
// float32, [2]float32 (vec2) and [4]float32 (vec4), or types made of them. std430 aligns a vec2 to 8 and a vec4 to 16
// bytes, Go to 4: a struct whose offsets or whose stride in an array would differ is refused with a *LayoutError that
// says what to move or to add.
func Layout(v any) ([]Field, error) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Struct || t.Name() == "" {
		return nil, &LayoutError{Struct: fmt.Sprintf("%T", v), Message: "not a named struct"}
	}
	if t.NumField() == 0 {
		return nil, &LayoutError{Struct: t.Name(), Message: "has no fields, which GLSL does not allow"}
	}
	fields := make([]Field, 0, t.NumField())
	names := map[string]bool{}
	widest := 4
	for i := range t.NumField() {
		f := t.Field(i)
		name, align, ok := glslType(f.Type)
		if !ok {
			return nil, &LayoutError{Struct: t.Name(), Field: f.Name, Message: fmt.Sprintf("type %s has no place in a buffer; use int32, uint32, float32, [2]float32 or [4]float32", f.Type)}
		}
		if f.Name == "_" {
			return nil, &LayoutError{Struct: t.Name(), Field: f.Name, Message: "a blank field has no name in GLSL; name the padding"}
		}
		if int(f.Offset)%align != 0 {
			return nil, &LayoutError{Struct: t.Name(), Field: f.Name, Message: fmt.Sprintf("a %s starts at a multiple of %d bytes in GLSL, here it is at %d; move it before the smaller fields, or put %d bytes of other fields in front of it", name, align, f.Offset, align-int(f.Offset)%align)}
		}
		glsl := FieldName(f.Name)
		if names[glsl] {
			return nil, &LayoutError{Struct: t.Name(), Field: f.Name, Message: "another field has the name " + glsl + " in GLSL too"}
		}
		names[glsl] = true
		widest = max(widest, align)
		fields = append(fields, Field{Name: glsl, Type: name, Offset: int(f.Offset), Size: int(f.Type.Size())})
	}
	if size := int(t.Size()); size%widest != 0 {
		return nil, &LayoutError{Struct: t.Name(), Message: fmt.Sprintf("takes %d bytes in Go, but in a GLSL array a multiple of %d; add %d bytes of fields at its end", size, widest, widest-size%widest)}
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
	fmt.Fprintf(&b, "struct %s {\n", structName(reflect.TypeOf(v)))
	for _, f := range fields {
		fmt.Fprintf(&b, "    %s %s;\n", f.Type, f.Name)
	}
	b.WriteString("};\n")
	return b.String(), nil
}
