package engine_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// tinker changes agents, goals and profiles of a world at random.
func tinker(t testing.TB, w *engine.World, r *rand.Rand) {
	t.Helper()
	low, size := w.Scene().Min(), w.Scene().Max().Sub(w.Scene().Min())
	place := func() mgl64.Vec2 {
		return mgl64.Vec2{low[0] + r.Float64()*size[0], low[1] + r.Float64()*size[1]}
	}
	all, goals, profiles := w.Agents(nil), w.Goals(), w.Profiles()
	some := func() []engine.AgentID {
		var ids []engine.AgentID
		for range min(len(all), 1+r.IntN(3)) {
			ids = append(ids, all[r.IntN(len(all))])
		}
		return ids
	}
	goal, profile := goals[r.IntN(len(goals))], profiles[r.IntN(len(profiles))]
	kind, err := w.Profile(profile)
	if err != nil {
		t.Fatal(err)
	}
	// a refused edit is one, too: it uses up handles
	_, _ = w.Edit(func(e *engine.Edit) error {
		for range 1 + r.IntN(3) {
			switch r.IntN(12) {
			case 10:
				if len(goals) > 3 {
					e.RemoveGoal(goals[3])
				}
			case 11:
				if len(profiles) > 3 {
					e.RemoveProfile(profiles[3])
				} else {
					kind.ID = ""
					e.AddProfile(kind)
				}
			case 8:
				if areas := w.Areas(); len(areas) > 3 {
					e.RemoveArea(areas[r.IntN(len(areas))])
				} else {
					e.AddArea(engine.Area{Corners: []mgl64.Vec2{place(), place(), place()}})
				}
			case 9:
				if len(all) > 0 {
					own := kind.Mean()
					own.Radius, own.PreferredSpeed = 0.15+0.1*r.Float64(), 1+0.2*r.Float64()
					e.SetIndividual(some()[0], own)
				}
			case 0, 1:
				e.AddAgents(nil, engine.Spawn{At: place(), Goal: goal, Profile: profile, OnArrival: scenes.ArrivalLeave, Tag: r.Uint32()})
			case 2:
				e.Send(goal, some()...)
			case 3:
				e.AssignProfile(profile, some()...)
			case 4:
				e.Pause(r.IntN(2) == 0, some()...)
			case 5:
				if len(all) > 12 { // some are left, whatever the rest of the edit does
					e.Remove(some()...)
				}
			case 6:
				if len(all) > 0 {
					e.Place(some()[0], place(), mgl64.Vec2{r.Float64(), 0})
				}
			case 7:
				if len(goals) < 4 {
					e.AddGoal(scenes.Goal{Points: []mgl64.Vec2{place()}})
				}
			}
		}
		if r.IntN(8) == 0 {
			return errors.New("on second thoughts")
		}
		return nil
	})
}

