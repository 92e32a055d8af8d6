package agents

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// checkStanding holds what is true of whoever is there: free ground, and a free sector of it.
func checkStanding(t *testing.T, g *geom.Ground, r *Reference, a Agent) {
	t.Helper()
	s := footingOf(a, r.onLattice(a.Position))
	if !finite(a.Position) || !finite(a.Velocity) {
		t.Fatalf("%+v is nowhere", a)
	}
	if !g.Free(s.at) {
		t.Fatalf("%+v is inside an obstacle at %v", a, s.at)
	}
	if ws := barriers(r.Walls); ws.leaningPoint(s.at) != s.at && len(sectorsOf(g, s)) == 0 {
		t.Fatalf("%+v leans into an obstacle at %v", a, s.at)
	}
}

// empty is a domain of 2^20 m, a lattice step a meter, with agents in all statuses.
const empty = `{"version": 1, "domain": [0, 0, 1048576, 1048576],
	"goals": [{"id": "far", "points": [[1048000, 1048000]]}],
	"profiles": [{"id": "p", "radius": 0.1, "preferredSpeed": {"mean": 1, "std": 0}}],
	"groups": [{"count": 300, "spawn": {"rect": [10, 10, 1000000, 1000000]}},
		{"count": 20, "spawn": {"rect": [10, 10, 1000000, 1000000]}, "start": {"at": 0.3}}],
	"simulation": {"timestep": 0.1}}`

// Agents anywhere, on random grounds that come one after another, are put where the
// plain form puts them, which is nearest, and keep what is still true.
func TestDisplaceAgreesWithReference(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, empty, 16)
		r := x.reference
		displaced := 0
		for i := range x.traits {
			if i%11 == 0 {
				x.traits[i].Control = ControlHost
			}
		}
		x.crowd.traits.Write(0, x.traits)
		for round := range 9 {
			n := &numbers{seed: uint32(200 + round)}
			unit := []int{1, 3, 14000}[round%3]
			terrain := randomTerrain(t, n, unit, 40)
			for i := range x.after {
				a := &x.after[i]
				a.Position = r.Lattice.Local(n.place(terrain.Ground, unit))
				from := n.place(terrain.Ground, unit)
				a.FromX, a.FromY, a.Perturbation, a.Sees = from.X, from.Y, leanOf(n.below(2)), 1
				if a.Status == Walking {
					a.Status = append(slices.Repeat([]Status{Walking}, 18), Arrived, Placed)[n.below(20)]
				}
			}
			x.crowd.agents[0].Write(0, x.after)
			if err := x.crowd.SetGround(terrain.Ground, terrain.Grid); err != nil {
				t.Fatal(err)
			}
			r.Walls = WallsOf(terrain.Ground)
			clock := x.crowd.clock
			stepCrowd(x.crowd)
			got := make([]Agent, len(x.after))
			x.crowd.agents[1].Read(0, got)
			kept := 0
			for i, a := range x.after {
				want, ok := r.Displace(a, x.traits[i], clock, true)
				if got[i] != want {
					t.Fatalf("round %d, agent %d %+v:\n got %+v\nwant %+v", round, i, a, got[i], want)
				}
				if a.Status == Waiting && clock < x.traits[i].Entry || a.Status != Waiting && !engineMoves(a, x.traits[i]) {
					continue
				}
				checkStanding(t, terrain.Ground, r, want)
				if !ok {
					kept++
					continue
				}
				displaced++
				at, to := r.onLattice(a.Position), r.onLattice(want.Position)
				nearest, _ := terrain.Ground.Nearest(at)
				// Both are lattice points near the same feet: geom's within SnapSlack and half
				// a step along each axis, ours within 1.5.
				if mine, its := far(at, to), far(at, nearest); mine > its+5*math.Sqrt2 {
					t.Fatalf("round %d: from %v to %v is %v steps, to %v %v", round, at, to, mine, nearest, its)
				}
			}
			if kept < 50 {
				t.Errorf("round %d: %d agents keep their place; the places are no test", round, kept)
			}
			x.crowd.Snapshot(x.after)
			for i, a := range x.after {
				if engineMoves(a, x.traits[i]) {
					checkStanding(t, terrain.Ground, r, a)
				}
			}
		}
		for range counterLatency {
			stepCrowd(x.crowd)
		}
		if c := x.crowd.Counters(); c.Displaced != displaced || displaced < 500 {
			t.Errorf("counted %d displaced agents, want %d", c.Displaced, displaced)
		}
	})
}

