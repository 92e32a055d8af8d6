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
	name   string   // as the user has it
	raw    *stream  // the file as it is written; nil on standard output
	path   string   // where ffmpeg, say, may write itself; "" on standard output
	final  string   // renamed to this; "" where there is nothing to rename
	file   *os.File // nil on standard output
	buffer *bufio.Writer

	finished func() // nil where an interrupted process leaves nothing to take away
}

// create opens an output at once, so that what cannot be written is known before any long work.
func create(name string, stdout io.Writer) (*output, error) {
	if name == "-" {
		b := bufio.NewWriter(stdout)
		return &output{Writer: b, buffer: b}, nil
	}
	o := &output{name: name, path: name}
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
			o.finished = unfinished.add(func() { _ = os.Remove(o.path) })
			err = o.file.Chmod(0o644)
		}
	}
	if err != nil {
		o.discard()
		return nil, cannotWrite(name, err)
	}
	o.raw = &stream{to: o.file}
	o.buffer = bufio.NewWriter(o.raw)
	o.Writer = o.buffer
	return o, nil
}

func cannotWrite(name string, err error) error {
	var path *os.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("cannot write %s: %w. Check that the folder exists and may be written, or give another -o", name, err)
}

// close finishes the output when the work is done, and takes it away when the work has failed: *err is the work's error, and
// becomes the first error of closing if there was none. To be deferred itself, so that it sees a panic, which fails the
// work too.
func (o *output) close(err *error) {
	if r := recover(); r != nil {
		o.discard()
		panic(r)
	}
	if *err == nil {
		*err = o.buffer.Flush()
	}
	if o.file == nil {
		return
	}
	if o.raw.err != nil {
		*err = fmt.Errorf("cannot write %s: %w", o.name, o.raw.err)
	}
	if *err != nil {
		o.discard()
		return
	}
	if *err = o.file.Close(); *err == nil && o.final != "" {
		*err = os.Rename(o.path, o.final)
	}
	if *err != nil {
		*err = cannotWrite(o.name, *err)
		o.discard()
	}
	if o.finished != nil {
		o.finished()
	}
}

// discard gives an output up.
func (o *output) discard() {
	if o.file == nil {
		return
	}
	_ = o.file.Close()
	if o.final != "" {
		_ = os.Remove(o.path)
	}
	if o.finished != nil {
		o.finished()
	}
}

// stream writes and remembers the first error, so that it is told whoever overlooks it on the way.
type stream struct {
	to      io.Writer
	err     error // what the system said, without the name of the file
	written bool
}

func (s *stream) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	s.written = true
	n, err := s.to.Write(p)
	s.keep(err)
	return n, err
}

// close closes what was written to: some file systems tell only then that there is no room.
func (s *stream) close() {
	if c, ok := s.to.(io.Closer); ok && s.written && s.err == nil {
		s.keep(c.Close())
	}
}

func (s *stream) keep(err error) {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	s.err = err
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
