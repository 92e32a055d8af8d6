//go:build !headless

package viewer

import (
	"os"
	"time"
)

// watcher reports when a file has changed, whatever its name leads to: a link whose target is written or replaced, or that is
// itself made to lead elsewhere, in a folder that is removed and made again, on a file system of another machine. Of these no
// system reports every one, so the watcher looks.
type watcher struct {
	changed chan struct{} // one entry at most: some changes are as good as one
	stop    chan struct{}
	name    string
	read    os.FileInfo // as it was when it was read last
	seen    os.FileInfo // as it was at the last look; nil: not there
}

// lookEvery is the time between two looks. A file counts as changed when it is the same in two of them, since editors write in
// several steps.
const lookEvery = 100 * time.Millisecond

// Watch watches a scene's file. Call it before the file is read, so that no change is missed. One that is built in or comes from
// standard input never changes, nor does a pipe or a device: to read it again would wait for more, for ever.
func Watch(name string) *watcher {
	w := &watcher{changed: make(chan struct{}, 1), stop: make(chan struct{}), name: name}
	info, err := os.Stat(name)
	if name == "-" || err != nil || !info.Mode().IsRegular() {
		return w
	}
	w.read = info
	go w.run()
	return w
}

func (w *watcher) run() {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
			if !w.look() {
				continue
			}
			select {
			case w.changed <- struct{}{}:
			default:
			}
		}
	}
}

// look looks at the file, and reports whether it is another than it was when it was read, and as it was at the last look.
func (w *watcher) look() bool {
	info, err := os.Stat(w.name)
	if err != nil || !info.Mode().IsRegular() {
		w.seen = nil
		return false
	}
	settled := unchanged(info, w.seen)
	w.seen = info
	if !settled || unchanged(info, w.read) {
		return false
	}
	w.read = info
	return true
}

// unchanged reports whether a file is the one that it was, as far as its length and time tell.
func unchanged(now, was os.FileInfo) bool {
	return was != nil && os.SameFile(now, was) && now.Size() == was.Size() && now.ModTime().Equal(was.ModTime())
}

func (w *watcher) Close() { close(w.stop) }
