package studio

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/scenes"
)

// hash returns the hash of the state.
func (s *Studio) hash(t *testing.T) uint64 {
	t.Helper()
	h, err := s.World().Hash()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ticks runs ticks, and appends the hash after each to those of before.
func (s *Studio) ticks(t *testing.T, n int, hashes []uint64) []uint64 {
	t.Helper()
	for range n {
		if err := s.tick(); err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, s.hash(t))
	}
	return hashes
}

// seekTo seeks to a tick, in as many frames as it takes.
func (s *Studio) seekTo(t *testing.T, tick int) {
	t.Helper()
	if err := s.Seek(s.Time.seconds(uint64(tick))); err != nil {
		t.Fatal(err)
	}
	for s.Time.Seeking() || s.Branched != nil && s.Branched.Time.Seeking() {
		if err := s.Advance(s.now.Add(time.Second / 60)); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.World().Ticks(); got != uint64(tick) {
		t.Fatalf("sought to tick %d, not %d", got, tick)
	}
}

// wallAt moves the wall of the room.
func (s *Studio) wallAt(t *testing.T, x float64) {
	t.Helper()
	if err := s.Change("move wall", func(to *scenes.Scene) { to.Obstacles[0].Rect = &scenes.Rect{x, 0, x + 1, 6} }); err != nil {
		t.Fatal(err)
	}
	if s.Fault != nil {
		t.Fatal(s.Fault.Words)
	}
}

// TestSeek: at any time, in any order, the world is as it was; going on comes out the same, and
// forgets nothing.
func TestSeek(t *testing.T) {
	with(t, room, func(s *Studio) {
		hashes := s.ticks(t, 130, []uint64{s.hash(t)})
		for _, tick := range []int{64, 0, 129, 7, 8, 9, 100, 99, 130} {
			if s.seekTo(t, tick); s.hash(t) != hashes[tick] {
				t.Errorf("tick %d is not as it was", tick)
			}
		}
		s.seekTo(t, 50)
		if again := s.ticks(t, 85, nil); !slices.Equal(again[:80], hashes[51:]) {
			t.Error("the ticks after a seek come out otherwise")
		}
		if s.Time.End() != s.Time.seconds(135) || s.Time.Begin() != 0 {
			t.Errorf("from %v to %v s", s.Time.Begin(), s.Time.End())
		}
	})
}

// TestSeekAcrossEdits: edits of then are made again on the way, as often as it is gone; in the end
// the document is the author's.
func TestSeekAcrossEdits(t *testing.T) {
	with(t, room, func(s *Studio) {
		hashes := s.ticks(t, 40, []uint64{s.hash(t)})
		s.wallAt(t, 9)
		s.wallAt(t, 10)
		hashes = s.ticks(t, 30, hashes)
		if err := s.Go(0); err != nil {
			t.Fatal(err)
		}
		hashes = s.ticks(t, 50, hashes)
		for _, tick := range []int{20, 110, 71, 20, 119, 40, 120} {
			s.seekTo(t, tick)
			if got := s.World().Document().Obstacles[0].Rect[0]; got != 8 {
				t.Errorf("tick %d: the wall is at %v, not where the author has it", tick, got)
			}
			if s.hash(t) != hashes[tick] {
				t.Errorf("tick %d is not as it was", tick)
			}
		}
		s.seekTo(t, 55) // the wall stood elsewhere
		if got := s.World().Document().Obstacles[0].Rect[0]; got != 8 {
			t.Errorf("the wall is at %v", got)
		}
		if s.Time.End() != s.Time.seconds(120) {
			t.Errorf("looking back made the present %v s", s.Time.End())
		}
		other := s.ticks(t, 20, nil)
		if other[19] == hashes[75] || s.Time.End() != s.Time.seconds(75) {
			t.Errorf("going on from the past is what was, or the present is %v s", s.Time.End())
		}
		for _, tick := range []int{30, 75, 54, 70} {
			s.seekTo(t, tick)
			want := slices.Concat(hashes[:56], other)[tick]
			if tick != 54 && s.hash(t) != want { // at 54 the author's wall is another one than that of then
				t.Errorf("tick %d is not as it was", tick)
			}
		}
	})
}

// TestWhatIf: going on from the past with another document is what a world does that was given that
// document then.
func TestWhatIf(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.ticks(t, 100, nil)
		s.seekTo(t, 30)
		s.wallAt(t, 10)
		s.seekTo(t, 90)
		if s.Time.End() != s.Time.seconds(90) {
			t.Errorf("the present is %v s", s.Time.End())
		}
		got, changed := s.hash(t), s.Doc.Scene()
		if err := s.Go(0); err != nil {
			t.Fatal(err)
		}
		twin, err := engine.New(s.Device, s.Doc.Scene(), engine.Options{Events: engine.AllEvents})
		if err != nil {
			t.Fatal(err)
		}
		defer twin.Close()
		for tick := range 90 {
			if tick == 30 {
				if _, err := twin.Sync(changed); err != nil {
					t.Fatal(err)
				}
				for twin.Building() {
					if err := twin.Poll(); err != nil {
						t.Fatal(err)
					}
				}
				if err := twin.Apply(); err != nil {
					t.Fatal(err)
				}
			}
			if err := twin.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := twin.Hash(); got != want || err != nil {
			t.Errorf("hash %x, want %x, %v", got, want, err)
		}
	})
}

