package engine

import (
	"cmp"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/gpu"
)

// Snapshot is the agents of a tick that have not left, by their slots. All slices have the same
// length. They are the caller's: what fills a Snapshot grows them where they are too short, and
// leaves no reference to them.
type Snapshot struct {
	Tick       uint64 // as World.Ticks counts them
	IDs        []AgentID
	Positions  []mgl64.Vec2    // world meters
	Velocities []mgl64.Vec2    // m/s
	Statuses   []agents.Status // agents.Waiting for an agent that has a place but is not there yet
	Tags       []uint32        // of Spawn
}

// Index is the index of an agent; false if it is not in the snapshot.
func (s *Snapshot) Index(id AgentID) (int, bool) {
	i, ok := slices.BinarySearchFunc(s.IDs, uint32(id), func(other AgentID, slot uint32) int { return cmp.Compare(uint32(other), slot) })
	return i, ok && s.IDs[i] == id
}

// Within appends to dst the indices of the agents whose centers are at most so many meters from a
// world point, in order.
func (s *Snapshot) Within(dst []int, p mgl64.Vec2, radius float64) []int {
	for i, at := range s.Positions {
		if at.Sub(p).Len() <= radius {
			dst = append(dst, i)
		}
	}
	return dst
}

// names are which agents have the slots of a tick.
type names struct {
	tick   uint64
	origin mgl64.Vec2 // of places
	ids    []AgentID  // 0: none
	tags   []uint32
}

// set takes those of now.
func (n *names) set(w *World) {
	n.tick, n.origin, n.ids, n.tags = w.ticks, w.walked.Lattice.Origin, n.ids[:0], n.tags[:0]
	for slot := range w.crowd.Count() {
		id, tag := AgentID(0), uint32(0)
		if slot < len(w.population.agents) && w.population.agents[slot].present {
			id, tag = w.agentIDs.at(slot), w.population.agents[slot].traits.Tag
		}
		n.ids, n.tags = append(n.ids, id), append(n.tags, tag)
	}
}

// fill makes a snapshot of records.
func (s *Snapshot) fill(w *World, n *names, records []agents.Agent) {
	s.Tick = n.tick
	s.IDs, s.Positions, s.Velocities, s.Statuses, s.Tags = s.IDs[:0], s.Positions[:0], s.Velocities[:0], s.Statuses[:0], s.Tags[:0]
	origin := n.origin
	for slot, id := range n.ids {
		a := &records[slot]
		if id == 0 || a.Status == agents.Left {
			continue
		}
		s.IDs, s.Tags, s.Statuses = append(s.IDs, id), append(s.Tags, n.tags[slot]), append(s.Statuses, a.Status)
		s.Positions = append(s.Positions, mgl64.Vec2{origin[0] + float64(a.Position[0]), origin[1] + float64(a.Position[1])})
		s.Velocities = append(s.Velocities, mgl64.Vec2{float64(a.Velocity[0]), float64(a.Velocity[1])})
	}
}

// Snapshot reads the agents as the last tick left them. It waits for the device. The error is
// ErrClosed or one of gpu.Device.Do.
func (w *World) Snapshot(dst *Snapshot) error {
	return w.read(func() error {
		var now names
		now.set(w)
		records := make([]agents.Agent, len(now.ids))
		w.crowd.Buffers().Agents.Read(0, records)
		dst.fill(w, &now, records)
		return nil
	})
}

// latest reads agents back without waiting.
type latest struct {
	every   int // ticks; 0: never
	mail    *gpu.Mailbox[agents.Agent]
	length  int // records of a readback
	records []agents.Agent
	names   [latestSlots]names // of pending readbacks, by their numbers
}

// latestSlots is how many readbacks may be pending.
const latestSlots = 4

// drop gives up the readbacks that are pending.
func (l *latest) drop() {
	l.mail.Delete()
	l.mail = nil
}

// postLatest begins a readback of the state after the tick, where one is due.
func (w *World) postLatest() error {
	l := &w.latest
	if l.every == 0 || w.ticks%uint64(l.every) != 0 {
		return nil
	}
	source := w.crowd.Buffers().Agents
	if l.mail == nil || l.length != source.Len() {
		mail, err := gpu.NewMailbox[agents.Agent](w.device, gpu.MailboxSpec{Label: "latest agents", Length: source.Len(), Slots: latestSlots})
		if err != nil {
			return err
		}
		l.mail.Delete()
		l.mail, l.length, l.records = mail, source.Len(), make([]agents.Agent, source.Len())
	}
	if number := l.mail.Posted(); l.mail.Post(source, 0) {
		l.names[number%latestSlots].set(w)
	} else if _, ok := l.mail.Take(l.records); ok { // the oldest one was not read
		l.names[number%latestSlots].set(w)
		l.mail.Post(source, 0)
	}
	return nil
}

// Latest puts the newest state that has come back from the device into dst, where it is newer than
// that of the call before: true then. It never waits, and allocates nothing once dst and the crowd
// have grown. Options.Latest says how often a state is read back. When it comes depends on the
// device: what has to repeat exactly follows events, or Snapshot. The error is ErrClosed or one of
// gpu.Device.Do.
func (w *World) Latest(dst *Snapshot) (newer bool, err error) {
	call := latestCalls.Get().(*latestCall)
	defer latestCalls.Put(call)
	*call = latestCall{dst: dst}
	err = w.readWith(takeLatest, call)
	return call.newer, err
}

// latestCall is a call of Latest.
type latestCall struct {
	dst   *Snapshot
	newer bool
}

var latestCalls = sync.Pool{New: func() any { return new(latestCall) }}

// takeLatest makes a *latestCall.
func takeLatest(w *World, arg any) error {
	l, call := &w.latest, arg.(*latestCall)
	var number int64
	for l.mail != nil {
		n, ok := l.mail.Take(l.records)
		if !ok {
			break
		}
		number, call.newer = n, true
	}
	if call.newer {
		call.dst.fill(w, &l.names[number%latestSlots], l.records)
	}
	return nil
}
