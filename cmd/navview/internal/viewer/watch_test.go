//go:build !headless

package viewer

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWatch: a change is found however it comes about, once, and nothing else is taken for one.
func TestWatch(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	text := "a"
	write := func(name string) {
		t.Helper()
		text += "a" // another length: times may be coarse
		must(os.WriteFile(at(name), []byte(text), 0o644))
	}
	relink := func(name, to string) {
		t.Helper()
		must(os.Symlink(to, at(name+"~")))
		must(os.Rename(at(name+"~"), at(name)))
	}
	// As Kubernetes mounts what is configured: scene.json leads to ..data/scene.json, and ..data to
	// a folder of a version.
	for _, version := range []string{"..1", "..2", "folder", "third"} {
		must(os.Mkdir(at(version), 0o755))
		write(version + "/scene.json")
	}
	relink("..data", "..1")
	relink("scene.json", "..data/scene.json")
	relink("link.json", "folder/scene.json")
	write("plain.json")

	// In this order: each finds the files as the one before has left them.
	for _, c := range []struct {
		what, name string
		change     func()
	}{
		{"written", "plain.json", func() { write("plain.json") }},
		{"replaced", "plain.json", func() { write("plain~"); must(os.Rename(at("plain~"), at("plain.json"))) }},
		{"removed and made", "plain.json", func() { must(os.Remove(at("plain.json"))); write("plain.json") }},
		{"target written", "link.json", func() { write("folder/scene.json") }},
		{"target replaced", "link.json", func() { write("folder/x"); must(os.Rename(at("folder/x"), at("folder/scene.json"))) }},
		{"link replaced", "link.json", func() { write("other.json"); relink("link.json", "other.json") }},
		{"version swapped", "scene.json", func() { relink("..data", "..2") }},
		{"folder made anew", "..1/scene.json", func() { must(os.RemoveAll(at("..1"))); must(os.Mkdir(at("..1"), 0o755)); write("..1/scene.json") }},
		{"folder moved there", "..2/scene.json", func() { must(os.RemoveAll(at("..2"))); must(os.Rename(at("third"), at("..2"))) }},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := Watch(at(c.name))
			for range 2 {
				if w.look() {
					t.Fatal("changed before it did")
				}
			}
			c.change()
			if w.look() {
				t.Error("reported while it may still be written")
			}
			if !w.look() {
				t.Error("the change is not seen")
			}
			if w.look() {
				t.Error("one change is reported twice")
			}
		})
	}

	t.Run("gone", func(t *testing.T) {
		w := Watch(at("plain.json"))
		must(os.Remove(at("plain.json")))
		must(syscall.Mkfifo(at("plain.json"), 0o600))
		for range 2 {
			if w.look() {
				t.Error("a pipe in the place of the file would be read")
			}
		}
	})
	t.Run("pipe", func(t *testing.T) {
		w := Watch(at("plain.json"))
		if w.read != nil {
			t.Error("a pipe is watched")
		}
	})
	for _, name := range []string{"-", "plaza", at("nowhere")} {
		if w := Watch(name); w.read != nil {
			t.Errorf("%s is watched", name)
		}
	}
}
