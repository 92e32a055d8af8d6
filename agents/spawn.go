package agents

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/scenes"
)

// Placement is how one agent begins.
type Placement struct {
	// At is the place of the centre, in closed free space.
	At geom.Point
	// From lies, turned infinitesimally counter-clockwise about At, in the free
	// sector that the agent stands in; it matters where At lies on a wall.
	From geom.Point
	// Group is the index of the agent's group in the scene.
	Group int
	// Speed is the preferred speed. Units: m/s.
	Speed float64
	// Time of entry. Units: s.
	Time float64
	// Own is the agent's own goal point, where the group's goal is the antipode.
	// World coordinates. Units: m.
	Own mgl64.Vec2
}

// RoomError says that a group's people do not fit where they should start.
type RoomError struct {
	Group  string // the group's id
	Wanted int
	Fit    int // how many there is room for, at least
	// Place is the first place that is not free, of spawns that name their
	// places: points, ring and grid. World coordinates. Units: m.
	Place mgl64.Vec2
	// Cause is what stands there, or empty for spawns over an area.
	Cause string
}

func (e *RoomError) Error() string {
	at := ""
	if e.Cause != "" {
		p := polygon.Shown(e.Place[:]...)
		at = fmt.Sprintf(" (%s at %v, %v)", e.Cause, p[0], p[1])
	}
	return fmt.Sprintf("agents: group %q: %d of %d people fit its spawn clear of walls and of one another%s; enlarge the spawn, or lower the count or the radius",
		e.Group, e.Fit, e.Wanted, at)
}

// dartTries is how many random places an agent tries before the group is
// packed instead. Random places without order jam at 55% of the area covered;
// at half of that four darts in five miss, and one agent in 10^19 misses 200.
const dartTries = 200

// mostPlaces is how many places pack tries to arrange few agents in: some seconds for all
// arrangements.
const mostPlaces = 1 << 20

// Spawn places every agent of a scene, in order of their groups. Same scene, same placements, on
// every machine: random numbers are counter-based and places are rounded to the lattice.
//
// Nobody starts inside a wall or inside another: centres lie in closed free
// space, discs do not overlap, across groups too, and discs of spawns over an
// area (rect, circle) and of grids keep off walls; where such a spawn has no
// place at all for a disc, as in a corridor narrower than it, only the centre
// has to. Points and rings name their places and get them exactly, if the
// centre is free. People who enter at different times may have the same place
// if the earlier one has had the time to walk the sum of the two radii.
//
// Who has a named place comes first, so that those spread over areas keep out of
// the way. Area spawns throw darts: uniform random places, a miss thrown again. When
// they fail, the people are packed in rows and shuffled. What does not fit then
// is a *RoomError that says how many did.
//
// Preferred speeds are normal with the profile's mean and standard deviation,
// cut to between a tenth of the mean (so that nobody takes forever) and the
// greatest speed.
func Spawn(scene *scenes.Scene, ground *geom.Ground, walls *geom.WallGrid) ([]Placement, error) {
	s := &spawner{scene: scene, ground: ground, walls: walls, lattice: ground.Lattice}
	groups := make([][]Placement, len(scene.Groups))
	for _, areas := range [...]bool{false, true} {
		for i, g := range scene.Groups {
			if areas != (g.Spawn.Rect != nil || g.Spawn.Circle != nil) {
				continue
			}
			s.placements = make([]Placement, 0, g.Count)
			if err := s.group(i); err != nil {
				return nil, err
			}
			groups[i] = s.placements
		}
	}
	return slices.Concat(groups...), nil
}

type spawner struct {
	scene   *scenes.Scene
	ground  *geom.Ground
	walls   *geom.WallGrid
	lattice geom.Lattice

	crowds []*crowdedness // one for each size of radius

	// Of the current group.
	index   int
	current scenes.Group
	profile scenes.Profile
	radius  float64 // in lattice steps
	speed   float64 // lattice steps a second, the mean preferred speed

	placements []Placement // of the current group
}

// crowdedness finds discs of radii from more than half of the largest one on, by place, in squares
// of 2^shift lattice steps and, so that a search of any reach is short, in the quadtree above them.
// In a square they are by time, so that a source of agents is searched only as long as they take to
// leave it.
type crowdedness struct {
	shift   int     // 2^shift is at least a diameter, or the whole lattice
	largest float64 // radius, lattice steps
	slowest float64 // lattice steps a second
	discs   map[geom.Point][]disc
	// held has, of each level above, the squares that have or had a disc.
	held []map[geom.Point]bool
}

