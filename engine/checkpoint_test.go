package engine_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// doors is a scene of doors, a moving obstacle, a line before a goal that serves, agents that come late from a source, clearances,
// and a profile of each method.
const doors = `{
  "version": 1, "name": "doors", "domain": [0, 0, 24, 14], "simulation": {"seed": 7},
  "obstacles": [
    {"id": "wall", "rect": [11, 0, 12, 6]}, {"id": "wall2", "rect": [11, 8, 12, 14]},
    {"id": "door", "rect": [11, 6, 12, 8], "open": [[1, 2], [3, 3.5], [4.5, 60]]},
    {"id": "cart", "rect": [14, 6, 15, 7], "motion": {"path": [[0, 0], [0, 4]], "speed": 1}},
    {"id": "leaf", "rect": [5, 9, 9, 9.1], "motion": {"pivot": [6, 9], "keyframes": [{"time": 0}, {"time": 1, "angle": 120}, {"time": 1.5, "angle": 120}, {"time": 3, "offset": [1, 0], "angle": -60}]}}],
  "goals": [{"id": "east", "points": [[22, 7]], "service": {"time": {"min": 0.3, "max": 1}, "places": 2}}, {"id": "west", "segments": [[[2, 3], [2, 11]]], "clearance": 0.4}],
  "profiles": [{"id": "a", "avoidance": "METHOD"}, {"id": "b", "avoidance": "METHOD", "maxNeighbors": 4, "preferredSpeed": {"mean": 1, "std": 0.2}}],
  "groups": [
    {"profile": "a", "count": 25, "spawn": {"rect": [3, 2, 9, 12]}, "itinerary": ["east", "west"], "onArrival": "loop"},
    {"profile": "b", "count": 20, "spawn": {"rect": [16, 4, 21, 12]}, "start": {"rate": 6}, "itinerary": ["west"], "onArrival": "leave"}],
  "map": {"size": 96}
}`

// pasts are the scenes that tests of checkpoints run, by name.
func pasts(t testing.TB) map[string]*scenes.Scene {
	t.Helper()
	all := map[string]*scenes.Scene{}
	for _, method := range scenes.Avoidances() {
		all["doors, "+method] = open(t, strings.ReplaceAll(doors, "METHOD", method))
	}
	for _, name := range []string{"plaza", "car", "fischer-1", "dapper-8b", "museum", "robots"} {
		s, err := builtin.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Map.Size = min(s.Map.Size, 96)
		all[name] = s
	}
	return all
}

// each runs a test on all scenes of pasts.
func each(t *testing.T, f func(t *testing.T, d *gpu.Device, w *engine.World)) {
	for name, s := range pasts(t) {
		t.Run(name, func(t *testing.T) { run(t, s, func(d *gpu.Device, w *engine.World) { f(t, d, w) }) })
	}
}

// course steps a world and returns the hash after each tick.
func course(t testing.TB, w *engine.World, ticks int) []uint64 {
	t.Helper()
	hashes := make([]uint64, ticks)
	for i := range hashes {
		steps(t, w, 1)
		hashes[i] = hashOf(t, w)
	}
	return hashes
}

