package scenes

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDistributionsAreRead: the forms that a number of a profile may have, and what they are
// written as.
func TestDistributionsAreRead(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		text    string
		want    Distribution
		written string
		note    bool
	}{
		{"1.5", Exactly(1.5), "1.5", false},
		{`{"mean": 1.5}`, Distribution{Mean: 1.5, Std: 0.26}, `{"mean": 1.5, "std": 0.26}`, false},
		{`{"std": 0}`, Exactly(1.34), "1.34", false},
		{`{"mean": 1.5, "std": 0, "max": 2}`, Exactly(1.5), "1.5", true},
		{`{"std": 0.5}`, Distribution{Mean: 1.34, Std: 0.5}, `{"mean": 1.34, "std": 0.5}`, false},
		{`{"min": 1, "max": 2}`, Uniform(1, 2), `{"min": 1, "max": 2}`, false},
		{`{"min": 1}`, Distribution{1.34, 0.26, 1, inf}, `{"mean": 1.34, "std": 0.26, "min": 1}`, false},
		{`{"max": 1.5}`, Distribution{1.34, 0.26, -inf, 1.5}, `{"mean": 1.34, "std": 0.26, "max": 1.5}`, false},
		{`{"mean": 1, "std": 2, "min": 0.5, "max": 1}`, Distribution{1, 2, 0.5, 1}, `{"mean": 1, "std": 2, "min": 0.5, "max": 1}`, false},
		{`{"std": 2, "mean": 1, "min": 1, "max": 1}`, Exactly(1), "1", false},
	} {
		s, problems := Read("test.json", []byte(profile(`"preferredSpeed": `+c.text)))
		if s == nil || len(problems) > 1 || (len(problems) == 1) != c.note {
			t.Fatalf("%s: %v", c.text, problems)
		}
		if got := s.Profiles[0].PreferredSpeed; got != c.want {
			t.Errorf("%s is read as %+v, want %+v", c.text, got, c.want)
		}
		if data := sameAgain(t, s); !strings.Contains(string(data), `"preferredSpeed": `+c.written) {
			t.Errorf("%s is written as\n%s", c.text, data)
		}
	}
}

// TestNoNumberIsADistribution: what only a program can build is refused with its path.
func TestNoNumberIsADistribution(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for path, d := range map[string]Distribution{
		"$.radius.std":  {Mean: 0.25, Std: nan},
		"$.radius.min":  {Mean: 0.25, Std: 0.1, Min: nan, Max: 1},
		"$.radius.max":  {Mean: 0.25, Std: 0.1, Min: 0.1, Max: -inf},
		"$.radius.mean": {Mean: nan, Std: 0.1},
	} {
		p := DefaultProfile()
		p.Radius = d
		problems := p.Check()
		if !slices.ContainsFunc(problems, func(q Problem) bool { return q.Path == path }) {
			t.Errorf("%+v: %v, want a fault at %s", d, problems, path)
		}
	}
	p := DefaultProfile()
	p.Radius = Distribution{Mean: 0.25, Std: inf}
	if len(p.Check()) == 0 {
		t.Error("uniform without bounds is accepted")
	}
}

// TestIndividual: every number of a profile that varies is drawn once, by a path of its own, within
// limits; what does not vary is not drawn.
func TestIndividual(t *testing.T) {
	spread := func(mean float64) Distribution { return Distribution{Mean: mean, Std: 1} }
	p := DefaultProfile()
	p.Radius, p.MaxSpeed = spread(0.25), spread(2)
	b := &p.BVP
	b.Cells, b.CellSize, b.Relaxations, b.ViewAngle, b.Inertia = spread(21), spread(1), spread(30), spread(90), spread(0.5)
	b.Bias.Direction, b.Bias.Strength = [2]Distribution{spread(1), spread(0)}, Uniform(-1, 1)
	b.Bias.Wave = WaveOf[Distribution]{spread(1), spread(2), Uniform(0, 360)}
	b.Table = []Sample{{0, 1, 2, 3}}
	got := map[string]Distribution{}
	all := p.Individual(func(field string, d Distribution) float64 {
		if _, twice := got[field]; twice {
			t.Errorf("%s is drawn twice", field)
		}
		got[field] = d
		return d.Mean + 0.25
	})
	inf := math.Inf(1)
	between := func(d Distribution, lo, hi float64) Distribution { return Distribution{d.Mean, d.Std, lo, hi} }
	want := map[string]Distribution{
		"radius": between(p.Radius, 0.025, inf), "maxSpeed": between(p.MaxSpeed, 0.2, inf),
		"preferredSpeed": between(p.PreferredSpeed, 0.134, 2),
		"bvp.cells":      between(b.Cells, 5, 63), "bvp.cellSize": between(b.CellSize, 0.001, 1000), "bvp.relaxations": between(b.Relaxations, 1, 10000),
		"bvp.viewAngle": between(b.ViewAngle, 9, 360), "bvp.inertia": between(b.Inertia, 0, 1-margin),
		"bvp.bias.direction[0]": between(spread(1), -inf, inf), "bvp.bias.direction[1]": between(spread(0), -inf, inf),
		"bvp.bias.strength": Uniform(-1, 1), "bvp.bias.wave.amplitude": between(spread(1), -inf, inf),
		"bvp.bias.wave.frequency": between(spread(2), 0, inf), "bvp.bias.wave.phase": Uniform(0, 360),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	drawn := BVP{
		Cells: 21, CellSize: 1.25, Relaxations: 30, ViewAngle: 90.25, Table: b.Table, Inertia: 0.75, InertiaTime: 0.1, InertiaForm: InertiaAngle, SpeedControl: true, Rules: RulesRobust, Method: MethodRedBlack, Guide: GuideSPM,
		Bias: Bias{[2]float64{1.25, 0.25}, 0.25, WaveOf[float64]{1.25, 2.25, 180.25}},
	}
	if d := cmp.Diff(Individual{0.5, 1.59, 2.25, drawn}, all); d != "" {
		t.Error(d)
	}
	if problems := all.Check(); len(problems) > 0 {
		t.Error(problems)
	}
	if !p.MapsDiffer() || !reflect.DeepEqual(Same(p.Mean().BVP).Cells, Exactly(21)) {
		t.Error("the means of a profile are no profile of their own")
	}
	p = DefaultProfile()
	if p.MapsDiffer() {
		t.Error("agents of the default profile have local maps that differ")
	}
	p.PreferredSpeed = Exactly(3)
	p.Individual(func(field string, _ Distribution) float64 { t.Errorf("%s is drawn", field); return 0 })
	if speed := p.Mean().PreferredSpeed; speed != 2 {
		t.Errorf("prefers %v m/s where 2 are the most", speed)
	}
	bad := p.Mean()
	bad.BVP.Cells, bad.Radius = 64, -1
	if problems := bad.Check(); len(problems) != 2 || problems[0].Path != "$.radius" || problems[1].Path != "$.bvp.cells" {
		t.Errorf("%v", problems)
	}
}

func TestShowDistribution(t *testing.T) {
	for want, d := range map[string]Distribution{
		"0.5": Exactly(0.5), "1.34 ± 0.26": {Mean: 1.34, Std: 0.26}, "-1 to 1": Uniform(-1, 1), "1 ± 0.5, 0.5 to +Inf": {1, 0.5, 0.5, math.Inf(1)},
	} {
		if got := d.String(); got != want {
			t.Errorf("%+v is shown as %s, want %s", d, got, want)
		}
	}
}
