package flat

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
)

// inner and outer have all kinds of values.
type inner struct {
	a uint32
	b float32
}

type skipped struct{ x int }

type outer struct {
	yes    bool
	small  int8
	number int64
	big    uint64
	exact  float64
	text   string
	raw    []inner
	mixed  []struct {
		text string
		n    int
	}
	array [3]uint16
	to    *inner
	names map[string][]int
	gone  *skipped
}

// Generate makes values for quick.Check.
func (outer) Generate(r *rand.Rand, size int) reflect.Value {
	o := outer{
		r.Intn(2) == 0, int8(r.Int()), -r.Int63(), r.Uint64(), math.Float64frombits(r.Uint64()&^(0x7ff<<52) | 1023<<52), string(make([]byte, r.Intn(4))),
		nil, nil,
		[3]uint16{uint16(r.Int()), 1, math.MaxUint16},
		nil, nil, nil,
	}
	if r.Intn(2) == 0 {
		o.raw, o.to, o.names = make([]inner, r.Intn(5)), &inner{r.Uint32(), -1}, map[string][]int{"": nil, "a": {}, "b": {r.Int()}}
		for i := range o.raw {
			o.raw[i] = inner{r.Uint32(), r.Float32()}
		}
		o.mixed = append(o.mixed, struct {
			text string
			n    int
		}{"x", r.Int()})
	}
	return reflect.ValueOf(o)
}

func codec() *Codec {
	return &Codec{Skip: func(t reflect.Type) bool { return t == reflect.TypeFor[*skipped]() }}
}

// TestRoundTrip reads what it wrote, nil or empty as it was, to the same bytes, and none of its
// beginnings.
func TestRoundTrip(t *testing.T) {
	same := func(o outer) bool {
		o.gone = &skipped{3}
		b := codec().Append(nil, &o)
		var again outer
		if err := codec().Read(b, &again); err != nil {
			t.Log(err)
			return false
		}
		for n := range b {
			var cut outer
			var fault *Error
			if err := codec().Read(b[:n], &cut); !errors.As(err, &fault) {
				t.Logf("%d of %d bytes give %v", n, len(b), err)
				return false
			}
		}
		o.gone = nil
		return reflect.DeepEqual(o, again) && bytes.Equal(b, codec().Append(nil, &again))
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 300}); err != nil {
		t.Error(err)
	}
	nan := math.Float64frombits(0x7ff8_0000_0000_1234)
	var again float64
	if err := codec().Read(codec().Append(nil, &nan), &again); err != nil || math.Float64bits(again) != math.Float64bits(nan) {
		t.Errorf("a NaN comes back as %x, %v", math.Float64bits(again), err)
	}
}

// TestLayout names what is not plain, and differs where fields do.
func TestLayout(t *testing.T) {
	var fault *Error
	if _, err := codec().Layout(reflect.TypeFor[struct{ a []struct{ f func() } }]()); !errors.As(err, &fault) || !strings.HasSuffix(fault.Path, ".a[].f") {
		t.Errorf("a function gives %v", err)
	}
	one, err := codec().Layout(reflect.TypeFor[outer]())
	if err != nil {
		t.Fatal(err)
	}
	other, err := codec().Layout(reflect.TypeFor[struct{ yes bool }]())
	if err != nil || one == other {
		t.Errorf("two layouts are the same: %v", err)
	}
}

// FuzzRead gives any bytes to a value: it is read and written as the same bytes, or refused.
func FuzzRead(f *testing.F) {
	r := rand.New(rand.NewSource(1))
	for range 20 {
		o := outer{}.Generate(r, 10).Interface().(outer)
		f.Add(codec().Append(nil, &o))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var o outer
		if codec().Read(b, &o) != nil {
			return
		}
		var again outer
		if err := codec().Read(codec().Append(nil, &o), &again); err != nil {
			t.Errorf("what was read cannot be read again: %v", err)
		}
	})
}

// FuzzRecords gives any bytes to the reader of records.
func FuzzRecords(f *testing.F) {
	var whole bytes.Buffer
	w := NewWriter(&whole, "line")
	w.Put('a', []byte("one"))
	w.Put('b', nil)
	if err := w.Flush(); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes())
	f.Add(whole.Bytes()[:20])
	f.Fuzz(func(t *testing.T, b []byte) {
		r, line, err := NewReader(bytes.NewReader(b))
		if err != nil {
			return
		}
		var again bytes.Buffer
		out := NewWriter(&again, line)
		for {
			kind, payload, err := r.Next()
			if errors.Is(err, io.EOF) && r.Offset() == int64(len(b)) {
				break
			}
			if err != nil {
				return
			}
			out.Put(kind, payload)
		}
		if err := out.Flush(); err != nil || !bytes.Equal(again.Bytes(), b) && len(line) < longestLine {
			t.Errorf("records that are read are written as others, %v", err)
		}
	})
}
