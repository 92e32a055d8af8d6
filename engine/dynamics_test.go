package engine_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/scenestest"
	"github.com/wayfront/wayfront/shaders"
	"github.com/wayfront/wayfront/spm"
	"github.com/wayfront/wayfront/spm/exact"
)

// open reads a scene.
func open(t testing.TB, text string) *scenes.Scene {
	t.Helper()
	return scenestest.Read(t, "scene", text)
}

// run opens a scene's world and hands it to f, on the device's thread.
func run(t testing.TB, s *scenes.Scene, f func(d *gpu.Device, w *engine.World)) {
	t.Helper()
	runWith(t, s, engine.Options{}, f)
}

func runWith(t testing.TB, s *scenes.Scene, o engine.Options, f func(d *gpu.Device, w *engine.World)) {
	t.Helper()
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, o)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		f(d, w)
	})
}

func edit(t testing.TB, w *engine.World, change func(e *engine.Edit)) {
	t.Helper()
	if _, err := w.Edit(func(e *engine.Edit) error { change(e); return nil }); err != nil {
		t.Fatal(err)
	}
}

func box(x0, y0, x1, y1 float64) geom.Polygon {
	return geom.Polygon{Outer: geom.Ring{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}
}

// distance is what the goal's last complete map says at a point.
func distance(t testing.TB, w *engine.World, goal int, p mgl64.Vec2) float64 {
	t.Helper()
	v, err := w.View(w.Goals()[goal])
	if err != nil {
		t.Fatal(err)
	}
	return v.Query(p).Distance
}

func crowd(w *engine.World) []agents.Agent {
	state := make([]agents.Agent, w.Crowd().Count())
	w.Crowd().Snapshot(state)
	return state
}

// hall is two halves with a door between them that opens from 4 s to 20 s, and another way round at
// the top. Each tick is a tenth of a second.
const hall = `{"version": 1, "name": "hall", "domain": [0, 0, 30, 20],
	"obstacles": [{"rect": [14, 0, 15, 8]}, {"id": "door", "rect": [14, 8, 15, 10], "open": [[4, 20]]}, {"rect": [14, 10, 15, 18]}],
	"goals": [{"id": "exit", "points": [[28, 9]]}],
	"profiles": [{"id": "p", "avoidance": "none", "preferredSpeed": {"mean": 1, "std": 0}}],
	"groups": [{"profile": "p", "count": 30, "spawn": {"rect": [2, 2, 12, 17]}, "onArrival": "leave"}],
	"map": {"size": 150}}`

// tolerance of distances in a domain whose longer side is so many meters, as spm states it: 1e-5 of
// it and of the distance.
func tolerance(side, distance float64) float64 { return 1e-5 * (side + distance) }

// TestDoor follows the map of a timed door tick by tick: it opens with tick 40, and the map is of
// that from tick 41 on.
func TestDoor(t *testing.T) {
	for method, name := range spm.Methods {
		t.Run(name, func(t *testing.T) {
			runWith(t, open(t, hall), engine.Options{Method: spm.Method(method), MapSize: 60}, checkDoor(t))
		})
	}
}

func checkDoor(t *testing.T) func(d *gpu.Device, w *engine.World) {
	return func(d *gpu.Device, w *engine.World) {
		here, there := mgl64.Vec2{2, 9}, mgl64.Vec2{28, 9}
		straight := 26.0
		round := math.Hypot(12, 9) + 1 + math.Hypot(13, 9) // over both corners of the wall's upper end
		check := func(want float64, sees bool) {
			t.Helper()
			if got := distance(t, w, 0, here); math.Abs(got-want) > tolerance(30, want) {
				t.Fatalf("after %d ticks the distance is %v, want %v", w.Ticks(), got, want)
			}
			if w.Sees(here, there) != sees {
				t.Fatalf("after %d ticks the way through the door is clear: %v", w.Ticks(), !sees)
			}
		}
		for w.Ticks() < 40 {
			steps(t, w, 1)
			check(round, false)
		}
		// The tick after 40 begins at 4 s.
		steps(t, w, 1)
		check(round, true)
		for w.Ticks() < 200 {
			steps(t, w, 1)
			check(straight, true)
		}
		steps(t, w, 1)
		check(straight, false)
		steps(t, w, 1)
		check(round, false)
	}
}

// TestShutDoorsStopAgents watches where agents pass the wall: through the door while
// it is open, and round the top at all times.
func TestShutDoorsStopAgents(t *testing.T) {
	run(t, open(t, hall), func(d *gpu.Device, w *engine.World) {
		before := crowd(w)
		through, round := 0, 0
		for range 400 {
			shut := w.Ticks() < 40 || w.Ticks() >= 200
			steps(t, w, 1)
			now := crowd(w)
			for i, a := range now {
				if a.Status != agents.Walking {
					continue
				}
				x, y := float64(a.Position[0]), float64(a.Position[1])
				if at := (mgl64.Vec2{x, y}); shut && x > 14.01 && x < 14.99 && y < 17.99 {
					t.Fatalf("tick %d: agent %d is in the wall at %v", w.Ticks(), i, at)
				}
				if before[i].Position[0] < 14.5 && x >= 14.5 {
					if y < 12 {
						through++
					} else {
						round++
					}
					if shut && y < 17.9 {
						t.Errorf("tick %d: agent %d passed the shut door at y = %v", w.Ticks(), i, y)
					}
				}
			}
			before = now
		}
		if through == 0 || through+round != 30 {
			t.Errorf("%d passed through the door and %d round the top: want all 30, some through the door", through, round)
		}
		if c := w.Crowd().Counters(); c.Left != 30 {
			t.Errorf("%d of 30 have arrived: %+v", c.Left, c)
		}
	})
}

// cart is a scene with an obstacle that goes to and fro all the time, and one that leaves the
// domain for good.
const cart = `{"version": 1, "domain": [0, 0, 30, 20],
	"obstacles": [{"id": "cart", "rect": [10, 2, 13, 10], "motion": {"path": [[0, 0], [0, 8]], "speed": 1.3}},
		{"id": "truck", "rect": [20, 5, 22, 9], "motion": {"path": [[0, 0], [-30, 0]], "speed": 2, "loop": "once"}}],
	"goals": [{"id": "exit", "points": [[28, 9]]}, {"id": "wide", "segments": [[[30, 2], [30, 18]]], "clearance": 0.4}],
	"profiles": [{"id": "p", "avoidance": "none"}],
	"groups": [{"profile": "p", "count": 40, "spawn": {"rect": [1, 1, 9, 19]}, "itinerary": ["exit", "wide"], "onArrival": "leave"}],
	"map": {"size": 150}}`

// TestMovingObstacles holds the maps of every tick against the reference on the ground of the tick
// before.
func TestMovingObstacles(t *testing.T) {
	s := open(t, cart)
	rng := rand.New(rand.NewPCG(4, 2))
	run(t, s, func(d *gpu.Device, w *engine.World) {
		for tick := range 120 {
			steps(t, w, 1)
			at := max(0, float64(tick-1)*0.1)
			for i, h := range w.Goals() {
				goal := s.Goals[i]
				bare, err := s.GroundAt(at)
				if err != nil {
					t.Fatal(err)
				}
				clear, err := s.GroundFor(at, goal.Passage())
				if err != nil {
					t.Fatal(err)
				}
				sources := goal.SourcesOn(bare, clear)
				want, err := exact.Solve(clear, spm.Goal{Points: sources.Points, Segments: sources.Segments})
				if err != nil {
					t.Fatal(err)
				}
				got, err := w.View(h)
				if err != nil {
					t.Fatal(err)
				}
				for range 10 {
					p := mgl64.Vec2{30 * rng.Float64(), 20 * rng.Float64()}
					a, b := got.Query(p), want.Query(p)
					if a.State != b.State || a.State == spm.Reached && math.Abs(a.Distance-b.Distance) > tolerance(30, b.Distance) {
						t.Fatalf("after tick %d goal %s is %v away from %v, want %v", tick, goal.ID, a, p, b)
					}
				}
			}
		}
		work := w.Work()
		// The truck stands still, beyond the domain, from 15 s on; the cart never does. At 0 s
		// nothing is new.
		if want := uint64(119); work.Walls != want || work.Grounds != 2*want || work.Uploads != 2*want || work.Maps != 2*want {
			t.Errorf("%+v, want %d new walls, and two grounds and maps for each", work, want)
		}
	})
}

// TestNoAgentIsInsideTheCart: an agent that is run over is put beside it.
func TestNoAgentIsInsideTheCart(t *testing.T) {
	run(t, open(t, cart), func(d *gpu.Device, w *engine.World) {
		for range 300 {
			steps(t, w, 1)
			for i, a := range crowd(w) {
				p := mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])}
				if a.Status != agents.Walking {
					continue
				}
				if _, ok := w.Ground().Standing(p); !ok {
					t.Fatalf("tick %d: agent %d is in an obstacle at %v", w.Ticks(), i, p)
				}
			}
		}
		c := w.Crowd().Counters()
		if c.Left == 0 || c.Displaced == 0 {
			t.Errorf("none has arrived, or none was in the cart's way: %+v", c)
		}
	})
}

