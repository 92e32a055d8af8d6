package viewer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/scenes"
)

// saved is the file that was written last, and its content.
type saved struct {
	file string
	data []byte
}

// save writes the edited scene beside its file, or into the current folder if it has none: as
// hall-edited.json, hall-edited-2.json and so on, or as the file of the last save if it is
// unchanged. No other file is overwritten.
func (v *viewer) save() error {
	data, changed, err := v.edited()
	if err != nil {
		return err
	}
	if !changed {
		v.notify("nothing is changed: there is nothing to save")
		return nil
	}
	if scene, problems := scenes.Read(v.doc.File, data); scene == nil {
		v.alarm = []string{"cannot save what would be no sound scene:"}
		for _, p := range problems {
			if !p.Note {
				v.alarm = append(v.alarm, fmt.Sprintf("%s: %s", p.Path, p.Message))
			}
		}
		return nil
	}
	file, err := v.write(data)
	if err != nil {
		v.alarm = []string{fmt.Sprintf("cannot save: %v", err)}
		return nil
	}
	v.saved, v.alarm = saved{file, data}, nil
	v.notify("saved as " + file)
	return nil
}

// edited returns the document of the edited scene, and whether it differs from the one that was
// read.
func (v *viewer) edited() (data []byte, changed bool, err error) {
	edited := v.authored()
	rounded(edited, v.doc.Scene, v.view.World.Ground().Lattice.Step)
	if data, err = edited.Encode(); err != nil {
		return nil, true, err
	}
	before, err := v.doc.Encode()
	return data, err != nil || !bytes.Equal(before, data), nil
}

// authored returns the document of the world but for what was done to try it: obstacles with a
// timetable keep that, whatever was opened or shut by hand; others that were taken away are left
// out.
func (v *viewer) authored() *scenes.Scene {
	s := v.view.World.Document()
	kept := s.Obstacles[:0]
	for i, o := range v.view.World.Obstacles() {
		shape := v.edits.content(selection{part: body, obstacle: o}).shape
		if v.edits.state(o).Door != engine.DoorOpen || shape.Opens() {
			s.Obstacles[i].Open, s.Obstacles[i].Closed = shape.Open, shape.Closed
			kept = append(kept, s.Obstacles[i])
		}
	}
	s.Obstacles = kept
	return s
}

// unsaved reports whether there are edits that no file has.
func (v *viewer) unsaved() bool {
	data, changed, err := v.edited()
	return err != nil || changed && !bytes.Equal(data, v.saved.data)
}

// rounded rounds new coordinates to as few decimals as move nothing by more than a quarter of a
// lattice step: coordinates of pixels have needless digits.
func rounded(s, was *scenes.Scene, step float64) {
	known := map[float64]bool{}
	eachNumber(editable(was), func(v reflect.Value) { known[v.Float()] = true })
	decimals := max(0, int(math.Ceil(-math.Log10(step/2))))
	eachNumber(editable(s), func(v reflect.Value) {
		if known[v.Float()] {
			return
		}
		if short, err := strconv.ParseFloat(strconv.FormatFloat(v.Float(), 'f', decimals, 64), 64); err == nil {
			v.SetFloat(short)
		}
	})
}

// editable is the part of a scene that edits change.
func editable(s *scenes.Scene) reflect.Value { return reflect.ValueOf([]any{&s.Obstacles, &s.Goals}) }

// eachNumber calls a function with all float64 in a value.
func eachNumber(v reflect.Value, each func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Float64:
		each(v)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachNumber(v.Elem(), each)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			eachNumber(v.Index(i), each)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			eachNumber(v.Field(i), each)
		}
	}
}

// write writes a scene and returns the name of its file.
func (v *viewer) write(data []byte) (string, error) {
	if now, err := os.ReadFile(v.saved.file); v.saved.file != "" && err == nil && bytes.Equal(now, v.saved.data) {
		return v.saved.file, console.WriteFile(v.saved.file, nil, func(w io.Writer) error { _, err := w.Write(data); return err })
	}
	const most = 1000
	for n := 1; n <= most; n++ {
		file := savedName(v.doc, n)
		out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			finished := console.Unfinished.Add(func() { _ = os.Remove(file) })
			_, err = out.Write(data)
			if err = errors.Join(err, out.Close()); err != nil {
				_ = os.Remove(file) // half a scene is none
			}
			finished()
		}
		return file, err
	}
	return "", fmt.Errorf("%s and %d more files are there already", savedName(v.doc, 1), most-1)
}

// editedName matches the ending that savedName adds.
var editedName = regexp.MustCompile(`-edited(-\d+)?$`)

// savedName returns the nth candidate for the file of an edited scene.
func savedName(doc *document.Document, n int) string {
	name, folder := strings.TrimSuffix(filepath.Base(doc.File), filepath.Ext(doc.File)), filepath.Dir(doc.File)
	name = editedName.ReplaceAllString(name, "")
	if doc.File == "-" {
		name = "scene"
	}
	if n > 1 {
		return filepath.Join(folder, fmt.Sprintf("%s-edited-%d.json", name, n))
	}
	return filepath.Join(folder, name+"-edited.json")
}
