package stage

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/scenes"
)

// trajectories writes the positions of agents as CSV.
type trajectories struct {
	to       io.Writer
	every    int // steps from one frame to the next
	timestep float64
	groups   []string // ids, as CSV has them
	begun    bool
	row      []byte
}

// NewTrajectories writes every nth step of a scene.
func NewTrajectories(to io.Writer, s *scenes.Scene, every int) *trajectories {
	t := &trajectories{to: to, every: every, timestep: s.Simulation.Timestep}
	for _, g := range s.Groups {
		var quoted bytes.Buffer
		w := csv.NewWriter(&quoted)
		_ = w.Write([]string{g.ID}) // a buffer takes everything
		w.Flush()
		t.groups = append(t.groups, strings.TrimSuffix(quoted.String(), "\n"))
	}
	return t
}

// write writes a frame, in order of the agents' ids. Agents' positions are relative to the domain's
// corner, those of the file are not.
func (t *trajectories) write(step int, state []agents.Agent, traits []agents.Traits, corner mgl64.Vec2) error {
	if !t.begun {
		t.begun = true
		if _, err := io.WriteString(t.to, "frame,time,id,x,y,vx,vy,group\n"); err != nil {
			return err
		}
	}
	head := strconv.Itoa(step/t.every) + "," + strconv.FormatFloat(exactly(float64(step)*t.timestep), 'f', -1, 64) + ","
	for i, a := range state {
		if a.Status != agents.Walking && a.Status != agents.Arrived {
			continue
		}
		row := append(t.row[:0], head...)
		row = strconv.AppendInt(row, int64(i), 10)
		for _, number := range [...]float64{
			corner[0] + float64(a.Position[0]), corner[1] + float64(a.Position[1]), float64(a.Velocity[0]), float64(a.Velocity[1]),
		} {
			row = strconv.AppendFloat(append(row, ','), number, 'f', 6, 64)
		}
		row = append(row, ',')
		row = append(row, t.groups[traits[i].Group]...)
		row = append(row, '\n')
		if _, err := t.to.Write(row); err != nil {
			return err
		}
		t.row = row
	}
	return nil
}
