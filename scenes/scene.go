package scenes

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Version is the version of the scene format that this package reads and writes.
const Version = 1

// MaxAgents is the greatest number of agents of a scene, over all its groups: an agent's number has
// to fit a float32 exactly. A device may allow fewer, and says so when the scene is loaded onto it.
const MaxAgents = 1 << 24

// The types below are the scene document. The limits of a field stand in its tags, which the
// reader, the writer and the test of the JSON Schema use:
//
//	json      the name in the file
//	unit      the unit of the number, for messages
//	above     the number is greater than this
//	below     the number is less than this
//	min, max  the number is at least, at most this; of a list: its length
//	default   the value of a field that is left out, as JSON
//	required  the field has to be given
//	always    written even where it holds its default
//	whole     a Distribution of whole numbers: what is drawn is rounded to the nearest
//	filled    never empty after reading: the default depends on other fields
//
// After reading every default is filled in, and an empty list is nil.
//
// A program may leave fields out, too, as zero. A struct is partial if a field is zero that cannot
// be zero after reading, such as a radius, an id of a goal or a whole Simulation, or if it is held
// by value in a partial struct. In a partial struct every zero is a field left out. In any other
// struct a zero is a value, such as a MaxNeighbors of 0. So Profile{Radius: 0.3} has the default
// MaxNeighbors, and a copy of DefaultProfile with MaxNeighbors set to 0 has none. Scene.Encode and
// Scene.Checked follow this rule.

// Scene is a world: the ground, obstacles, goals, and agents. Units are meters, seconds and
// degrees.
type Scene struct {
	// Schema is the address of the JSON Schema that an editor checks the file by. Optional.
	Schema string `json:"$schema"`
	// Version of the format. Always 1; 0 in a program stands for 1.
	Version int `json:"version" required:"true"`
	// Name of the scene; the file's name without its ending where none is given.
	Name string `json:"name" always:"true"`
	// Description for people. Optional.
	Description string `json:"description"`
	// Domain is the ground: x0, y0, x1, y1. Its border is a wall.
	Domain Rect `json:"domain" unit:"m" required:"true"`
	// Obstacles are closed sets. They may touch and overlap: their union counts.
	Obstacles []Obstacle `json:"obstacles"`
	// Goals of agents. At least one.
	Goals []Goal `json:"goals" min:"1" required:"true"`
	// Profiles are the kinds of agents. Where the file has none there is one, "default", with every
	// default.
	Profiles []Profile `json:"profiles" min:"1"`
	// Groups are the agents.
	Groups []Group `json:"groups"`
	// Simulation has the timestep and the seed.
	Simulation Simulation `json:"simulation"`
	// Map has the resolution of goals' maps.
	Map Map `json:"map"`
	// Gates and areas are where runs are measured; agents do not know of them.
	Gates []Gate `json:"gates"`
	Areas []Area `json:"areas"`
}

// Min returns the corner of the domain with the lowest x and y.
func (s *Scene) Min() mgl64.Vec2 { return s.Domain.Min() }

// Max returns the corner of the domain with the highest x and y.
func (s *Scene) Max() mgl64.Vec2 { return s.Domain.Max() }

// Agents returns the number of agents of all groups.
func (s *Scene) Agents() int {
	n := 0
	for _, g := range s.Groups {
		n += g.Count
	}
	return n
}

// Vertices returns the number of vertices of all obstacles, holes included.
func (s *Scene) Vertices() int {
	n := 0
	for _, o := range s.Obstacles {
		n += polygon.Vertices([]geom.Polygon{o.Polygon()})
	}
	return n
}

// Goal returns the goal with this id.
func (s *Scene) Goal(id string) (Goal, bool) {
	for _, g := range s.Goals {
		if g.ID == id {
			return g, true
		}
	}
	return Goal{}, false
}

// Profile returns the profile with this id.
func (s *Scene) Profile(id string) (Profile, bool) {
	for i := range s.Profiles { // without a copy of each
		if s.Profiles[i].ID == id {
			return s.Profiles[i], true
		}
	}
	return Profile{}, false
}

