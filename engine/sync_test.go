package engine_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/spawn"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// varied is a document of things of all kinds, each far from the others so that any may be gone.
const varied = `{"version": 1, "name": "small", "domain": [0, 0, 40, 40], "map": {"size": 32}, "simulation": {"contactRounds": 4},
	"obstacles": [
		{"id": "a", "rect": [10, 10, 12, 12]}, {"id": "b", "circle": {"center": [20, 10], "radius": 1, "sides": 6}}, {"polygon": [[30, 10], [32, 10], [31, 12]]},
		{"rect": [10, 30, 12, 32], "open": [[1, 2]]}, {"id": "cart", "rect": [20, 30, 21, 31], "motion": {"path": [[0, 0], [3, 0]], "speed": 1}}],
	"goals": [{"id": "east", "points": [[38, 20]]}, {"id": "west", "segments": [[[2, 18], [2, 22]]]}, {"id": "spare", "points": [[20, 38]]}],
	"profiles": [{"id": "adult", "avoidance": "none"}, {"id": "child", "avoidance": "none", "radius": 0.15}, {"id": "other", "avoidance": "none"}],
	"groups": [
		{"id": "one", "profile": "adult", "count": 2, "spawn": {"grid": {"rect": [5, 15, 8, 18], "spacing": 1}}, "itinerary": ["east"]},
		{"id": "two", "profile": "child", "count": 3, "spawn": {"rect": [25, 15, 28, 25]}, "itinerary": ["west", "east"], "onArrival": "loop"},
		{"id": "three", "profile": "adult", "count": 1, "spawn": {"points": [[20, 20]]}, "itinerary": ["east"], "start": {"at": 2}}]}`

// vary changes a document at random, and says which of its things it has touched.
func vary(r *rand.Rand, s *scenes.Scene, number int) (touched engine.Touched) {
	obstacles, goals, profiles := map[int]bool{}, map[int]bool{}, map[int]bool{}
	place := func() mgl64.Vec2 { return mgl64.Vec2{3 + 33*r.Float64(), 3 + 10*r.Float64()} }
	added := 0
	for range r.IntN(4) {
		switch r.IntN(9) {
		case 8:
			s.Map.Size, s.Simulation.ContactRounds = 16+16*r.IntN(3), r.IntN(8)
		case 0:
			i := r.IntN(len(s.Obstacles) - added)
			s.Obstacles[i] = s.Obstacles[i].Moved(mgl64.Vec2{0.01 + 0.3*r.Float64(), 0})
			obstacles[i] = true
		case 1:
			p := place()
			s.Obstacles = append(s.Obstacles, scenes.Obstacle{ID: fmt.Sprint("new", number, added), Rect: &scenes.Rect{p[0], p[1], p[0] + 0.5, p[1] + 0.5}})
			added++
		case 2:
			i := r.IntN(len(s.Goals))
			s.Goals[i].ArrivalRadius = 0.5 + r.Float64()
			goals[i] = true
		case 3:
			i := r.IntN(len(s.Goals))
			s.Goals[i].Clearance = []float64{0.1, 0.2}[r.IntN(2)]
			s.Goals[i].Points = append(slices.Clone(s.Goals[i].Points), mgl64.Vec2{1 + float64(number%30), 1.5})
			if len(s.Goals[i].Points) > 3 {
				s.Goals[i].Points = s.Goals[i].Points[2:]
			}
			goals[i] = true
		case 4:
			i := r.IntN(len(s.Profiles))
			s.Profiles[i].TimeHorizon = 1 + r.Float64()
			profiles[i] = true
		case 5:
			s.Name, s.Simulation.Seed, s.Simulation.Duration = fmt.Sprint("name ", number), r.Uint64N(100), float64(r.IntN(9))
		case 6:
			i := r.IntN(len(s.Groups))
			if g := &s.Groups[i]; g.Spawn.Rect != nil {
				g.Count = r.IntN(6)
			}
		case 7:
			i := r.IntN(len(s.Groups))
			g := &s.Groups[i]
			g.Profile, g.OnArrival = []string{"adult", "child"}[r.IntN(2)], []scenes.OnArrival{"leave", "stay", "loop"}[r.IntN(3)]
			ways := [][]string{{"east"}, {"west"}, {"west", "east"}}
			if g.Itinerary, g.Routes = ways[r.IntN(3)], nil; r.IntN(3) == 0 {
				g.Routes = []scenes.Route{{Itinerary: g.Itinerary, Share: 1}, {Itinerary: ways[r.IntN(3)], Share: 1 + r.Float64()}}
				g.Itinerary = nil
			}
		}
	}
	return engine.Touched{Obstacles: len(obstacles) + added, Goals: len(goals), Profiles: len(profiles)}
}

