package studio

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/scenes/edit"
	"github.com/wayfront/wayfront/scenes/formats"
)

// Load returns the document of a scene's file, of a built-in scene, or of a file in another format,
// which is imported. Built-in and imported scenes have no file yet.
func Load(name string) (*edit.Document, error) {
	file, data, err := builtin.Open(name)
	if err != nil {
		return nil, err
	}
	if f := formats.OfFile(file); f != nil {
		return imported(f, file, data)
	}
	doc := edit.New(filepath.Base(file), data)
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		doc = edit.Opened(file, data)
	}
	if doc.Scene() == nil {
		return nil, &scenes.Invalid{File: file, Problems: doc.Problems()}
	}
	return doc, nil
}

func imported(f *formats.Format, file string, data []byte) (*edit.Document, error) {
	scene, _, err := formats.Import(f, file, data, formats.Options{})
	if err != nil {
		return nil, err
	}
	text, err := scene.Encode()
	if err != nil {
		return nil, err
	}
	return edit.New(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))+".json", text), nil
}

// HasFile reports whether the document has a file that Save writes.
func (s *Studio) HasFile() bool { return s.Doc.Filed() != nil }

// Save writes the document to a file, whole or not at all; empty: to its own. Changes that another
// program has made of that since are taken first, so that neither is lost. Faults do not keep a
// document from being saved: a notice says that it has some. The error is that of the file.
func (s *Studio) Save(file string) error {
	if file == "" {
		file = s.Doc.File()
		if now, err := os.ReadFile(file); err == nil && !bytes.Equal(now, s.Doc.Filed()) {
			if err := s.Take(now); err != nil {
				return err
			}
		}
	}
	err := console.WriteFile(file, nil, func(w io.Writer) error { _, err := w.Write(s.Doc.Text()); return err })
	if err != nil {
		return err
	}
	s.dropRecovery()
	s.Doc.Wrote(file)
	words := "saved as " + file
	if !s.Doc.Sound() {
		words += ", with faults"
	}
	s.Notify(words)
	return nil
}

// Take takes what another program has made of the document's file: agents stay. A text that is no
// JSON where there are changes on both sides is left in the file, and a notice says so.
func (s *Studio) Take(theirs []byte) error {
	conflicts, err := s.Doc.Take(theirs)
	switch {
	case errors.Is(err, edit.ErrGesture):
		return nil // the next look finds it
	case err != nil:
		s.Notify(s.Doc.File() + " has changed and is no JSON: it was not read")
		return nil
	case len(conflicts) > 0:
		s.Notify(fmt.Sprintf("%s has changed, too: yours stays at %s", s.Doc.File(), strings.Join(conflicts, ", ")))
	default:
		s.Notify(s.Doc.File() + " has changed and was read")
	}
	return s.apply()
}

// recovery is what a recovery copy has.
type recovery struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// recoveryFile is where the recovery copy of the document is: in the user's cache, named by the
// document's file. Empty: there is no place for one.
func (s *Studio) recoveryFile() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	name, err := filepath.Abs(s.Doc.File())
	if err != nil {
		name = s.Doc.File()
	}
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(cache, "navview", "recovery", fmt.Sprintf("%x.json", sum[:8]))
}

// KeepRecovery writes the recovery copy where the document has changed since the last call, and
// takes it away where the file has all of it: a process that ends without a word loses no more than
// the gesture that is going on. A copy that cannot be written is no error.
func (s *Studio) KeepRecovery() {
	text := s.Doc.Text()
	if s.Doc.Dragging() || bytes.Equal(text, s.kept) {
		return
	}
	s.kept = text
	file := s.recoveryFile()
	if s.Doc.Saved() || file == "" || !s.Edited() {
		s.dropRecovery()
		return
	}
	data, err := json.Marshal(recovery{s.Doc.File(), string(text)})
	if err != nil || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	next := file + ".new"
	if os.WriteFile(next, data, 0o600) == nil {
		_ = os.Rename(next, file)
	}
}

// Edited reports whether there is anything to lose: a change that no file has.
func (s *Studio) Edited() bool {
	all, _ := s.Doc.History()
	return !s.Doc.Saved() && len(all) > 0
}

// dropRecovery takes the recovery copy away.
func (s *Studio) dropRecovery() {
	if file := s.recoveryFile(); file != "" {
		_ = os.Remove(file)
	}
}

// Recover takes the recovery copy of an earlier process, if there is one that differs, as a change
// that can be undone.
func (s *Studio) Recover() error {
	data, err := os.ReadFile(s.recoveryFile())
	if errors.Is(err, fs.ErrNotExist) || err != nil {
		return nil
	}
	var r recovery
	if json.Unmarshal(data, &r) != nil || r.Text == string(s.Doc.Text()) {
		s.dropRecovery()
		return nil
	}
	if err := s.Doc.Replace("recovered changes", []byte(r.Text)); err != nil {
		return err
	}
	s.Notify("recovered what was not saved the last time: undo drops it")
	return s.apply()
}
