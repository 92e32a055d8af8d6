package spawn

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
	"github.com/wayfront/wayfront/scenes"
)

// Placement is how one agent begins.
type Placement struct {
	// At is the place of the center, in closed free space.
	At geom.Point
	// From lies, turned infinitesimally counter-clockwise about At, in the free sector that the
	// agent stands in; it matters where At lies on a wall.
	From geom.Point
	// Group is the index of the agent's group in the scene.
	Group int
	// Route is the index of the agent's itinerary in scenes.Group.Itineraries.
	Route int
	// Radius of the agent's disc. Unit: m.
	Radius float64
	// Speed is the preferred speed, MaxSpeed the one never exceeded. Unit: m/s.
	Speed, MaxSpeed float64
	// Time of entry. Unit: s.
	Time float64
	// Own is the agent's own goal point, where the group's goal is the antipode, in the world.
	// Unit: m.
	Own mgl64.Vec2
}

// RoomError says that a group's agents do not fit where they should start.
type RoomError struct {
	Group  string // the group's id
	Wanted int
	Fit    int // how many there is room for, at least
	// Place is the first place that is not free, of spawns that name their places: points, ring and
	// grid. In the world. Unit: m.
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

// dartTries is how many random places an agent tries before the group is packed instead. Random
// places without order jam at 55% of the area covered; at half of that four darts in five miss,
// and one agent in 10^19 misses 200.
const dartTries = 200

// mostPlaces is how many places pack tries to arrange few agents in: some seconds for all
// arrangements.
const mostPlaces = 1 << 20

// Agents places every agent of a scene, in order of their groups. What does not fit is a
// *RoomError that says how many did.
//
// Centers lie in closed free space and discs do not overlap, across groups too. Discs of spawns
// over an area (rect, circle, polygon) and of grids keep off walls; where such a spawn has no place at all
// for a disc, as in a corridor narrower than it, only the center has to. Points and rings name
// their places and get them exactly, if the center is free. Agents that enter at different times
// may have the same place if the earlier one has had the time to walk the sum of the two radii.
//
// Groups with named places come first, so that those spread over areas keep out of the way. Area
// spawns throw darts: uniform random places, a miss thrown again. When they fail, the agents are
// packed in rows and shuffled.
//
// Radii and speeds are those that each agent draws by Draw. Rows have room for the largest of the
// group.
func Agents(scene *scenes.Scene, ground *geom.Ground, walls *geom.WallGrid) ([]Placement, error) {
	s := &spawner{scene: scene, ground: ground, walls: walls, lattice: ground.Lattice}
	groups := make([][]Placement, len(scene.Groups))
	for _, areas := range [...]bool{false, true} {
		for i, g := range scene.Groups {
			if _, _, area := g.Spawn.Area(); areas != area {
				continue
			}
			s.placements = make([]Placement, 0, g.Count)
			if err := s.group(i); err != nil {
				return nil, err
			}
			for k, route := range Routes(scene, i) {
				s.placements[k].Route = route
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

	placed []*discs // by size of radius

	// Of the current group.
	index   int
	current scenes.Group
	profile scenes.Profile
	speed   float64 // lattice steps a second, the mean preferred speed

	radius float64 // of the agent to be placed, or of the largest of the group; lattice steps

	placements []Placement
}

func (s *spawner) group(index int) error {
	g := s.scene.Groups[index]
	profile, ok := s.scene.Profile(g.Profile)
	if !ok {
		panic(fmt.Sprintf("agents: group %q has the unknown profile %q; check scenes before spawning", g.ID, g.Profile))
	}
	s.index, s.current, s.profile = index, g, profile
	s.speed = profile.Mean().PreferredSpeed / s.lattice.Step
	if g.Count == 0 {
		return nil
	}
	if box, contains, ok := g.Spawn.Area(); ok {
		return s.area(area{box, contains})
	}
	places := make([]mgl64.Vec2, g.Count)
	switch spawn := g.Spawn; {
	case spawn.Ring != nil:
		for k := range places {
			places[k] = scenes.OnCircle(spawn.Ring.Center, spawn.Ring.Radius, k, g.Count)
		}
	case spawn.Grid != nil:
		return s.places(gridPlaces(*spawn.Grid), true)
	default:
		for k := range places {
			places[k] = spawn.Points[k%len(spawn.Points)]
		}
	}
	return s.places(places, false)
}

// time of entry of the group's agent k.
func (s *spawner) time(k int) float64 {
	t := s.current.Start.At
	if rate := s.current.Start.Rate; rate > 0 {
		t += float64(k) / rate
	}
	return t
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

// places sets the group's agents on given places, in order. A grid leaves out the places that are
// taken, the others must all be free.
func (s *spawner) places(places []mgl64.Vec2, grid bool) error {
	g := s.current
	s.enlarge()
	clear := grid && slices.ContainsFunc(places, func(p mgl64.Vec2) bool {
		at, ok := s.free(p)
		return ok && s.offWalls(at)
	})
	refused := RoomError{Group: g.ID, Wanted: g.Count}
	for _, place := range places {
		if refused.Fit == g.Count {
			break
		}
		s.take(refused.Fit)
		time := s.time(refused.Fit)
		var cause string
		at, ok := s.free(place)
		switch {
		case !ok:
			cause = "an obstacle or the outside"
		case clear && !s.offWalls(at):
			cause = "a wall"
		case s.taken(at, time, time):
			cause = "another agent"
		default:
			own := mgl64.Vec2{}
			if g.Goal == scenes.AntipodeGoal && g.Spawn.Ring != nil {
				own = g.Spawn.Ring.Center.Mul(2).Sub(place)
			}
			s.place(at, own)
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

// area is where agents are spread at random.
type area struct {
	box      scenes.Rect
	contains func(mgl64.Vec2) bool
}

func (s *spawner) area(a area) error {
	g := s.current
	for s.dart(a) {
		if len(s.placements) == g.Count {
			return nil
		}
	}
	thrown := len(s.placements)
	s.forget()
	s.enlarge()
	places := s.pack(a, true)
	if len(places) == 0 {
		places = s.pack(a, false)
	}
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
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.u, b.u), a.place.Compare(b.place)) })
	for i, k := range keys[:g.Count] {
		s.take(i)
		s.place(k.place, mgl64.Vec2{})
	}
	return nil
}

// dart places the group's next agent at random; false if it finds no place.
func (s *spawner) dart(a area) bool {
	k := len(s.placements)
	s.take(k)
	w, h, time := a.box[2]-a.box[0], a.box[3]-a.box[1], s.time(k)
	for try := range uint32(dartTries) {
		u, v := random(s.scene.Simulation.Seed, streamPlace, uint32(s.index), uint32(k), try)
		p := mgl64.Vec2{a.box[0] + float64(u*w), a.box[1] + float64(v*h)}
		if !a.contains(p) || !s.lattice.Contains(p) {
			continue
		}
		at := s.lattice.Snap(p)
		if !s.taken(at, time, time) && s.offWalls(at) && s.ground.Free(at) {
			s.place(at, mgl64.Vec2{})
			return true
		}
	}
	return false
}

// pack returns places in rows, in which as many discs have room as this simple method finds:
// hexagonal rows along x and along y, and square ones, begun at the area's corner and a radius
// inside it. It stops at the first arrangement that holds the group, else returns the fullest.
// Tiny discs in a large area are packed less densely, so that an arrangement has mostPlaces
// places or 16 for each agent: room for the group where a sixteenth of the area is free.
func (s *spawner) pack(a area, clear bool) (best []geom.Point) {
	lo, hi := s.lattice.Snap(a.box.Min()), s.lattice.Snap(a.box.Max())
	width, height := float64(hi.X-lo.X), float64(hi.Y-lo.Y)
	spacing := max(1, 2*s.radius, math.Sqrt(width*height/float64(max(16*s.current.Count, mostPlaces))))
	diameter := int64(math.Ceil(spacing))
	high := diameter // the least height with diameter^2 <= height^2 + (diameter/2)^2
	for half := diameter / 2; (high-1)*(high-1)+half*half >= diameter*diameter; {
		high--
	}
	// Rounding may have put the corner just outside.
	corner := s.lattice.World(lo)
	if corner[0] < a.box[0] {
		lo.X++
	}
	if corner[1] < a.box[1] {
		lo.Y++
	}
	first, latest := s.time(0), s.time(s.current.Count-1)
	for _, inset := range [...]int64{0, int64(math.Ceil(s.radius))} {
		for _, rows := range [...]struct {
			upright   bool
			dy, shift int64
		}{{false, high, diameter / 2}, {true, high, diameter / 2}, {false, diameter, 0}} {
			u0, v0, u1, v1 := int64(lo.X)+inset, int64(lo.Y)+inset, int64(hi.X), int64(hi.Y)
			if rows.upright {
				u0, v0, u1, v1 = v0, u0, v1, u1
			}
			var places []geom.Point
			for row, v := int64(0), v0; v <= v1; row, v = row+1, v+rows.dy {
				for u := u0 + row%2*rows.shift; u <= u1; u += diameter {
					at := geom.Point{X: int32(u), Y: int32(v)}
					if rows.upright {
						at.X, at.Y = at.Y, at.X
					}
					if a.contains(s.lattice.World(at)) && !s.taken(at, first, latest) &&
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

// free returns the lattice point of a place that the author of a scene named, if it is in closed
// free space. Rounding to the lattice may put a point that touches an obstacle behind its wall;
// it then goes to the nearest free point.
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

// offWalls reports whether the current group's disc at p touches walls at most from outside.
// Distances are taken on the lattice.
func (s *spawner) offWalls(p geom.Point) bool {
	reach := int32(min(math.Ceil(s.radius), geom.Steps))
	limit := float64(s.radius * s.radius)
	column := func(x int32) int32 { return min(max(x>>s.walls.Shift, 0), s.walls.Columns-1) }
	row := func(y int32) int32 { return min(max(y>>s.walls.Shift, 0), s.walls.Rows-1) }
	for j := row(p.Y - reach); j <= row(p.Y+reach); j++ {
		for i := column(p.X - reach); i <= column(p.X+reach); i++ {
			for _, w := range s.walls.Walls(i, j) {
				wall := s.ground.Walls[w]
				if distance2(p, s.ground.Vertices[wall.A], s.ground.Vertices[wall.B]) < limit {
					return false
				}
			}
		}
	}
	return true
}

// distance2 is the squared distance of p from the segment ab, in lattice steps. Products of
// differences are exact; the one division and the square are rounded, the same way everywhere.
func distance2(p, a, b geom.Point) float64 {
	ux, uy := float64(b.X-a.X), float64(b.Y-a.Y)
	vx, vy := float64(p.X-a.X), float64(p.Y-a.Y)
	along, length2 := float64(ux*vx)+float64(uy*vy), float64(ux*ux)+float64(uy*uy)
	if along >= length2 {
		vx, vy = float64(p.X-b.X), float64(p.Y-b.Y)
	} else if along > 0 {
		across := float64(ux*vy) - float64(uy*vx)
		return float64(across*across) / length2
	}
	return float64(vx*vx) + float64(vy*vy)
}

// taken reports whether a disc of the current group at p, entering at some time from first to
// last, would overlap one already placed.
func (s *spawner) taken(p geom.Point, first, last float64) bool {
	return slices.ContainsFunc(s.placed, func(c *discs) bool {
		// All are within a step more of each bound, whatever is rounded.
		most := s.radius + c.largest
		return c.any(search{p, most, first - (most+1)/c.slowest, last + (most+1)/s.speed, func(d disc) bool {
			sum := s.radius + d.radius
			return nearer(float64(p.X-d.at.X), float64(p.Y-d.at.Y), sum) && first-d.time < sum/d.speed && d.time-last < sum/s.speed
		}})
	})
}

// discs are those of about the current group's radius.
func (s *spawner) discs() *discs {
	shift := shiftOf(2 * s.radius)
	i := slices.IndexFunc(s.placed, func(c *discs) bool { return c.shift == shift })
	if i < 0 {
		i = len(s.placed)
		s.placed = append(s.placed, newDiscs(shift))
	}
	return s.placed[i]
}

// draw is how the group's agent k draws what is its own.
func (s *spawner) draw(k int) scenes.Draw {
	return Draw(s.scene.Simulation.Seed, uint32(s.index), uint32(k))
}

// take makes the group's agent k the one to be placed.
func (s *spawner) take(k int) { s.radius = s.profile.DrawRadius(s.draw(k)) / s.lattice.Step }

// enlarge takes the largest of the group.
func (s *spawner) enlarge() {
	s.take(0)
	if s.profile.Radius.Varies() {
		for k, largest := 1, s.radius; k < s.current.Count; k++ {
			s.take(k)
			largest = max(largest, s.radius)
			s.radius = largest
		}
	}
}

// place records the next agent of the current group, which has been taken.
func (s *spawner) place(at geom.Point, own mgl64.Vec2) {
	k := len(s.placements)
	s.discs().add(disc{at, s.radius, s.time(k), s.speed})
	from := at
	if sectors := s.ground.Sectors(at); len(sectors) > 0 {
		from = sectors[0].From
	}
	draw := s.draw(k)
	s.placements = append(s.placements, Placement{
		At: at, From: from, Group: s.index, Time: s.time(k), Own: own,
		Radius: s.profile.DrawRadius(draw), Speed: s.profile.DrawPreferredSpeed(draw), MaxSpeed: s.profile.DrawMaxSpeed(draw),
	})
}

// forget removes the placements of the current group, the newest first: it is the last of its
// time in its square.
func (s *spawner) forget() {
	for k, p := range slices.Backward(s.placements) {
		s.take(k)
		s.discs().remove(p.At, p.Time)
	}
	s.placements = s.placements[:0]
}