func newCrowdedness(shift int) *crowdedness {
	c := &crowdedness{shift: shift, slowest: math.Inf(1), discs: map[geom.Point][]disc{}}
	for range geom.Bits - shift {
		c.held = append(c.held, map[geom.Point]bool{})
	}
	return c
}

// shiftOf is the shift of the least squares that are as wide as a length in
// lattice steps, or as wide as the lattice.
func shiftOf(length float64) int {
	return bits.Len(uint(min(max(1, math.Ceil(length)), geom.Steps)) - 1)
}

// square is the lowest one around p.
func (c *crowdedness) square(p geom.Point) geom.Point {
	return geom.Point{X: p.X >> c.shift, Y: p.Y >> c.shift}
}

func (c *crowdedness) add(d disc) {
	c.largest, c.slowest = max(c.largest, d.radius), min(c.slowest, d.speed)
	at := c.square(d.at)
	discs := c.discs[at]
	c.discs[at] = slices.Insert(discs, after(discs, d.time), d)
	for _, held := range c.held {
		at.X, at.Y = at.X>>1, at.Y>>1
		if held[at] {
			break // and so do all above
		}
		held[at] = true
	}
}

// after is the index behind the discs that enter until a time.
func after(discs []disc, time float64) int {
	return sort.Search(len(discs), func(i int) bool { return discs[i].time > time })
}

// remove takes back the disc that was added last of those that enter at a time in p's square.
func (c *crowdedness) remove(p geom.Point, time float64) {
	at := c.square(p)
	last := after(c.discs[at], time) - 1
	c.discs[at] = slices.Delete(c.discs[at], last, last+1)
}

// any reports whether a disc that enters after one time and before another has its center nearer to
// p than so many lattice steps and fulfills a condition.
func (c *crowdedness) any(p geom.Point, near, from, until float64, condition func(disc) bool) bool {
	reach := int32(min(math.Ceil(near), geom.Steps))
	level := max(shiftOf(near)-c.shift, 0)
	shift := c.shift + level
	for y := max(p.Y-reach, 0) >> shift; y <= (p.Y+reach)>>shift; y++ {
		for x := max(p.X-reach, 0) >> shift; x <= (p.X+reach)>>shift; x++ {
			if c.anyIn(geom.Point{X: x, Y: y}, level, p, near, from, until, condition) {
				return true
			}
		}
	}
	return false
}

// anyIn is any in a square of a level, 0 the lowest.
func (c *crowdedness) anyIn(square geom.Point, level int, p geom.Point, near, from, until float64, condition func(disc) bool) bool {
	if level == 0 {
		discs := c.discs[square]
		for _, d := range discs[after(discs, from):] {
			if d.time >= until {
				break
			}
			if nearer(float64(p.X-d.at.X), float64(p.Y-d.at.Y), near) && condition(d) {
				return true
			}
		}
		return false
	}
	shift := c.shift + level
	dx, dy := gapTo(p.X, square.X, shift), gapTo(p.Y, square.Y, shift)
	if !c.held[level-1][square] || !nearer(dx, dy, near) {
		return false
	}
	for part := range int32(4) {
		below := geom.Point{X: square.X<<1 + part&1, Y: square.Y<<1 + part>>1}
		if c.anyIn(below, level-1, p, near, from, until, condition) {
			return true
		}
	}
	return false
}

// gapTo is how far a coordinate is from those of the n-th interval of 2^shift.
func gapTo(x, n int32, shift int) float64 {
	first := n << shift
	return float64(max(first-x, x-(first+1<<shift-1), 0))
}

// nearer compares lengths on the lattice. The left side is exact.
func nearer(dx, dy, near float64) bool {
	return float64(dx*dx)+float64(dy*dy) < float64(near*near)
}

type disc struct {
	at     geom.Point
	radius float64 // lattice steps
	time   float64
	speed  float64 // lattice steps a second
}