// Rect is a rectangle with sides along the axes: x0, y0, x1, y1 with x0 < x1 and y0 < y1. Unit: m.
type Rect [4]float64

// Min returns the corner with the lowest x and y.
func (r Rect) Min() mgl64.Vec2 { return mgl64.Vec2{r[0], r[1]} }

// Max returns the corner with the highest x and y.
func (r Rect) Max() mgl64.Vec2 { return mgl64.Vec2{r[2], r[3]} }

// String returns the rectangle as a scene has it, rounded as polygon.Shown does.
func (r Rect) String() string { return numbers(r[:]) }

// Contains reports whether p lies in the closed rectangle.
func (r Rect) Contains(p mgl64.Vec2) bool {
	return r[0] <= p[0] && p[0] <= r[2] && r[1] <= p[1] && p[1] <= r[3]
}

// Holds reports whether the closed rectangle contains all of box.
func (r Rect) Holds(box Rect) bool { return r.Contains(box.Min()) && r.Contains(box.Max()) }

// Meets reports whether two rectangles share an area.
func (r Rect) Meets(s Rect) bool { return s[0] < r[2] && s[2] > r[0] && s[1] < r[3] && s[3] > r[1] }

// Polygon returns the rectangle's corners, counter-clockwise.
func (r Rect) Polygon() geom.Polygon {
	return geom.Polygon{Outer: geom.Ring{{r[0], r[1]}, {r[2], r[1]}, {r[2], r[3]}, {r[0], r[3]}}}
}

// Obstacle is a closed set that agents cannot enter. Exactly one of Outline, Rect and Circle is its
// shape.
type Obstacle struct {
	// ID names the obstacle for edits and messages. Optional; not twice.
	ID string `json:"id"`
	// Outline is a simple polygon of at least three vertices, either orientation, without equal
	// neighbors. Unit: m.
	Outline []mgl64.Vec2 `json:"polygon" unit:"m"`
	// Holes in Outline: simple polygons inside it that are free ground. Unit: m.
	Holes [][]mgl64.Vec2 `json:"holes" unit:"m"`
	// Rect is a rectangle instead of an outline. Unit: m.
	Rect *Rect `json:"rect" unit:"m"`
	// Circle is a regular polygon instead of an outline.
	Circle *Circle `json:"circle"`
	// Open are the times in which the obstacle is absent: from, to; it is back at to. See
	// PresentAt. Unit: s. Limit: 0 <= from < to.
	Open []Interval `json:"open" unit:"s"`
	// Closed are the times in which it is present, instead of those in which it is absent: from,
	// to; it is away again at to. Not beside Open. Unit: s. Limit: 0 <= from < to.
	Closed []Interval `json:"closed" unit:"s"`
	// Motion moves the obstacle, out of the domain too. Optional.
	Motion *Motion `json:"motion"`
	// StaffOnly makes the obstacle a door that is for staff only: maps of goals with staff lead
	// through it, those of others around it. No body is stopped by it. Not beside Motion.
	StaffOnly bool `json:"staffOnly" default:"false"`
}

// Polygon returns the obstacle's shape. Rectangles and circles run counter-clockwise, outlines as
// in the file.
func (o Obstacle) Polygon() geom.Polygon {
	switch {
	case o.Rect != nil:
		return o.Rect.Polygon()
	case o.Circle != nil:
		return geom.Polygon{Outer: o.Circle.ring()}
	}
	p := geom.Polygon{Outer: geom.Ring(o.Outline)}
	for _, h := range o.Holes {
		p.Holes = append(p.Holes, geom.Ring(h))
	}
	return p
}

