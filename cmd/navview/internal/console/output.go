package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Output is a file that appears under its name only when it is complete.
//
// It is written beside its place and renamed. Links are followed; mode and owner of an existing
// file are kept. Where a rename would change more (hard links, mounts, permissions), the complete
// file is copied into the existing one. Pipes and devices are written directly; "-" and other names
// of standard output are standard output.
type Output struct {
	io.Writer
	name    string   // as the user has it
	raw     *Stream  // the file as it is written; nil on standard output
	path    string   // where ffmpeg, say, may write itself; "" on standard output
	final   string   // what the file is to be; "" where it is that already
	renames bool     // by a new name, else by a copy
	handle  *os.File // nil on standard output
	buffer  *bufio.Writer

	finished func() // nil where an interrupted process leaves nothing to take away
}

// Create opens an output at once, so that an unwritable name is reported before long work.
func Create(name string, stdout io.Writer) (*Output, error) {
	info, err := os.Stat(name)
	if name == "-" || err == nil && isFile(stdout, info) {
		b := bufio.NewWriter(stdout)
		return &Output{Writer: b, buffer: b}, nil
	}
	o := &Output{name: name, path: name}
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("cannot write %s: it is a folder. Name a file in it", name)
	case err == nil && !info.Mode().IsRegular():
		o.handle, err = os.OpenFile(name, os.O_WRONLY, 0)
	default:
		if o.final, err = followed(name); err == nil {
			err = o.prepare()
		}
	}
	if err != nil {
		o.discard()
		return nil, cannotWrite(name, err)
	}
	o.raw = &Stream{To: o.handle}
	o.buffer = bufio.NewWriter(o.raw)
	o.Writer = o.buffer
	return o, nil
}

// WriteFile writes an output, which appears only if write returns no error. A nil stdout is for
// names that are never standard output.
func WriteFile(name string, stdout io.Writer, write func(io.Writer) error) (err error) {
	o, err := Create(name, stdout)
	if err != nil {
		return err
	}
	defer o.Close(&err)
	return write(o)
}