func (s *spawner) group(index int) error {
	g := s.scene.Groups[index]
	profile, ok := s.scene.Profile(g.Profile)
	if !ok {
		panic(fmt.Sprintf("agents: group %q has the unknown profile %q; check scenes before spawning", g.ID, g.Profile))
	}
	s.index, s.current, s.profile = index, g, profile
	s.radius = profile.Radius / s.lattice.Step
	s.speed = min(profile.PreferredSpeed.Mean, profile.MaxSpeed) / s.lattice.Step
	if g.Count == 0 {
		return nil
	}
	switch spawn := g.Spawn; {
	case spawn.Rect != nil:
		r := *spawn.Rect
		return s.area(area{
			lo: r.Min(), hi: r.Max(),
			contains: r.Contains,
		})
	case spawn.Circle != nil:
		c, r := spawn.Circle.Center, spawn.Circle.Radius
		return s.area(area{
			lo: c.Sub(mgl64.Vec2{r, r}), hi: c.Add(mgl64.Vec2{r, r}),
			contains: func(p mgl64.Vec2) bool {
				d := p.Sub(c)
				return float64(d[0]*d[0])+float64(d[1]*d[1]) <= float64(r*r)
			},
		})
	case spawn.Ring != nil:
		return s.places(ringPlaces(*spawn.Ring, g.Count), false)
	case spawn.Grid != nil:
		return s.places(gridPlaces(*spawn.Grid), true)
	default:
		places := make([]mgl64.Vec2, g.Count)
		for i := range places {
			places[i] = spawn.Points[i%len(spawn.Points)]
		}
		return s.places(places, false)
	}
}

// time of entry of the group's agent k.
func (s *spawner) time(k int) float64 {
	t := s.current.Start.At
	if rate := s.current.Start.Rate; rate > 0 {
		t += float64(k) / rate
	}
	return t
}

// ringPlaces returns n places at equal distances on a circle, the first in the
// direction of x, counter-clockwise. Directions are rounded to 2^-40: sines
// differ in their last bit between processors.
func ringPlaces(ring scenes.Disc, n int) []mgl64.Vec2 {
	const grain = 1 << 40
	places := make([]mgl64.Vec2, n)
	for k := range places {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		sin, cos = math.Round(sin*grain)/grain, math.Round(cos*grain)/grain
		places[k] = mgl64.Vec2{ring.Center[0] + float64(ring.Radius*cos), ring.Center[1] + float64(ring.Radius*sin)}
	}
	return places
}

func gridPlaces(grid scenes.Grid) []mgl64.Vec2 {
	var places []mgl64.Vec2
	for row := range grid.Rows() {
		for column := range grid.Columns() {
			places = append(places, mgl64.Vec2{
				grid.Rect[0] + float64(float64(column)*grid.Spacing),
				grid.Rect[1] + float64(float64(row)*grid.Spacing),
			})
		}
	}
	return places
}

// places sets the group's people on given places, in order. A grid leaves out
// the places that are taken, the others must all be free.
func (s *spawner) places(places []mgl64.Vec2, grid bool) error {
	g := s.current
	clear := false
	if grid {
		clear = slices.ContainsFunc(places, func(p mgl64.Vec2) bool {
			at, ok := s.free(p)
			return ok && s.offWalls(at)
		})
	}
	refused := RoomError{Group: g.ID, Wanted: g.Count}
	for _, place := range places {
		if refused.Fit == g.Count {
			break
		}
		k := refused.Fit
		var cause string
		at, ok := s.free(place)
		switch {
		case !ok:
			cause = "an obstacle or the outside"
		case clear && !s.offWalls(at):
			cause = "a wall"
		case s.taken(at, s.time(k), s.time(k)):
			cause = "another agent"
		default:
			own := mgl64.Vec2{}
			if g.Goal == scenes.AntipodeGoal && g.Spawn.Ring != nil {
				own = g.Spawn.Ring.Center.Mul(2).Sub(place)
			}
			s.place(k, at, own)
			refused.Fit++
			continue
		}
		if refused.Cause == "" {
			refused.Place, refused.Cause = place, cause
		}
	}
	if refused.Fit < g.Count {
		return &refused
	}
	return nil
}

// area is where people are spread at random.
type area struct {
	lo, hi   mgl64.Vec2
	contains func(mgl64.Vec2) bool
}