// script is a run with edits at fixed ticks, and calls between ticks that must not matter. It
// returns the state after each tick.
func script(t *testing.T, polls func(tick int) int, slice time.Duration) []uint64 {
	t.Helper()
	var hashes []uint64
	run(t, open(t, cart), func(d *gpu.Device, w *engine.World) {
		var added engine.ObstacleID
		exit := w.Goals()[0]
		for tick := range 60 {
			switch tick {
			case 5:
				edit(t, w, func(e *engine.Edit) { added = e.AddObstacle(scenes.Obstacle{}.Shaped(box(15, 3, 16, 17))) })
			case 12:
				edit(t, w, func(e *engine.Edit) { e.SetSources(exit, at(mgl64.Vec2{5, 18})) })
			case 20:
				edit(t, w, func(e *engine.Edit) { e.MoveObstacle(added, mgl64.Vec2{-8, 1}) })
			case 30:
				edit(t, w, func(e *engine.Edit) {
					cart, _ := w.Obstacle("cart")
					e.SetDoor(cart, engine.DoorOpen)
					e.RemoveObstacle(added)
				})
			}
			for range polls(tick) {
				if err := w.Poll(); err != nil {
					t.Fatal(err)
				}
			}
			if slice == 0 {
				steps(t, w, 1)
			} else {
				for w.Ticks() == uint64(tick) {
					if _, err := w.Advance(slice); err != nil {
						t.Fatal(err)
					}
				}
			}
			hashes = append(hashes, hashOf(t, w))
		}
	})
	return hashes
}

