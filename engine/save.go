package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/internal/flat"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/spm"
)

// The first lines of what this package writes. The number is the version of the format.
const (
	saveLine    = "wayfront save 1"
	journalLine = "wayfront journal 1"
)

// The kinds of records. A saved world is a fingerprint, a scene, a state with what archives keep,
// and an end. A journal is a fingerprint, a scene, a state where it begins with one, a begin, and
// entries.
const (
	recordFingerprint = 'F'
	recordScene       = 'S'
	recordTables      = 'T'
	recordState       = 'W'
	recordPart        = 'P'
	recordEnd         = 'E'
	recordBegin       = 'B'
	recordEntry       = 'J'
)

// FormatError says that bytes are no saved world, or no journal, or damaged.
type FormatError struct {
	What   string // "saved world" or "journal"
	Offset int64  // bytes that were read
	Why    string
	Cause  error // such as io.ErrUnexpectedEOF where the bytes end too early; or nil
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("engine: the %s, before byte %d: %s; take another copy of it", e.What, e.Offset, e.Why)
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Cause }

// savedState is the state of a world as it is written. A Checkpoint is written field by field: a
// new field is written without a line here.
type savedState struct {
	Checkpoint *Checkpoint
	Planned    []*geom.Ground // by the terrain's plans
	Layers     int            // of the maps
	Stride     int            // records of a layer
	Sources    int            // of them
}

// unsaved are the types of fields that are not written: those of the device, what a rollback makes
// of the rest, and what is written another way.
var unsaved = map[string]string{
	"*engine.World":         "the one that restores it",
	"*geom.Builder":         "of the obstacles and savedState.Planned",
	"*spm.Contents":         "of the goals, savedState.Stride and Sources",
	"*exact.View":           "made when it is asked for",
	"agents.Guide":          "of the maps",
	"agents.walls":          "on the device",
	"agents.deferredQueue":  "on the device",
	"agents.changing":       "on the device",
	"agents.lists":          "on the device",
	"agents.passes":         "on the device",
	"gpu.ResourceSet":       "on the device",
	"agents.watching":       "no state has what is watched",
	"*agents.contactBegin":  "made with what is on the device",
	"agents.Launch":         "about the device",
	"*agents.arrivedEvents": "agents.Checkpoint has them",

	"map[agents.kernelVariant]agents.kernel": "on the device",
}

// tables number the grounds and the scenes of a state from 1 on: what shared one shares one again.
type tables struct {
	grounds []*geom.Ground
	grids   []*geom.WallGrid
	scenes  []*scenes.Scene // the first one is that which the world began with
}

// savedTables are the tables as they are written: of each ground what it was made of, and the
// scenes but the first.
type savedTables struct {
	Grounds []savedGround
	Scenes  []*scenes.Scene
}

// savedGround is what a ground was made of.
type savedGround struct {
	Lattice   geom.Lattice
	Obstacles []geom.Polygon
}

// codec writes grounds and scenes as their numbers.
func (s *tables) codec() *flat.Codec {
	gpuPackage := reflect.TypeFor[gpu.Device]().PkgPath()
	return &flat.Codec{
		Skip: func(t reflect.Type) bool {
			return unsaved[t.String()] != "" || t.Kind() == reflect.Pointer && t.Elem().PkgPath() == gpuPackage
		},
		Tables: map[reflect.Type]flat.Table{
			reflect.TypeFor[*geom.Ground](): {
				Number: func(v any) uint64 { return number(&s.grounds, v.(*geom.Ground)) },
				Value:  func(n uint64) (any, error) { return entry(s.grounds, n) },
			},
			reflect.TypeFor[*scenes.Scene](): {
				Number: func(v any) uint64 { return number(&s.scenes, v.(*scenes.Scene)) },
				Value:  func(n uint64) (any, error) { return entry(s.scenes, n) },
			},
			reflect.TypeFor[agents.Terrain](): {
				Number: func(v any) uint64 { return number(&s.grounds, v.(agents.Terrain).Ground) },
				Value:  func(n uint64) (any, error) { return s.terrain(n) },
			},
		},
	}
}

// number is the number of an entry, which is added where it is new; 0 is that of nil.
func number[T any](all *[]*T, x *T) uint64 {
	if x == nil {
		return 0
	}
	i := slices.Index(*all, x)
	if i < 0 {
		i = len(*all)
		*all = append(*all, x)
	}
	return uint64(i) + 1
}

