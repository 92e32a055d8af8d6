package engine

import (
	"errors"
	"slices"
	"sync"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// terrain is a world's obstacles and the grounds that they leave: one for each clearance of the
// goals, and that of none, which agents walk on. Obstacles have slots, which those that come later
// use again.
type terrain struct {
	scene *scenes.Scene
	slots []slot

	clearances []float64 // ascending, each once; the first is 0
	lattice    geom.Lattice
	plans      []*geom.Builder
	grounds    []agents.Terrain // by clearance, as of the last lay
	time       float64          // of the last lay
}

// obstacle is one as its author has it.
type obstacle struct {
	there bool
	shape scenes.Obstacle
	door  Door
}

// slot is a place for an obstacle, with what of it is in the plans.
type slot struct {
	obstacle
	changed bool // since it was laid
	laid    bool
	at      scenes.Transform // at which it was
}

// newTerrain takes the obstacles of a scene.
func newTerrain(s *scenes.Scene) (*terrain, error) {
	l, err := s.Lattice()
	if err != nil {
		return nil, err
	}
	t := &terrain{scene: s, lattice: l}
	for _, o := range s.Obstacles {
		t.slots = append(t.slots, slot{obstacle: obstacle{there: true, shape: o}})
	}
	if err := t.addPlan(0); err != nil {
		return nil, err
	}
	for _, g := range s.Goals {
		if err := t.addPlan(g.Clearance); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// addPlan has grounds made for one more clearance, unless they are.
func (t *terrain) addPlan(clearance float64) error {
	at, known := slices.BinarySearch(t.clearances, clearance)
	if known {
		return nil
	}
	plan, err := t.plan(clearance)
	if err != nil {
		return err
	}
	t.clearances = slices.Insert(slices.Clone(t.clearances), at, clearance)
	t.plans = slices.Insert(slices.Clone(t.plans), at, plan)
	t.grounds = slices.Insert(slices.Clone(t.grounds), at, agents.Terrain{})
	return nil
}

// plan is the plan of a clearance, with the obstacles as they are laid.
func (t *terrain) plan(clearance float64) (*geom.Builder, error) {
	plan := geom.NewBuilder(t.lattice)
	if clearance > 0 {
		if err := plan.Set(border, t.scene.Border(clearance)...); err != nil {
			return nil, err
		}
	}
	for i := range t.slots {
		if s := &t.slots[i]; s.laid {
			if err := plan.Set(i, scenes.Grown(s.at.Polygon(s.shape.Polygon()), clearance)...); err != nil {
				return nil, &ObstacleError{ID: s.shape.ID, Cause: err}
			}
		}
	}
	return plan, nil
}

// border is the obstacle of a plan that keeps discs off the domain's border. Others have the number
// of their slot.
const border = -1

// presentAt reports whether the obstacle is there at a time.
func (o *obstacle) presentAt(time float64) bool {
	switch {
	case !o.there || o.door == DoorOpen:
		return false
	case o.door == DoorShut:
		return true
	}
	return o.shape.PresentAt(time)
}

// lay brings the grounds up to a time, with what was edited since the last lay. It returns how many
// are new. After an error all is as it was.
func (t *terrain) lay(time float64) (made int, err error) {
	was := t.time
	t.time = time
	if t.unchanged() {
		return 0, nil
	}
	planned, err := t.planned()
	if err != nil {
		t.time = was
		return 0, errors.Join(err, t.back())
	}
	grounds := make([]agents.Terrain, len(planned))
	var all sync.WaitGroup
	for i, g := range planned {
		if grounds[i] = t.grounds[i]; g != grounds[i].Ground {
			made++
			all.Go(func() { grounds[i] = agents.Terrain{Ground: g, Grid: geom.NewWallGrid(g)} })
		}
	}
	all.Wait()
	t.grounds = grounds
	return made, nil
}

// unchanged reports whether the grounds are those of the slots at the time of now. In most ticks
// they are.
func (t *terrain) unchanged() bool {
	for i := range t.slots {
		if t.laySlot(i) != nil {
			return false // planned returns the error
		}
	}
	for i, plan := range t.plans {
		if ground := plan.Unchanged(); ground == nil || ground != t.grounds[i].Ground {
			return false
		}
	}
	return true
}

// planned brings the plans up to date with the slots and returns their grounds.
func (t *terrain) planned() ([]*geom.Ground, error) {
	for i := range t.slots {
		if err := t.laySlot(i); err != nil {
			return nil, err
		}
	}
	// Plans know nothing of one another.
	grounds, errs := make([]*geom.Ground, len(t.plans)), make([]error, len(t.plans))
	var all sync.WaitGroup
	for i, plan := range t.plans {
		all.Go(func() { grounds[i], errs[i] = plan.Ground() })
	}
	all.Wait()
	return grounds, errors.Join(errs...)
}

// back brings the plans back to the grounds of the last lay, after an error. Before the first there
// is nothing to go back to.
func (t *terrain) back() error {
	if t.grounds[0].Ground == nil {
		return nil
	}
	_, err := t.planned()
	return err
}

// layout is the grounds of a terrain, by clearance.
type layout struct {
	clearances []float64
	grounds    []*geom.Ground
}

// of is the ground of a clearance.
func (l layout) of(clearance float64) *geom.Ground {
	i, _ := slices.BinarySearch(l.clearances, clearance)
	return l.grounds[i]
}

// put takes obstacles that edits change, by slot, and the domain of a scene, and makes the grounds
// that they leave, of some more clearances too, where the obstacles were at the last lay; the next
// lay uses them. The function that it returns takes all back. After an error the grounds are none,
// and there may be something to take back as well.
func (t *terrain) put(changes map[uint32]obstacle, clearances []float64, s *scenes.Scene) (made layout, undo func() error, err error) {
	before, was := *t, map[uint32]obstacle{}
	if s.Domain != t.scene.Domain {
		return t.putOn(changes, clearances, s)
	}
	slots := len(t.slots)
	for i := range changes {
		slots = max(slots, int(i)+1)
	}
	t.slots = append(t.slots, make([]slot, slots-len(t.slots))...)
	undo = func() error {
		t.clearances, t.plans, t.grounds = before.clearances, before.plans, before.grounds
		for i, o := range was {
			t.slots[i].obstacle, t.slots[i].changed = o, true
		}
		err := t.back()
		t.slots = t.slots[:len(before.slots)]
		return err
	}
	for _, clearance := range clearances {
		if err := t.addPlan(clearance); err != nil {
			return made, undo, err
		}
	}
	for i, o := range changes {
		was[i] = t.slots[i].obstacle
		t.slots[i].obstacle, t.slots[i].changed = o, true
	}
	made.clearances = t.clearances
	made.grounds, err = t.planned()
	return made, undo, err
}

// putOn is put on another domain: all plans are new ones.
func (t *terrain) putOn(changes map[uint32]obstacle, clearances []float64, s *scenes.Scene) (made layout, undo func() error, err error) {
	before := *t
	undo = func() error { *t = before; return nil }
	if t.lattice, err = s.Lattice(); err != nil {
		return made, undo, err
	}
	t.scene, t.slots, t.plans, t.clearances, t.grounds = s, slices.Clone(t.slots), nil, nil, nil
	for i := range t.slots {
		t.slots[i].laid = false
	}
	if err = t.addPlan(0); err != nil {
		return made, undo, err
	}
	t.grounds[0] = before.grounds[0] // until it is laid
	for _, g := range s.Goals {
		clearances = append(clearances, g.Clearance)
	}
	made, _, err = t.put(changes, clearances, s)
	return made, undo, err
}

// laySlot brings the plans up to date with a slot.
func (t *terrain) laySlot(i int) error {
	s := &t.slots[i]
	at := s.shape.At(t.time)
	switch present := s.presentAt(t.time); {
	case present && (!s.laid || s.changed || at != s.at):
		p := at.Polygon(s.shape.Polygon())
		for k, plan := range t.plans {
			if err := plan.Set(i, scenes.Grown(p, t.clearances[k])...); err != nil {
				return &ObstacleError{ID: s.shape.ID, Cause: err}
			}
		}
		s.laid, s.at = true, at
	case !present && s.laid:
		for _, plan := range t.plans {
			plan.Remove(i)
		}
		s.laid = false
	}
	s.changed = false
	return nil
}

// motions are the obstacles that move within the step that begins at the time of the last lay, of
// so many seconds, or have moved in the one before, and those that rest and may share walls with
// them.
func (t *terrain) motions(step float64) (all []agents.Motion) {
	moves := false // what does not must not allocate in every tick
	for i := range t.slots {
		moves = moves || t.slots[i].laid && t.slots[i].shape.Motion != nil
	}
	if !moves {
		return nil
	}
	var moving []scenes.Rect // boxes around those that move
	motions := make([]agents.Motion, len(t.slots))
	for i := range t.slots {
		s, m := &t.slots[i], &motions[i]
		if !s.laid {
			continue
		}
		m.Velocity = s.shape.Velocities(t.time, step)
		if before := t.time - step; before >= 0 && s.presentAt(before) {
			m.Moved = s.shape.Displacements(t.time, step)
		}
		if m.Velocity != nil || m.Moved != nil {
			moving = append(moving, t.box(s))
		}
	}
	if len(moving) == 0 {
		return nil
	}
	for i, m := range motions {
		s := &t.slots[i]
		if s.laid && (m.Velocity != nil || m.Moved != nil || slices.ContainsFunc(moving, t.box(s).Meets)) {
			m.Walls = t.plans[0].Walls(i)
			all = append(all, m)
		}
	}
	return all
}

// box is a rectangle around an obstacle where it is laid, and around all that rounding to the
// lattice may join with it.
func (t *terrain) box(s *slot) scenes.Rect {
	lo, hi := s.at.Polygon(s.shape.Polygon()).Outer.Box()
	slack := geom.SnapSlack * t.lattice.Step
	return scenes.Rect{lo[0] - slack, lo[1] - slack, hi[0] + slack, hi[1] + slack}
}

// of is the ground of a clearance; of 0 is the one that agents walk on.
func (t *terrain) of(clearance float64) agents.Terrain {
	i, _ := slices.BinarySearch(t.clearances, clearance)
	return t.grounds[i]
}
