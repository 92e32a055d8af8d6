package console

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOutput: a file appears whole or not at all, also when the work ends in a panic.
func TestOutput(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.npy")
	work := func(end func() error) (err error) {
		out, err := Create(file, nil)
		if err != nil {
			return err
		}
		defer out.Close(&err)
		if _, err := out.Write([]byte("new")); err != nil {
			return err
		}
		return end()
	}
	check := func(want string) {
		t.Helper()
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if len(entries) != 1 || err != nil || string(data) != want {
			t.Errorf("%d files, and %q instead of %q", len(entries), data, want)
		}
	}
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no luck")
	if err := work(func() error { return failure }); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	check("old")
	func() {
		defer func() {
			if r := recover(); r != "misuse" {
				t.Errorf("the panic became %v", r)
			}
		}()
		_ = work(func() error { panic("misuse") })
	}()
	check("old")
	if err := work(func() error { return nil }); err != nil {
		t.Error(err)
	}
	check("new")
}

// put writes a file as verbs do.
func put(name, text string) (err error) {
	out, err := Create(name, io.Discard)
	if err != nil {
		return err
	}
	defer out.Close(&err)
	_, err = io.WriteString(out, text)
	return err
}

// TestOutputKeeps: an output is the file that its name leads to, with the mode, the names and the
// owner that it had.
func TestOutputKeeps(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	holds := func(name, want string, mode fs.FileMode) {
		t.Helper()
		data, err := os.ReadFile(at(name))
		if err != nil || string(data) != want {
			t.Errorf("%s: %q, %v; want %q", name, data, err, want)
			return
		}
		info, err := os.Lstat(at(name))
		if err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, mode)
		}
	}
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o755, 0o666, 0o660 | fs.ModeSetgid} {
		must(os.WriteFile(at("kept"), []byte("old"), 0o600))
		must(os.Chmod(at("kept"), mode))
		must(put(at("kept"), "new"))
		holds("kept", "new", mode)
	}
	long := strings.Repeat("n", 255) // as long as names can be
	must(put(at(long), "new"))
	holds(long, "new", 0o666&^umask(t))

	// Links: to a file in another folder that is itself reached by a link, to a link, to what is
	// not there, to itself.
	must(os.MkdirAll(at("a/real"), 0o755))
	must(os.Symlink("a/real", at("way")))
	must(os.WriteFile(at("a/target"), []byte("old"), 0o600))
	must(os.Symlink("../target", at("a/real/link")))
	must(os.Symlink("way/link", at("link")))
	must(os.Symlink(at("link"), at("second")))
	must(put(at("second"), "new"))
	holds("a/target", "new", 0o600)
	holds("second", "new", fs.ModeSymlink|0o777)
	must(os.Symlink("fresh", at("dangling")))
	must(put(at("dangling"), "new"))
	holds("fresh", "new", 0o666&^umask(t))
	must(os.Symlink("loop", at("loop")))
	if err := put(at("loop"), "new"); err == nil {
		t.Error("a link to itself was written")
	}
	must(os.Symlink("nowhere/file", at("astray")))
	if err := put(at("astray"), "new"); err == nil {
		t.Error("a link into no folder was written")
	}

	// A file of two names stays one.
	must(os.WriteFile(at("one"), []byte("a longer text"), 0o640))
	must(os.Link(at("one"), at("two")))
	must(put(at("one"), "new"))
	holds("two", "new", 0o640)

	entries, err := filepath.Glob(at("*/.navview*"))
	must(err)
	more, err := filepath.Glob(at(".navview*"))
	if must(err); len(entries)+len(more) > 0 {
		t.Errorf("left behind: %q %q", entries, more)
	}
}

// umask is that of the process: setting it is the only way to ask.
func umask(t *testing.T) fs.FileMode {
	t.Helper()
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return fs.FileMode(mask)
}

// TestOutputUmask: a new file has the mode that any program of this shell would give it.
func TestOutputUmask(t *testing.T) {
	before := syscall.Umask(0)
	defer syscall.Umask(before)
	for _, mask := range []int{0, 0o002, 0o022, 0o077} {
		syscall.Umask(mask)
		file := filepath.Join(t.TempDir(), "a")
		if err := put(file, "new"); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode() != 0o666&^fs.FileMode(mask) {
			t.Errorf("umask %o: %v, %v", mask, info.Mode(), err)
		}
	}
}

// TestOutputDirect: pipes and devices are written as they are, and stay what they are.
func TestOutputDirect(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	link := pipe + "-link"
	if err := os.Symlink("pipe", link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, link} {
		read := make(chan string)
		go func() {
			data, _ := os.ReadFile(pipe) // what went wrong shows in what was read
			read <- string(data)
		}()
		if err := put(name, "new"); err != nil {
			t.Fatal(err)
		}
		if got := <-read; got != "new" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("the pipe is %v, %v", info.Mode(), err)
	}
	if err := put("/dev/null", "new"); err != nil {
		t.Error(err)
	}
	if err := put("/dev/full", "new"); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("/dev/full: %v", err)
	}
}

// TestOutputVanishes: a folder that is gone when the work is done is a failure that is reported.
func TestOutputVanishes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := Create(filepath.Join(folder, "b"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if out.Close(&err); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "cannot write") {
		t.Errorf("got %v", err)
	}
}
