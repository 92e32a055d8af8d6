package traj

import (
	"fmt"
	"io"
	"strconv"

	"github.com/wayfront/wayfront/agents/measure"
)

// pedaWriter writes text as of the Pedestrian Dynamics Data Archive: a row an agent and frame, id,
// frame, x, y, z. Unit: m. The heading has the rate of frames and the unit; z is 0.
type pedaWriter struct {
	to     io.Writer
	frames int // written so far
	row    []byte
}

func newPeDa(to io.Writer) Writer { return &pedaWriter{to: to} }

func (p *pedaWriter) Begin(r Run) error {
	_, err := fmt.Fprintf(p.to, "# framerate: %s\n# scene: %q\n# id frame x/m y/m z/m\n", number(r.rate()), r.Scene.Name)
	return err
}

func (p *pedaWriter) Frame(f measure.Frame) error {
	p.row = p.row[:0]
	for _, w := range f.Walkers {
		p.row = strconv.AppendInt(p.row, int64(w.ID), 10)
		p.row = strconv.AppendInt(append(p.row, ' '), int64(p.frames), 10)
		p.row = strconv.AppendFloat(append(p.row, ' '), w.At[0], 'f', 6, 64)
		p.row = strconv.AppendFloat(append(p.row, ' '), w.At[1], 'f', 6, 64)
		p.row = append(p.row, " 0\n"...)
	}
	p.frames++
	_, err := p.to.Write(p.row)
	return err
}

func (p *pedaWriter) End(bool) error { return nil }