// TestSyncOfRandomPairs makes a world equal to 1,000 documents, each another one than that before:
// its own, or one that was kept, as undo and redo do. The world's document then is that one; only
// what differs was touched; and everything else has the handles that it had.
func TestSyncOfRandomPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	run(t, open(t, varied), func(_ *gpu.Device, w *engine.World) {
		kept := []*scenes.Scene{w.Document()}
		for n := range 1000 {
			was := w.Document()
			to, want, counted := was.Clone(), engine.Touched{}, true
			switch r.IntN(6) {
			case 0:
				to, counted = kept[r.IntN(len(kept))].Clone(), false
			case 1: // order alone
				r.Shuffle(len(to.Goals), reflect.Swapper(to.Goals))
				r.Shuffle(len(to.Profiles), reflect.Swapper(to.Profiles))
			case 2: // without its spare parts
				drop := func(kind string) func(id string) bool { return func(id string) bool { return id == kind } }
				to.Goals = slices.DeleteFunc(to.Goals, func(g scenes.Goal) bool { return drop("spare")(g.ID) })
				to.Profiles = slices.DeleteFunc(to.Profiles, func(p scenes.Profile) bool { return drop("other")(p.ID) })
				last := len(to.Obstacles) - 1
				to.Obstacles = to.Obstacles[:max(last, 5)]
				want = engine.Touched{Obstacles: len(was.Obstacles) - len(to.Obstacles), Goals: len(was.Goals) - len(to.Goals), Profiles: len(was.Profiles) - len(to.Profiles)}
			default:
				want = vary(r, to, n)
			}
			to, problems := to.Checked()
			if to == nil {
				t.Fatal(n, problems)
			}
			handles := map[string]any{}
			for i, h := range w.Obstacles() {
				if id := was.Obstacles[i].ID; id != "" {
					handles["obstacle "+id] = h
				}
			}
			for i, h := range w.Goals() {
				handles["goal "+was.Goals[i].ID] = h
			}
			for i, h := range w.Profiles() {
				handles["profile "+was.Profiles[i].ID] = h
			}
			report, err := w.Sync(to)
			if err != nil {
				t.Fatalf("pair %d: %v", n, err)
			}
			if got := w.Document(); !reflect.DeepEqual(got, to) {
				t.Fatalf("pair %d: the document is\n%+v\nwant\n%+v", n, got, to)
			}
			if reflect.DeepEqual(was.Groups, to.Groups) && counted && report.Touched.Agents != 0 && want.Profiles == 0 {
				t.Errorf("pair %d: groups are equal, and %d agents were touched", n, report.Touched.Agents)
			}
			if report.Touched.Agents = 0; counted && report.Touched != want {
				t.Fatalf("pair %d: touched %+v, want %+v", n, report.Touched, want)
			}
			same := func(kind, id string, h any) {
				if before, ok := handles[kind+" "+id]; ok && before != h {
					t.Errorf("pair %d: the handle of %s %q is another one", n, kind, id)
				}
			}
			for i, h := range w.Obstacles() {
				same("obstacle", to.Obstacles[i].ID, h)
			}
			for i, h := range w.Goals() {
				same("goal", to.Goals[i].ID, h)
			}
			for i, h := range w.Profiles() {
				same("profile", to.Profiles[i].ID, h)
			}
			if again, err := w.Sync(w.Document()); err != nil || again.Touched != (engine.Touched{}) {
				t.Fatalf("pair %d: synced to itself: %+v, %v", n, again, err)
			}
			if kept = append(kept, to); n%10 == 0 {
				steps(t, w, 1)
			}
		}
		steps(t, w, 3)
	})
}

