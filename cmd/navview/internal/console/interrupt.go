package console

import (
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// Ending is locked while the process ends, so that an interrupted verb reports nothing.
var Ending sync.Mutex

// HandleSignals ends the process on a signal with status 128 + n, and removes unfinished files.
//
// SIGPIPE is handled so that a closed pipe is an error of the write: by default the runtime would
// end the process and leave unfinished files behind.
func HandleSignals() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGALRM)
	number := (<-signals).(syscall.Signal)
	Ending.Lock()
	Unfinished.undo()
	os.Exit(128 + int(number))
}

// Unfinished is what an interrupted process has to undo: unnamed files, child processes.
var Unfinished leftovers

// leftovers are undone in reverse order.
type leftovers struct {
	mutex sync.Mutex
	steps []*func()
}

// Add registers undo until finished is called, which may be called twice.
func (l *leftovers) Add(undo func()) (finished func()) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.steps = append(l.steps, &undo)
	return func() {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.steps = slices.DeleteFunc(l.steps, func(step *func()) bool { return step == &undo })
	}
}

// undo undoes everything, and blocks later calls of Add.
func (l *leftovers) undo() {
	l.mutex.Lock()
	for _, step := range slices.Backward(l.steps) {
		(*step)()
	}
}