// TestThinning: checkpoints keep to the limit, from the beginning on, densest at the end; times
// between them are as they were.
func TestThinning(t *testing.T) {
	with(t, room, func(s *Studio) {
		hashes := s.ticks(t, 1, []uint64{s.hash(t)})
		_, one := s.Time.Checkpoints()
		s.Time.Limit = 6 * one
		hashes = s.ticks(t, 1000, hashes)
		count, bytes := s.Time.Checkpoints()
		if bytes > s.Time.Limit || count < 5 || s.Time.Begin() != 0 {
			t.Errorf("%d checkpoints of %d bytes, limit %d, from %v s", count, bytes, s.Time.Limit, s.Time.Begin())
		}
		p := s.Time.points
		if n := len(p); p[n-1].Ticks()-p[n-2].Ticks() >= p[1].Ticks()-p[0].Ticks() {
			t.Error("the oldest checkpoints are the densest")
		}
		for _, tick := range []int{333, 1001, 12} {
			if s.seekTo(t, tick); s.hash(t) != hashes[tick] {
				t.Errorf("tick %d is not as it was", tick)
			}
		}
	})
}

// TestSeekKeepsFrames: a seek far ahead is made in frames, and an edit meanwhile is there at its end.
func TestSeekKeepsFrames(t *testing.T) {
	with(t, room, func(s *Studio) {
		if err := s.Time.Seek(60); err != nil {
			t.Fatal(err)
		}
		frames := 0
		for ; s.Time.Seeking(); frames++ {
			if err := s.Time.work(time.Microsecond); err != nil {
				t.Fatal(err)
			}
			if p := s.Time.Progress(); p < 0 || p > 1 {
				t.Fatalf("progress %v", p)
			}
			if frames == 10 {
				s.wallAt(t, 10)
				if got := s.World().Document().Obstacles[0].Rect[0]; got != 8 {
					t.Errorf("the edit came amid the seek: %v", got)
				}
			}
		}
		if frames < 100 || s.World().Time() < 59.9 {
			t.Errorf("%v s in %d frames", s.World().Time(), frames)
		}
		if got := s.World().Document().Obstacles[0].Rect[0]; got != 10 {
			t.Errorf("the wall is at %v in the end", got)
		}
	})
}

// TestSpeed: simulated time passes as much faster than the clock as it should.
func TestSpeed(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.Playing = true
		for _, speed := range []float64{1, 0.25, 2} {
			s.Time.Speed = speed
			start := s.World().Time()
			for range 120 {
				if err := s.Advance(s.now.Add(time.Second / 60)); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := s.World().Time()-start, 2*speed; got < want-0.1 || got > want+0.1 {
				t.Errorf("speed %v: %v s in 2 s", speed, got)
			}
			if s.Time.Factor < 0.7*speed || s.Time.Factor > 1.5*speed {
				t.Errorf("speed %v: factor %v", speed, s.Time.Factor)
			}
		}
	})
}

