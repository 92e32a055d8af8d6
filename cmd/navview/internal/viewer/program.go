//go:build !headless

package viewer

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"time"
)

// program is this program at work on a picture or a film, beside the window.
type program struct {
	command *exec.Cmd
	words   string
	out     string
	ended   chan error
	says    bytes.Buffer
}

// run runs this program with arguments; the document is its standard input.
func (v *viewer) run(args []string) {
	self, err := os.Executable()
	if err != nil {
		v.panels.Alarm(err.Error())
		return
	}
	p := &program{command: exec.Command(self, args...), words: strings.Join(args, " "), ended: make(chan error, 1)}
	p.command.Stdin, p.command.Stderr = bytes.NewReader(v.studio.Doc.Text()), &p.says
	for i, a := range args {
		if a == "-o" && i+1 < len(args) {
			p.out = args[i+1]
		}
	}
	if err := p.command.Start(); err != nil {
		v.panels.Alarm(err.Error())
		return
	}
	go func() { p.ended <- p.command.Wait() }()
	v.programs = append(v.programs, p)
}

// programStates says what runs, and takes away what has ended.
func (v *viewer) programStates() (all []string) {
	going := v.programs[:0]
	for _, p := range v.programs {
		select {
		case err := <-p.ended:
			if err != nil {
				v.panels.Alarm(strings.TrimSpace(p.says.String() + "\n" + err.Error()))
			} else {
				v.studio.Notify("wrote " + p.out)
			}
		default:
			going = append(going, p)
			all = append(all, "writing "+p.out)
		}
	}
	v.programs = going
	return all
}

// endPrograms stops what still runs. A program that is interrupted takes half a file away.
func (v *viewer) endPrograms() {
	for _, p := range v.programs {
		_ = p.command.Process.Signal(os.Interrupt)
		select {
		case <-p.ended: //nolint:errcheck // it was asked to end
		case <-time.After(2 * time.Second):
			_ = p.command.Process.Kill()
		}
	}
}