// Circle is a regular polygon with its vertices on a circle.
type Circle struct {
	// Center of the circle. Unit: m.
	Center mgl64.Vec2 `json:"center" unit:"m" required:"true"`
	// Radius of the circle through the vertices. Unit: m. Limit: > 0.
	Radius float64 `json:"radius" unit:"m" above:"0" required:"true"`
	// Sides of the polygon; the first vertex lies in the direction of x.
	Sides int `json:"sides" min:"3" max:"4096" default:"32"`
}

// MaxSides is the greatest number of sides of a circle.
const MaxSides = 4096

// ring returns the polygon's vertices, counter-clockwise.
func (c Circle) ring() geom.Ring {
	r := make(geom.Ring, c.Sides)
	for k := range r {
		r[k] = OnCircle(c.Center, c.Radius, k, c.Sides)
	}
	return r
}

// OnCircle returns point k of n at equal distances on a circle, counter-clockwise from the
// direction of x; the same on every processor.
func OnCircle(center mgl64.Vec2, radius float64, k, n int) mgl64.Vec2 {
	sin, cos := sincos(2 * math.Pi * float64(k) / float64(n))
	return mgl64.Vec2{center[0] + float64(radius*cos), center[1] + float64(radius*sin)}
}

// sincos rounds the sine and the cosine of an angle to 2^-40: they differ in their last bit between
// processors, and the same scene has to be the same everywhere. That moves a point of a circle by
// less than a part in 10^12 of the radius, far below the lattice of package geom.
func sincos(angle float64) (sin, cos float64) {
	const grain = 1 << 40
	sin, cos = math.Sincos(angle)
	return math.Round(sin*grain) / grain, math.Round(cos*grain) / grain
}

// Interval is a span of time: from, to. Unit: s.
type Interval [2]float64

// Goal is a set of sources: agents walk to the nearest one. At least one point or segment.
type Goal struct {
	// ID names the goal; "goal-1", "goal-2", ... by place where none is given.
	ID string `json:"id" filled:"true"`
	// Points are point sources, not in the interior of an obstacle that is always present. See
	// SourcesOn. Unit: m.
	Points []mgl64.Vec2 `json:"points" unit:"m"`
	// Segments are sources along lines, at least partly in free space. Unit: m.
	Segments []Segment `json:"segments" unit:"m"`
	// ArrivalRadius is the distance at which agents arrive. Unit: m. Limit: > 0.
	ArrivalRadius float64 `json:"arrivalRadius" unit:"m" above:"0" default:"0.5"`
	// Clearance that this goal's map keeps from obstacles and from the domain's border. Unit: m.
	// Limit: >= 0, below half the domain's shorter side.
	Clearance float64 `json:"clearance" unit:"m" min:"0" default:"0"`
	// Staff has this goal's map lead through obstacles that are for staff only.
	Staff bool `json:"staff" default:"false"`
	// Service: agents that arrive stay for a time, and wait in a line for it. Optional.
	Service *Service `json:"service"`
}

// Service has agents that arrive at a goal stay there before they go on. With Places they are served
// in the order in which they come: one that finds all places taken, or others waiting, waits in a line
// that begins before the goal and goes back the way to it. Package agents has the rules (Serve).
type Service struct {
	// Time that a place is taken by an agent; with a distribution each draws its own. It begins when
	// the agent arrives, or, if that has waited, when it is called: the step to the place is part of
	// it. Unit: s. Limit: > 0.
	Time Distribution `json:"time" unit:"s" above:"0" required:"true"`
	// Places is how many agents are served at once; 0: all that come. Limit: 0 to 65536.
	Places int `json:"places" min:"0" max:"65536" default:"0"`
}

// Draw returns the time of an agent. Unit: s.
func (s *Service) Draw(draw Draw) float64 { return s.Time.drawn(draw, fieldOfTime) }

// Segment is a line between two points. Unit: m.
type Segment = [2]mgl64.Vec2