// TestFrameRateDoesNotMatter runs the same edits with frames of all kinds between the ticks.
func TestFrameRateDoesNotMatter(t *testing.T) {
	want := script(t, func(int) int { return 0 }, 0)
	for name, got := range map[string][]uint64{
		"many frames":    script(t, func(int) int { return 50 }, 0),
		"uneven frames":  script(t, func(tick int) int { return tick * tick % 7 }, 0),
		"short advances": script(t, func(int) int { return 0 }, 7*time.Millisecond),
		"long advances":  script(t, func(int) int { return 1 }, 100*time.Millisecond),
	} {
		for tick := range want {
			if got[tick] != want[tick] {
				t.Errorf("%s: tick %d leaves %x, want %x", name, tick, got[tick], want[tick])
				break
			}
		}
	}
	slices.Sort(want)
	if n := len(slices.Compact(want)); n < 55 {
		t.Errorf("only %d of 60 states differ", n)
	}
}

// TestMovedSourceMakesMapsOnly is the promise about work, stage by stage.
func TestMovedSourceMakesMapsOnly(t *testing.T) {
	run(t, open(t, hall), func(d *gpu.Device, w *engine.World) {
		h := w.Goals()[0]
		steps(t, w, 1)
		ground := w.Buffers().Maps.Ground(0)
		for i := range 10 {
			edit(t, w, func(e *engine.Edit) { e.SetSources(h, at(mgl64.Vec2{20, 1 + float64(i)})) })
			steps(t, w, 1)
		}
		steps(t, w, 1)
		if got, want := w.Work(), (engine.Work{Maps: 10, Waits: w.Work().Waits}); got != want {
			t.Errorf("ten moves of a source: %+v, want %+v", got, want)
		}
		if w.Buffers().Maps.Ground(0) != ground {
			t.Error("the map has another ground")
		}
		door, _ := w.Obstacle("door")
		edit(t, w, func(e *engine.Edit) { e.MoveObstacle(door, mgl64.Vec2{5, 0}) })
		steps(t, w, 3)
		if got, want := w.Work(), (engine.Work{Grounds: 1, Walls: 1, Uploads: 1, Maps: 11, Waits: w.Work().Waits}); got != want {
			t.Errorf("and an obstacle: %+v, want %+v", got, want)
		}
	})
}

// TestFramesWithDynamicsReadNothingBack is TestFramesReadNothingBack where obstacles move and are
// edited.
func TestFramesWithDynamicsReadNothingBack(t *testing.T) {
	run(t, open(t, cart), func(d *gpu.Device, w *engine.World) {
		truck, _ := w.Obstacle("truck")
		steps(t, w, 1)
		before := d.Readbacks()
		for i := range 60 {
			if i%10 == 5 {
				edit(t, w, func(e *engine.Edit) { e.MoveObstacle(truck, mgl64.Vec2{0, 0.5}) })
			}
			if _, err := w.Advance(50 * time.Millisecond); err != nil {
				t.Fatal(err)
			}
			w.Buffers()
		}
		if n := d.Readbacks() - before; n != 0 {
			t.Errorf("60 frames read back %d times", n)
		}
	})
}

// layer is a goal's map as readers find it, whatever room there is in it for more: its records
// without those that nothing uses, and its texels, with parents counted among these records.
type layer struct {
	Records []shaders.Generator
	Parents []uint32
	Field   [][4]float32
}

