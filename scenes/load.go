package scenes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Load reads a scene: a built-in one by its name, in any case, else a file; "-"
// is standard input. A built-in name wins over a file of the same name, which
// ./NAME reaches. The error of a scene that was read and refused is *Invalid.
func Load(nameOrFile string) (*Scene, error) {
	file, data, err := Open(nameOrFile)
	if err != nil {
		return nil, err
	}
	scene, problems := Read(file, data)
	if scene == nil {
		return nil, &Invalid{File: file, Problems: problems}
	}
	return scene, nil
}

// Open returns the document that Load would read, and its name for messages. The
// error of one that has more than MaxInput bytes is *TooLarge, that of a file that
// cannot be opened or read *ReadError.
func Open(nameOrFile string) (file string, data []byte, err error) {
	if b, ok := find(nameOrFile); ok {
		return b.name, b.document(), nil
	}
	var in io.Reader = os.Stdin
	if file = nameOrFile; file != "-" {
		f, err := os.Open(file)
		if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(file, `/\.`) {
			return "", nil, fmt.Errorf("scenes: %q is neither a file nor a built-in scene: %s", file, suggestName(file))
		}
		if err != nil {
			return "", nil, &ReadError{Name: file, Err: err}
		}
		defer func() { _ = f.Close() }() // only read from
		in = f
	}
	if data, err = ReadInput(file, in); err != nil {
		return "", nil, err
	}
	return file, data, nil
}

// suggestName is what may have been meant by a name that no built-in scene has, of which there are too many to list.
func suggestName(name string) string {
	if best := Nearest(name, names()); best != "" {
		return `did you mean "` + best + `"?`
	}
	return `give the name of a file or of a scene, such as "` + Default + `"`
}
