package console

import (
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// Ending is locked by whoever ends the process, so that an interrupted verb does not speak of the consequences.
var Ending sync.Mutex

// HandleSignals ends the process as a shell expects it of one that a signal ended, and takes away what is unfinished.
//
// Of a pipe that no process reads any more the writer hears, as an error: without a handler of its signal the runtime would end
// the process and leave what is unfinished.
func HandleSignals() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGALRM)
	number := (<-signals).(syscall.Signal)
	Ending.Lock()
	Unfinished.undo()
	os.Exit(128 + int(number))
}

// Unfinished is what an interrupted process would leave behind: files that have no name yet, other processes at work on them.
var Unfinished leftovers

// leftovers are undone the last one first.
type leftovers struct {
	mutex sync.Mutex
	steps []*func()
}

// Add has undo called if the process is interrupted before finished is called, which may be called twice.
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

// undo takes everything back, and keeps anything from being added.
func (l *leftovers) undo() {
	l.mutex.Lock()
	for _, step := range slices.Backward(l.steps) {
		(*step)()
	}
}
