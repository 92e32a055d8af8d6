package builtin

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
)

// crowdScenes are the scenes of Guy et al. and of Bleiweiss: agents and obstacles as the papers
// count them, and the segments of obstacles where the paper counts those.
var crowdScenes = []struct {
	name                        string
	agents, obstacles, segments int
}{
	{"circle-1k", 1000, 0, 0},
	{"4-streams", 2000, 0, 0},
	{"back-and-forth-80", 80, 0, 0},
	{"evac-500", 500, 53, 212},
	{"evac-1k", 1000, 53, 212},
	{"evac-5k", 5000, 53, 212},
	{"stadium-25k", 25000, 1400, 5600},
	{"city-10k", 10000, 1500, 5982},
	{"city-100k", 100000, 1500, 5982},
	{"city-250k", 250000, 1500, 5982},
	{"simple", 4, 1, 4},
	{"car", 12, 1, 10},
	{"robots", 24, 25, 130},
	{"circle", 32, 0, 0},
	{"narrow", 100, 2, 16},
	{"stadium", 245, 4, 24},
	{"crosswalk", 400, 2, 8},
	{"evacuation-500", 500, 53, 212},
	{"evacuation-1k", 1000, 53, 212},
	{"evacuation-5k", 5000, 53, 212},
	{"evacuation-10k", 10000, 53, 212},
	{"evacuation-20k", 20000, 53, 212},
}

func TestCrowdScenesHaveThePapersCounts(t *testing.T) {
	listed := map[string]Entry{}
	for _, e := range List() {
		listed[e.Name] = e
	}
	for _, want := range crowdScenes {
		e, ok := listed[want.name]
		if !ok {
			t.Errorf("%s is not listed", want.name)
			continue
		}
		if e.Agents != want.agents || e.Obstacles != want.obstacles || e.Vertices != want.segments {
			t.Errorf("%+v, want %d agents, %d obstacles, %d vertices", e, want.agents, want.obstacles, want.segments)
		}
	}
}

// TestPlacesStayTheSame holds every machine to the same obstacles and starting points, by a hash of
// them (FNV-1a, 64 bits).
func TestPlacesStayTheSame(t *testing.T) {
	for name, want := range map[string]uint64{
		"4-streams": 0xd1b0c87be185201, "stadium-25k": 0x29f6e467bcb6575e, "city-10k": 0x6f6d78df84093100,
		"robots": 0x4cef42d13654f269, "stadium": 0xd2962cd1188db64b, "evac-500": 0xac29d02fd25f1746,
	} {
		s, _ := generate(name)
		h := fnv.New64a()
		for _, o := range s.Obstacles {
			fmt.Fprintln(h, o.Polygon())
		}
		for _, g := range s.Groups {
			fmt.Fprintln(h, g.Spawn.Points, g.Count)
		}
		if h.Sum64() != want {
			t.Errorf("%s has the hash %#x, want %#x", name, h.Sum64(), want)
		}
	}
}

// TestCrowdsHaveOnePieceOfGround checks that every goal is in reach from every place, for a point
// and for the widest disc of the scene.
func TestCrowdsHaveOnePieceOfGround(t *testing.T) {
	type ground struct{ obstacles, segments int }
	tested := map[ground]bool{}
	for _, c := range crowdScenes {
		if this := (ground{c.obstacles, c.segments}); tested[this] {
			continue // only agents differ
		} else {
			tested[this] = true
		}
		s, _ := generate(c.name)
		widest := 0.0
		for _, p := range s.Profiles {
			widest = max(widest, p.Radius.Mean)
		}
		for _, clearance := range []float64{0, widest} {
			g, err := s.GroundFor(0, scenes.Passage{Clearance: clearance})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if pieces := piecesOf(g); pieces != 1 {
				t.Errorf("%s has %d pieces of ground with clearance %v, want 1", c.name, pieces, clearance)
			}
		}
	}
}

// TestCircles checks that neighbors on the circle start at least 0.8 m apart, and little more where
// they are many.
func TestCircles(t *testing.T) {
	for _, n := range []int{2, 3, 10, 250, 1000, 10000} {
		s := circle(n)
		r := s.Groups[0].Spawn.Ring.Radius
		chord := 2 * r * math.Sin(math.Pi/float64(n))
		// The radius is rounded up to a meter, which moves neighbors of n agents by up to 2 pi / n m.
		if chord < 0.8-1e-3 || n > 20 && chord > 0.8+2*math.Pi/float64(n) {
			t.Errorf("%d agents start %v m apart on a circle of %v m", n, chord, r)
		}
	}
}

// TestDiscs checks the count, and that the density is one agent on 25 m2 where there are many.
func TestDiscs(t *testing.T) {
	for _, n := range []int{1, 6, 7, 100, 1000, 10_000, 1_000_000} {
		s := disc(n)
		if s.Agents() != n {
			t.Errorf("%d agents of %d", s.Agents(), n)
		}
		// Ring k of radius 5 k has 2 pi k agents, rounded down; the last has the rest.
		rings := float64(len(s.Groups))
		if area := math.Pi * 25 * rings * rings; float64(n) > area/25+math.Pi*rings || n > 100 && float64(n) < area/25-3*math.Pi*rings {
			t.Errorf("%d agents on %v rings", n, rings)
		}
	}
}

// TestFamiliesAtTheirLimits checks that the largest and the smallest scene of each family read
// without a problem.
func TestFamiliesAtTheirLimits(t *testing.T) {
	for _, f := range families {
		for _, n := range []int{1, f.most} {
			name := f.name + "-" + sizeText(n)
			data, ok := Document(name)
			if !ok {
				t.Fatalf("%s is not found", name)
			}
			s, problems := scenes.Read(name, data)
			for _, p := range problems {
				if !p.Note {
					t.Error(p)
				}
			}
			if s == nil {
				t.Errorf("%s is refused", name)
			}
		}
	}
}

// TestSizes checks that 1k and 1000 are one size, and that the scene's name is the short one.
func TestSizes(t *testing.T) {
	for _, name := range []string{"circle-1k", "Circle-1K", "circle-1000"} {
		if s, err := Load(name); err != nil || s.Name != "circle-1k" || s.Agents() != 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"circle-01k", "circle-k", "circle-0k", "circle-1.5k", "circle-11k", "circle-10001", "circle--1", "back-and-forth-151"} {
		if s, err := Load(name); err == nil {
			t.Errorf("%s is %s", name, s.Name)
		}
	}
	for n, want := range map[int]string{1: "1", 999: "999", 1000: "1,000", 25000: "25,000", 1234567: "1,234,567", 1000009: "1,000,009"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

// piecesOf returns the number of connected pieces of a ground's free triangles.
func piecesOf(g *geom.Ground) (pieces int) {
	seen := make([]bool, len(g.Triangles))
	for first, f := range g.Triangles {
		if !f.Free || seen[first] {
			continue
		}
		pieces++
		seen[first] = true
		for todo := []int32{int32(first)}; len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for e := range int32(3) {
				if n, _ := g.Across(at, e); n >= 0 && !seen[n] {
					seen[n] = true
					todo = append(todo, n)
				}
			}
		}
	}
	return pieces
}