// Profile is a kind of agent. Numbers that are a Distribution differ between its agents: each agent
// draws its own, by the scene's seed, its group and its place in the group, and a spread of one
// number changes no other. Where a distribution has no bounds of its own, its numbers stay within
// the limits of the field, and what has to be above 0 is at least a tenth of the mean.
type Profile struct {
	// ID names the profile; "profile-1", ... by place where none is given.
	ID string `json:"id" filled:"true"`
	// Base is what holds in place of the defaults below: "adult", "child", "elderly", "weidmann", or
	// empty. Optional.
	Base Base `json:"base"`
	// Radius of an agent's disc. Unit: m. Limit: > 0.
	Radius Distribution `json:"radius" unit:"m" above:"0" default:"0.25"`
	// PreferredSpeed is the speed of agents that nothing hinders. Without a Max it is cut at the
	// mean of MaxSpeed; in any case no agent exceeds its own MaxSpeed. Unit: m/s. Limit: > 0.
	PreferredSpeed Distribution `json:"preferredSpeed" unit:"m/s" above:"0" default:"{\"mean\": 1.34, \"std\": 0.26}"`
	// MaxSpeed that is never exceeded. Unit: m/s. Limit: > 0.
	MaxSpeed Distribution `json:"maxSpeed" unit:"m/s" above:"0" default:"2"`
	// MaxAcceleration bounds the change of velocity. Unit: m/s2. Limit: > 0.
	MaxAcceleration float64 `json:"maxAcceleration" unit:"m/s2" above:"0" default:"5"`
	// Steering is the method of finding a path.
	Steering Steering `json:"steering" default:"\"spm\""`
	// Avoidance is the method of avoiding other agents.
	Avoidance Avoidance `json:"avoidance" default:"\"clearpath\""`
	// TimeHorizon within which collisions are avoided. Unit: s. Limit: > 0.
	TimeHorizon float64 `json:"timeHorizon" unit:"s" above:"0" default:"4"`
	// NeighborDistance within which others are avoided. Unit: m. Limit: > 0.
	NeighborDistance float64 `json:"neighborDistance" unit:"m" above:"0" default:"5"`
	// MaxNeighbors is the number of those, the nearest, that count. Limit: 0 to 65536.
	MaxNeighbors int `json:"maxNeighbors" min:"0" max:"65536" default:"10"`
	// The parameters of each method of avoidance: "rvo", "clearpath", "orca".
	AvoidanceMethods
	// BVP holds the parameters of steering "bvp".
	BVP BVPDistribution `json:"bvp"`
}

// Steering is a method of finding a path.
type Steering string

// The values of Steering.
const (
	SteeringDirect Steering = "direct" // straight to the nearest source
	SteeringSPM    Steering = "spm"    // along the goal's shortest path map
	SteeringBVP    Steering = "bvp"    // down the potential of a local map
)

// BVP holds the parameters of the local map of an agent.
type BVP = BVPOf[float64, int]

// BVPDistribution holds those of the agents of a profile, which may differ in every number.
type BVPDistribution = BVPOf[Distribution, Distribution]

// Bias is that of the local map of an agent.
type Bias = BiasOf[float64]