func far(p, q geom.Point) float64 { return math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y)) }

// Free ground however deep one is buried, on fine grids and coarse ones; none at all
// keeps all agents where they are until there is some again.
func TestBuried(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, empty, 16)
		r := x.reference
		ground := func(walls int, polygons ...geom.Polygon) Terrain {
			// Slivers far away make the grid finer.
			for i := range walls {
				at := mgl64.Vec2{1e6 + float64(i%100)*100, 1e6 + float64(i/100)*100}
				polygons = append(polygons, geom.Polygon{Outer: geom.Ring{at, at.Add(mgl64.Vec2{50, 0}), at.Add(mgl64.Vec2{0, 50})}})
			}
			g, err := geom.Build(r.Lattice, polygons)
			if err != nil {
				t.Fatal(err)
			}
			return Terrain{g, geom.NewWallGrid(g)}
		}
		square := func(size float64) geom.Polygon {
			return geom.Polygon{Outer: geom.Ring{{0, 0}, {size, 0}, {size, size}, {0, size}}}
		}
		set := func(terrain Terrain) {
			t.Helper()
			if err := x.crowd.SetGround(terrain.Ground, terrain.Grid); err != nil {
				t.Fatal(err)
			}
			r.Walls = WallsOf(terrain.Ground)
			x.step()
		}
		start := slices.Clone(x.after)
		for _, walls := range []int{0, 1000} {
			terrain := ground(walls, square(999990))
			for i := range x.after {
				x.after[i].Position = start[i].Position
			}
			x.crowd.agents[0].Write(0, x.after)
			set(terrain)
			for i, a := range x.after {
				if a.Status == Waiting {
					continue
				}
				checkStanding(t, terrain.Ground, r, a)
				// Straight out, along one axis, and on for a step of 0.1 m.
				want := 999990 - max(start[i].Position[0], start[i].Position[1])
				if got := length(minus(a.Position, start[i].Position)); math.Abs(float64(got-want)) > 1 {
					t.Fatalf("from %v to %v, %v m away, want %v", start[i].Position, a.Position, got, want)
				}
			}
		}
		before := slices.Clone(x.after)
		set(ground(0, square(geom.Steps)))
		for range 50 {
			x.step()
		}
		// An agent on its goal stays too; those that were to enter since have.
		for i, a := range x.after {
			if a.Position != before[i].Position || a.Velocity != [2]float32{} || a.Status != Walking {
				t.Fatalf("no ground is free, but agent %d: %+v before %+v", i, a, before[i])
			}
		}
		if c := x.crowd.Counters(); c.Buried != len(x.after) || c.Walking != len(x.after) {
			t.Errorf("no ground is free: %+v", c)
		}
		terrain := ground(0, square(1000000))
		set(terrain)
		for _, a := range x.after {
			checkStanding(t, terrain.Ground, r, a)
		}
		for range counterLatency {
			x.step()
		}
		if c := x.crowd.Counters(); c.Buried != 0 || c.Displaced != 300+300+320 {
			t.Errorf("ground is free again: %+v", c)
		}
	})
}

