package traj

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"

	"github.com/wayfront/wayfront/agents/measure"
)

// csvWriter writes a row an agent and frame: frame, time, id, x, y, vx, vy, group. Unit: s, m, m/s.
type csvWriter struct {
	to     io.Writer
	groups [][]byte // the ends of rows by group
	frames int      // written so far
	row    []byte
}

func newCSV(to io.Writer) Writer { return &csvWriter{to: to} }

func (c *csvWriter) Begin(r Run) error {
	for _, g := range r.Scene.Groups {
		var quoted bytes.Buffer
		w := csv.NewWriter(&quoted)
		_ = w.Write([]string{g.ID}) // a buffer takes everything
		w.Flush()
		c.groups = append(c.groups, quoted.Bytes())
	}
	_, err := io.WriteString(c.to, "frame,time,id,x,y,vx,vy,group\n")
	return err
}

func (c *csvWriter) Frame(f measure.Frame) error {
	head := strconv.Itoa(c.frames) + "," + strconv.FormatFloat(rounded(f.Time), 'f', -1, 64) + ","
	c.frames++
	for _, w := range f.Walkers {
		row := strconv.AppendInt(append(c.row[:0], head...), int64(w.ID), 10)
		for _, number := range [...]float64{w.At[0], w.At[1], w.Velocity[0], w.Velocity[1]} {
			row = strconv.AppendFloat(append(row, ','), number, 'f', 6, 64)
		}
		c.row = append(append(row, ','), c.groups[w.Group]...)
		if _, err := c.to.Write(c.row); err != nil {
			return err
		}
	}
	return nil
}

func (c *csvWriter) End(bool) error { return nil }