// TestSyncOfAgents follows agents through documents: where they are, how many, whose, and where to.
func TestSyncOfAgents(t *testing.T) {
	run(t, open(t, varied), func(d *gpu.Device, w *engine.World) {
		var one engine.AgentID
		goals, profiles := w.Goals(), w.Profiles()
		edit(t, w, func(e *engine.Edit) {
			one = e.AddAgents(nil, engine.Spawn{At: mgl64.Vec2{30, 30}, Goal: goals[2], Profile: profiles[2]})[0]
		})
		steps(t, w, 5)
		sync := func(change func(s *scenes.Scene)) engine.Report {
			t.Helper()
			s := w.Document()
			change(s)
			report, err := w.Sync(s)
			if err != nil {
				t.Fatal(err)
			}
			return report
		}
		// What is far away moves no agent, and makes no map anew but those of the ground.
		before := crowd(w)
		report := sync(func(s *scenes.Scene) { s.Obstacles[0] = s.Obstacles[0].Moved(mgl64.Vec2{1, 0}) })
		if now := crowd(w); report.Touched != (engine.Touched{Obstacles: 1}) || !reflect.DeepEqual(now, before) {
			t.Errorf("an obstacle far away touches %+v", report.Touched)
		}
		// A larger group, then a smaller one: the first agents stay.
		ids := w.Agents(nil)
		report = sync(func(s *scenes.Scene) { s.Groups[1].Count = 5 })
		if report.Touched.Agents != 2 || len(w.Agents(nil)) != len(ids)+2 {
			t.Errorf("two more agents touch %+v", report.Touched)
		}
		s := w.Document()
		s.Groups[0].Count, s.Groups[2].Count = 0, 0
		placed, err := spawn.Agents(s, w.Ground(), geom.NewWallGrid(w.Ground()))
		if err != nil {
			t.Fatal(err)
		}
		steps(t, w, 1)
		var now engine.Snapshot
		if err := w.Snapshot(&now); err != nil {
			t.Fatal(err)
		}
		for i, id := range w.Agents(nil)[len(ids):] {
			k, ok := now.Index(id)
			if at := w.Ground().Lattice.World(placed[3+i].At); !ok || now.Positions[k].Sub(at).Len() > 0.3 {
				t.Errorf("the added agent %d is at %v, New would place it at %v", i, now.Positions[k], at)
			}
		}
		sync(func(s *scenes.Scene) { s.Groups[1].Count = 1 })
		steps(t, w, 5)
		if got := w.Agents(nil); len(got) != len(ids)-2 || !slices.Equal(got[:3], ids[:3]) {
			t.Errorf("agents %v, were %v", got, ids)
		}
		// Another itinerary turns them round; a goal and a profile that are gone take the added agent.
		report = sync(func(s *scenes.Scene) {
			s.Groups[0].Itinerary = []string{"west"}
			s.Goals, s.Profiles = s.Goals[:2], s.Profiles[:2]
		})
		if !slices.Equal(report.Removed, []engine.AgentID{one}) {
			t.Errorf("removed %v, want %v", report.Removed, one)
		}
		steps(t, w, 10)
		if a := crowd(w)[0]; a.Velocity[0] >= 0 || a.Layer != uint32(goals[1]) {
			t.Errorf("an agent sent west has %+v", a)
		}
		// A group that is gone takes its agents; one that comes has its own.
		sync(func(s *scenes.Scene) {
			g := s.Groups[0]
			g.ID, g.Spawn.Grid, g.Count, g.Spawn.Points = "four", nil, 2, []mgl64.Vec2{{15, 20}, {16, 20}}
			s.Groups = []scenes.Group{s.Groups[2], s.Groups[1], g}
			s.Groups[1].ID = "two and more" // the same one, by what is equal
		})
		steps(t, w, 5)
		count, traits := map[uint32]int{}, make([]agents.Traits, len(crowd(w)))
		w.Buffers().Agents.Traits.Read(0, traits)
		for _, id := range w.Agents(nil) {
			count[traits[uint32(id)].Group]++
		}
		if want := map[uint32]int{0: 1, 1: 1, 2: 2}; !reflect.DeepEqual(count, want) {
			t.Errorf("agents of groups %v, want %v", count, want)
		}
	})
}