// An agent enters beside an obstacle that has covered its spawn position, and is not displaced
// before.
func TestEntryOnChangedGround(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, `{"version": 1, "domain": [0, 0, 40, 20], "goals": [{"id": "out", "points": [[39, 10]]}],
			"groups": [{"spawn": {"points": [[10, 10]]}, "start": {"at": 1}}, {"spawn": {"points": [[20, 10]]}, "start": {"at": 1}}]}`, 20)
		block := func(x0, x1 float64) Terrain {
			g, err := geom.Build(x.ground.Lattice, []geom.Polygon{{Outer: geom.Ring{{x0, 6}, {x1, 6}, {x1, 15}, {x0, 15}}}})
			if err != nil {
				t.Fatal(err)
			}
			return Terrain{g, geom.NewWallGrid(g)}
		}
		for step, terrain := range []Terrain{block(8, 13), block(18, 23), block(17, 22)} {
			if err := x.crowd.SetGround(terrain.Ground, terrain.Grid); err != nil {
				t.Fatal(err)
			}
			x.step()
			if x.after[0].Position != ([2]float32{10, 10}) || x.after[1].Position != ([2]float32{20, 10}) {
				t.Fatalf("step %d: the agent that has not entered is at %v and %v", step, x.after[0].Position, x.after[1].Position)
			}
		}
		for x.crowd.clock < 11 {
			x.step()
		}
		// One step on, in the second case to the wall and along it.
		if a, b := x.after[0], x.after[1]; a.Position[0] < 10 || a.Position[0] > 10.2 || a.Status != Walking || b.Position[0] < 22 && b.Position[1] > 6 {
			t.Errorf("entered at %v and %v", a.Position, b.Position)
		}
	})
}

// Walls that move through a crowd, step after step: no agent gets into them or through them while
// they are where they are, nothing is read back, the buffer stays, and two runs agree.
func TestMovingWalls(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		scene := fmt.Sprintf(hall, `{"count": 400, "spawn": {"rect": [100, 1, 199, 119]}, "itinerary": ["east", "west"], "onArrival": "loop"}`, "0.1")
		x, y := try(t, d, scene, 100), try(t, d, scene, 100)
		still := []geom.Polygon{}
		for _, o := range x.scene.Obstacles {
			still = append(still, o.Polygon())
		}
		var name uint32
		for step := range 150 {
			at := 100 + float64(step)*0.5
			sliver := geom.Polygon{Outer: geom.Ring{{at, 20}, {at + 3, 70}, {at + 3, 70.0000001}}}
			block := geom.Polygon{Outer: geom.Ring{{at, 80}, {at + 8, 80}, {at + 8, 110}, {at, 110}}}
			ground, err := geom.Build(x.ground.Lattice, append(slices.Clone(still), sliver, block))
			if err != nil {
				t.Fatal(err)
			}
			grid := geom.NewWallGrid(ground)
			for _, of := range []*trial{x, y} {
				if err := of.crowd.SetGround(ground, grid); err != nil {
					t.Fatal(err)
				}
			}
			if step == 0 {
				name = x.crowd.walls.buffer.Name()
			} else if x.crowd.walls.buffer.Name() != name {
				t.Fatalf("step %d: the walls have another buffer", step)
			}
			readbacks := d.Readbacks()
			stepCrowd(x.crowd)
			if d.Readbacks() != readbacks {
				t.Fatalf("step %d reads back", step)
			}
			stepCrowd(y.crowd)
			r := x.reference
			r.Walls = WallsOf(ground)
			x.before, x.after = x.after, x.before
			x.crowd.agents[1].Read(0, x.before) // as displaced
			x.crowd.Snapshot(x.after)
			y.crowd.Snapshot(y.after)
			if !slices.Equal(x.after, y.after) {
				t.Fatalf("step %d: runs differ", step)
			}
			for i, a := range x.after {
				checkStanding(t, ground, r, a)
				q, p := r.onLattice(x.before[i].Position), r.onLattice(a.Position)
				for _, w := range r.Walls {
					if v, w := w.ends(); crosses(q, p, v, w) {
						t.Fatalf("step %d: agent %d passes a wall from %v to %v", step, i, q, p)
					}
				}
			}
		}
		if c := x.crowd.Counters(); c.Displaced < 20 {
			t.Errorf("the walls came to lie on %d agents only; the scene is no test", c.Displaced)
		}
	})
}

