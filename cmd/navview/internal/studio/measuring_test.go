package studio

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/measuring"
	"github.com/wayfront/wayfront/cmd/navview/internal/simulation"
	"github.com/wayfront/wayfront/scenes"
)

// door is a gate beside the wall of the room, and an area before it.
func door(to *scenes.Scene) {
	to.Gates = []scenes.Gate{{ID: "door", Line: scenes.Segment{{8.5, 10}, {8.5, 6}}}}
	to.Areas = []scenes.Area{{ID: "before", Rect: scenes.Rect{5, 5, 8, 10}}}
}

// report returns the measures of the range.
func (s *Studio) report(t *testing.T) measuring.Report {
	t.Helper()
	r, err := s.Measure.Report()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// simulated returns what navview measure says of a scene from one time to another.
func (s *Studio) simulated(t *testing.T, scene *scenes.Scene, ticks int, from, to float64) measuring.Report {
	t.Helper()
	study, err := measured.Study(scene)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := simulation.Open(s.Device, scene, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	meter := measure.NewMeter(study)
	sim.Observe(sim.Every(measuring.Frames), func(f measure.Frame) error {
		if f.Time >= from-1e-9 && f.Time <= to+1e-9 {
			meter.Add(f)
		}
		return nil
	})
	if err := sim.Run(nil, &ticks, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	return measuring.ReportOf(meter.Results())
}

// TestMeasuresLive: the numbers of a live run, of all of it or of a part, are those of navview
// measure, after seeks too.
func TestMeasuresLive(t *testing.T) {
	with(t, room, func(s *Studio) {
		if err := s.Change("measure", door); err != nil {
			t.Fatal(err)
		}
		s.ticks(t, 300, nil)
		scene := s.Doc.Scene()
		end := s.World().Time()
		want := s.simulated(t, scene, 300, 0, end)
		if len(want.Gates) != 1 || want.Gates[0].Crossings < 4 || len(want.Areas[0].Samples) < 10 || want.Agents != 8 {
			t.Fatalf("nothing to measure: %+v", want)
		}
		if got := s.report(t); !reflect.DeepEqual(got, want) {
			t.Errorf("live\n%+v\nwant\n%+v", got, want)
		}
		s.seekTo(t, 77)
		if got, want := s.report(t), s.simulated(t, scene, 77, 0, s.World().Time()); !reflect.DeepEqual(got, want) {
			t.Errorf("after a seek\n%+v\nwant\n%+v", got, want)
		}
		s.seekTo(t, 300)
		if got := s.report(t); !reflect.DeepEqual(got, want) {
			t.Error("the measures of the present are others after a seek")
		}
		s.Measure.From, s.Measure.To = 2, 7
		if got, want := s.report(t), s.simulated(t, scene, 300, 2, 7); !reflect.DeepEqual(got, want) {
			t.Errorf("from 2 to 7 s\n%+v\nwant\n%+v", got, want)
		}
	})
}

// TestMeasuresWhatComes: a gate that is drawn amid a run counts from then on.
func TestMeasuresWhatComes(t *testing.T) {
	with(t, room, func(s *Studio) {
		s.ticks(t, 60, nil)
		if err := s.Change("measure", door); err != nil {
			t.Fatal(err)
		}
		s.ticks(t, 300, nil)
		r := s.report(t)
		if len(r.Gates) != 1 || r.Gates[0].Crossings == 0 || r.Agents != 8 || r.From != 0 {
			t.Fatalf("%+v", r)
		}
		known := 0
		for _, x := range s.Measure.Series() {
			for _, v := range x.Values {
				if x.Kind == "density" && !math.IsNaN(v) {
					known++
				}
			}
		}
		if known < len(r.Areas[0].Samples)-1 {
			t.Errorf("the series has %d of %d samples of density", known, len(r.Areas[0].Samples))
		}
		if first := r.Areas[0].Samples[0].Time; first < s.Time.seconds(60) || first > s.Time.seconds(60)+1.1 {
			t.Errorf("the first sample is at %v s", first)
		}
	})
}

// TestSeries: the series agree with the report at their end, and the table has their numbers.
func TestSeries(t *testing.T) {
	with(t, room, func(s *Studio) {
		if err := s.Change("measure", door); err != nil {
			t.Fatal(err)
		}
		s.ticks(t, 303, nil)
		r, all := s.report(t), s.Measure.Series()
		last := map[string]float64{}
		for _, x := range all {
			if len(x.Values) != len(x.Times) || len(x.Times) < 5 {
				t.Fatalf("%s %s has %d values at %d times", x.Kind, x.Of, len(x.Values), len(x.Times))
			}
			last[x.Kind+x.Of] = x.Values[len(x.Values)-1]
		}
		at := all[0].Times[len(all[0].Times)-1]
		crossings, recent := 0.0, 0.0
		for _, c := range r.Gates[0].Times {
			if c.Time <= at {
				crossings++
			}
			if c.Time <= at && c.Time > at-FlowWindow {
				recent++
			}
		}
		if last["crossingsdoor"] != crossings || last["flowdoor"] != recent/FlowWindow || crossings == 0 {
			t.Errorf("%v crossings and a flow of %v, want %v and %v", last["crossingsdoor"], last["flowdoor"], crossings, recent/FlowWindow)
		}
		sample := r.Areas[0].Samples[len(r.Areas[0].Samples)-1]
		if last["densitybefore"] != *sample.VoronoiDensity {
			t.Errorf("density %v, want %v", last["densitybefore"], *sample.VoronoiDensity)
		}
		table, err := csv.NewReader(bytes.NewReader(s.Measure.CSV())).ReadAll()
		if err != nil || len(table) != 1+len(all[0].Times) || len(table[0]) != 1+len(all) {
			t.Fatalf("%d rows, %v", len(table), err)
		}
		if table[0][0] != "time_s" || table[0][4] != "flow door (1/s)" {
			t.Errorf("columns %q", table[0])
		}
		for i, x := range all {
			for k, v := range x.Values {
				var got float64
				if n, _ := fmt.Sscan(table[k+1][i+1], &got); (n == 0) != math.IsNaN(v) || n == 1 && math.Abs(got-v) > 1e-8*math.Abs(v) {
					t.Fatalf("row %d, %s %s: %q, want %v", k, x.Kind, x.Of, table[k+1][i+1], v)
				}
			}
		}
		if same := s.Measure.Series(); &same[0] != &all[0] {
			t.Error("series are made anew without a frame")
		}
		s.Measure.From, s.Measure.To = 3, 5
		if got := s.Measure.Series(); got[0].Times[0] < 3 || rows(got) != 3 {
			t.Errorf("the range has times %v", got[0].Times)
		}
	})
}