// entry is the entry of a number.
func entry[T any](all []*T, n uint64) (*T, error) {
	switch {
	case n == 0:
		return nil, nil
	case n > uint64(len(all)):
		return nil, fmt.Errorf("there is no %T of the number %d", *new(T), n)
	}
	return all[n-1], nil
}

func (s *tables) terrain(n uint64) (agents.Terrain, error) {
	g, err := entry(s.grounds, n)
	if g == nil || err != nil {
		return agents.Terrain{}, err
	}
	if s.grids == nil {
		s.grids = make([]*geom.WallGrid, len(s.grounds))
	}
	if s.grids[n-1] == nil {
		s.grids[n-1] = geom.NewWallGrid(g)
	}
	return agents.Terrain{Ground: g, Grid: s.grids[n-1]}, nil
}

// Save writes the whole state of the world, edits included that take effect with the next tick, so
// that Restore makes a world that goes on as this one does, bit for bit, wherever the Fingerprint
// is the same. It waits for the device and reads its state back: about 150 bytes an agent, and the
// potentials of local maps and of explorers' maps. Maps of goals are not among it: Restore makes
// them anew. Counts of Work, and Events that were lost, begin from zero in a restored world.
//
// The error is one of Checkpoint, or what out returns. Nothing is written while the world is used,
// so that out may be anything but what waits for the world.
func (w *World) Save(out io.Writer) error {
	var saved *savedWorld
	err := w.do("Save", func() (err error) { saved, err = w.save(); return err })
	if err != nil {
		return err
	}
	to := flat.NewWriter(out, saveLine)
	saved.write(to)
	to.Put(recordEnd, nil)
	if err := to.Flush(); err != nil {
		return fmt.Errorf("engine: saving a world: %w", err)
	}
	return nil
}

// savedWorld is a world as records.
type savedWorld struct {
	fingerprint Fingerprint
	scene       []byte // that it began with, JSON
	tables      []byte
	state       []byte // nil: the scene alone
	parts       []gpu.Part
}

// save makes records of the world as it is.
func (w *World) save() (*savedWorld, error) {
	c, err := w.checkpoint()
	if err != nil {
		return nil, err
	}
	defer c.archive.Delete()
	state := savedState{Checkpoint: c, Layers: c.shown.Layers()}
	state.Stride, state.Sources = c.shown.Records()
	for _, plan := range c.terrain.plans {
		g, err := plan.Ground()
		if err != nil {
			return nil, err
		}
		state.Planned = append(state.Planned, g)
	}
	saved, err := w.sceneAlone()
	if err != nil {
		return nil, err
	}
	known := tables{scenes: []*scenes.Scene{w.began}}
	saved.state = known.codec().Append(nil, &state)
	made := savedTables{Scenes: known.scenes[1:]}
	for _, g := range known.grounds {
		made.Grounds = append(made.Grounds, savedGround{g.Lattice, g.Obstacles()})
	}
	saved.tables, saved.parts = new(flat.Codec).Append(nil, &made), c.archive.Read()
	agents.OrderBodies(saved.parts)
	local.ClearBodies(saved.parts)
	return saved, nil
}

// sceneAlone is a world at the start of its scene.
func (w *World) sceneAlone() (*savedWorld, error) {
	scene, err := w.began.Encode()
	return &savedWorld{fingerprint: w.fingerprint, scene: scene}, err
}

// write writes the records.
func (s *savedWorld) write(to *flat.Writer) {
	fingerprint, _ := json.Marshal(s.fingerprint) // of strings and numbers
	to.Put(recordFingerprint, fingerprint)
	to.Put(recordScene, s.scene)
	if s.state == nil {
		return
	}
	to.Put(recordTables, s.tables)
	to.Put(recordState, s.state)
	for i := range s.parts {
		to.Put(recordPart, new(flat.Codec).Append(nil, &s.parts[i]))
	}
}

// saveReader reads what Save and journals write.
type saveReader struct {
	from *flat.Reader
	what string
}

// fail is the error of bytes that are not as they should be.
func (r *saveReader) fail(why string, cause error) error {
	offset := int64(0)
	if r.from != nil {
		offset = r.from.Offset()
	}
	return &FormatError{r.what, offset, why, cause}
}

// openSaved reads the first line.
func openSaved(in io.Reader, what, line string) (*saveReader, error) {
	r := &saveReader{what: what}
	from, first, err := flat.NewReader(in)
	switch r.from = from; {
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("engine: reading a %s: %w", what, err)
	case first != line:
		return nil, r.fail(fmt.Sprintf("it begins with %q, not with %q: it is none, or one of another version", first, line), err)
	}
	return r, nil
}

