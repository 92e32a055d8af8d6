package shaders

import (
	"errors"
	"strings"
	"testing"
)

type vector [2]float32

type good struct {
	Colour   [4]float32
	Position vector
	Index    uint32
	FromX    int32
	ID       float32
	GPUTime  float32
	Velocity [2]float32
}

type crooked struct {
	A float32
	B [2]float32
	C uint32
}

func TestStruct(t *testing.T) {
	got, err := Struct(good{})
	want := `struct Good {
    vec4 colour;
    vec2 position;
    uint index;
    int fromX;
    float id;
    float gpuTime;
    vec2 velocity;
};
`
	if err != nil || got != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}

func TestLayout(t *testing.T) {
	fields, err := Layout(good{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Field{
		{"colour", "vec4", 0, 16},
		{"position", "vec2", 16, 8},
		{"index", "uint", 24, 4},
		{"fromX", "int", 28, 4},
		{"id", "float", 32, 4},
		{"gpuTime", "float", 36, 4},
		{"velocity", "vec2", 40, 8},
	}
	for i := range want {
		if fields[i] != want[i] {
			t.Errorf("field %d: %v, want %v", i, fields[i], want[i])
		}
	}
	if len(fields) != len(want) {
		t.Errorf("%d fields", len(fields))
	}
}

func TestFieldNames(t *testing.T) {
	for name, want := range map[string]string{"X": "x", "ID": "id", "FromX": "fromX", "Position": "position", "GPUTime": "gpuTime", "already": "already", "Pad0": "pad0"} {
		if got := FieldName(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestLayoutErrors(t *testing.T) {
	type inner struct{ A int32 }
	type (
		wide  struct{ A [3]float32 }
		long  struct{ A float64 }
		word  struct{ A int }
		nest  struct{ A inner }
		blank struct {
			A int32
			_ int32
		}
		empty struct{}
		short struct {
			A [4]float32
			B float32
		}
		half struct {
			A [2]float32
			B float32
		}
		late struct {
			A [2]float32
			B [4]float32
		}
		twice struct {
			ID uint32
			Id uint32
		}
	)
	for _, test := range []struct {
		value any
		field string
		want  []string
	}{
		{crooked{}, "B", []string{"struct crooked", "multiple of 8", "at 4", "put 4 bytes"}},
		{late{}, "B", []string{"multiple of 16", "put 8 bytes"}},
		{short{}, "", []string{"20 bytes", "multiple of 16", "add 12 bytes"}},
		{half{}, "", []string{"12 bytes", "multiple of 8", "add 4 bytes"}},
		{wide{}, "A", []string{"[3]float32"}},
		{long{}, "A", []string{"float64"}},
		{word{}, "A", []string{"type int has"}},
		{nest{}, "A", []string{"inner"}},
		{blank{}, "_", []string{"blank"}},
		{empty{}, "", []string{"no fields"}},
		{twice{}, "Id", []string{"name id"}},
		{5, "", []string{"not a named struct"}},
		{nil, "", []string{"not a named struct"}},
	} {
		_, err := Layout(test.value)
		var e *LayoutError
		if !errors.As(err, &e) || e.Field != test.field || !strings.HasPrefix(err.Error(), "shaders: struct ") {
			t.Errorf("%T: got %v, want a *LayoutError of field %q", test.value, err, test.field)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%T: %q lacks %q", test.value, err, want)
			}
		}
		if _, err := Struct(test.value); err == nil {
			t.Errorf("%T: Struct accepts what Layout refuses", test.value)
		}
	}
}