func saved(t testing.TB, w *engine.World) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := w.Save(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestSave saves worlds of all scenes of pasts, after edits that take effect with the next tick,
// and restores them in contexts of their own: they go on as without, and saved again they are
// the same bytes.
func TestSave(t *testing.T) {
	each(t, func(t *testing.T, d *gpu.Device, w *engine.World) {
		r := rand.New(rand.NewPCG(8, 9))
		steps(t, w, 20)
		for range 4 {
			meddle(t, w, r)
			tinker(t, w, r)
		}
		steps(t, w, 5)
		meddle(t, w, r)
		tinker(t, w, r)
		file := saved(t, w)
		if again := saved(t, w); !bytes.Equal(again, file) {
			t.Error("saved twice, a world gives other bytes")
		}
		other, err := engine.RestoreHeadless(context.Background(), bytes.NewReader(file), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		if again := saved(t, other); !bytes.Equal(again, file) {
			t.Error("the restored world saves other bytes")
		}
		if !slices.Equal(other.Agents(nil), w.Agents(nil)) || !slices.Equal(other.Goals(), w.Goals()) || !slices.Equal(other.Obstacles(), w.Obstacles()) {
			t.Error("handles differ")
		}
		want, got := course(t, w, 60), course(t, other, 60)
		if i := firstDifference(got, want); i >= 0 {
			t.Fatalf("the state %d ticks on is not that of the world that was saved", i+1)
		}
		for range 3 { // edits come out the same, too
			seed := r.Uint64()
			for _, to := range []*engine.World{w, other} {
				tinker(t, to, rand.New(rand.NewPCG(seed, 1)))
				meddle(t, to, rand.New(rand.NewPCG(seed, 2)))
			}
		}
		if !bytes.Equal(saved(t, w), saved(t, other)) {
			t.Error("after the same edits the worlds differ")
		}
	})
}

// TestRestoreInPool restores into a pool, and journals what was restored.
func TestRestoreInPool(t *testing.T) {
	p, err := engine.NewPool(2)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	w, err := p.Open(context.Background(), open(t, strings.ReplaceAll(doors, "METHOD", "orca")), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	steps(t, w, 30)
	file := saved(t, w)
	want := course(t, w, 10)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var journal bytes.Buffer
	again, err := p.Restore(context.Background(), bytes.NewReader(file), engine.Options{Journal: &journal})
	if err != nil {
		t.Fatal(err)
	}
	if i := firstDifference(course(t, again, 10), want); i >= 0 {
		t.Errorf("the state %d ticks on differs", i+1)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	third, err := p.Replay(context.Background(), &journal, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if third.Ticks() != 40 || hashOf(t, third) != want[9] {
		t.Errorf("replayed to tick %d, or to another state", third.Ticks())
	}
}

// TestRestoreRefuses what was cut off, damaged, saved under another fingerprint, or is something
// else.
func TestRestoreRefuses(t *testing.T) {
	s := open(t, strings.ReplaceAll(doors, "METHOD", "orca"))
	run(t, s, func(d *gpu.Device, w *engine.World) {
		steps(t, w, 10)
		file := saved(t, w)
		r := rand.New(rand.NewPCG(1, 1))
		var format *engine.FormatError
		for range 60 {
			cut, damaged := file[:r.IntN(len(file))], slices.Clone(file)
			damaged[r.IntN(len(file))] ^= 1 << r.IntN(8)
			for what, b := range map[string][]byte{"cut": cut, "damaged": damaged} {
				if _, err := engine.Restore(d, bytes.NewReader(b), engine.Options{}); !errors.As(err, &format) {
					t.Fatalf("a %s file gives %v", what, err)
				}
			}
		}
		if _, err := engine.Restore(d, strings.NewReader("a letter\n"), engine.Options{}); !errors.As(err, &format) {
			t.Errorf("a letter gives %v", err)
		}
		if _, err := engine.Replay(d, bytes.NewReader(file), engine.Options{}); !errors.As(err, &format) {
			t.Errorf("a saved world as a journal gives %v", err)
		}
		var other *engine.IncompatibleError
		_, err := engine.Restore(d, bytes.NewReader(file), engine.Options{MapSize: 80, Events: engine.Arrived})
		if !errors.As(err, &other) || other.There != w.Fingerprint() || len(other.There.Differences(other.Here)) != 2 || !strings.Contains(err.Error(), "mapSize is 96 there and 80 here") {
			t.Errorf("other options give %v", err)
		}
		broken := errors.New("the disk is full")
		if err := w.Save(broke{broken}); !errors.Is(err, broken) {
			t.Errorf("a writer that fails gives %v", err)
		}
		if _, err := engine.Restore(d, io.MultiReader(bytes.NewReader(file[:100]), broke{broken}), engine.Options{}); !errors.Is(err, broken) {
			t.Errorf("a reader that fails gives %v", err)
		}
		if err := w.Save(io.Discard); err != nil {
			t.Error(err)
		}
		if w.Ticks() != 10 {
			t.Error("what was refused changed the world")
		}
	})
}

// broke is a reader and a writer that fails.
type broke struct{ err error }

func (f broke) Write([]byte) (int, error) { return 0, f.err }
func (f broke) Read([]byte) (int, error)  { return 0, f.err }

// live runs f with a journaled world and returns the journal after it was closed, and its last
// hash.
func live(t testing.TB, s *scenes.Scene, o engine.Options, f func(w *engine.World)) ([]byte, uint64) {
	t.Helper()
	var journal bytes.Buffer
	o.Journal = &journal
	var hash uint64
	gputest.Run(t, func(d *gpu.Device) {
		w, err := engine.New(d, s, o)
		if err != nil {
			t.Fatal(err)
		}
		f(w)
		hash = hashOf(t, w)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
	return journal.Bytes(), hash
}

// TestJournal does all that journals have with worlds of all scenes, and replays them.
func TestJournal(t *testing.T) {
	for name, s := range pasts(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(4, 5))
			o := engine.Options{HashEvery: 7, Events: engine.AllEvents}
			ticks := uint64(0)
			journal, want := live(t, s, o, func(w *engine.World) {
				var c *engine.Checkpoint
				for i := range 24 {
					switch r.IntN(8) {
					case 0:
						if err := w.Apply(); err != nil {
							t.Fatal(err)
						}
					case 1:
						if err := w.Crowd().Measure(r.IntN(2) == 0); err != nil {
							t.Fatal(err)
						}
					case 2:
						c.Free()
						c = checkpoint(t, w)
					case 3:
						if c != nil {
							rollback(t, w, c)
						}
					case 4:
						func() {
							defer func() { _ = recover() }()
							_, _ = w.Edit(func(e *engine.Edit) error {
								e.AddObstacle(scenes.Obstacle{}.Shaped(box(0.1, 0.1, 0.2, 0.2)))
								panic("a bug of the host's")
							})
						}()
					}
					if i%2 == 0 {
						meddle(t, w, r)
					}
					tinker(t, w, r)
					steps(t, w, r.IntN(5))
				}
				ticks = w.Ticks()
			})
			w, err := engine.ReplayHeadless(context.Background(), bytes.NewReader(journal), o)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if w.Ticks() != ticks || hashOf(t, w) != want {
				t.Errorf("replayed to tick %d, want %d, or to another state", w.Ticks(), ticks)
			}
		})
	}
}

// TestJournalIsCut cuts a journal everywhere: what is left replays to its last whole entry.
func TestJournalIsCut(t *testing.T) {
	s := open(t, strings.ReplaceAll(doors, "METHOD", "none"))
	hashes := map[uint64]uint64{}
	o := engine.Options{HashEvery: 1}
	journal, _ := live(t, s, o, func(w *engine.World) {
		r := rand.New(rand.NewPCG(4, 5))
		for range 12 {
			steps(t, w, 1)
			hashes[w.Ticks()] = hashOf(t, w)
			tinker(t, w, r)
		}
	})
	gputest.Run(t, func(d *gpu.Device) {
		r := rand.New(rand.NewPCG(6, 5))
		var cut *engine.TruncatedError
		var format *engine.FormatError
		short, torn := 0, 0
		for range 40 {
			n := len(journal) - 1 - r.IntN(len(journal)-1)
			w, err := engine.Replay(d, bytes.NewReader(journal[:n]), o)
			if w == nil {
				if short++; !errors.As(err, &format) {
					t.Fatalf("%d bytes give %v", n, err)
				}
				continue
			}
			if !errors.As(err, &cut) || cut.Tick != w.Ticks() || cut.Tick > 0 && hashOf(t, w) != hashes[cut.Tick] {
				t.Errorf("%d bytes give %v at tick %d, or another state", n, err, w.Ticks())
			}
			if cut.Torn {
				torn++
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if short == 0 || torn == 0 {
			t.Errorf("%d cuts were before the first entry, %d inside of one", short, torn)
		}
		for range 20 {
			damaged := slices.Clone(journal)
			damaged[r.IntN(len(journal))] ^= 4
			if _, err := engine.Replay(d, bytes.NewReader(damaged), o); !errors.As(err, &format) {
				t.Errorf("a damaged journal gives %v", err)
			}
		}
	})
}

// TestJournalFails has writing fail: the world says so once, goes on, and says so when it is
// closed.
func TestJournalFails(t *testing.T) {
	s := open(t, strings.ReplaceAll(doors, "METHOD", "none"))
	gputest.Run(t, func(d *gpu.Device) {
		var failed *engine.JournalError
		if _, err := engine.New(d, s, engine.Options{Journal: broke{io.ErrShortWrite}}); !errors.As(err, &failed) {
			t.Errorf("New with a broken journal gives %v", err)
		}
		w, err := engine.New(d, s, engine.Options{Journal: &breaking{after: 1}, HashEvery: 5})
		if err != nil {
			t.Fatal(err)
		}
		steps(t, w, 4)
		if err := w.Step(); !errors.As(err, &failed) || w.Ticks() != 5 {
			t.Errorf("the step that writes gives %v", err)
		}
		steps(t, w, 8)
		if err := w.Close(); !errors.As(err, &failed) {
			t.Errorf("Close gives %v", err)
		}
		if err := w.Close(); err != nil {
			t.Errorf("Close again gives %v", err)
		}
	})
}

// breaking is a writer that fails after so many writes.
type breaking struct{ after int }

func (b *breaking) Write(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestFrameRates advances two worlds in other slices, with other edits of the same ticks before:
// their journals end with the same hash.
func TestFrameRates(t *testing.T) {
	s := open(t, strings.ReplaceAll(doors, "METHOD", "orca"))
	var ends [2]uint64
	for i, frame := range []float64{0.3, 2.4} {
		_, ends[i] = live(t, s, engine.Options{HashEvery: 50}, func(w *engine.World) {
			r := rand.New(rand.NewPCG(2, 2))
			slice := engineTicks(w, frame)
			for edited := uint64(0); w.Ticks() < 200; {
				if _, err := w.Advance(min(slice, engineTicks(w, float64(20-w.Ticks()%20)))); err != nil {
					t.Fatal(err)
				}
				if err := w.Poll(); err != nil {
					t.Fatal(err)
				}
				if now := w.Ticks(); now%20 == 0 && now != edited {
					edited = now
					tinker(t, w, r)
					edit(t, w, func(e *engine.Edit) { e.SetSources(w.Goals()[0], at(mgl64.Vec2{20 + r.Float64(), 3 + 8*r.Float64()})) })
				}
			}
		})
	}
	if ends[0] != ends[1] {
		t.Errorf("the frame rate changes the state: %016x and %016x", ends[0], ends[1])
	}
}

// engineTicks is the time of so many ticks.
func engineTicks(w *engine.World, ticks float64) time.Duration {
	return time.Duration(ticks * float64(w.Timestep()))
}