func checkpoint(t testing.TB, w *engine.World) *engine.Checkpoint {
	t.Helper()
	c, err := w.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func rollback(t testing.TB, w *engine.World, c *engine.Checkpoint) {
	t.Helper()
	if err := w.Rollback(c); err != nil {
		t.Fatal(err)
	}
}

// meddle changes a world at random: obstacles, doors, sources, avoidance, local maps, and time.
func meddle(t testing.TB, w *engine.World, r *rand.Rand) {
	t.Helper()
	low, size := w.Scene().Min(), w.Scene().Max().Sub(w.Scene().Min())
	place := func() mgl64.Vec2 {
		return mgl64.Vec2{low[0] + r.Float64()*size[0]*0.9, low[1] + r.Float64()*size[1]*0.9}
	}
	obstacles, goals := w.Obstacles(), w.Goals()
	switch action := r.IntN(11); {
	case action == 0:
		p := place()
		o := scenes.Obstacle{}.Shaped(box(p[0], p[1], p[0]+0.05*size[0], p[1]+0.05*size[1]))
		if r.IntN(2) == 0 {
			o.Motion = randomMotion(r)
		}
		edit(t, w, func(e *engine.Edit) { e.AddObstacle(o) })
	case action == 1 && len(obstacles) > 0:
		edit(t, w, func(e *engine.Edit) { e.RemoveObstacle(obstacles[r.IntN(len(obstacles))]) })
	case action == 2 && len(obstacles) > 0:
		edit(t, w, func(e *engine.Edit) { e.SetDoor(obstacles[r.IntN(len(obstacles))], engine.Door(r.IntN(3))) })
	case action == 3 && len(goals) > 0:
		var points []mgl64.Vec2
		for range 1 + r.IntN(4) {
			points = append(points, place())
		}
		edit(t, w, func(e *engine.Edit) { e.SetSources(goals[r.IntN(len(goals))], at(points...)) })
	case action == 4:
		kind := w.Profiles()[r.IntN(len(w.Profiles()))]
		p, err := w.Profile(kind)
		if err != nil {
			t.Fatal(err)
		}
		p.Avoidance = scenes.Avoidance(scenes.Avoidances()[r.IntN(len(scenes.Avoidances()))])
		p.MaxNeighbors = 1 + r.IntN(20)
		edit(t, w, func(e *engine.Edit) { e.SetProfile(kind, p) })
	case action == 5:
		m := &scenes.BVP{
			Cells: []int{11, 21}[r.IntN(2)], CellSize: 0.3, InertiaTime: 0.1, InertiaForm: scenes.InertiaAngle, Rules: scenes.RulesRobust, Method: scenes.MethodRedBlack, Relaxations: 5, ViewAngle: 360,
			Guide: []scenes.Guide{scenes.GuideSPM, scenes.GuideHarmonic}[r.IntN(2)],
		}
		if r.IntN(3) == 0 {
			m = nil
		}
		if err := engine.SetLocalMap(w, r.IntN(len(w.Scene().Profiles)), m); err != nil {
			t.Fatal(err)
		}
	case action == 6 || action == 7:
		resync(t, w, r, w.Scene().Domain)
	}
	meddleWithAgents(t, w, r, place)
	steps(t, w, r.IntN(4))
}

// resync makes a world equal to its document with random changes: groups, their counts, itineraries
// and profiles, timetables, sizes, seed, and a domain somewhat larger than home. It reports whether
// the world has taken it, which it may not where sources or agents have no room.
func resync(t testing.TB, w *engine.World, r *rand.Rand, home scenes.Rect) bool {
	t.Helper()
	s := w.Document()
	for range 1 + r.IntN(3) {
		g := &s.Groups[r.IntN(len(s.Groups))]
		switch r.IntN(8) {
		case 0:
			if g.Spawn.Points == nil { // of which each has one agent
				g.Count = max(0, g.Count+r.IntN(5)-2)
			}
		case 1:
			if g.Goal == "" {
				g.Itinerary = []string{s.Goals[r.IntN(len(s.Goals))].ID, s.Goals[r.IntN(len(s.Goals))].ID}[:1+r.IntN(2)]
			}
		case 2:
			g.Profile, g.OnArrival = s.Profiles[r.IntN(len(s.Profiles))].ID, []scenes.OnArrival{scenes.ArrivalLeave, scenes.ArrivalStay, scenes.ArrivalLoop}[r.IntN(3)]
		case 3:
			side := s.Max().Sub(s.Min()).Mul(0.1)
			s.Domain = scenes.Rect{home[0] - side[0]*r.Float64(), home[1] - side[1]*r.Float64(), home[2] + side[0]*r.Float64(), home[3] + side[1]*r.Float64()}
		case 4:
			s.Map.Size, s.Simulation.Seed, s.Simulation.ContactRounds = s.Map.Size+r.IntN(3), r.Uint64N(9), 1+r.IntN(4)
		case 5:
			if n := len(s.Obstacles); n > 0 {
				o := &s.Obstacles[r.IntN(n)]
				o.Open, o.Closed = []scenes.Interval{{w.Time() + r.Float64(), w.Time() + 1 + 2*r.Float64()}}, nil
			}
		case 6:
			s.Goals[r.IntN(len(s.Goals))].Clearance = []float64{0, 0.2}[r.IntN(2)]
		case 7:
			if n := len(s.Groups); n < 4 {
				other := *g
				other.ID, other.Start = "", scenes.Start{At: w.Time() + r.Float64(), Rate: 2}
				s.Groups = append(s.Groups, other)
			} else {
				s.Groups = slices.Delete(s.Groups, n-1, n)
			}
		}
	}
	_, err := w.Sync(s)
	var invalid *scenes.Invalid
	var faults engine.EditErrors
	if err != nil && !errors.As(err, &invalid) && !errors.As(err, &faults) {
		t.Fatal(err)
	}
	return err == nil
}

// randomMotion has keyframes at random: some wait, some turn, and some leap.
func randomMotion(r *rand.Rand) *scenes.Motion {
	m := &scenes.Motion{Loop: []scenes.Loop{scenes.LoopOnce, scenes.LoopCycle, scenes.LoopPingpong}[r.IntN(3)]}
	f := scenes.Keyframe{Angle: 10}
	for range 2 + r.IntN(4) {
		m.Keyframes = append(m.Keyframes, f)
		f.Time += 0.1 + r.Float64()
		if r.IntN(4) > 0 {
			f.Offset, f.Angle = mgl64.Vec2{2 * r.Float64(), 2 * r.Float64()}, 360*r.Float64()-180
		}
	}
	m.Keyframes = append(m.Keyframes, scenes.Keyframe{Time: f.Time})
	return m
}

// meddleWithAgents adds agents to a world, most often, sends, places and removes some, and adds
// goals and areas. Some edits are refused, in every world that does the same.
func meddleWithAgents(t testing.TB, w *engine.World, r *rand.Rand, place func() mgl64.Vec2) {
	t.Helper()
	goals, kinds, all := w.Goals(), w.Profiles(), w.Agents(nil)
	any := func() engine.AgentID { // 0 where no agents are left, which refuses the edit
		if len(all) == 0 {
			return 0
		}
		return all[r.IntN(len(all))]
	}
	_, err := w.Edit(func(e *engine.Edit) error {
		for range r.IntN(3) {
			goal := goals[r.IntN(len(goals))]
			switch r.IntN(8) {
			case 6:
				p, q, o := place(), place(), place()
				e.AddArea(engine.Area{Corners: [][]mgl64.Vec2{{p, q}, {p, q, o}}[r.IntN(2)]})
			case 7:
				if areas := w.Areas(); len(areas) > 0 {
					e.RemoveArea(areas[r.IntN(len(areas))])
				}
			case 0, 1:
				e.AddAgents(nil, engine.Spawn{
					At: place(), Goal: goal, Profile: kinds[r.IntN(len(kinds))], OnArrival: []scenes.OnArrival{scenes.ArrivalLeave, scenes.ArrivalStay}[r.IntN(2)], Tag: r.Uint32(),
				})
			case 2:
				e.Send(goal, any())
			case 3:
				e.Place(any(), place(), mgl64.Vec2{})
			case 4:
				e.Remove(any())
			case 5:
				if len(goals) < 5 {
					e.Send(e.AddGoal(scenes.Goal{Points: []mgl64.Vec2{place()}, ArrivalRadius: 2}), any())
				}
			}
		}
		return nil
	})
	var faults engine.EditErrors
	if err != nil && !errors.As(err, &faults) {
		t.Fatal(err)
	}
}

// TestRollback takes a checkpoint, goes on for 60 ticks, does this and that with the world, and
// goes back: the same 60 states, twice. Checkpoints take no readback.
func TestRollback(t *testing.T) {
	each(t, func(t *testing.T, d *gpu.Device, w *engine.World) {
		steps(t, w, 25)
		reads := d.Readbacks()
		c := checkpoint(t, w)
		defer c.Free()
		if d.Readbacks() != reads {
			t.Error("a checkpoint reads back")
		}
		want, counters := course(t, w, 60), w.Crowd().CountersNow()
		r := rand.New(rand.NewPCG(1, 2))
		for again := range 2 {
			for range 6 * again {
				meddle(t, w, r)
			}
			rollback(t, w, c)
			if w.Ticks() != 25 {
				t.Fatalf("back at tick %d, want 25", w.Ticks())
			}
			got := course(t, w, 60)
			if i := firstDifference(got, want); i >= 0 {
				t.Fatalf("time %d: the state %d ticks after the rollback is not that of before", again, i+1)
			}
			if now := w.Crowd().CountersNow(); now != counters {
				t.Errorf("time %d: counters %+v, before %+v", again, now, counters)
			}
		}
	})
}

// firstDifference is the index of the first elements that differ; -1: none do.
func firstDifference(a, b []uint64) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// scratch are the buffers of a world that a tick writes before it reads them, and anew those that a
// rollback writes whatever happened. Lost ones do not matter.
var scratch = []string{
	"agents reasons",
	"agents guidance", "agents late", "agents deferred passes", "agents deferred", "agents places in cells",
	"agents shifts", "agents contact rounds", "agents contact passes", "agents list passes", "agents neighbors",
	"explorers' proposals",
	"explorers' choices", // kept where explorers choose frontiers
	"agents near walls", "agents candidates", "agents deferred by the broad phase", "agents motions of walls",
	"bvp settings", "spm unreached", "spm front", "spm windows", "spm offers", "spm lit", "spm reach", "spm sites",
	"spm tally", "spm all faces", "spm working generators", "spm shards", "spm draws",
}

var anew = []string{
	"agents itineraries", "agents services", "agents avoidance parameters", "agents marks",
	"explorers", "explorers' goals", "bvp ways of cells",
}

// lasting are the buffers that a rollback makes anew only where what they are made of has changed.
var lasting = []string{
	"agents walls", "spm generators", "spm walls", "spm faces", "spm corners", "spm fans", "global ascents",
	"bvp nodes", "bvp edges", "bvp states of nodes", "bvp flows", "bvp resistances", "bvp levels", "bvp imbalances",
	"bvp places of cells", "bvp heights", "bvp ascents",
}

// bufferOf is a buffer of any elements.
type bufferOf interface {
	Fill(word uint32)
	Name() uint32
}

// buffers finds all buffers that a value leads to, by their labels.
func buffers(v reflect.Value, found map[string][]bufferOf, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return
		}
		t := v.Type().Elem()
		seen[v.Pointer()] = true
		if strings.HasPrefix(t.String(), "gpu.Buffer[") {
			label := v.Elem().FieldByName("label").String()
			found[label] = append(found[label], reflect.NewAt(t, v.UnsafePointer()).Interface().(bufferOf))
			return
		}
		if name := t.String(); name == "gpu.Device" || strings.HasPrefix(name, "gpu.Pass[") || strings.HasPrefix(name, "scenes.") || strings.HasPrefix(name, "geom.") {
			return
		}
		buffers(v.Elem(), found, seen)
	case reflect.Interface:
		buffers(v.Elem(), found, seen)
	case reflect.Struct:
		for i := range v.NumField() {
			buffers(v.Field(i), found, seen)
		}
	case reflect.Slice, reflect.Array:
		if kind := v.Type().Elem().Kind(); kind < reflect.Array {
			return
		}
		for i := range v.Len() {
			buffers(v.Index(i), found, seen)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			buffers(v.MapIndex(key), found, seen)
		}
	}
}