func layerOf(w *engine.World, i int) layer {
	m := w.Buffers().Maps
	records := make([]shaders.Generator, m.Stride)
	m.Generators.Read(i*m.Stride, records)
	texels := m.Extent.Columns * m.Extent.Rows
	l := layer{Parents: make([]uint32, texels), Field: make([][4]float32, texels)}
	m.Parents.Read(i, l.Parents)
	m.Field.Read(i, l.Field)
	number := map[uint32]uint32{shaders.NoParent: shaders.NoParent}
	for k, r := range records {
		source := k < m.Sources && !math.IsInf(float64(r.Distance), 1)
		corner := k >= m.Sources && k < m.Sources+len(m.Ground(i).Corners)
		if source || corner {
			number[uint32(k)] = uint32(len(l.Records))
			l.Records = append(l.Records, r)
		}
	}
	for k := range l.Records {
		l.Records[k].Parent = number[l.Records[k].Parent]
	}
	for k, p := range l.Parents {
		l.Parents[k] = number[p]
	}
	return l
}

// diff says where two maps differ first, or nothing.
func (l layer) diff(m layer) string {
	if len(l.Records) != len(m.Records) {
		return fmt.Sprintf("%d records, want %d", len(l.Records), len(m.Records))
	}
	for i := range l.Records {
		if l.Records[i] != m.Records[i] {
			return fmt.Sprintf("record %d is %+v, want %+v", i, l.Records[i], m.Records[i])
		}
	}
	for i := range l.Parents {
		if l.Parents[i] != m.Parents[i] {
			return fmt.Sprintf("texel %d has parent %d, want %d", i, l.Parents[i], m.Parents[i])
		}
		for k, v := range l.Field[i] {
			if math.Float32bits(v) != math.Float32bits(m.Field[i][k]) {
				return fmt.Sprintf("texel %d holds %v, want %v", i, l.Field[i], m.Field[i])
			}
		}
	}
	return ""
}

// fresh is the scene of a world as it was edited.
func fresh(t *testing.T, w *engine.World) *scenes.Scene {
	t.Helper()
	s := *w.Scene()
	s.Obstacles, s.Groups = nil, nil
	for _, h := range w.Obstacles() {
		state, err := w.ObstacleState(h)
		if err != nil {
			t.Fatal(err)
		}
		if state.Present {
			// A scene may bury its sources under obstacles that go, however late.
			o := scenes.Obstacle{Outline: state.Polygon.Outer, Open: []scenes.Interval{{1e9, 2e9}}}
			for _, hole := range state.Polygon.Holes {
				o.Holes = append(o.Holes, hole)
			}
			s.Obstacles = append(s.Obstacles, o)
		}
	}
	s.Goals = slices.Clone(w.Document().Goals)
	for i, h := range w.Goals() {
		sources, err := w.Sources(h)
		if err != nil {
			t.Fatal(err)
		}
		s.Goals[i].Points, s.Goals[i].Segments = sources.Points, nil
		s.Goals[i].Segments = append(s.Goals[i].Segments, sources.Segments...)
	}
	return &s
}

// checkFresh holds a world's maps against those of a new world of the same final state, byte by
// byte.
func checkFresh(t *testing.T, d *gpu.Device, w *engine.World) {
	t.Helper()
	steps(t, w, 2) // the first begins what is still to be done
	checkComplete(t, d, w)
}

