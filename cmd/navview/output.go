package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// output is a file that appears under its name only when it is complete: it is written beside its place and renamed. What
// is no regular file (a pipe, a device) is written directly, and "-" is standard output.
type output struct {
	io.Writer
	path   string   // where ffmpeg, say, may write itself; "" on standard output
	final  string   // renamed to this; "" where there is nothing to rename
	file   *os.File // nil on standard output
	buffer *bufio.Writer
}

// create opens an output at once, so that what cannot be written is known before any long work.
func create(name string, stdout io.Writer) (*output, error) {
	if name == "-" {
		b := bufio.NewWriter(stdout)
		return &output{Writer: b, buffer: b}, nil
	}
	o := &output{path: name}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("cannot write %s: it is a folder. Name a file in it", name)
	case err == nil && !info.Mode().IsRegular():
		o.file, err = os.OpenFile(name, os.O_WRONLY, 0)
	default:
		// A file that may not be written must not be replaced either, though its folder would allow it.
		if err == nil {
			var probe *os.File
			if probe, err = os.OpenFile(name, os.O_WRONLY, 0); err != nil {
				return nil, cannotWrite(name, err)
			}
			_ = probe.Close()
		}
		o.final = name
		o.file, err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
		if err == nil {
			o.path = o.file.Name()
			err = o.file.Chmod(0o644)
		}
	}
	if err != nil {
		return nil, cannotWrite(name, err)
	}
	o.buffer = bufio.NewWriter(o.file)
	o.Writer = o.buffer
	return o, nil
}

func cannotWrite(name string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("cannot write %s: %w. Check that the folder exists and may be written, or give another -o", name, err)
}

// close finishes the output when the work is done, and takes it away when the work has failed; err is the work's error,
// and what is returned is it or the first error of closing.
func (o *output) close(err error) error {
	if err == nil {
		err = o.buffer.Flush()
	}
	if o.file == nil {
		return err
	}
	if e := o.file.Close(); err == nil {
		err = e
	}
	if o.final == "" {
		return err
	}
	if err == nil {
		err = os.Rename(o.path, o.final)
	}
	if err != nil {
		_ = os.Remove(o.path)
	}
	return err
}

// formatOf says which of the allowed formats a file's ending asks for; standard output gets the first.
func formatOf(name string, allowed ...string) (string, error) {
	if name == "-" {
		return allowed[0], nil
	}
	format := strings.ToLower(filepath.Ext(name))
	if !slices.Contains(allowed, format) {
		return "", usagef("cannot write %s: a name that ends in %s is needed", name, strings.Join(allowed, " or "))
	}
	return format, nil
}