// TestStepBack: the keys of steps and speeds do what they say.
func TestStepBack(t *testing.T) {
	with(t, room, func(s *Studio) {
		do := func(key string) {
			t.Helper()
			a, ok := OfKey(Actions(), s, key)
			if !ok {
				t.Fatalf("no action %q", key)
			}
			err := a.Do(s)
			for err == nil && s.Time.Seeking() {
				err = s.Advance(s.now)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		hashes := s.ticks(t, 20, []uint64{s.hash(t)})
		for _, c := range []struct {
			key  string
			tick uint64
		}{{",", 19}, {",", 18}, {".", 19}, {"home", 0}, {"end", 20}, {".", 21}} {
			if do(c.key); s.World().Ticks() != c.tick || c.tick < 21 && s.hash(t) != hashes[c.tick] {
				t.Errorf("%q: tick %d, want %d as it was", c.key, s.World().Ticks(), c.tick)
			}
		}
		do("]")
		do("[")
		do("[")
		do("[")
		if _, ok := OfKey(Actions(), s, "["); ok || s.Time.Speed != MinSpeed {
			t.Errorf("speed %v", s.Time.Speed)
		}
	})
}

// TestEvents: events are known with their ticks, once each however often time is gone through, and
// forgotten where it comes out otherwise.
func TestEvents(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.Time.Stops = engine.Arrived
		s.ticks(t, 500, nil)
		arrived := func() (all []uint64) {
			for _, e := range s.Time.Events {
				if e.Kinds&engine.Arrived != 0 {
					all = append(all, e.Tick)
				}
			}
			return all
		}
		before := arrived()
		if len(before) != 8 {
			t.Fatalf("%d arrivals", len(before))
		}
		s.seekTo(t, 0)
		if err := s.toEvent(1); err != nil {
			t.Fatal(err)
		}
		s.seekTo(t, int(s.Time.target))
		if s.World().Ticks() != before[0] {
			t.Errorf("the first arrival is at %d, not %d", s.World().Ticks(), before[0])
		}
		s.ticks(t, 100, nil)
		if !slices.Equal(arrived(), before) {
			t.Errorf("arrivals %v, then %v", before, arrived())
		}
		s.seekTo(t, int(before[3]))
		s.wallAt(t, 10)
		s.ticks(t, 2, nil)
		if got := arrived(); !slices.Equal(got, before[:4]) && len(got) > 4 {
			t.Errorf("arrivals %v of %v are left", got, before)
		}
	})
}

// BenchmarkCheckpoint: what a checkpoint of 10,000 agents takes.
func BenchmarkCheckpoint(b *testing.B) {
	gputest.Run(b, func(d *gpu.Device) {
		s := opened(b, d, "city-10k")
		defer s.Close()
		for range 21 {
			if err := s.tick(); err != nil {
				b.Fatal(err)
			}
		}
		d.Finish()
		for b.Loop() {
			for _, p := range s.Time.points {
				p.Free()
			}
			s.Time.points = s.Time.points[:0]
			if err := s.Time.keep(); err != nil {
				b.Fatal(err)
			}
			d.Finish()
		}
		_, bytes := s.Time.Checkpoints()
		b.ReportMetric(float64(s.Time.points[0].Bytes())/1e6, "deviceMB")
		b.ReportMetric(float64(bytes)/1e6, "MB")
		b.ReportAllocs()
	})
}

// TestFlatMemory: thousands of edits and ticks keep what changed, not a scene each, and any time comes
// back as it was.
func TestFlatMemory(t *testing.T) {
	var large strings.Builder
	for i := range 80 {
		fmt.Fprintf(&large, "    {\"id\": \"post-%d\", \"rect\": [%g, 9.2, %g, 9.4]},\n", i, 0.2*float64(i)+1, 0.2*float64(i)+1.1)
	}
	with(t, strings.Replace(room, "  \"obstacles\": [\n", "  \"obstacles\": [\n"+large.String(), 1), func(s *Studio) {
		hashes := s.ticks(t, 1, []uint64{s.hash(t)})
		_, one := s.Time.Checkpoints()
		s.Time.Limit = 4 * one
		edit := func(n int) {
			t.Helper()
			for i := range n {
				ok(t, s.Change("seed", func(to *scenes.Scene) { to.Profiles[0].MaxNeighbors = 8 + i%2 }))
				if i%4 == 0 {
					hashes = s.ticks(t, 1, hashes)
				}
			}
		}
		heap := func() uint64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		edit(mostScenes + 20) // as many as keep their scene, and the checkpoints that there is room for
		before, text := heap(), len(s.Doc.Text())
		const more = 150
		edit(more)
		// An edit keeps its splice here and in the history of the document, with a title: less than
		// 1 kB. Its scene would be more than its text.
		grown := int64(heap()) - int64(before)
		t.Logf("%d edits of %d bytes of text grew the heap by %d bytes", more, text, grown)
		if grown > more<<10 || text < 4<<10 || s.Fault != nil {
			t.Errorf("the heap grew by %d bytes; fault %v", grown, s.Fault)
		}
		last := len(hashes) - 1
		for _, tick := range []int{3, 40, last} {
			if s.seekTo(t, tick); s.hash(t) != hashes[tick] {
				t.Errorf("tick %d is not as it was", tick)
			}
		}
	})
}
