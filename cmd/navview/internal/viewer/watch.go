package viewer

import (
	"os"
	"time"
)

// watcher reports changes of a file, by polling: no notification of a system covers links that are
// redirected, folders that are replaced, and network file systems.
type watcher struct {
	name string
	read os.FileInfo // as it was when it was read last; nil: it is not watched
	seen os.FileInfo // as it was at the last look; nil: not there
	next time.Time   // of the next look
}

// lookEvery is the polling interval. A file has changed when two polls find it equal, since editors
// write in several steps.
const lookEvery = 100 * time.Millisecond

// Watch watches a scene's file; call it before the file is read. Built-in scenes, standard input,
// pipes and devices never change.
func Watch(name string) *watcher {
	w := &watcher{name: name}
	if info, err := os.Stat(name); name != "-" && err == nil && info.Mode().IsRegular() {
		w.read = info
	}
	return w
}

// due polls the file if it is time to, and reports whether it has changed and is stable.
func (w *watcher) due(now time.Time) bool {
	if w.read == nil || now.Before(w.next) {
		return false
	}
	w.next = now.Add(lookEvery)
	return w.look()
}

// look polls the file, and reports whether it has changed and is stable.
func (w *watcher) look() bool {
	info, err := os.Stat(w.name)
	if err != nil || !info.Mode().IsRegular() {
		w.seen = nil
		return false
	}
	steady := unchanged(info, w.seen)
	w.seen = info
	if !steady || unchanged(info, w.read) {
		return false
	}
	w.read = info
	return true
}

// unchanged reports whether a file has the same identity, length and time.
func unchanged(now, was os.FileInfo) bool {
	return was != nil && os.SameFile(now, was) && now.Size() == was.Size() && now.ModTime().Equal(was.ModTime())
}