// TestEveryBufferIsStateOrScratch lists all buffers of worlds. Each is kept by checkpoints, or
// declared above, and all but lasting ones are overwritten with ones before a rollback: a buffer
// that checkpoints forget makes the states after it differ.
func TestEveryBufferIsStateOrScratch(t *testing.T) {
	declared := map[string]bool{}
	each(t, func(t *testing.T, d *gpu.Device, w *engine.World) {
		if err := w.Crowd().Measure(true); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 12)
		c := checkpoint(t, w)
		defer c.Free()
		want, counters := course(t, w, 15), w.Crowd().CountersNow()
		found := map[string][]bufferOf{}
		buffers(reflect.ValueOf(w), found, map[uintptr]bool{})
		if len(found) < 10 {
			t.Fatalf("found only %d buffers", len(found))
		}
		kept := c.Kept()
		for label, all := range found {
			declared[label] = true
			known := slices.Contains(kept, label) || slices.Contains(kept, label+" 0") || slices.Contains(scratch, label) || slices.Contains(anew, label)
			switch {
			case slices.Contains(lasting, label):
				continue
			case !known:
				t.Errorf("no checkpoint keeps the buffer %q, and it is not declared scratch", label)
			}
			for _, b := range all {
				if b.Name() != 0 {
					b.Fill(0xffffffff)
				}
			}
		}
		rollback(t, w, c)
		got := course(t, w, 15)
		if i := firstDifference(got, want); i >= 0 {
			t.Errorf("the state %d ticks after the rollback is not that of before", i+1)
		}
		if now := w.Crowd().CountersNow(); now != counters {
			t.Errorf("counters %+v, before %+v", now, counters)
		}
	})
	for _, label := range slices.Concat(scratch, anew, lasting) {
		if !declared[label] {
			t.Errorf("no world has a buffer %q", label)
		}
	}
}

