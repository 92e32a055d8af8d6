package scenes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// MaxInput is how many bytes ReadInput reads at most: 256 MiB. The largest document that Read and
// Import accept has an eighth of that, so their messages can name its size, and it is room for
// ten million lines of points; a machine that runs maps holds it in memory.
const MaxInput = 256 << 20

// TooLarge is the error of an input that is larger than MaxInput.
type TooLarge struct {
	// Name of the input as it was named to ReadInput.
	Name string
}

// Error names the input and the limit.
func (e *TooLarge) Error() string {
	name := e.Name
	if name == "-" {
		name = "standard input"
	}
	return fmt.Sprintf("scenes: %s has more than %d MiB, the most that is read: give a smaller file", name, MaxInput>>20)
}

// ReadError is the error of an input that cannot be opened or read.
type ReadError struct {
	// Name of the input, a file; "-" is standard input.
	Name string
	// Err is the system's error.
	Err error
}

func (e *ReadError) Error() string {
	name, cause := e.Name, e.Err
	if name == "-" {
		name = "standard input"
	}
	var path *fs.PathError
	if errors.As(cause, &path) {
		cause = path.Err // which does not repeat the name
	}
	return fmt.Sprintf("scenes: cannot read %s: %v: give the path of a file that can be read", name, cause)
}

func (e *ReadError) Unwrap() error { return e.Err }

// ReadInput reads a file or a stream to its end. Name is for messages; "-" is standard input. The
// error of an input that has more than MaxInput bytes is *TooLarge. It comes as soon as they are
// read, for a stream without an end too. The error of an input that cannot be read is *ReadError.
func ReadInput(name string, in io.Reader) ([]byte, error) { return readInput(name, in, MaxInput) }

func readInput(name string, in io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, &TooLarge{Name: name}
	}
	if err != nil {
		return nil, &ReadError{Name: name, Err: err}
	}
	return data, nil
}