// BVPOf holds the parameters of local maps (Fischer et al. 2009, Dapper et al. 2007): N is what
// stands for a number, I for a whole one.
type BVPOf[N, I any] struct {
	// Cells along a side of the local map. Maps of 5 and 6 show neither walls nor agents: all cells
	// but those that the agent covers are kept free. Limit: 5 to 63.
	Cells I `json:"cells" whole:"true" min:"5" max:"63" default:"21"`
	// CellSize is the side of a cell. Unit: m. Limit: 0.001 to 1000.
	CellSize N `json:"cellSize" unit:"m" min:"0.001" max:"1000" default:"0.25"`
	// Relaxations a step. A map of n cells converges in n to 1.25 n of them by red-black; fewer go
	// on in the next steps. Limit: 1 to 10000.
	Relaxations I `json:"relaxations" whole:"true" min:"1" max:"10000" default:"30"`
	// ViewAngle is the opening of the view cone, outside of which nothing is seen: with less than
	// 30 and a strong bias agents may forget a wall and come back to it forever. Unit: degrees.
	// Limit: > 0, <= 360.
	ViewAngle N `json:"viewAngle" unit:"degrees" above:"0" max:"360" default:"180"`
	// Bias bends the paths: the vector v of the potential's equation.
	Bias BiasOf[N] `json:"bias"`
	// Table samples the bias over time and replaces all of Bias: rows of t (s, rising), the
	// direction's x and y, and the strength, interpolated linearly. All agents of a profile have it.
	Table []Sample `json:"table"`
	// Inertia is eta, the share of the old heading that stays in every InertiaTime. Limit: >= 0, < 1.
	Inertia N `json:"inertia" min:"0" below:"1" default:"0.5"`
	// InertiaTime is the time that Inertia counts by: 1 s, or 0.5 s for the papers' footsteps, of
	// which Dapper has 2 a second. Unit: s. Limit: 0.001 to 1000.
	InertiaTime N `json:"inertiaTime" unit:"s" min:"0.001" max:"1000" default:"0.1"`
	// InertiaForm is what of the heading is averaged.
	InertiaForm InertiaForm `json:"inertiaForm" default:"\"angle\""`
	// SpeedControl slows agents down that turn (Fischer, equation 4).
	SpeedControl bool `json:"speedControl" default:"true"`
	// Rules "robust" keep agents from waiting and from running astray by more than the papers have.
	Rules Rules `json:"rules" default:"\"robust\""`
	// Method of relaxation.
	Method Method `json:"method" default:"\"red-black\""`
	// Guide of the local map's intermediate goal.
	Guide Guide `json:"guide" default:"\"spm\""`
}

// BiasOf bends the paths of local maps: direction v and strength eps. Strength times the
// direction's length acts as one just below 2 where it is more.
type BiasOf[N any] struct {
	// Direction of the bias; its length counts.
	Direction [2]N `json:"direction" default:"[1, 0]"`
	// Strength pulls agents towards the direction where it is positive, away from it where it is
	// negative. It is the eps of Dapper's figures; Fischer's, and the equation that both print,
	// have the other sign.
	Strength N `json:"strength" default:"0"`
	// Wave swings the bias across its direction.
	Wave WaveOf[N] `json:"wave"`
}

// WaveOf is a sinusoid in time: amplitude sin(2 pi (frequency t + phase / 360)) is added to the
// direction, along its left normal, before the strength multiplies both.
type WaveOf[N any] struct {
	// Amplitude of the wave, as long as directions are.
	Amplitude N `json:"amplitude" default:"0"`
	// Frequency of the wave. Unit: Hz. Limit: >= 0.
	Frequency N `json:"frequency" unit:"Hz" min:"0" default:"0"`
	// Phase of the wave at time 0. Unit: degrees.
	Phase N `json:"phase" unit:"degrees" default:"0"`
}

// Sample is a bias at a time: t (s), x, y, strength.
type Sample [4]float64

// Method is a method of relaxing a potential.
type Method string

// The values of Method.
const (
	MethodRedBlack Method = "red-black"
	MethodJacobiGS Method = "jacobi-gs"
	MethodADI      Method = "adi"
)

// InertiaForm is what inertia averages.
type InertiaForm string

// The values of InertiaForm.
const (
	InertiaAngle  InertiaForm = "angle"  // the heading's angle (Fischer, equation 4)
	InertiaVector InertiaForm = "vector" // vectors of length 1 (Dapper, equation 5): turns back slowly
)

// Rules are those of local maps besides the papers' own.
type Rules string

// The values of Rules.
const (
	RulesRobust Rules = "robust" // with rescues that the papers do not have: see package bvp/local
	RulesPaper  Rules = "paper"  // Fischer et al. 2009 and Dapper et al. 2007 alone
)

// Guide is the origin of the intermediate goal of a local map.
type Guide string

// The values of Guide.
const (
	GuideSPM      Guide = "spm"      // the parent point of the goal's shortest path map
	GuideHarmonic Guide = "harmonic" // the gradient of the goal's global harmonic map
)

