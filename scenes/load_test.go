package scenes

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// endless is a stream that never ends, and counts what is read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func TestReadInput(t *testing.T) {
	data, err := ReadInput("-", iotest.OneByteReader(strings.NewReader("POLYGON")))
	if string(data) != "POLYGON" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := ReadInput("-", iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a stream that breaks: %v", err)
	}
	const most = 1000
	in := &endless{}
	var large *TooLarge
	if data, err := readInput("-", in, most); data != nil || !errors.As(err, &large) || in.read > most+1 {
		t.Errorf("%d bytes, %d read, %v", len(data), in.read, err)
	}
	if data, err := readInput("-", io.LimitReader(&endless{}, most), most); len(data) != most || err != nil {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	for name, want := range map[string]string{
		"-":     "scenes: standard input has more than 256 MiB, the most that is read: give a smaller file",
		"a.wkt": "scenes: a.wkt has more than 256 MiB, the most that is read: give a smaller file",
	} {
		if err := (&TooLarge{Name: name}); err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