// TestRandomPasts does random things with a world, takes checkpoints and goes back to them at
// random, and holds each state that results against that of a world that does the same without ever
// going back.
func TestRandomPasts(t *testing.T) {
	type moment struct {
		c    *engine.Checkpoint
		past []uint64 // seeds of what was done
	}
	s := open(t, strings.ReplaceAll(doors, "METHOD", "orca"))
	gputest.Run(t, func(d *gpu.Device) {
		fresh := func() *engine.World {
			w, err := engine.New(d, s, engine.Options{Events: engine.AllEvents})
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		r := rand.New(rand.NewPCG(5, 6))
		act := func(w *engine.World, seed uint64) { meddle(t, w, rand.New(rand.NewPCG(seed, 1))) }
		for range 3 {
			w := fresh()
			now := moment{}
			all := []moment{{checkpoint(t, w), nil}}
			for range 25 {
				switch r.IntN(4) {
				case 0:
					all = append(all, moment{checkpoint(t, w), slices.Clone(now.past)})
				case 1:
					to := all[r.IntN(len(all))]
					rollback(t, w, to.c)
					now.past = slices.Clone(to.past)
				default:
					seed := r.Uint64()
					act(w, seed)
					now.past = append(now.past, seed)
				}
			}
			other := fresh()
			for _, seed := range now.past {
				act(other, seed)
			}
			if got, want := untagged(w.Events(nil)), untagged(other.Events(nil)); !slices.Equal(got, want) {
				t.Errorf("after %d changes the events are\n%v\nof a world that never went back\n%v", len(now.past), got, want)
			}
			got, want := append([]uint64{hashOf(t, w)}, course(t, w, 10)...), append([]uint64{hashOf(t, other)}, course(t, other, 10)...)
			if i := firstDifference(got, want); i >= 0 {
				t.Errorf("after %d changes the state %d ticks on is not that of a world that never went back", len(now.past), i)
			}
			for _, m := range all {
				m.c.Free()
			}
			if err := errors.Join(w.Close(), other.Close()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// untagged are events with handles that have no tags of worlds.
func untagged(events []engine.Event) []engine.Event {
	for i := range events {
		events[i].Agent &= 1<<56 - 1
		events[i].Area &= 1<<56 - 1
	}
	return events
}

// TestCheckpointsAreFreed counts what OpenGL has.
func TestCheckpointsAreFreed(t *testing.T) {
	s := open(t, strings.ReplaceAll(doors, "METHOD", "orca"))
	gputest.Fresh(t, func(d *gpu.Device) { // few names are in use
		w, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		steps(t, w, 20)
		c := checkpoint(t, w)
		steps(t, w, 3)
		rollback(t, w, c)
		c.Free()
		before := liveObjects()
		for range 10 {
			c := checkpoint(t, w)
			if now := liveObjects(); now[0] <= before[0] || c.Bytes() < int64(120*w.Crowd().Count()) || c.Bytes() > 1<<20 {
				t.Errorf("a checkpoint has %d buffers of %d bytes", now[0]-before[0], c.Bytes())
			}
			steps(t, w, 2)
			rollback(t, w, c)
			c.Free()
			c.Free()
			if c.Bytes() != 0 {
				t.Errorf("a freed checkpoint has %d bytes", c.Bytes())
			}
		}
		if now := liveObjects(); now != before {
			t.Errorf("buffers, textures, framebuffers, queries: %v, before the checkpoints %v", now, before)
		}
	})
}

// TestRollbackRefuses what is no checkpoint of the world.
func TestRollbackRefuses(t *testing.T) {
	s := open(t, strings.ReplaceAll(doors, "METHOD", "none"))
	run(t, s, func(d *gpu.Device, w *engine.World) {
		other, err := engine.New(d, s, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		foreign, freed := checkpoint(t, other), checkpoint(t, w)
		defer foreign.Free()
		freed.Free()
		steps(t, w, 2)
		before := hashOf(t, w)
		var usage *engine.UsageError
		for name, c := range map[string]*engine.Checkpoint{"none": nil, "a foreign one": foreign, "a freed one": freed} {
			if err := w.Rollback(c); !errors.As(err, &usage) {
				t.Errorf("%s gives %v", name, err)
			}
		}
		if hashOf(t, w) != before || w.Ticks() != 2 {
			t.Error("what was refused changed the world")
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		for call, err := range map[string]error{"Checkpoint": failed(other.Checkpoint()), "Rollback": other.Rollback(foreign)} {
			if !errors.Is(err, engine.ErrClosed) {
				t.Errorf("%s after Close returns %v", call, err)
			}
		}
		edit(t, w, func(*engine.Edit) {
			if _, err := w.Checkpoint(); !errors.As(err, &usage) {
				t.Errorf("Checkpoint inside of an edit gives %v", err)
			}
		})
	})
}