// TestSyncOfRoutes follows a group that is split over two goals: its numbers are those of the shares
// whatever becomes of them and of the count, and only agents go elsewhere that have to.
func TestSyncOfRoutes(t *testing.T) {
	text := strings.Replace(varied, `"count": 3, "spawn": {"rect": [25, 15, 28, 25]}, "itinerary": ["west", "east"]`,
		`"count": 30, "spawn": {"rect": [22, 15, 28, 25]}, "routes": [{"itinerary": ["west", "east"], "share": 2}, {"itinerary": ["east"]}]`, 1)
	run(t, open(t, text), func(_ *gpu.Device, w *engine.World) {
		steps(t, w, 5)
		layers := func() (of []uint32, east int) {
			t.Helper()
			traits := make([]agents.Traits, w.Crowd().Count())
			w.Buffers().Agents.Traits.Read(0, traits)
			for i, a := range crowd(w) {
				if traits[i].Group != 1 {
					continue
				}
				if of = append(of, a.Layer); a.Layer == 0 {
					east++
				}
				if first := w.Crowd().FirstLayer(traits[i]); first != a.Layer || int(traits[i].Stages) != 1+int(first) {
					t.Errorf("agent %d walks to %d by an itinerary of %d that begins with %d", i, a.Layer, traits[i].Stages, first)
				}
			}
			return of, east
		}
		before, east := layers()
		if len(before) != 30 || east != 10 {
			t.Fatalf("%d of %d agents walk east, want 10 of 30", east, len(before))
		}
		for _, c := range []struct {
			count, moved, east int // agents that walk elsewhere than before, at most
			share              float64
		}{{30, 0, 10, 2}, {60, 0, 20, 2}, {60, 60, 30, 1}, {60, 60, 60, 1e-6}, {30, 60, 15, 1}} {
			s := w.Document()
			s.Groups[1].Count, s.Groups[1].Routes[0].Share = c.count, c.share
			if _, err := w.Sync(s); err != nil {
				t.Fatal(err)
			}
			ids := len(w.Agents(nil))
			steps(t, w, 5)
			now, east := layers()
			if now = now[:min(len(now), c.count)]; len(now) < len(before) {
				before = before[:len(now)]
			}
			moved := 0
			for i := range before {
				if now[i] != before[i] {
					moved++
				}
			}
			if before = now; moved > c.moved || ids < c.count || c.count == 60 && east != c.east {
				t.Errorf("%+v: %d walk elsewhere than before, %d of %d walk east", c, moved, east, len(now))
			}
		}
	})
}

