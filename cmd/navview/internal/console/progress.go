package console

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress reports how far long work is: a bar on a terminal, else a line now and then.
type Progress struct {
	Bar *progressbar.ProgressBar // nil off a terminal

	to    io.Writer
	what  string
	steps int // 0: not known
	begun time.Time

	mutex sync.Mutex
	count int
	next  time.Time // when the next line is due
	done  bool
}

// The first line comes after LeastQuiet, each later one after a quarter of the time so far.
var LeastQuiet = 10 * time.Second // other for tests

const mostQuiet = 5 * time.Minute

// NewProgress starts reporting work of so many steps; 0: their number is unknown.
func NewProgress(w io.Writer, what string, steps int) *Progress {
	now := time.Now()
	p := &Progress{to: w, what: what, steps: steps, begun: now, next: now.Add(LeastQuiet)}
	file, ok := w.(*os.File)
	switch {
	case !ok: // a test's
	case !term.IsTerminal(int(file.Fd())):
		time.AfterFunc(time.Second, p.tick)
	case steps > 0:
		p.Bar = progressbar.NewOptions(steps,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetDescription(what),
			progressbar.OptionSetWidth(32),
			progressbar.OptionShowCount(),
			progressbar.OptionThrottle(50*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	return p
}

// tick writes lines when they are due, however long a step takes.
func (p *Progress) tick() {
	if p.report(time.Now()) {
		time.AfterFunc(time.Second, p.tick)
	}
}

// report writes a line if one is due, and returns whether the work goes on.
func (p *Progress) report(now time.Time) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.done || now.Before(p.next) {
		return !p.done
	}
	passed := now.Sub(p.begun)
	p.next = now.Add(min(max(passed/4, LeastQuiet), mostQuiet))
	line := fmt.Sprintf("navview: %s: %v so far", p.what, passed.Round(time.Second))
	if p.steps > 0 {
		share := float64(p.count) / float64(p.steps)
		line = fmt.Sprintf("navview: %s: %.0f%%, %s of %s, %v so far", p.what, 100*share, Figure(float64(p.count)), Figure(float64(p.steps)), passed.Round(time.Second))
		if p.count > 0 {
			line += fmt.Sprintf(", %v to go", time.Duration(float64(passed)*(1-share)/share).Round(time.Second))
		}
	}
	fmt.Fprintln(p.to, line)
	return true
}

// Step counts a step.
func (p *Progress) Step() {
	if p.Bar != nil {
		_ = p.Bar.Add(1) // a bar that cannot be drawn is no reason to stop
	}
	p.mutex.Lock()
	p.count++
	p.mutex.Unlock()
}

// Done removes the bar and ends the lines. It may be called twice.
func (p *Progress) Done() {
	if p.Bar != nil {
		_ = p.Bar.Clear()
	}
	p.mutex.Lock()
	p.done = true
	p.mutex.Unlock()
}