// Agents that walls pass over, which move and turn, are put where the plain form puts them: on
// ground that is free, on the side of the wall that it came from, unless one that stands is in the
// way.
func TestSweptAgreesWithReference(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		x := try(t, d, empty, 16)
		r := x.reference
		random := rand.New(rand.NewPCG(5, 14))
		pushed, elsewhere := 0, 0
		for round := range 12 {
			plan := geom.NewBuilder(x.ground.Lattice)
			var obstacles []Motion
			for id := range 24 {
				middle := mgl64.Vec2{3e5 * (1 + random.Float64()), 3e5 * (1 + random.Float64())}
				along := mgl64.Rotate2D(6 * random.Float64()).Mul2x1(mgl64.Vec2{6e4 * random.Float64(), 0})
				across := mgl64.Vec2{-along[1], along[0]}.Mul(0.02 + 0.2*random.Float64())
				err := plan.Set(id, geom.Polygon{Outer: geom.Ring{
					middle.Sub(along).Sub(across), middle.Add(along).Sub(across), middle.Add(along).Add(across), middle.Sub(along).Add(across),
				}})
				if err != nil {
					t.Fatal(err)
				}
				obstacles = append(obstacles, Motion{})
				if id%4 > 0 {
					turn := mgl64.Rotate2D(-0.5 * random.Float64() * float64(id%3))
					by := mgl64.Vec2{3e4 * random.NormFloat64(), 3e4 * random.NormFloat64()}.Mul(float64(round % 3))
					obstacles[id].Moved = func(p mgl64.Vec2) mgl64.Vec2 {
						off := p.Sub(middle)
						return off.Sub(turn.Mul2x1(off)).Add(by)
					}
				}
			}
			ground, err := plan.Ground()
			if err != nil {
				t.Fatal(err)
			}
			for id := range obstacles {
				obstacles[id].Walls = plan.Walls(id)
			}
			terrain := Terrain{ground, geom.NewWallGrid(ground)}
			records, moved := wallRecords(terrain), new(motions).recordsOf(terrain, obstacles)
			r.Walls, r.Moved = WallsOf(ground), map[Wall][4]float32{}
			for i := len(terrain.Grid.Start) - 1; i < len(records); i++ {
				r.Moved[Wall{records[i][0], records[i][1], records[i][2], records[i][3]}] = moved[2*i+1]
			}
			for i := range x.after {
				x.after[i].Position = r.Lattice.Local(r.Lattice.Snap(mgl64.Vec2{3e5 * (1 + random.Float64()), 3e5 * (1 + random.Float64())}))
			}
			x.crowd.agents[0].Write(0, x.after)
			if err := x.crowd.SetGround(terrain.Ground, terrain.Grid); err != nil {
				t.Fatal(err)
			}
			if err := x.crowd.SetMotions(obstacles); err != nil {
				t.Fatal(err)
			}
			clock := x.crowd.clock
			stepCrowd(x.crowd)
			got := make([]Agent, len(x.after))
			x.crowd.agents[1].Read(0, got)
			for i, a := range x.after {
				want, ok := r.Displace(a, x.traits[i], clock, true)
				if got[i] != want {
					t.Fatalf("round %d, agent %d %+v:\n got %+v\nwant %+v", round, i, a, got[i], want)
				}
				if !ok {
					continue
				}
				checkStanding(t, ground, r, want)
				if _, meets := r.meetsWall(r.onLattice(a.Position)); meets {
					pushed++
				} else {
					elsewhere++
				}
			}
			x.crowd.Snapshot(x.after)
		}
		if pushed < 300 || elsewhere < 100 {
			t.Errorf("%d were pushed, %d put elsewhere: that is no test", pushed, elsewhere)
		}
	})
}
