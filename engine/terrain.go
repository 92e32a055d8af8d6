package engine

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// terrain is a world's obstacles and the grounds that they leave: one for each passage of the goals,
// and the one that agents walk on. Obstacles have slots, which those that come later use again.
type terrain struct {
	scene *scenes.Scene
	slots []slot

	passages passages
	lattice  geom.Lattice
	plans    []*geom.Builder
	grounds  []agents.Terrain // by passage, as of the last lay
	time     float64          // of the last lay
}

// passages are those that there are grounds for: in order, each once, and the first is Walked. Those
// of staff come first. Others are there once an obstacle is for staff only: until then their grounds
// are those of staff.
type passages []scenes.Passage

// find is where a passage is, or would be.
func (all passages) find(p scenes.Passage) (at int, found bool) {
	return slices.BinarySearchFunc(all, p, orderOf)
}

// of is where the ground of a passage is.
func (all passages) of(p scenes.Passage) int {
	at, found := all.find(p)
	if !found {
		at, _ = all.find(scenes.Passage{Clearance: p.Clearance, Staff: true})
	}
	return at
}

// whole reports whether they are in order, each once, and begin with Walked.
func (all passages) whole() bool {
	sorted := slices.IsSortedFunc(all, orderOf) && len(slices.Compact(slices.Clone(all))) == len(all)
	return sorted && len(all) > 0 && all[0] == scenes.Walked
}

func orderOf(a, b scenes.Passage) int {
	switch {
	case a.Staff == b.Staff:
		return cmp.Compare(a.Clearance, b.Clearance)
	case a.Staff:
		return -1
	}
	return 1
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
	return t, t.addPlans(s.Goals, slices.ContainsFunc(s.Obstacles, staffOnly))
}

func staffOnly(o scenes.Obstacle) bool { return o.StaffOnly }

// addPlans has grounds made for the passages of more goals, and, if some obstacle is for staff only,
// for those that it stops, as far as they are not made.
func (t *terrain) addPlans(goals []scenes.Goal, apart bool) error {
	all := slices.Clone(t.passages)
	add := func(p scenes.Passage) {
		if at, known := all.find(p); !known {
			all = slices.Insert(all, at, p)
		}
	}
	add(scenes.Walked)
	for _, g := range goals {
		add(scenes.Passage{Clearance: g.Clearance, Staff: true})
	}
	if last := all[len(all)-1]; apart || !last.Staff {
		for _, p := range slices.Clone(all) {
			add(scenes.Passage{Clearance: p.Clearance})
		}
	}
	plans, grounds := make([]*geom.Builder, len(all)), make([]agents.Terrain, len(all))
	for i, p := range all {
		var err error
		if at, known := t.passages.find(p); known {
			plans[i], grounds[i] = t.plans[at], t.grounds[at]
		} else if plans[i], err = t.plan(p); err != nil {
			return err
		}
	}
	t.passages, t.plans, t.grounds = all, plans, grounds
	return nil
}

// plan is the plan of a passage, with the obstacles as they are laid.
func (t *terrain) plan(p scenes.Passage) (*geom.Builder, error) {
	plan := geom.NewBuilder(t.lattice)
	if p.Clearance > 0 {
		if err := plan.Set(border, t.scene.Border(p.Clearance)...); err != nil {
			return nil, err
		}
	}
	for i := range t.slots {
		if s := &t.slots[i]; s.laid {
			if err := plan.Set(i, inWay(s.shape, s.at.Polygon(s.shape.Polygon()), p)...); err != nil {
				return nil, &ObstacleError{ID: s.shape.ID, Cause: err}
			}
		}
	}
	return plan, nil
}

// inWay is what of an obstacle, where it is, is in the way of a passage: nothing of a door that it
// goes through.
func inWay(o scenes.Obstacle, at geom.Polygon, p scenes.Passage) []geom.Polygon {
	if !o.Stops(p) {
		return nil
	}
	return scenes.Grown(at, p.Clearance)
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

// layout is the grounds of a terrain, by passage.
type layout struct {
	passages passages
	grounds  []*geom.Ground
}

// of is the ground of a passage.
func (l layout) of(p scenes.Passage) *geom.Ground { return l.grounds[l.passages.of(p)] }

// sourcesOf are the sources of a goal on its ground.
func (l layout) sourcesOf(g scenes.Goal) scenes.Sources {
	return g.SourcesOn(l.of(scenes.Passage{Staff: g.Staff}), l.of(g.Passage()))
}

// put takes obstacles that edits change, by slot, and the domain of a scene, and makes the grounds
// that they leave, of some more goals too, where the obstacles were at the last lay; the next lay
// uses them. The function that it returns takes all back. After an error the grounds are none, and
// there may be something to take back as well.
func (t *terrain) put(changes map[uint32]obstacle, goals []scenes.Goal, s *scenes.Scene) (made layout, undo func() error, err error) {
	before, was := *t, map[uint32]obstacle{}
	if s.Domain != t.scene.Domain {
		return t.putOn(changes, goals, s)
	}
	slots := len(t.slots)
	for i := range changes {
		slots = max(slots, int(i)+1)
	}
	t.slots = append(t.slots, make([]slot, slots-len(t.slots))...)
	undo = func() error {
		t.passages, t.plans, t.grounds = before.passages, before.plans, before.grounds
		for i, o := range was {
			t.slots[i].obstacle, t.slots[i].changed = o, true
		}
		err := t.back()
		t.slots = t.slots[:len(before.slots)]
		return err
	}
	apart := false
	for _, o := range changes {
		apart = apart || o.shape.StaffOnly
	}
	if err := t.addPlans(goals, apart); err != nil {
		return made, undo, err
	}
	for i, o := range changes {
		was[i] = t.slots[i].obstacle
		t.slots[i].obstacle, t.slots[i].changed = o, true
	}
	made.passages = t.passages
	made.grounds, err = t.planned()
	return made, undo, err
}

// putOn is put on another domain: all plans are new ones.
func (t *terrain) putOn(changes map[uint32]obstacle, goals []scenes.Goal, s *scenes.Scene) (made layout, undo func() error, err error) {
	before := *t
	undo = func() error { *t = before; return nil }
	if t.lattice, err = s.Lattice(); err != nil {
		return made, undo, err
	}
	t.scene, t.slots, t.plans, t.passages, t.grounds = s, slices.Clone(t.slots), nil, nil, nil
	apart := false
	for i := range t.slots {
		t.slots[i].laid = false
		apart = apart || t.slots[i].shape.StaffOnly
	}
	if err = t.addPlans(s.Goals, apart); err != nil {
		return made, undo, err
	}
	t.grounds[0] = before.grounds[0] // until it is laid
	made, _, err = t.put(changes, goals, s)
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
			if err := plan.Set(i, inWay(s.shape, p, t.passages[k])...); err != nil {
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

// of is the ground of a passage.
func (t *terrain) of(p scenes.Passage) agents.Terrain { return t.grounds[t.passages.of(p)] }