// Group is a number of agents of one profile.
type Group struct {
	// ID names the group; "group-1", ... by place where none is given.
	ID string `json:"id" filled:"true"`
	// Profile is the id of the agents' profile; the first one where none is given.
	Profile string `json:"profile" filled:"true"`
	// Count of agents. Limit: >= 0, and 2^24 over all groups. Where none is given as many as the
	// spawn's points or grid points, else 1.
	Count int `json:"count" min:"0" max:"16777216" always:"true"`
	// Spawn is where they start.
	Spawn Spawn `json:"spawn" required:"true"`
	// Itinerary is the ids of the goals they walk to, in order; the first goal where none is given.
	// Empty if Routes or Goal is given.
	Itinerary []string `json:"itinerary" min:"1"`
	// Routes are itineraries that the agents are split over by their shares. See spawn.Routes.
	Routes []Route `json:"routes" min:"1"`
	// Goal is "antipode" or empty: each walks to the opposite point of its ring.
	Goal Antipode `json:"goal"`
	// OnArrival says what they do at the end of the itinerary.
	OnArrival OnArrival `json:"onArrival" default:"\"leave\""`
	// Explores: they start without a map and seek the itinerary's goals. Optional.
	Explores *Explores `json:"explores"`
	// Start is when they start.
	Start Start `json:"start"`
}

// Route is an itinerary that some agents of a group have.
type Route struct {
	// Itinerary is the ids of the goals they walk to, in order.
	Itinerary []string `json:"itinerary" min:"1" required:"true"`
	// Share of the agents, as a part of the sum of all routes of the group. Limit: > 0.
	Share float64 `json:"share" above:"0" default:"1"`
}

// Itineraries returns the itineraries of the group's agents, of which each has one: those of its
// routes, else its own, which is empty where the goal is the antipode.
func (g *Group) Itineraries() [][]string {
	if len(g.Routes) == 0 {
		return [][]string{g.Itinerary}
	}
	all := make([][]string, len(g.Routes))
	for i, r := range g.Routes {
		all[i] = r.Itinerary
	}
	return all
}

// WalksTo reports whether agents of the group walk to a goal.
func (g *Group) WalksTo(goal string) bool {
	return slices.ContainsFunc(g.Itineraries(), func(all []string) bool { return slices.Contains(all, goal) })
}

// RenameGoals has the group name goals by other ids.
func (g *Group) RenameGoals(to map[string]string) {
	for _, all := range g.Itineraries() {
		for k, id := range all {
			if id, ok := to[id]; ok {
				all[k] = id
			}
		}
	}
}

// Antipode is a goal that is not a place: the opposite point of the ring.
type Antipode string

// AntipodeGoal is the one value of Antipode besides the empty one.
const AntipodeGoal Antipode = "antipode"

// OnArrival says what agents do at the end of their itinerary.
type OnArrival string

// The values of OnArrival.
const (
	ArrivalLeave OnArrival = "leave" // they vanish
	ArrivalStay  OnArrival = "stay"  // they stand there
	ArrivalLoop  OnArrival = "loop"  // they begin the itinerary again
)

// Explores makes agents with steering "bvp" seek the goals of their itinerary without a map, by
// local maps. They head for what they have not seen. What an agent's view cone has covered once, as
// far as the local map and sight reach, its team remembers; walls that change there it knows at
// once. Where nothing unknown is left to reach agents stand, and are lost.
//
// A goal is found as soon as an agent of the team has seen a point of it where it is now, and stays
// found until it moves. An agent whose goal is found walks there as agents with a map do, arrives,
// and goes on to the next one. The last goal is where the search ends: with OnArrival "stay" all
// agents of the team whose last goal it is stop where they are, arrived, as soon as one sees it;
// with "leave" they walk there and leave; with "loop" they walk there and begin again, with what
// they know.
//
// Goal "antipode" is no goal to seek: these agents walk as if they knew the place, and only share
// what they see.
type Explores struct {
	// Team whose members share what they see, of all groups that name it. Empty: each agent is
	// alone.
	Team string `json:"team"`
	// Frontier: they seek frontiers instead of following the potential of what is unknown. Optional.
	Frontier *Frontier `json:"frontier"`
}

