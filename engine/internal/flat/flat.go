// Package flat writes values as bytes and reads them back, field by field, unexported ones
// included: what has to be kept whole is kept without a list of its fields. Equal values have equal
// bytes. It takes booleans, numbers, strings, and arrays, slices, maps, pointers and structs of
// these; nil slices and maps stay nil.
package flat

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Codec says how values are written. The zero value knows plain ones alone.
type Codec struct {
	// Skip reports whether values of a type are left out: they are zero after reading.
	Skip func(t reflect.Type) bool
	// Tables has the types whose values are written as numbers.
	Tables map[reflect.Type]Table
}

// Table gives the values of a type numbers.
type Table struct {
	Number func(v any) uint64
	Value  func(number uint64) (any, error)
}

// Error says that bytes are none of a value, and which part of it.
type Error struct{ Path, Why string }

func (e *Error) Error() string { return fmt.Sprintf("flat: %s: %s", e.Path, e.Why) }

// Append appends the bytes of what a pointer leads to. A type that Layout refuses panics.
func (c *Codec) Append(dst []byte, pointer any) []byte {
	return c.put(dst, reflect.ValueOf(pointer).Elem())
}

// Read fills what a pointer leads to, zero before, from all the bytes. It makes nothing larger than
// what bytes are there for. The error is an *Error, or one of a Table.
func (c *Codec) Read(src []byte, pointer any) error {
	v := reflect.ValueOf(pointer).Elem()
	r := &reader{codec: c, rest: src}
	r.take(v, v.Type().String())
	if r.err == nil && len(r.rest) > 0 {
		r.fail(v.Type().String(), fmt.Sprintf("%d bytes are left", len(r.rest)))
	}
	return r.err
}

// Layout describes how values of a type are written: types of one layout read each other's bytes.
// The error names a part that is none of the kinds that the package takes.
func (c *Codec) Layout(t reflect.Type) (string, error) {
	var out strings.Builder
	if err := c.describe(&out, t, t.String(), nil); err != nil {
		return "", err
	}
	return out.String(), nil
}

// describe writes the layout of a type that a path leads to.
func (c *Codec) describe(out *strings.Builder, t reflect.Type, path string, within []reflect.Type) error {
	_, known := c.Tables[t]
	switch {
	case c.skips(t):
		out.WriteByte('-')
		return nil
	case known || slices.Contains(within, t):
		out.WriteString(t.String())
		return nil
	}
	within = append(within, t)
	out.WriteString(t.Kind().String())
	out.WriteByte('(')
	defer out.WriteByte(')')
	switch t.Kind() {
	case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr, reflect.Complex64, reflect.Complex128:
		return &Error{path, fmt.Sprintf("values of %v are not plain", t)}
	case reflect.Array:
		fmt.Fprint(out, t.Len())
		return c.describe(out, t.Elem(), path+"[]", within)
	case reflect.Pointer, reflect.Slice:
		return c.describe(out, t.Elem(), path+"[]", within)
	case reflect.Map:
		if err := c.describe(out, t.Key(), path+"[]", within); err != nil {
			return err
		}
		return c.describe(out, t.Elem(), path+"[]", within)
	case reflect.Struct:
		for i := range t.NumField() {
			out.WriteString(t.Field(i).Name)
			if err := c.describe(out, t.Field(i).Type, path+"."+t.Field(i).Name, within); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Codec) skips(t reflect.Type) bool { return c.Skip != nil && c.Skip(t) }

// raw reports whether values of a type are written as they lie in memory: numbers without padding.
func (c *Codec) raw(t reflect.Type) bool {
	if _, known := c.Tables[t]; known || c.skips(t) {
		return false
	}
	switch t.Kind() {
	case reflect.Uint8, reflect.Uint32, reflect.Uint64, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64:
		return true
	case reflect.Array:
		return c.raw(t.Elem())
	case reflect.Struct:
		size := uintptr(0)
		for i := range t.NumField() {
			if !c.raw(t.Field(i).Type) {
				return false
			}
			size += t.Field(i).Type.Size()
		}
		return size == t.Size() && size > 0
	}
	return false
}

// bytesOf are the bytes of an addressable value, or of the elements of a slice.
func bytesOf(v reflect.Value) []byte {
	if v.Kind() == reflect.Slice {
		return unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
	}
	return unsafe.Slice((*byte)(v.Addr().UnsafePointer()), int(v.Type().Size()))
}

// field is a field of an addressable struct, to be read and written though it may be unexported.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// put appends the bytes of an addressable value.
func (c *Codec) put(dst []byte, v reflect.Value) []byte {
	t := v.Type()
	if c.skips(t) {
		return dst
	}
	if table, known := c.Tables[t]; known {
		return binary.AppendUvarint(dst, table.Number(v.Interface()))
	}
	switch t.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(dst, 1)
		}
		return append(dst, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(dst, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(dst, v.Uint())
	case reflect.Float32, reflect.Float64:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float()))
	case reflect.String:
		return append(binary.AppendUvarint(dst, uint64(v.Len())), v.String()...)
	case reflect.Pointer:
		if v.IsNil() {
			return append(dst, 0)
		}
		return c.put(append(dst, 1), v.Elem())
	case reflect.Array, reflect.Slice:
		return c.putAll(dst, v)
	case reflect.Map:
		return c.putMap(dst, v)
	case reflect.Struct:
		for i := range t.NumField() {
			dst = c.put(dst, field(v, i))
		}
		return dst
	}
	panic(fmt.Sprintf("flat: values of %v are not plain; ask Layout first", t))
}