// isFile reports whether a stream writes to a file: /dev/stdout, or the file that it was redirected
// to.
func isFile(w io.Writer, info os.FileInfo) bool {
	if s, ok := w.(*Stream); ok {
		w = s.To
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	own, err := f.Stat()
	return err == nil && os.SameFile(own, info)
}

// Overwrites reports whether writing to a name replaces the regular file that another name leads
// to, however both are spelled.
func Overwrites(name, other string) bool {
	info, err := os.Stat(name)
	if err == nil {
		there, err := os.Stat(other)
		return err == nil && info.Mode().IsRegular() && os.SameFile(info, there)
	}
	one, errOne := place(name)
	two, errTwo := place(other)
	return errOne == nil && errTwo == nil && one == two
}

// place returns the absolute name of the file that a name leads to, which need not exist.
func place(name string) (string, error) {
	name, err := followed(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(name)
}

// followed follows symbolic links to the name of a file, which need not exist.
func followed(name string) (string, error) {
	const most = 40 // as Linux follows
	for range most {
		folder, err := filepath.EvalSymlinks(filepath.Dir(name))
		if err != nil {
			return "", err
		}
		name = filepath.Join(folder, filepath.Base(name))
		target, err := os.Readlink(name)
		if err != nil {
			return name, nil // no link; what else is wrong shows when it is opened
		}
		if name = target; !filepath.IsAbs(target) {
			name = filepath.Join(folder, target)
		}
	}
	return "", &os.PathError{Op: "open", Path: name, Err: errors.New("too many links")}
}

// prepare opens the file that is to become the final one.
func (o *Output) prepare() error {
	// A file that may not be written must not be replaced either, though its folder would allow it.
	probe, err := os.OpenFile(o.final, os.O_WRONLY, 0)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var there os.FileInfo
	if err == nil {
		there, err = probe.Stat()
		_ = probe.Close() // nothing was written
		if err != nil {
			return err
		}
	}
	err = o.temporary(filepath.Dir(o.final))
	o.renames = err == nil && (there == nil || alone(there) && likeOf(o.handle, there))
	if there != nil && !o.renames {
		if o.handle != nil {
			o.discard()
		}
		err = o.temporary(os.TempDir())
	}
	return err
}

// temporary opens a new file of the default mode in a folder. Its name is always short.
func (o *Output) temporary(folder string) error {
	for {
		path := filepath.Join(folder, fmt.Sprintf(".navview-%08x", rand.Uint32()))
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			o.handle, o.path = file, path
			o.finished = Unfinished.Add(func() { _ = os.Remove(path) })
		}
		return err
	}
}

// File returns the name of a file that another process may write instead; false for a stream.
func (o *Output) File() (string, bool) { return o.path, o.path != "" && o.final != "" }

func cannotWrite(name string, err error) error {
	var path *os.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("cannot write %s: %w. Check that the folder exists and may be written, or give another name", name, err)
}

// Close completes the output, or removes it if *err is set or the work panics; it stores its own
// first error in *err. Call it by defer, so that it sees a panic.
func (o *Output) Close(err *error) {
	if r := recover(); r != nil {
		o.discard()
		panic(r)
	}
	if *err == nil {
		*err = o.buffer.Flush()
	}
	if o.handle == nil {
		return
	}
	if o.raw.Err != nil {
		*err = fmt.Errorf("cannot write %s: %w", o.name, o.raw.Err)
	}
	if *err != nil {
		o.discard()
		return
	}
	if *err = o.land(); *err != nil {
		*err = cannotWrite(o.name, *err)
		o.discard()
	}
	if o.finished != nil {
		o.finished()
	}
}

// land makes the complete file the final one.
func (o *Output) land() error {
	if err := o.handle.Close(); err != nil || o.final == "" {
		return err
	}
	var err error
	if o.renames {
		if err = os.Rename(o.path, o.final); err == nil {
			return nil
		}
		// A mounted file, or another user's in a shared folder, cannot be replaced, but written.
		if _, e := os.Stat(o.final); e != nil {
			return err
		}
	}
	if err = o.copy(); err != nil {
		return err
	}
	return os.Remove(o.path)
}

// copy copies the complete file into the one that is there.
func (o *Output) copy() error {
	from, err := os.Open(o.path)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // only read from
	to, err := os.OpenFile(o.final, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// discard abandons an output and removes its file.
func (o *Output) discard() {
	if o.handle == nil {
		return
	}
	_ = o.handle.Close()
	if o.final != "" {
		_ = os.Remove(o.path)
	}
	if o.finished != nil {
		o.finished()
	}
}

// Stream remembers the first error of writing, for callers that overlook it.
type Stream struct {
	To      io.Writer
	Err     error // what the system said, without the name of the file
	written bool
}

func (s *Stream) Write(p []byte) (int, error) {
	if s.Err != nil {
		return 0, s.Err
	}
	s.written = true
	n, err := s.To.Write(p)
	s.keep(err)
	return n, err
}

// Close closes the writer: some file systems report a full disk only then.
func (s *Stream) Close() {
	if c, ok := s.To.(io.Closer); ok && s.written && s.Err == nil {
		s.keep(c.Close())
	}
}

func (s *Stream) keep(err error) {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	s.Err = err
}

// FormatOf returns the allowed format that the ending of a name selects. Standard output, pipes and
// devices default to the first one.
func FormatOf(name string, allowed ...string) (string, error) {
	format := strings.ToLower(filepath.Ext(name))
	if slices.Contains(allowed, format) {
		return format, nil
	}
	if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return allowed[0], nil
	}
	return "", Usagef("cannot write %s: a name that ends in %s is needed", name, strings.Join(allowed, " or "))
}
