package viewer

import (
	"strings"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/cmd/navview/internal/document"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
)

// restart restarts with a scene; what is shown stays as far as the scene has it.
func (v *viewer) restart(doc *document.Document) error {
	l := v.view.Look
	l.Goal = v.view.World.Scene().Goals[v.view.Goal].ID
	if _, ok := doc.Goal(l.Goal); !ok {
		l.Goal = ""
	}
	l.Agent = nil // the scene may have fewer
	next, err := worldview.New(v.device, doc, l)
	if err != nil {
		return err
	}
	next.Pinned = next.Pinned && v.view.Pinned
	if chosen := v.view.Chosen; chosen < next.World.Crowd().Count() {
		if err := next.Choose(chosen); err != nil {
			next.Delete()
			return err
		}
	}
	before := v.view.World.Scene().Domain
	v.show(next)
	v.doc = doc
	if doc.Domain != before {
		v.fit()
	}
	return nil
}

// leave quits, once nothing is lost or the user has confirmed it.
func (v *viewer) leave() {
	if v.confirm("quit") {
		v.screen.Quit()
	}
}

// startAgain restarts the scene as it was read, or from its file if that has changed since.
func (v *viewer) startAgain() {
	if !v.confirm("start again") {
		return
	}
	doc, err := v.doc, error(nil)
	if v.outdated {
		doc, err = document.Load(v.changes.name)
	}
	if err == nil {
		err = v.restart(doc)
	}
	v.warn(err)
}

// changed reloads the file, unless unsaved edits would be lost.
func (v *viewer) changed() {
	if v.unsaved() {
		v.outdated = true
		v.alarm = []string{v.doc.File + " has changed: r reads it and drops unsaved edits, ctrl+s saves them"}
		return
	}
	v.reload(document.Load(v.changes.name))
}

// confirm reports whether nothing is lost by an action, or whether it was requested twice.
func (v *viewer) confirm(want string) bool {
	if !v.unsaved() || v.answered == want && v.last.Sub(v.questionAt) < noticeTime {
		return true
	}
	v.question, v.questionAt = want, v.last
	v.notify("unsaved edits: press again to " + want + ", ctrl+s saves")
	return false
}

// reload changes the world to a scene that was read again, or shows the error: then the old scene
// stays.
func (v *viewer) reload(doc *document.Document, err error) {
	if err == nil {
		err = v.sync(doc)
	}
	v.warn(err)
}

// sync changes the running world to a scene, and its agents stay. Where the world cannot, it
// restarts with the scene, and a notice says why. Edits of before cannot be undone then.
func (v *viewer) sync(doc *document.Document) error {
	refused := v.view.Sync(doc.Scene)
	if refused != nil {
		if err := v.restart(doc); err != nil {
			return err
		}
		words, _, _ := strings.Cut(console.WithoutPackages(refused.Error()), "\n")
		v.notify("started again: " + words)
		return nil
	}
	v.edits = &editSession{world: v.view.World}
	v.doc = doc
	return nil
}

// warn shows why a scene cannot be shown; nil clears it.
func (v *viewer) warn(err error) {
	v.outdated = false
	if err == nil {
		v.alarm = nil
		return
	}
	const most = 8
	v.alarm = strings.Split(strings.TrimRight(console.WithoutPackages(err.Error()), "\n"), "\n")
	if more := len(v.alarm) - most; more > 0 {
		v.alarm = append(v.alarm[:most:most], "and "+console.Count(more, "more line", "more lines"))
	}
}