// next reads a record. Where the bytes end too early the error is a *FormatError round
// io.ErrUnexpectedEOF.
func (r *saveReader) next() (kind byte, payload []byte, err error) {
	kind, payload, err = r.from.Next()
	switch {
	case err == nil:
		return kind, payload, nil
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return 0, nil, r.fail("it ends too early", io.ErrUnexpectedEOF)
	case errors.Is(err, flat.ErrDamaged):
		return 0, nil, r.fail(err.Error(), err)
	}
	return 0, nil, fmt.Errorf("engine: reading a %s: %w", r.what, err)
}

// world reads the records of a world, and the payload of the record of a kind that ends them.
func (r *saveReader) world(end byte) (*savedWorld, []byte, error) {
	s := &savedWorld{}
	for {
		kind, payload, err := r.next()
		if err != nil {
			return nil, nil, err
		}
		switch kind {
		case recordFingerprint:
			err = json.Unmarshal(payload, &s.fingerprint)
		case recordScene:
			s.scene = payload
		case recordTables:
			s.tables = payload
		case recordState:
			s.state = payload
		case recordPart:
			var part gpu.Part
			err = new(flat.Codec).Read(payload, &part)
			if err == nil && (part.Name == "" || slices.ContainsFunc(s.parts, func(p gpu.Part) bool { return p.Name == part.Name })) {
				err = fmt.Errorf("there are two parts %q", part.Name)
			}
			s.parts = append(s.parts, part)
		case end:
			return s, payload, nil
		default:
			err = fmt.Errorf("there is no record of the kind %q here", kind)
		}
		if err != nil {
			return nil, nil, r.fail(err.Error(), err)
		}
	}
}