// checkComplete is checkFresh of a world with all maps done.
func checkComplete(t *testing.T, d *gpu.Device, w *engine.World) {
	t.Helper()
	scene := fresh(t, w)
	var empty []int // goals that edits have left without sources, which a scene cannot have
	for i, g := range scene.Goals {
		if len(g.Points)+len(g.Segments) == 0 {
			empty = append(empty, i)
			scene.Goals[i].Points = []mgl64.Vec2{scene.Min()}
		}
	}
	other, err := engine.New(d, scene, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if len(empty) > 0 {
		edit(t, other, func(e *engine.Edit) {
			for _, i := range empty {
				e.SetSources(other.Goals()[i], spm.Goal{})
			}
		})
		steps(t, other, 2)
	}
	if got, want := len(w.BlockedSources()), len(other.BlockedSources()); got != want {
		t.Errorf("%d sources are blocked, want %d", got, want)
	}
	for i := range w.Goals() {
		if diff := layerOf(w, i).diff(layerOf(other, i)); diff != "" {
			t.Fatalf("after %d ticks goal %d: %s", w.Ticks(), i, diff)
		}
	}
}

const field = `{"version": 1, "domain": [-20, 100, 20, 130],
	"obstacles": [{"rect": [-5, 110, 5, 112]}, {"circle": {"center": [10, 120], "radius": 3, "sides": 9}}, {"id": "door", "rect": [-12, 103, -11, 125]}],
	"goals": [{"id": "a", "points": [[-19, 101], [18, 128]]}, {"id": "b", "segments": [[[0, 101], [8, 104]]], "clearance": 0.4}, {"id": "c", "points": [[0, 115]], "clearance": 0.4}],
	"profiles": [{"id": "p", "avoidance": "none"}],
	"groups": [{"profile": "p", "count": 5, "spawn": {"rect": [-18, 104, -13, 120]}, "itinerary": ["a", "b", "c"], "onArrival": "loop"}],
	"map": {"size": 80}}`

// TestThousandEdits makes random edits of every kind and then holds the maps against those of a
// fresh world.
func TestThousandEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1000))
	place := func(margin float64) mgl64.Vec2 {
		return mgl64.Vec2{-20 + margin + (40-2*margin)*rng.Float64(), 100 + margin + (30-2*margin)*rng.Float64()}
	}
	shape := func() geom.Polygon {
		p := place(3)
		if rng.IntN(2) == 0 {
			return box(p[0], p[1], p[0]+0.1+2.5*rng.Float64(), p[1]+0.1+2.5*rng.Float64())
		}
		return scenes.Obstacle{Circle: &scenes.Circle{Center: p, Radius: 0.2 + 2.5*rng.Float64(), Sides: 3 + rng.IntN(7)}}.Polygon()
	}
	run(t, open(t, field), func(d *gpu.Device, w *engine.World) {
		made := map[string]int{}
		for n := 0; n < 1000; {
			// Several edits between two ticks, as of a user that is faster than the crowd.
			for range 1 + rng.IntN(5) {
				n++
				all := w.Obstacles()
				var one engine.ObstacleID
				if len(all) > 0 {
					one = all[rng.IntN(len(all))]
				}
				kind := ""
				_, err := w.Edit(func(e *engine.Edit) error {
					switch k := rng.IntN(10); {
					case k == 0 && len(all) < 25 || len(all) == 0:
						kind = "add"
						e.AddObstacle(scenes.Obstacle{}.Shaped(shape()))
					case k == 1 && len(all) > 15:
						kind = "remove"
						e.RemoveObstacle(one)
					case k == 2:
						kind = "reshape"
						e.SetObstacle(one, scenes.Obstacle{}.Shaped(shape()))
					case k == 3:
						kind = "door"
						e.SetDoor(one, engine.Door(rng.IntN(3)))
					case k < 7:
						kind = "move"
						e.MoveObstacle(one, mgl64.Vec2{rng.NormFloat64(), rng.NormFloat64()})
					case k < 9:
						kind = "points"
						e.SetSources(w.Goals()[rng.IntN(3)], at(slices.Repeat([]mgl64.Vec2{place(0), place(0)}, rng.IntN(2)+rng.IntN(2))...))
					default:
						kind = "segments"
						e.SetSources(w.Goals()[rng.IntN(3)], spm.Goal{Points: []mgl64.Vec2{place(0)}, Segments: [][2]mgl64.Vec2{{place(0), place(0)}}})
					}
					return nil
				})
				var outside *engine.OutsideError
				if err != nil && !errors.As(err, &outside) {
					t.Fatal(err)
				}
				if err == nil {
					made[kind]++
				}
			}
			steps(t, w, 1)
			if n%100 < 5 {
				checkFresh(t, d, w)
			}
		}
		checkFresh(t, d, w)
		for _, kind := range []string{"add", "remove", "reshape", "door", "move", "points", "segments"} {
			if made[kind] < 15 {
				t.Errorf("only %d edits are of kind %q: %v", made[kind], kind, made)
			}
		}
	})
}

