package media

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// WriteNPY writes float32 values in C order as a NumPy array file, version 1.0: magic, version,
// length of the header in 16 bits, the header (a Python literal, padded so that the data begin at a
// multiple of 64), the data in little endian.
func WriteNPY(w io.Writer, shape []int, data []float32) error {
	count := 1
	sides := make([]string, len(shape))
	for i, n := range shape {
		count *= n
		sides[i] = fmt.Sprint(n)
	}
	if count != len(data) {
		panic(fmt.Sprintf("navview: an array of shape %v has %d elements, not %d", shape, count, len(data)))
	}
	list := strings.Join(sides, ", ")
	if len(shape) == 1 {
		list += ","
	}
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", list)
	const before = 10 // magic, version and length
	padding := 63 - (before+len(header))%64
	header += strings.Repeat(" ", padding) + "\n"

	b := bufio.NewWriter(w)
	b.WriteString("\x93NUMPY\x01\x00")
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	b.WriteString(header)
	var word [4]byte
	for _, v := range data {
		binary.LittleEndian.PutUint32(word[:], math.Float32bits(v))
		b.Write(word[:])
	}
	return b.Flush() // the writer keeps the first error
}