func (s *spawner) area(a area) error {
	thrown := s.darts(a)
	if thrown == s.current.Count {
		return nil
	}
	s.forget()
	places := s.pack(a, true)
	if len(places) == 0 {
		places = s.pack(a, false)
	}
	g := s.current
	if len(places) < g.Count {
		return &RoomError{Group: g.ID, Wanted: g.Count, Fit: max(len(places), thrown)}
	}
	type key struct {
		u     float64
		place geom.Point
	}
	keys := make([]key, len(places))
	for i, p := range places {
		u, _ := random(s.scene.Simulation.Seed, streamOrder, uint32(s.index), uint32(i), 0)
		keys[i] = key{u, p}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.u != b.u {
			if a.u < b.u {
				return -1
			}
			return 1
		}
		return a.place.Compare(b.place)
	})
	for k := range g.Count {
		s.place(k, keys[k].place, mgl64.Vec2{})
	}
	return nil
}

// darts places the group at random, up to the first who finds no place, and
// returns how many did.
func (s *spawner) darts(a area) int {
	w, h := a.hi[0]-a.lo[0], a.hi[1]-a.lo[1]
	for k := range s.current.Count {
		placed := false
		for try := range uint32(dartTries) {
			u, v := random(s.scene.Simulation.Seed, streamPlace, uint32(s.index), uint32(k), try)
			p := mgl64.Vec2{a.lo[0] + float64(u*w), a.lo[1] + float64(v*h)}
			if !a.contains(p) || !s.lattice.Contains(p) {
				continue
			}
			at := s.lattice.Snap(p)
			if s.taken(at, s.time(k), s.time(k)) || !s.offWalls(at) || !s.ground.Free(at) {
				continue
			}
			s.place(k, at, mgl64.Vec2{})
			placed = true
			break
		}
		if !placed {
			return k
		}
	}
	return s.current.Count
}

// pack returns places in rows, in which as many discs have room as this simple
// method finds: hexagonal rows along x and along y, and square ones, begun at
// the area's corner and a radius inside it. It stops at the first arrangement
// that holds the group, else returns the fullest. Tiny discs in a large area
// are packed less densely, so that an arrangement has mostPlaces places or 16
// for each agent: room for the group where a sixteenth of the area is free.
func (s *spawner) pack(a area, clear bool) []geom.Point {
	lo, hi := s.lattice.Snap(a.lo), s.lattice.Snap(a.hi)
	width, height := float64(hi.X-lo.X), float64(hi.Y-lo.Y)
	spacing := max(1, 2*s.radius, math.Sqrt(width*height/float64(max(16*s.current.Count, mostPlaces))))
	diameter := int64(math.Ceil(spacing))
	high := diameter // the least height with diameter^2 <= height^2 + (diameter/2)^2
	for half := diameter / 2; (high-1)*(high-1)+half*half >= diameter*diameter; {
		high--
	}
	// Rounding may have put the corner just outside.
	if corner := s.lattice.World(lo); corner[0] < a.lo[0] {
		lo.X++
	}
	if corner := s.lattice.World(lo); corner[1] < a.lo[1] {
		lo.Y++
	}
	latest := s.time(s.current.Count - 1)
	var best []geom.Point
	for _, inset := range [...]int64{0, int64(math.Ceil(s.radius))} {
		for pattern := range 3 {
			var places []geom.Point
			dx, dy, shift := diameter, high, diameter/2
			if pattern == 2 {
				dy, shift = diameter, 0
			}
			u0, v0 := int64(lo.X)+inset, int64(lo.Y)+inset
			u1, v1 := int64(hi.X), int64(hi.Y)
			if pattern == 1 {
				u0, v0, u1, v1 = v0, u0, v1, u1
			}
			for row, v := 0, v0; v <= v1; row, v = row+1, v+dy {
				u := u0
				if row%2 == 1 {
					u += shift
				}
				for ; u <= u1; u += dx {
					at := geom.Point{X: int32(u), Y: int32(v)}
					if pattern == 1 {
						at.X, at.Y = at.Y, at.X
					}
					if a.contains(s.lattice.World(at)) && !s.taken(at, s.time(0), latest) &&
						(!clear || s.offWalls(at)) && s.ground.Free(at) {
						places = append(places, at)
					}
				}
			}
			if len(places) > len(best) {
				best = places
			}
			if len(best) >= s.current.Count {
				return best
			}
		}
	}
	return best
}