// Frontier says how explorers choose frontiers: places that they have not seen, beside those that
// they have (Yamauchi 1997). Each takes the one of least cost: the length of the way there, and what
// follows here (Burgard et al. 2005). It keeps it until its team has seen it, or there is no way to
// it any more. With all values 0 it takes the nearest one.
//
// The costs are ways that are walked more, and no more than that: one that costs more than the rest of
// a room sends an agent out of it, and it has to come back. Many frontiers are equally near,
// so that a small cost decides.
//
// Teams' maps have cells as large as those of local maps, or a 128th of the domain's longer side,
// and ways and Apart count in whole cells.
type Frontier struct {
	// Gain is how much less a frontier costs for each meter of frontier, this one included, that lies
	// within half the side of the local map along both axes. What is left in corners comes last with
	// it, and agents come back for it. Unit: m/m. Limit: 0 to 100.
	Gain float64 `json:"gain" unit:"m/m" min:"0" max:"100" default:"0"`
	// Apart is how far teammates keep their targets from each other along one of the axes: nearer ones
	// cost as much more as they are nearer. Unit: m. Limit: 0 to 1000.
	Apart float64 `json:"apart" unit:"m" min:"0" max:"1000" default:"5"`
	// Turn is what it costs to turn round: a frontier costs half of it where it is square to the
	// heading, and nothing where it is straight ahead. An agent with the default inertia of 0.5 in 0.1 s
	// is off its new heading by 180, 90, 45, 22, 11 degrees, at speeds of 0 by the first two and of the
	// cosine by the others: it loses 0.24 s, which is 0.3 m at 1.3 m/s. Unit: m. Limit: 0 to 1000.
	Turn float64 `json:"turn" unit:"m" min:"0" max:"1000" default:"0.3"`
}

// Start is when agents start.
type Start struct {
	// At is the time of the first. Unit: s. Limit: >= 0.
	At float64 `json:"at" unit:"s" min:"0" default:"0"`
	// Rate is how many appear a second until the count is reached; 0: all at once. Unit: 1/s.
	// Limit: >= 0.
	Rate float64 `json:"rate" unit:"1/s" min:"0" default:"0"`
}

// Spawn is where agents start. Exactly one of its fields is given.
type Spawn struct {
	// Rect spreads agents over a rectangle at random. Unit: m.
	Rect *Rect `json:"rect" unit:"m"`
	// Circle spreads agents over a disc at random.
	Circle *Disc `json:"circle"`
	// Polygon spreads agents over a simple polygon at random. Unit: m.
	Polygon []mgl64.Vec2 `json:"polygon" unit:"m"`
	// Ring places agents on a circle at equal distances, the first in the direction of x,
	// counter-clockwise.
	Ring *Disc `json:"ring"`
	// Points places agents on points, in order. Unit: m.
	Points []mgl64.Vec2 `json:"points" unit:"m"`
	// Grid places agents on a grid.
	Grid *Grid `json:"grid"`
}

// Area returns the area that a spawn spreads agents over, with the box around it; false for a spawn
// that names places.
func (s Spawn) Area() (box Rect, contains func(mgl64.Vec2) bool, ok bool) {
	switch {
	case s.Rect != nil:
		return *s.Rect, s.Rect.Contains, true
	case s.Circle != nil:
		return s.Circle.Box(), s.Circle.Contains, true
	case s.Polygon != nil:
		return Around(s.Polygon), geom.Ring(s.Polygon).Contains, true
	}
	return Rect{}, nil, false
}