// TestWalledIn buries a source, then walls one in, then all agents, and frees them again.
func TestWalledIn(t *testing.T) {
	run(t, open(t, `{"version": 1, "domain": [0, 0, 30, 20], "goals": [{"id": "exit", "points": [[25, 10], [25, 15]]}],
		"profiles": [{"id": "p", "avoidance": "none"}], "map": {"size": 100},
		"groups": [{"profile": "p", "count": 20, "spawn": {"rect": [3, 3, 9, 17]}, "onArrival": "leave"}]}`), func(d *gpu.Device, w *engine.World) {
		exit := w.Goals()[0]
		here := mgl64.Vec2{5, 10}
		isAt := func(want float64, blocked int) {
			t.Helper()
			steps(t, w, 2)
			if got := distance(t, w, 0, here); math.Abs(got-want) > tolerance(30, want) && !math.IsInf(want, 1) || math.IsInf(want, 1) != math.IsInf(got, 1) {
				t.Errorf("the distance is %v, want %v", got, want)
			}
			if got := w.BlockedSources(); len(got) != blocked || blocked > 0 && got[0] != (engine.Source{Goal: exit, Index: 0}) {
				t.Errorf("%v are blocked, want %d", got, blocked)
			}
		}
		isAt(20, 0)
		var lid engine.ObstacleID
		edit(t, w, func(e *engine.Edit) { lid = e.AddObstacle(scenes.Obstacle{}.Shaped(box(24, 9, 26, 11))) })
		isAt(math.Hypot(20, 5), 1)
		var walls []engine.ObstacleID
		edit(t, w, func(e *engine.Edit) {
			for _, b := range []geom.Polygon{box(20, 5, 29, 6), box(20, 18, 29, 19), box(20, 5, 21, 19), box(28, 5, 29, 19)} {
				walls = append(walls, e.AddObstacle(scenes.Obstacle{}.Shaped(b)))
			}
		})
		isAt(math.Inf(1), 1)
		edit(t, w, func(e *engine.Edit) {
			e.RemoveObstacle(lid)
			for _, o := range walls {
				e.MoveObstacle(o, mgl64.Vec2{-19, 0}) // now round the agents
			}
		})
		steps(t, w, 30)
		for i, a := range crowd(w) {
			if a.Status != agents.Walking {
				t.Errorf("agent %d has status %d behind walls", i, a.Status)
			}
		}
		edit(t, w, func(e *engine.Edit) { e.AddObstacle(scenes.Obstacle{}.Shaped(box(0, 0, 30, 20))) }) // all is buried
		steps(t, w, 5)
		if _, ok := w.NearestFree(here, 0); ok {
			t.Error("there is free ground in a domain that is covered whole")
		}
		if got := w.BlockedSources(); len(got) != 2 {
			t.Errorf("%v are blocked, want both sources", got)
		}
		edit(t, w, func(e *engine.Edit) {
			for _, o := range w.Obstacles() {
				e.RemoveObstacle(o)
			}
		})
		isAt(20, 0)
		steps(t, w, 500)
		if c := w.Crowd().Counters(); c.Left != 20 {
			t.Errorf("%+v: want all 20 arrived", c)
		}
	})
}

// TestHundredDoors has a hundred rooms in a row whose doors open one after the other.
func TestHundredDoors(t *testing.T) {
	s := open(t, `{"version": 1, "domain": [0, 0, 101, 6], "goals": [{"id": "exit", "points": [[100.5, 3]]}],
		"profiles": [{"id": "p", "avoidance": "none"}], "map": {"size": 202}, "simulation": {"timestep": 0.5}}`)
	for i := range 100 {
		x := float64(i) + 0.9
		s.Obstacles = append(s.Obstacles,
			scenes.Obstacle{Rect: &scenes.Rect{x, 0, x + 0.2, 2}}, scenes.Obstacle{Rect: &scenes.Rect{x, 4, x + 0.2, 6}},
			scenes.Obstacle{ID: fmt.Sprint("door", i), Rect: &scenes.Rect{x, 2, x + 0.2, 4}, Open: []scenes.Interval{{float64(i + 1), 1000}}})
	}
	run(t, s, func(d *gpu.Device, w *engine.World) {
		reached := func() int {
			n := 0
			for i := range 101 {
				if !math.IsInf(distance(t, w, 0, mgl64.Vec2{float64(i) + 0.5, 3}), 1) {
					n++
				}
			}
			return n
		}
		if n := reached(); n != 1 {
			t.Errorf("%d rooms reach the exit behind shut doors", n)
		}
		for range 2*100 + 2 {
			steps(t, w, 1)
		}
		if n := reached(); n != 101 {
			t.Errorf("%d of 101 rooms reach the exit through open doors", n)
		}
		if got := w.Work().Walls; got != 100 {
			t.Errorf("walls changed %d times, want once a door", got)
		}
		edit(t, w, func(e *engine.Edit) {
			for i := range 100 {
				o, ok := w.Obstacle(fmt.Sprint("door", i))
				if !ok {
					t.Fatal("a door is gone")
				}
				if i%2 == 0 {
					e.SetDoor(o, engine.DoorShut)
				}
			}
		})
		steps(t, w, 2)
		if n := reached(); n != 2 {
			t.Errorf("%d rooms reach the exit with every other door shut by hand, want 2", n)
		}
		checkFresh(t, d, w)
	})
}