// free returns the lattice point of a place that the author of a scene named,
// if it is in closed free space. Rounding to the lattice may put a point that
// touches an obstacle behind its wall; it then goes to the nearest free point.
func (s *spawner) free(p mgl64.Vec2) (geom.Point, bool) {
	if !s.lattice.Contains(p) {
		return geom.Point{}, false
	}
	at := s.lattice.Snap(p)
	if s.ground.Free(at) {
		return at, true
	}
	return s.ground.NearestFree(at, geom.SnapSlack)
}

// offWalls reports whether the current group's disc at p touches walls at most
// from outside. Distances are taken on the lattice.
func (s *spawner) offWalls(p geom.Point) bool {
	reach := int32(min(math.Ceil(s.radius), geom.Steps))
	limit := float64(s.radius * s.radius)
	column := func(x int32) int32 { return min(max(x>>s.walls.Shift, 0), s.walls.Columns-1) }
	row := func(y int32) int32 { return min(max(y>>s.walls.Shift, 0), s.walls.Rows-1) }
	for j := row(p.Y - reach); j <= row(p.Y+reach); j++ {
		for i := column(p.X - reach); i <= column(p.X+reach); i++ {
			cell := j*s.walls.Columns + i
			for _, w := range s.walls.Items[s.walls.Start[cell]:s.walls.Start[cell+1]] {
				wall := s.ground.Walls[w]
				if distance2(p, s.ground.Vertices[wall.A], s.ground.Vertices[wall.B]) < limit {
					return false
				}
			}
		}
	}
	return true
}

// distance2 is the squared distance of p from the segment ab, in lattice steps.
// Products of differences are exact; the one division and the square are
// rounded, the same way everywhere.
func distance2(p, a, b geom.Point) float64 {
	ux, uy := float64(b.X-a.X), float64(b.Y-a.Y)
	vx, vy := float64(p.X-a.X), float64(p.Y-a.Y)
	along, length2 := float64(ux*vx)+float64(uy*vy), float64(ux*ux)+float64(uy*uy)
	switch {
	case along <= 0:
		return float64(vx*vx) + float64(vy*vy)
	case along >= length2:
		vx, vy = float64(p.X-b.X), float64(p.Y-b.Y)
		return float64(vx*vx) + float64(vy*vy)
	}
	across := float64(ux*vy) - float64(uy*vx)
	return float64(across*across) / length2
}

// taken reports whether a disc of the current group at p, entering at some time
// from first to last, would overlap one already placed.
func (s *spawner) taken(p geom.Point, first, last float64) bool {
	return slices.ContainsFunc(s.crowds, func(c *crowdedness) bool {
		// All are within a step more of each bound, whatever is rounded.
		most := s.radius + c.largest
		return c.any(p, most, first-(most+1)/c.slowest, last+(most+1)/s.speed, func(d disc) bool {
			sum := s.radius + d.radius
			return nearer(float64(p.X-d.at.X), float64(p.Y-d.at.Y), sum) && first-d.time < sum/d.speed && d.time-last < sum/s.speed
		})
	})
}

// crowd is where discs of the current group's radius are.
func (s *spawner) crowd() *crowdedness {
	shift := shiftOf(2 * s.radius)
	i := slices.IndexFunc(s.crowds, func(c *crowdedness) bool { return c.shift == shift })
	if i < 0 {
		i = len(s.crowds)
		s.crowds = append(s.crowds, newCrowdedness(shift))
	}
	return s.crowds[i]
}

// place records agent k of the current group.
func (s *spawner) place(k int, at geom.Point, own mgl64.Vec2) {
	s.crowd().add(disc{at, s.radius, s.time(k), s.speed})

	u, _ := random(s.scene.Simulation.Seed, streamSpeed, uint32(s.index), uint32(k), 0)
	wish, limit := s.profile.PreferredSpeed, s.profile.MaxSpeed
	from := at
	if sectors := s.ground.Sectors(at); len(sectors) > 0 {
		from = sectors[0].From
	}
	s.placements = append(s.placements, Placement{
		At:    at,
		From:  from,
		Group: s.index,
		Speed: truncatedNormal(u, wish.Mean, wish.Std, min(wish.Mean, limit)/10, limit),
		Time:  s.time(k),
		Own:   own,
	})
}

// forget takes back the placements of the current group.
func (s *spawner) forget() {
	for _, p := range slices.Backward(s.placements) {
		// The newest first: they are the last of their time in their squares.
		s.crowd().remove(p.At, p.Time)
	}
	s.placements = s.placements[:0]
}