// putLength appends a length and whether there is anything: 0 is nil.
func putLength(dst []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return append(dst, 0)
	}
	return binary.AppendUvarint(dst, uint64(v.Len())+1)
}

func (c *Codec) putAll(dst []byte, v reflect.Value) []byte {
	if v.Kind() == reflect.Slice {
		dst = putLength(dst, v)
	}
	if v.Len() > 0 && c.raw(v.Type().Elem()) {
		return append(dst, bytesOf(v)...)
	}
	for i := range v.Len() {
		dst = c.put(dst, v.Index(i))
	}
	return dst
}

// putMap appends a map in the order of the bytes of its keys.
func (c *Codec) putMap(dst []byte, v reflect.Value) []byte {
	dst = putLength(dst, v)
	type item struct{ key, value []byte }
	var all []item
	for each := v.MapRange(); each.Next(); {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		key.Set(each.Key())
		value.Set(each.Value())
		all = append(all, item{c.put(nil, key), c.put(nil, value)})
	}
	slices.SortFunc(all, func(a, b item) int { return cmp.Compare(string(a.key), string(b.key)) })
	for _, i := range all {
		dst = append(append(dst, i.key...), i.value...)
	}
	return dst
}

// reader reads values. After the first error it reads nothing more.
type reader struct {
	codec *Codec
	rest  []byte
	err   error
}

func (r *reader) fail(path, why string) {
	if r.err == nil {
		r.err = &Error{path, why}
	}
}

// bytes are the next n bytes; nil after an error.
func (r *reader) bytes(path string, n uint64) []byte {
	if r.err != nil || n > uint64(len(r.rest)) {
		r.fail(path, "the bytes end before the value does")
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) uvarint(path string) uint64 {
	u, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.fail(path, "there is no number")
		return 0
	}
	r.rest = r.rest[n:]
	return u
}

// length is a length of things that take so many bytes or more each; false: nil.
func (r *reader) length(path string, each int) (int, bool) {
	n := r.uvarint(path)
	if n == 0 || r.err != nil {
		return 0, false
	}
	if n--; n > uint64(len(r.rest)/max(each, 1)) {
		r.fail(path, fmt.Sprintf("%d elements do not fit %d bytes", n, len(r.rest)))
		return 0, false
	}
	return int(n), true
}

// take fills a value.
func (r *reader) take(v reflect.Value, path string) {
	t := v.Type()
	if r.err != nil || r.codec.skips(t) {
		return
	}
	if table, known := r.codec.Tables[t]; known {
		r.takeNumbered(table, v, path)
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(r.flag(path))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, n := binary.Varint(r.rest)
		if n <= 0 || v.OverflowInt(i) {
			r.fail(path, "there is no number")
			return
		}
		r.rest = r.rest[n:]
		v.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		u := r.uvarint(path)
		if v.OverflowUint(u) {
			r.fail(path, fmt.Sprintf("%d is too large", u))
		}
		v.SetUint(u)
	case reflect.Float32, reflect.Float64:
		if b := r.bytes(path, 8); b != nil {
			v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	case reflect.String:
		v.SetString(string(r.bytes(path, r.uvarint(path))))
	case reflect.Pointer:
		if r.flag(path) {
			v.Set(reflect.New(t.Elem()))
			r.take(v.Elem(), path)
		}
	case reflect.Array, reflect.Slice:
		r.takeAll(v, path)
	case reflect.Map:
		r.takeMap(v, path)
	case reflect.Struct:
		for i := range t.NumField() {
			r.take(field(v, i), path+"."+t.Field(i).Name)
		}
	default:
		r.fail(path, fmt.Sprintf("values of %v are not plain", t))
	}
}

func (r *reader) takeNumbered(table Table, v reflect.Value, path string) {
	n := r.uvarint(path)
	if r.err != nil {
		return
	}
	value, err := table.Value(n)
	if err != nil {
		r.fail(path, err.Error())
		return
	}
	v.Set(reflect.ValueOf(value))
}

func (r *reader) flag(path string) bool {
	b := r.bytes(path, 1)
	if b != nil && b[0] > 1 {
		r.fail(path, "there is no yes or no")
	}
	return b != nil && b[0] == 1
}

func (r *reader) takeAll(v reflect.Value, path string) {
	element := v.Type().Elem()
	raw := r.codec.raw(element)
	if v.Kind() == reflect.Slice {
		each := 1
		if raw {
			each = int(element.Size())
		}
		n, some := r.length(path, each)
		if !some {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		if raw {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := 0; i < n && !raw && r.err == nil; i++ { // grows by what is there
			v.Grow(1)
			v.SetLen(i + 1)
			r.take(v.Index(i), path+"[]")
		}
	}
	if raw {
		if v.Len() > 0 {
			into := bytesOf(v)
			copy(into, r.bytes(path, uint64(len(into))))
		}
		return
	}
	for i := 0; i < v.Len() && v.Kind() == reflect.Array; i++ {
		r.take(v.Index(i), path+"[]")
	}
}

func (r *reader) takeMap(v reflect.Value, path string) {
	n, some := r.length(path, 1)
	if !some {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for i := 0; i < n && r.err == nil; i++ {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		r.take(key, path+"[]")
		r.take(value, path+"[]")
		if r.err == nil {
			v.SetMapIndex(key, value)
		}
	}
}