// TestClearance: a gap that a disc does not fit through is closed for it, and open for others.
func TestClearance(t *testing.T) {
	run(t, open(t, `{"version": 1, "domain": [0, 0, 30, 20],
		"obstacles": [{"rect": [14, 0, 15, 9.5]}, {"id": "upper", "rect": [14, 10.5, 15, 18]}],
		"goals": [{"id": "thin", "points": [[28, 10]]}, {"id": "wide", "points": [[28, 10]], "clearance": 0.6}, {"id": "also", "points": [[28, 10]], "clearance": 0.6},
			{"id": "fits", "points": [[28, 10]], "clearance": 0.45}], "map": {"size": 100}}`), func(d *gpu.Device, w *engine.World) {
		here := mgl64.Vec2{2, 10}
		for goal, want := range []float64{26, 0, 0, 26} {
			got := distance(t, w, goal, here)
			if want == 0 {
				// Round the upper end, 0.6 m from the wall: over arcs that are polygons up to 2%
				// too large.
				least := math.Sqrt(12*12+8*8-0.36) + math.Sqrt(13*13+8*8-0.36) + 1 + 0.6*2*math.Asin(8/math.Hypot(12, 8))
				if got < least-0.02 || got > least+0.05 {
					t.Errorf("goal %d is %v away round the wall, want %v", goal, got, least)
				}
			} else if math.Abs(got-want) > tolerance(30, want) {
				t.Errorf("goal %d is %v away through the gap, want %v", goal, got, want)
			}
		}
		m := w.Buffers().Maps
		if m.Ground(0) != w.Ground() || m.Ground(1) != m.Ground(2) || m.Ground(1) == m.Ground(0) || m.Ground(3) == m.Ground(1) {
			t.Error("goals of one clearance have one ground")
		}
		upper, _ := w.Obstacle("upper")
		edit(t, w, func(e *engine.Edit) { e.MoveObstacle(upper, mgl64.Vec2{0, 0.25}) })
		steps(t, w, 2)
		// The disc's centre has to pass at y = 10.1: up to there over at least 11.4 m, and back
		// over at least 12.4 m.
		if got, most := distance(t, w, 1, here), 2.2+math.Hypot(11.4, 0.1)+math.Hypot(12.4, 0.1); got < 26 || got > most {
			t.Errorf("through a gap of 1.25 m a disc of 0.6 m walks %v m, want 26 to %v", got, most)
		}
		checkFresh(t, d, w)
	})
}

// TestEditsOfObstacles is about what is refused, and that it leaves nothing behind.
func TestEditsOfObstacles(t *testing.T) {
	var stranger engine.ObstacleID
	run(t, open(t, hall), func(d *gpu.Device, w *engine.World) { stranger = w.Obstacles()[0] })
	run(t, open(t, hall), func(d *gpu.Device, w *engine.World) {
		before := w.Obstacles()
		door, _ := w.Obstacle("door")
		var lost engine.ObstacleID
		var handle *engine.HandleError
		var polygon *polygon.Error
		var outside *engine.OutsideError
		refused := func(name string, target any, change func(e *engine.Edit)) {
			t.Helper()
			_, err := w.Edit(func(e *engine.Edit) error {
				lost = e.AddObstacle(scenes.Obstacle{}.Shaped(box(1, 1, 2, 2)))
				e.MoveObstacle(door, mgl64.Vec2{1, 0})
				change(e)
				e.RemoveObstacle(door) // after an error nothing is looked at any more
				return nil
			})
			if err == nil || !errors.As(err, target) {
				t.Errorf("%s gave %v", name, err)
			}
			if got := w.Obstacles(); !slices.Equal(got, before) {
				t.Errorf("%s left %v", name, got)
			}
			if state, err := w.ObstacleState(door); err != nil || state.Polygon.Outer[0] != (mgl64.Vec2{14, 8}) {
				t.Errorf("%s moved the door: %+v, %v", name, state, err)
			}
		}
		refused("the zero handle", &handle, func(e *engine.Edit) { e.RemoveObstacle(engine.ObstacleID(0)) })
		refused("a handle of another world", &handle, func(e *engine.Edit) { e.MoveObstacle(stranger, mgl64.Vec2{1, 0}) })
		refused("a handle of an edit that failed", &handle, func(e *engine.Edit) { e.SetDoor(before[0], engine.DoorOpen); e.SetDoor(stranger, engine.DoorOpen) })
		refused("a bow tie", &polygon, func(e *engine.Edit) {
			e.AddObstacle(scenes.Obstacle{}.Shaped(geom.Polygon{Outer: geom.Ring{{1, 1}, {3, 3}, {3, 1}, {1, 3}}}))
		})
		refused("a line", &polygon, func(e *engine.Edit) {
			e.SetObstacle(before[0], scenes.Obstacle{}.Shaped(geom.Polygon{Outer: geom.Ring{{1, 1}, {3, 3}, {2, 2}}}))
		})
		refused("no number", &polygon, func(e *engine.Edit) { e.MoveObstacle(door, mgl64.Vec2{math.NaN(), 0}) })
		refused("a move out of the domain", &outside, func(e *engine.Edit) { e.MoveObstacle(before[0], mgl64.Vec2{16, 0}) })
		refused("twice the same removal", &handle, func(e *engine.Edit) { e.RemoveObstacle(before[0]); e.RemoveObstacle(before[0]) })
		last := lost
		edit(t, w, func(e *engine.Edit) { lost = e.AddObstacle(scenes.Obstacle{}.Shaped(box(1, 1, 2, 2))) })
		if lost == last {
			t.Error("a handle of an edit that failed was given out again")
		}
		if _, err := w.Edit(func(e *engine.Edit) error { e.RemoveObstacle(last); return nil }); !errors.As(err, &handle) {
			t.Errorf("a handle of an edit that failed gave %v", err)
		}
		// A slot that is used again does not make the old handle good.
		edit(t, w, func(e *engine.Edit) { e.RemoveObstacle(lost) })
		edit(t, w, func(e *engine.Edit) { e.AddObstacle(scenes.Obstacle{}.Shaped(box(3, 1, 4, 2))) })
		if _, err := w.ObstacleState(lost); !errors.As(err, &handle) {
			t.Errorf("a stale handle gave %v", err)
		}
		// Handles work within the edit that makes them; merged polygons are fine.
		edit(t, w, func(e *engine.Edit) {
			o := e.AddObstacle(scenes.Obstacle{}.Shaped(geom.Polygon{Outer: geom.Ring{{5, 1}, {6, 1}, {6, 1}, {6, 2}, {5, 1}}}))
			e.MoveObstacle(o, mgl64.Vec2{1, 1})
			e.SetDoor(o, engine.DoorOpen)
			last = o
		})
		state, err := w.ObstacleState(last)
		if err != nil || state.Present || state.Door != engine.DoorOpen || !slices.Equal(state.Polygon.Outer, geom.Ring{{6, 2}, {7, 2}, {7, 3}}) {
			t.Errorf("%+v, %v", state, err)
		}
	})
}

