package media

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// TestWriteNPY reads the file by the format's definition (NumPy, numpy.lib.format, version 1.0).
func TestWriteNPY(t *testing.T) {
	for _, shape := range [][]int{{3}, {2, 3}, {2, 3, 4}, {1000, 1, 1}} {
		n := 1
		for _, side := range shape {
			n *= side
		}
		data := make([]float32, n)
		for i := range data {
			data[i] = float32(i) / 3
		}
		data[0] = float32(math.NaN())
		data[1] = float32(math.Inf(1))

		var b bytes.Buffer
		if err := WriteNPY(&b, shape, data); err != nil {
			t.Fatal(err)
		}
		file := b.Bytes()
		if string(file[:8]) != "\x93NUMPY\x01\x00" {
			t.Fatalf("starts with %q", file[:8])
		}
		length := int(binary.LittleEndian.Uint16(file[8:]))
		if (10+length)%64 != 0 || file[9+length] != '\n' {
			t.Errorf("shape %v: header of %d bytes does not end in a line at a multiple of 64", shape, length)
		}
		header := string(file[10 : 10+length])
		if !strings.HasPrefix(header, "{'descr': '<f4', 'fortran_order': False, 'shape': (") {
			t.Errorf("header %q", header)
		}
		body := file[10+length:]
		if len(body) != 4*n {
			t.Fatalf("shape %v: %d bytes of data", shape, len(body))
		}
		for i := range data {
			if got := binary.LittleEndian.Uint32(body[4*i:]); got != math.Float32bits(data[i]) {
				t.Fatalf("shape %v: element %d is %#x", shape, i, got)
			}
		}
	}
}

func TestWriteNPYRefusesAWrongShape(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an array of 6 was written as 2 by 2")
		}
	}()
	_ = WriteNPY(&bytes.Buffer{}, []int{2, 2}, make([]float32, 6))
}