// Around returns the box around points, of which there is one at least.
func Around(points []mgl64.Vec2) Rect {
	lo, hi := points[0], points[0]
	for _, p := range points {
		for k := range 2 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	return Rect{lo[0], lo[1], hi[0], hi[1]}
}

// Disc is a disc, or the circle around it.
type Disc struct {
	// Center of the disc. Unit: m.
	Center mgl64.Vec2 `json:"center" unit:"m" required:"true"`
	// Radius of the disc. Unit: m. Limit: > 0.
	Radius float64 `json:"radius" unit:"m" above:"0" required:"true"`
}

// Box returns the bounding box of the disc.
func (d Disc) Box() Rect {
	return Rect{d.Center[0] - d.Radius, d.Center[1] - d.Radius, d.Center[0] + d.Radius, d.Center[1] + d.Radius}
}

// Contains reports whether p lies in the closed disc, but for rounding.
func (d Disc) Contains(p mgl64.Vec2) bool {
	off := p.Sub(d.Center)
	return float64(off[0]*off[0])+float64(off[1]*off[1]) <= float64(d.Radius*d.Radius)
}

// Grid is rows of points in a rectangle, the first in its lowest corner, along x first.
type Grid struct {
	// Rect that the points lie in, its border included. Unit: m.
	Rect Rect `json:"rect" unit:"m" required:"true"`
	// Spacing of the points. Unit: m. Limit: > 0.
	Spacing float64 `json:"spacing" unit:"m" above:"0" required:"true"`
}

// Columns returns the number of points along x: one more than the steps of Spacing that fit the
// side, where a side that is a multiple of Spacing but for a part in 10^9 counts as one.
func (g Grid) Columns() int { return gridSteps(g.Rect[2]-g.Rect[0], g.Spacing) }

// Rows returns the number of points along y, as Columns.
func (g Grid) Rows() int { return gridSteps(g.Rect[3]-g.Rect[1], g.Spacing) }

// gridSteps returns the number of points on a side. The slack absorbs the rounding of decimal
// fractions such as 0.3/0.1; more than a scene may have do not fit an int.
func gridSteps(side, spacing float64) int {
	return 1 + int(min(math.Floor(side/spacing*(1+1e-9)), MaxAgents))
}

// Gate is a line at which agents that cross it are counted.
type Gate struct {
	// ID names the gate; "gate-1", ... by place where none is given.
	ID string `json:"id" filled:"true"`
	// Line is its two ends: a crossing to the left of the way from the first to the second counts as
	// forward. Unit: m.
	Line Segment `json:"line" unit:"m" required:"true"`
}

// Area is a rectangle in which density and speed are measured.
type Area struct {
	// ID names the area; "area-1", ... by place where none is given.
	ID string `json:"id" filled:"true"`
	// Rect is the area. Unit: m.
	Rect Rect `json:"rect" unit:"m" required:"true"`
}

// Simulation has the timestep, the seed and the duration of a run.
type Simulation struct {
	// Timestep of one tick. Clocks count nanoseconds: the shortest tick is off by half of one at
	// most, 1 part in 2000. No method needs the upper limit: it keeps sums of ticks far from the
	// largest time.Duration. The limits are checked with those of all fields, see fields.go.
	// Unit: s. Limit: 0.000001 to 3600.
	Timestep float64 `json:"timestep" unit:"s" min:"0.000001" max:"3600" default:"0.1"`
	// Seed of every random number. The same seed gives the same run.
	Seed uint64 `json:"seed" min:"0" default:"1"`
	// Duration of the run; 0: until all have arrived. Unit: s. Limit: >= 0.
	Duration float64 `json:"duration" unit:"s" min:"0" default:"0"`
	// ContactRounds is the number of rounds a step that separate overlapping agents. Limit: >= 0.
	ContactRounds int `json:"contactRounds" min:"0" max:"1024" default:"16"`
}

// Map has the resolution of goals' maps.
type Map struct {
	// Size is the number of texels along the longer side of the domain. Limit: 1 to 2^20, the steps
	// of the lattice that scenes are snapped to.
	Size int `json:"size" min:"1" max:"1048576" default:"1000"`
}
