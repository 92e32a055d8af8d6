//go:build !headless

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watcher tells when a file has changed.
type watcher struct {
	changed chan struct{} // one entry at most: some changes are as good as one
	notify  *fsnotify.Watcher
}

// debounce is how long a file must be left alone before it is read: editors write in several steps.
const debounce = 50 * time.Millisecond

// watch watches a scene's file; one that is built in or comes from standard input never changes. The folder is watched,
// not the file: many editors write a new file and rename it over the old one.
func watch(name string) (*watcher, error) {
	w := &watcher{changed: make(chan struct{}, 1)}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) || name == "-" {
		return w, nil
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("cannot watch %s: %w", name, err)
	}
	if w.notify, err = fsnotify.NewWatcher(); err != nil {
		return nil, fmt.Errorf("cannot watch %s: %w", name, err)
	}
	if err := w.notify.Add(filepath.Dir(path)); err != nil {
		_ = w.notify.Close()
		return nil, fmt.Errorf("cannot watch %s: %w", name, err)
	}
	go w.run(path)
	return w, nil
}

func (w *watcher) run(path string) {
	quiet := time.NewTimer(time.Hour)
	quiet.Stop()
	for {
		select {
		case event, ok := <-w.notify.Events:
			if !ok {
				return
			}
			if filepath.Clean(event.Name) == path && !event.Has(fsnotify.Remove) && event.Op != fsnotify.Chmod {
				quiet.Reset(debounce)
			}
		case _, ok := <-w.notify.Errors:
			if !ok {
				return
			}
			// Events may have been lost: read the file to be sure.
			quiet.Reset(debounce)
		case <-quiet.C:
			select {
			case w.changed <- struct{}{}:
			default:
			}
		}
	}
}

func (w *watcher) close() {
	if w.notify != nil {
		_ = w.notify.Close()
	}
}
