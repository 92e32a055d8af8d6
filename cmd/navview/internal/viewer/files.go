//go:build !headless

package viewer

import (
	"os"

	"github.com/wayfront/wayfront/assets"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/scenes/edit"
)

// fileActions are what a user does with files.
func (v *viewer) fileActions() []studio.Action {
	do := func(f func()) func(*studio.Studio) error { return func(*studio.Studio) error { f(); return nil } }
	all := []studio.Action{
		{Menu: "File", Name: "New", Key: "ctrl+n", Do: do(func() { v.unlessLost(func() { v.show(edit.New("untitled.json", []byte(assets.New)), nil) }) })},
		{Menu: "File", Name: "Open or import", Key: "ctrl+o", Do: do(func() { v.panels.AskFile("Open", "", v.open) })},
		{Menu: "File", Name: "Gallery", Key: "ctrl+g", Do: do(func() { v.panels.AskScene(v.gallery.picture, v.open) })},
		{Menu: "File", Name: "Save", Key: "ctrl+s", Do: do(func() { v.save(nil) })},
		{Menu: "File", Name: "Save as", Key: "ctrl+shift+s", Do: do(func() { v.saveAs(nil) })},
		{Menu: "File", Name: "Save a picture", Key: "ctrl+shift+p", Do: do(v.picture)},
		{Menu: "File", Name: "Record a film", Key: "ctrl+shift+r", Do: do(v.film)},
	}
	for i, name := range studio.CommandNames {
		all = append(all, studio.Action{Menu: "File", Name: "Copy as command: " + name, Do: do(func() { v.copyCommand(i) })})
	}
	return append(all, studio.Action{Menu: "File", Name: "Quit", Key: "ctrl+q", Do: do(v.quit)})
}

// show shows a document, or why it cannot be shown.
func (v *viewer) show(doc *edit.Document, err error) {
	if err == nil {
		err = v.studio.Open(doc, v.studio.View.Look)
	}
	if err != nil {
		v.panels.Alarm(console.WithoutPackages(err.Error()))
		return
	}
	v.changes = Watch(doc.File())
	v.fitted = true
	v.studio.Fit()
}

// open opens a file or a built-in scene, once nothing is lost by it.
func (v *viewer) open(name string) {
	v.unlessLost(func() { v.show(studio.Load(name)) })
}

// unlessLost does something that drops the document, once its changes are saved or given up.
func (v *viewer) unlessLost(do func()) {
	if !v.studio.Edited() {
		do()
		return
	}
	v.panels.AskSave(v.studio.Doc.File(), func() { v.save(do) }, do)
}

// save writes the document into its file, and goes on. One without a file gets one.
func (v *viewer) save(then func()) {
	if !v.studio.HasFile() {
		v.saveAs(then)
		return
	}
	v.write("", then)
}

func (v *viewer) saveAs(then func()) {
	v.panels.AskFile("Save as", v.studio.Doc.File(), func(file string) {
		if _, err := os.Stat(file); err == nil && file != v.studio.Doc.File() {
			v.panels.Ask(file+" is there already.", "Replace it", func() { v.write(file, then) })
			return
		}
		v.write(file, then)
	})
}

func (v *viewer) write(file string, then func()) {
	if err := v.studio.Save(file); err != nil {
		v.panels.Alarm(console.WithoutPackages(err.Error()))
		return
	}
	v.changes = Watch(v.studio.Doc.File())
	if then != nil {
		then()
	}
}

// takeChanges takes what another program has made of the file.
func (v *viewer) takeChanges() error {
	text, err := os.ReadFile(v.studio.Doc.File())
	if err != nil || string(text) == string(v.studio.Doc.Filed()) {
		return nil // it is gone again, or it was written by Save
	}
	return v.studio.Take(text)
}

// quit ends the program, once nothing is lost by it.
func (v *viewer) quit() { v.unlessLost(v.screen.Quit) }

// picture and film run this program on the document as it is, so that pixels are those of the
// command that is shown.
func (v *viewer) picture() {
	v.panels.AskFile("Save a picture as", "picture.png", func(file string) { v.run(v.studio.RenderCommand("-", file)) })
}

func (v *viewer) film() {
	v.panels.AskFile("Record a film as", "film.mp4", func(file string) { v.run(v.studio.RecordCommand("-", file)) })
}

// copyCommand copies the line that makes what is shown, and says where it makes something else.
func (v *viewer) copyCommand(i int) {
	c := v.studio.Commands()[i]
	v.screen.SetClipboard(c.String())
	words := "the command of the " + c.Name + " is in the clipboard"
	if c.Note != "" {
		words += "; " + c.Note
	}
	v.studio.Notify(words)
}