// TestSyncRefuses: documents that are not sound, or cannot be synced to, change nothing.
func TestSyncRefuses(t *testing.T) {
	run(t, open(t, varied), func(_ *gpu.Device, w *engine.World) {
		steps(t, w, 3)
		hash, before := hashOf(t, w), w.Document()
		for name, c := range map[string]struct {
			change func(s *scenes.Scene)
			want   any
		}{
			"unsound":  {func(s *scenes.Scene) { s.Goals[0].Points[0][0] = 99 }, new(*scenes.Invalid)},
			"unknown":  {func(s *scenes.Scene) { s.Groups[0].Profile = "none" }, new(*scenes.Invalid)},
			"timestep": {func(s *scenes.Scene) { s.Simulation.Timestep = 0.2 }, new(*engine.SyncError)},
			"room": {func(s *scenes.Scene) {
				s.Groups[1].Spawn = scenes.Spawn{Points: []mgl64.Vec2{{5, 5}, {6, 5}, {7, 5}, {21.1, 30.5}}} // where the cart is by now
				s.Groups[1].Count = 4
			}, new(*spawn.RoomError)},
		} {
			s := w.Document()
			c.change(s)
			if _, err := w.Sync(s); err == nil || !errors.As(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
			if hashOf(t, w) != hash || !reflect.DeepEqual(w.Document(), before) {
				t.Errorf("%s: the world has changed", name)
			}
		}
		var usage *engine.UsageError
		if _, err := w.Sync(nil); !errors.As(err, &usage) {
			t.Errorf("no document: %v", err)
		}
	})
}

// TestSyncOfSettings: a world that is synced before its first tick runs as one that is made of the
// document, and goes back to what it was. A host's map size is the host's.
func TestSyncOfSettings(t *testing.T) {
	s := open(t, strings.ReplaceAll(doors, "METHOD", "rvo"))
	s.Groups[0].Spawn = scenes.Spawn{Grid: &scenes.Grid{Rect: scenes.Rect{3, 2, 9, 12}, Spacing: 0.7}} // no seed places them
	s.Groups[0].Count, s.Groups[1].Count = 90, 0
	s.Profiles[0].PreferredSpeed, s.Profiles[0].TimeHorizon = scenes.Exactly(1.3), 0.1 // they see each other too late
	eighth := (s.Domain[2] - s.Domain[0]) / 8                                          // of the longer side: whole lattice steps
	others := map[string]struct {
		change func(s *scenes.Scene)
		shows  bool // the states are others than of the document before
	}{
		"another seed":             {func(s *scenes.Scene) { s.Simulation.Seed = 8 }, true},
		"fewer contact rounds":     {func(s *scenes.Scene) { s.Simulation.ContactRounds = 2 }, false},
		"no contact rounds":        {func(s *scenes.Scene) { s.Simulation.ContactRounds = 0 }, true},
		"more contact rounds":      {func(s *scenes.Scene) { s.Simulation.ContactRounds = 40 }, false},
		"a smaller map":            {func(s *scenes.Scene) { s.Map.Size = 20 }, false},
		"a larger map":             {func(s *scenes.Scene) { s.Map.Size = 150 }, false},
		"a map and rounds":         {func(s *scenes.Scene) { s.Map.Size, s.Simulation.ContactRounds = 33, 3 }, false},
		"a wider domain":           {func(s *scenes.Scene) { s.Domain[1] -= eighth; s.Domain[3] += 2 * eighth }, true},
		"a domain of another side": {func(s *scenes.Scene) { s.Domain[3] += eighth / 2; s.Map.Size = 200 }, true},
	}
	past := func(t *testing.T, w *engine.World) (all []uint64) {
		for range 6 {
			steps(t, w, 5)
			all = append(all, hashOf(t, w))
		}
		return all
	}
	gputest.Run(t, func(d *gpu.Device) {
		made := func(t *testing.T, s *scenes.Scene, o engine.Options) *engine.World {
			w, err := engine.New(d, s, o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close() })
			return w
		}
		first := past(t, made(t, s, engine.Options{}))
		for name, other := range others {
			func() {
				to := s.Clone()
				other.change(to)
				w := made(t, s, engine.Options{})
				c := checkpoint(t, w)
				defer c.Free()
				sync := func() {
					t.Helper()
					if _, err := w.Sync(to); err != nil {
						t.Fatal(err)
					}
				}
				sync()
				pending := checkpoint(t, w)
				defer pending.Free()
				want := past(t, made(t, to, engine.Options{}))
				if got := past(t, w); !slices.Equal(got, want) || other.shows && slices.Equal(want, first) {
					t.Errorf("%s: synced it has the states %x, made of the document %x, before %x", name, got, want, first)
				}
				if w.Buffers().Maps.Extent.Size != to.Map.Size {
					t.Errorf("%s: maps have %d texels, want %d", name, w.Buffers().Maps.Extent.Size, to.Map.Size)
				}
				synced := checkpoint(t, w)
				defer synced.Free()
				on := past(t, w)
				rollback(t, w, c)
				if got := past(t, w); !slices.Equal(got, first) {
					t.Errorf("%s: rolled back it has the states %x, want %x", name, got, first)
				}
				rollback(t, w, pending)
				if got := past(t, w); !slices.Equal(got, want) {
					t.Errorf("%s: rolled back to the sync it has the states %x, want %x", name, got, want)
				}
				rollback(t, w, c)
				rollback(t, w, synced)
				if got := past(t, w); !slices.Equal(got, on) {
					t.Errorf("%s: rolled back to after it it has the states %x, want %x", name, got, on)
				}
				rollback(t, w, c)
				sync()
				back := w.Document()
				back.Domain, back.Map, back.Simulation = s.Domain, s.Map, s.Simulation
				if _, err := w.Sync(back); err != nil { // within one tick
					t.Fatal(err)
				}
				if got := past(t, w); !slices.Equal(got, first) {
					t.Errorf("%s: synced and back it has the states %x, want %x", name, got, first)
				}
			}()
		}
		w := made(t, s, engine.Options{MapSize: 50})
		to := s.Clone()
		to.Map.Size = 60
		if _, err := w.Sync(to); err != nil {
			t.Fatal(err)
		}
		if steps(t, w, 1); w.Buffers().Maps.Extent.Size != 50 || w.Document().Map.Size != 60 {
			t.Errorf("the host wants maps of 50 texels, and they have %d", w.Buffers().Maps.Extent.Size)
		}
	})
}

// TestSyncRepeats: worlds that do the same have the same hash, and so has one that goes back.
func TestSyncRepeats(t *testing.T) {
	run(t, open(t, varied), func(d *gpu.Device, w *engine.World) {
		other, err := engine.New(d, open(t, varied), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		c := checkpoint(t, w)
		defer c.Free()
		past := func(w *engine.World) (hashes []uint64) {
			r := rand.New(rand.NewPCG(1, 2))
			for n := range 12 {
				s := w.Document()
				vary(r, s, n)
				if _, err := w.Sync(s); err != nil {
					t.Fatal(err)
				}
				steps(t, w, 2)
				hashes = append(hashes, hashOf(t, w))
			}
			return hashes
		}
		first, second := past(w), past(other)
		if rollback(t, w, c); !slices.Equal(first, second) || !slices.Equal(past(w), first) {
			t.Error("the same documents give other states")
		}
		if !reflect.DeepEqual(w.Document(), other.Document()) {
			t.Error("documents differ")
		}
	})
}
