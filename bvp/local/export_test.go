package local

import (
	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
)

// NewMaps makes maps whose potentials are in buffers of so many words.
var NewMaps = newMaps

// Batch is how many relaxations a dispatch does at most.
const Batch = relaxedAtOnce

// The stages of a step.
func (m *Maps) StageStamp(s agents.StepContext) { m.stamp(s) }
func (m *Maps) StageRelax(agents.StepContext)   { m.relax() }
func (m *Maps) StageSteer(s agents.StepContext) { m.steer(s) }

// Memory is the buffers of potentials, and how many bytes they take with those of settings and
// walkers.
func (m *Maps) Memory() ([]*gpu.Buffer[uint32], int64) {
	bytes := m.walkers.Bytes() + m.settings.Bytes()
	for _, b := range m.potentials {
		bytes += b.Bytes()
	}
	return m.potentials, bytes
}

// Kind is the kind of an agent.
func (m *Maps) Kind(agent int) int { return m.of[agent] }

// OneClass has maps of up to so many cells be of one class, whatever their size, until undone.
func OneClass(cells int) (undo func()) {
	before := classes
	classes[0] = classes[classOf(cells)]
	return func() { classes = before }
}
