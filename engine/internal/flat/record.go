package flat

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// Records are a line of text that says what follows, then records: a kind, a length of 4 bytes, a
// checksum of these five, that many bytes, and a checksum of them.

// Writer writes records. After the first error it writes nothing more.
type Writer struct {
	to  *bufio.Writer
	err error
}

// NewWriter begins with a line.
func NewWriter(w io.Writer, line string) *Writer {
	out := &Writer{to: bufio.NewWriterSize(w, 1<<16)}
	_, out.err = out.to.WriteString(line + "\n")
	return out
}

// Put writes a record.
func (w *Writer) Put(kind byte, payload []byte) {
	if len(payload) > math.MaxUint32 && w.err == nil {
		w.err = fmt.Errorf("flat: a record of %d bytes: at most %d fit", len(payload), math.MaxUint32)
	}
	head := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(head))
	tail := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(payload))
	for _, b := range [][]byte{head, payload, tail} {
		if w.err == nil {
			_, w.err = w.to.Write(b)
		}
	}
}

// Flush hands on what is buffered, and returns the first error.
func (w *Writer) Flush() error {
	if w.err == nil {
		w.err = w.to.Flush()
	}
	return w.err
}

// Err is the first error.
func (w *Writer) Err() error { return w.err }

// Reader reads records.
type Reader struct {
	from   *bufio.Reader
	offset int64
}

// longestLine is how many bytes a first line has at most.
const longestLine = 80

// NewReader reads the line that records begin with, without its end.
func NewReader(r io.Reader) (*Reader, string, error) {
	in := &Reader{from: bufio.NewReader(r)}
	var line []byte
	for len(line) < longestLine {
		b, err := in.from.ReadByte()
		if err != nil {
			return in, string(line), torn(err)
		}
		in.offset++
		if b == '\n' {
			return in, string(line), nil
		}
		line = append(line, b)
	}
	return in, string(line), nil
}

// Offset is how many bytes were read.
func (r *Reader) Offset() int64 { return r.offset }

// ErrDamaged says that a checksum is not that of the bytes.
var ErrDamaged = errors.New("the bytes are not those that were written: their checksum differs")

// Next reads a record. The error is io.EOF at the end, io.ErrUnexpectedEOF inside of a record,
// ErrDamaged, or one of the reader below.
func (r *Reader) Next() (kind byte, payload []byte, err error) {
	head := make([]byte, 9)
	if err := r.fill(head); err != nil {
		return 0, nil, err
	}
	if crc32.ChecksumIEEE(head[:5]) != binary.LittleEndian.Uint32(head[5:]) {
		return 0, nil, ErrDamaged
	}
	length := int64(binary.LittleEndian.Uint32(head[1:]))
	var body bytes.Buffer // grows by what is there
	n, err := io.CopyN(&body, r.from, length)
	r.offset += n
	if err != nil {
		return 0, nil, torn(err)
	}
	tail := make([]byte, 4)
	if err := r.fill(tail); err != nil {
		return 0, nil, torn(err)
	}
	if crc32.ChecksumIEEE(body.Bytes()) != binary.LittleEndian.Uint32(tail) {
		return 0, nil, ErrDamaged
	}
	return head[0], body.Bytes(), nil
}

func (r *Reader) fill(b []byte) error {
	n, err := io.ReadFull(r.from, b)
	r.offset += int64(n)
	return err
}

// torn is an error inside of a record.
func torn(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