// open makes the world on a device.
func (r *saveReader) open(d *gpu.Device, s *savedWorld, o Options) (*World, error) {
	if err := d.Current(); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	scene, problems := scenes.Read("", s.scene)
	if scene == nil {
		err := &scenes.Invalid{Problems: problems}
		return nil, r.fail("its scene is not sound: "+err.Error(), err)
	}
	if here := fingerprintOf(d, scene, o); here != s.fingerprint {
		return nil, &IncompatibleError{There: s.fingerprint, Here: here}
	}
	o.Journal = nil
	w, err := New(d, scene, o)
	if err != nil || s.state == nil {
		return w, err
	}
	var fault *FormatError
	err = w.run(plain, func() error {
		if err := w.restore(s, r); !errors.As(err, &fault) {
			return err
		}
		return nil
	})
	if fault != nil {
		err = fault
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// restore brings a new world to a state. What checks do not foresee of a state that was written with
// intent panics somewhere below, and is none then, either.
func (w *World) restore(s *savedWorld, r *saveReader) (err error) {
	defer func() {
		if why := recover(); why != nil {
			err = r.fail(fmt.Sprintf("the state is none that a world comes to: %v", why), nil)
		}
	}()
	state, err := readState(s, w)
	if err == nil {
		err = w.resume(state)
	}
	if err != nil {
		return r.fail(err.Error(), err)
	}
	c := state.Checkpoint
	c.archive = gpu.NewArchive(w.device)
	defer func() { c.archive.Delete() }()
	for _, part := range s.parts {
		c.archive.Put(part)
	}
	if err := c.archive.Err(); err != nil {
		return err
	}
	if err := w.crowd.Reserve(len(c.population.agentIDs.slots)); err != nil {
		return err
	}
	return w.rollback(c)
}

// readState reads a state for a new world.
func readState(s *savedWorld, w *World) (*savedState, error) {
	var made savedTables
	if err := new(flat.Codec).Read(s.tables, &made); err != nil {
		return nil, err
	}
	known := tables{scenes: []*scenes.Scene{w.began}}
	for _, s := range made.Scenes {
		checked, problems := s.Checked()
		if checked == nil {
			return nil, &scenes.Invalid{Problems: problems}
		}
		known.scenes = append(known.scenes, checked)
	}
	for _, of := range made.Grounds {
		if !of.Lattice.Sound() {
			return nil, errors.New("a ground has a lattice that there is not")
		}
		b := geom.NewBuilder(of.Lattice)
		if err := b.Set(0, of.Obstacles...); err != nil {
			return nil, err
		}
		g, err := b.Ground()
		if err != nil {
			return nil, err
		}
		known.grounds = append(known.grounds, g)
	}
	state := &savedState{}
	if err := known.codec().Read(s.state, state); err != nil {
		return nil, err
	}
	return state, state.check()
}

// check finds what cannot be of a state. The checksums find what was damaged; a state that was
// written with intent may still be none that a world comes to.
func (s *savedState) check() error {
	c := s.Checkpoint
	if c == nil || c.terrain == nil || c.terrain.scene == nil || c.crowd == nil || c.walked == nil || c.scene == nil {
		return errors.New("the state is not whole")
	}
	t := c.terrain
	whole := func(g *geom.Ground) bool { return g != nil }
	plans := len(t.passages)
	switch {
	case !t.passages.whole(),
		len(t.plans) != plans || len(t.grounds) != plans || len(s.Planned) != plans,
		slices.ContainsFunc(s.Planned, func(g *geom.Ground) bool { return !whole(g) }),
		!whole(t.grounds[0].Ground): // the others may not be laid yet
		return errors.New("the grounds are not those of the passages")
	case s.Layers < 1 || s.Layers > len(c.goals) || len(c.goalIDs.slots) < len(c.goals) || c.next == nil && s.Layers != len(c.goals):
		return fmt.Errorf("there are %d goals, and maps of %d", len(c.goals), s.Layers)
	case len(c.obstacles.slots) < len(t.slots) || len(c.population.profileIDs.slots) < len(c.population.profiles) ||
		len(c.population.agentIDs.slots) < len(c.population.agents):
		return errors.New("there are fewer handles than what they stand for")
	}
	if err := c.checkSlots(); err != nil {
		return err
	}
	for i, g := range c.goals {
		if _, known := t.passages.find(scenes.Passage{Clearance: g.Clearance, Staff: true}); !known || i < s.Layers && !whole(g.shown.Ground) {
			return fmt.Errorf("goal %q has no ground", g.ID)
		}
	}
	return nil
}

// resume fills in what of a checkpoint is not written.
func (w *World) resume(s *savedState) (err error) {
	c := s.Checkpoint
	c.world = w
	for k, p := range c.terrain.passages {
		if c.terrain.plans[k], err = c.terrain.plan(p); err == nil {
			err = c.terrain.plans[k].Resume(s.Planned[k])
		}
		if err != nil {
			return err
		}
	}
	var on []*geom.Ground
	var sources []spm.Goal
	for _, g := range c.goals[:s.Layers] {
		on, sources = append(on, g.shown.Ground), append(sources, g.open)
	}
	c.shown, err = spm.NewContents(s.Stride, s.Sources, on, sources)
	return err
}

// Restore makes a world of what Save has written, which goes on as that one does, bit for bit. All
// handles of that world are handles of this one. They have its tag, which a world that is made in
// this process may come to have, too: give handles to the world that they are of.
//
// The options are to be those of that world as far as they have influence: MapSize, Method and
// Events. Where they, the device, the driver or the version of Wayfront differ, the error is an
// *IncompatibleError. Bytes that are no saved world, damaged or too few are a *FormatError; they
// are known by checksums. So is a state that no world comes to, with slots, lengths or indices that
// do not fit each other. What buffers on the device held is not examined: restore what you trust.
// What r returns comes wrapped. All other errors are those of New.
func Restore(d *gpu.Device, r io.Reader, o Options) (*World, error) {
	in, err := openSaved(r, "saved world", saveLine)
	if err != nil {
		return nil, err
	}
	s, _, err := in.world(recordEnd)
	if err != nil {
		return nil, err
	}
	if s.state == nil {
		return nil, in.fail("it has no state", nil)
	}
	w, err := in.open(d, s, o)
	if err != nil {
		return nil, err
	}
	if err := w.journalOrClose(o); err != nil {
		return nil, err
	}
	return w, nil
}

// RestoreHeadless is Restore in a context of its own, as Headless makes one. Errors are those of
// both.
func RestoreHeadless(ctx context.Context, r io.Reader, o Options) (*World, error) {
	return headlessWorld(ctx, func(d *gpu.Device) (*World, error) { return Restore(d, r, o) })
}

// Restore is Restore in the pool, as Open makes a world there. Errors are those of both.
func (p *Pool) Restore(ctx context.Context, r io.Reader, o Options) (*World, error) {
	return p.open(ctx, func(d *gpu.Device) (*World, error) { return Restore(d, r, o) })
}
