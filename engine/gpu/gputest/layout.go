package gputest

import (
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/shaders"
)

// Programs compiles programs, checks that they ask for no more than every OpenGL 4.5 promises, and
// checks the layout of the structs that they share with Go, each once. Every package that has
// programs calls it for all of them.
func Programs(t testing.TB, d *gpu.Device, specs []gpu.PassInfo) {
	t.Helper()
	checked := map[reflect.Type]bool{}
	for _, pass := range specs {
		s := pass.Spec
		r, err := gpu.Inspect(d, s)
		if err != nil {
			t.Error(err)
			continue
		}
		checkResources(t, r, s)
		for _, v := range s.Structs {
			if kind := reflect.TypeOf(v); !checked[kind] {
				checked[kind] = true
				Layout(t, d, v)
			}
		}
	}
}

// Layout checks that the driver lays a Go struct out as Go does: the offset and type of each field,
// and the distance of two elements in a buffer. Every package that keeps structs in buffers calls
// it for each of them.
func Layout(t testing.TB, d *gpu.Device, v any) {
	t.Helper()
	want, err := shaders.Layout(v)
	if err != nil {
		t.Error(err)
		return
	}
	kind := reflect.TypeOf(v)
	const file = "layout/layout.comp.glsl"
	text, err := shaders.Struct(v)
	if err != nil {
		t.Error(err)
		return
	}
	// The atomic keeps the buffer from being optimized away.
	source := "#version 450 core\nlayout(local_size_x = 1) in;\n" + text +
		"layout(std430) buffer Items { " + shaders.StructName(v) + " items[]; };\n" +
		"layout(std430) buffer Guard { uint guard; };\n" +
		"void main() { items[atomicAdd(guard, 1u)] = items[guard + 1u]; }\n"
	r, err := gpu.Inspect(d, gpu.Spec{Name: "layout of " + kind.String(), Stages: []string{file}, Files: fstest.MapFS{file: {Data: []byte(source)}}})
	if err != nil {
		t.Error(err)
		return
	}
	variables := map[string]gpu.Variable{}
	for _, x := range r.Variables {
		variables[x.Name] = x
	}
	for _, f := range want {
		x, ok := variables["items[0]."+f.Name]
		switch {
		case !ok:
			t.Errorf("%v: the driver has no field %s", kind, f.Name)
		case x.Offset != f.Offset || x.Type != f.Type:
			t.Errorf("%v: field %s is a %s at %d in GLSL, a %s at %d in Go", kind, f.Name, x.Type, x.Offset, f.Type, f.Offset)
		case x.Stride != int(kind.Size()):
			t.Errorf("%v: takes %d bytes in a GLSL array, %d in Go", kind, x.Stride, kind.Size())
		}
	}
	if len(variables) != len(want)+1 { // and the guard
		t.Errorf("%v: the driver sees %d fields, Go has %d", kind, len(variables)-1, len(want))
	}
}
