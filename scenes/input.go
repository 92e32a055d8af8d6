package scenes

import (
	"fmt"
	"io"
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

// ReadInput reads a file or a stream to its end. Name is for messages; "-" is standard input. The
// error of an input that has more than MaxInput bytes is *TooLarge. It comes as soon as they are
// read, for a stream without an end too.
func ReadInput(name string, in io.Reader) ([]byte, error) { return readInput(name, in, MaxInput) }

func readInput(name string, in io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, &TooLarge{Name: name}
	}
	return data, err
}
