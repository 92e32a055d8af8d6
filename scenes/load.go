package scenes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxInput is the number of bytes that ReadInput reads at most: 256 MiB. The largest document that
// Read accepts has an eighth of that, so that messages can name the size of larger ones, and it is
// room for ten million lines of points.
const MaxInput = 256 << 20

// TooLarge is the error of an input that has more than MaxInput bytes.
type TooLarge struct {
	Name string // as it was named to ReadInput
}

// Error names the input and the limit.
func (e *TooLarge) Error() string {
	return fmt.Sprintf("scenes: %s has more than %d MiB, the most that is read: give a smaller file", inputName(e.Name), MaxInput>>20)
}

// ReadError is the error of an input that cannot be opened or read.
type ReadError struct {
	Name string // a file; "-" is standard input
	Err  error  // the system's error
}

func (e *ReadError) Error() string {
	cause := e.Err
	if path := (*fs.PathError)(nil); errors.As(cause, &path) {
		cause = path.Err // which does not repeat the name
	}
	return fmt.Sprintf("scenes: cannot read %s: %v: give the path of a file that can be read", inputName(e.Name), cause)
}

func (e *ReadError) Unwrap() error { return e.Err }

func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// ReadInput reads a file or a stream to its end. Name is for messages; "-" is standard input. The
// error of an input that has more than MaxInput bytes is *TooLarge and comes as soon as they are
// read. The error of an input that cannot be read is *ReadError.
func ReadInput(name string, in io.Reader) ([]byte, error) { return readInput(name, in, MaxInput) }

func readInput(name string, in io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case err != nil:
		return nil, &ReadError{name, err}
	case int64(len(data)) > most:
		return nil, &TooLarge{name}
	}
	return data, nil
}

// Open reads a file to its end; "-" is standard input. Errors are those of ReadInput.
func Open(file string) ([]byte, error) {
	if file == "-" {
		return ReadInput(file, os.Stdin)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, &ReadError{file, err}
	}
	defer func() { _ = f.Close() }() // only read from
	return ReadInput(file, f)
}

// Load reads a scene from a file; "-" is standard input. The error of a scene that is refused is
// *Invalid. Package builtin has a Load that knows the built-in scenes too.
func Load(file string) (*Scene, error) {
	data, err := Open(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, data)
}

// Parse returns what Read does, and as an error, *Invalid, the problems of a scene that is refused.
func Parse(file string, data []byte) (*Scene, error) {
	scene, problems := Read(file, data)
	if scene == nil {
		return nil, &Invalid{file, problems}
	}
	return scene, nil
}