func TestQuestionsAboutPlaces(t *testing.T) {
	run(t, open(t, hall), func(d *gpu.Device, w *engine.World) {
		door, _ := w.Obstacle("door")
		if got, ok := w.ObstacleAt(mgl64.Vec2{14.5, 9}); !ok || got != door {
			t.Errorf("at the door there is %v, %v", got, ok)
		}
		if got, ok := w.ObstacleAt(mgl64.Vec2{3, 3}); ok {
			t.Errorf("on free ground there is %v", got)
		}
		if _, ok := w.Obstacle(""); ok {
			t.Error("there is an obstacle without a name")
		}
		if q, ok := w.NearestFree(mgl64.Vec2{14.2, 5}, 0); !ok || q.Sub(mgl64.Vec2{14, 5}).Len() > 8*30.0/geom.Steps {
			t.Errorf("nearest to (14.2, 5) is %v, %v; want (14, 5)", q, ok)
		}
		if q, ok := w.NearestFree(mgl64.Vec2{3, 5}, 0); !ok || q != (mgl64.Vec2{3, 5}) {
			t.Errorf("nearest to a free point is %v, %v", q, ok)
		}
		for _, c := range []struct {
			a, b mgl64.Vec2
			want bool
		}{
			{mgl64.Vec2{3, 9}, mgl64.Vec2{25, 9}, false},
			{mgl64.Vec2{3, 19}, mgl64.Vec2{25, 19}, true},
			{mgl64.Vec2{3, 18}, mgl64.Vec2{25, 18}, true}, // grazing the wall's end
			{mgl64.Vec2{14.5, 5}, mgl64.Vec2{3, 5}, false},
			{mgl64.Vec2{3, 5}, mgl64.Vec2{31, 5}, false},
		} {
			if got := w.Sees(c.a, c.b); got != c.want || w.Sees(c.b, c.a) != c.want {
				t.Errorf("%v sees %v: %v", c.a, c.b, got)
			}
		}
		exit := w.Goals()[0]
		edit(t, w, func(e *engine.Edit) {
			e.SetSources(exit, spm.Goal{Points: []mgl64.Vec2{{28, 9}}, Segments: [][2]mgl64.Vec2{{{20, 1}, {20, 5}}}})
		})
		if got, ok := w.SourceAt(mgl64.Vec2{27.8, 9}, 0.5); !ok || got != (engine.Source{Goal: exit, Index: 0}) {
			t.Errorf("at the exit there is %v, %v", got, ok)
		}
		if got, ok := w.SourceAt(mgl64.Vec2{20.2, 3}, 0.5); !ok || got != (engine.Source{Goal: exit, Index: 1}) {
			t.Errorf("at the segment there is %v, %v", got, ok)
		}
		if got, ok := w.SourceAt(mgl64.Vec2{10, 3}, 0.5); ok {
			t.Errorf("on free ground there is %v", got)
		}
		if _, ok := w.SourceAt(mgl64.Vec2{28, 9}, 0.5, engine.GoalID(0), exit); !ok {
			t.Error("the exit has no source there")
		}
		if got, ok := w.SourceAt(mgl64.Vec2{28, 9}, 0.5, engine.GoalID(0)); ok {
			t.Errorf("of no goal there is %v", got)
		}
	})
}
