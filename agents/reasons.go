package agents

import (
	"math"
	"slices"
	"unsafe"
)

// Reasons are why an agent moved as it did in a step: what the passes of that step computed, in
// their own arithmetic. Places are in meters, local, velocities in m/s.
type Reasons struct {
	Slot, Step int // the step by how many were done with it

	StatusBefore, Status Status // before the step and after it
	Lost                 int    // steps in a row in which it saw no way to go; while it waits, 1: its place is occupied
	Place, PlaceAfter    [2]float32
	Radius               float32
	MaxSpeed             float32
	PreferredSpeed       float32 // 0 of an agent that is to stand

	// Where it is led: to the goal of Layer, by way of Corner, Distance meters left. Routed is false
	// where it has no such corner: without a path (Target is NoTarget), on its way out of a clearance
	// (WayOut) or exploring (Elsewhere).
	Layer, Stage, Target uint32
	Routed               bool
	Corner               [2]float32
	Distance             float32 // +Inf where it is not known

	Before    [2]float32 // velocity before the step
	Guided    [2]float32 // preferred velocity by the goal's map
	Preferred [2]float32 // the same after the agent's local map; Guided where it has none
	Chosen    [2]float32 // by its method of avoidance; Preferred where it has none
	Velocity  [2]float32 // after the step: Chosen as far as acceleration, walls and contacts allowed
	Pushed    [2]float32 // m; by others in contact

	Local LocalReasons

	Method     Method
	Outcome    Outcome
	Desired    [2]float32 // that the method aims at: Preferred, turned a little among others
	Wish       [2]float32 // Preferred as far as walls allow; of methods that know a right of way
	Demand     Demand     // of ClearPath
	Neighbors  []NearAgent
	Walls      []NearWall
	Candidates []Candidate
	// Best is the index among Candidates of the one that was chosen, -1 where it is none of them.
	Best        int
	Constraints []Constraint

	// How many there were; the slices have fewer where records are too short for them.
	NeighborCount, CandidateCount, ConstraintCount int
}

// LocalReasons is what an agent's local map says.
type LocalReasons struct {
	Walker   int        // index of its map in local.Maps; -1: it has none
	Flat     bool       // it has no gradient where the agent is
	Gradient [2]float32 // of the potential there, 1/m
	Guide    [2]float32 // the point to head for
	Heading  float32    // after the step, radians
	Cells    int        // along a side
}

// NearAgent is a neighbor that counts for avoidance.
type NearAgent struct {
	Slot     int
	Offset   [2]float32 // from the agent, m
	Velocity [2]float32
	Radius   float32
	Shares   bool // it does its part of evading
}

// NearWall is a wall that counts for avoidance, from the agent, m. Free ground is on its left,
// seen from A to B.
type NearWall struct{ A, B, Velocity [2]float32 }

// Outcome is what a method of avoidance has come to.
type Outcome uint32

// The outcomes. Of half planes and cones, those that the chosen velocity keeps to.
const (
	NoOutcome  Outcome = iota // no method ran
	KeepsAll                  // all of them
	KeepsLess                 // those of a lower demand (see Demand)
	KeepsStep                 // those of walls and of this step; it wrongs neighbors least
	KeepsWalls                // those of walls; it wrongs neighbors least
	KeepsNone                 // it wrongs all of them least
	Cheapest                  // it is the candidate of the least cost
)

// Demand is what ClearPath looks ahead: for neighbors below an index Near seconds, for others Far.
// With KeepsSides it keeps to the sides of neighbors that it is on.
type Demand struct {
	Index      int
	Near, Far  float32
	KeepsSides bool
}

// CandidateState is what became of a candidate.
type CandidateState uint32

// The states.
const (
	OutOfReach CandidateState = iota // too fast for it: not examined
	Open                             // it might be chosen
	Hidden                           // it lies in a cone, or leads to nothing better
	MeetsAgent                       // RVO: open, and a collision with a neighbor weighs the most
	MeetsWall                        // RVO: open, and a collision with a wall does
)

// Candidate is a velocity that a method has examined: a sample of RVO by its number, the
// preferred velocity being 0; of ClearPath the velocity nearest to the desired one, then where
// the walk along the side of a cone begins, and where it ends.
type Candidate struct {
	Velocity [2]float32
	// m/s; RVO: what it differs from Desired and what its first collision weighs; ClearPath: what it
	// differs from Desired
	Cost  float32
	State CandidateState
}

// ConstraintKind says what a constraint is, and of what.
type ConstraintKind uint32

// The kinds.
const (
	LineOfNeighbor ConstraintKind = 1 + iota // ORCA's half plane
	LineOfStep                               // of velocities that do not touch a neighbor within the step
	LineOfWall
	ConeOfNeighbor // ClearPath's truncated cone, the velocities that are forbidden
	ConeOfWall
)

// Constraint is what a neighbor or a wall leaves or forbids.
type Constraint struct {
	Kind  ConstraintKind
	Index int // in Reasons.Neighbors or Walls
	// A half plane: velocities left of the line through Point along Direction, of length 1.
	Point, Direction [2]float32
	// A cone: velocities in all of three half planes, those v with Normal . v > Offset. A plane with
	// the normal 0 holds all.
	Cut, Left, Right Plane
}

// Plane is a half plane of velocities v with Normal . v > Offset. Normal has length 1 or 0.
type Plane struct {
	Normal [2]float32
	Offset float32
}

// IsCone reports whether the constraint is a cone; else it is a half plane.
func (c *Constraint) IsCone() bool { return c.Kind == ConeOfNeighbor || c.Kind == ConeOfWall }

// OfWall reports whether it is that of a wall; else it is a neighbor's.
func (c *Constraint) OfWall() bool { return c.Kind == LineOfWall || c.Kind == ConeOfWall }

// Wrong is how far a velocity is on the wrong side: outside of the half plane, or inside of the
// cone; below 0 on the good side. Units: m/s.
func (c *Constraint) Wrong(v [2]float32) float64 {
	x, y := float64(v[0]), float64(v[1])
	if !c.IsCone() {
		return float64(c.Direction[0])*(float64(c.Point[1])-y) - float64(c.Direction[1])*(float64(c.Point[0])-x)
	}
	depth := func(p Plane) float64 {
		if p.Normal == [2]float32{} {
			return math.Inf(1)
		}
		return float64(p.Normal[0])*x + float64(p.Normal[1])*y - float64(p.Offset)
	}
	return min(depth(c.Cut), depth(c.Left), depth(c.Right))
}

// bindingSlack is how near to its border a constraint counts as binding, m/s: what rounding to
// float32 leaves of velocities up to 16 m/s, 32 roundings each.
const bindingSlack = 32 * 16.0 / (1 << 24)

// Cuts reports whether the constraint forbids a velocity: it is why that one was not chosen.
func (c *Constraint) Cuts(v [2]float32) bool { return c.Wrong(v) > bindingSlack }

// Binds reports whether a velocity lies on the constraint's border: it holds the velocity there.
func (c *Constraint) Binds(v [2]float32) bool {
	wrong := c.Wrong(v)
	return -bindingSlack <= wrong && wrong <= bindingSlack
}

// Reasons returns the newest reasons of the agent of a slot that have arrived: those of exactly
// three steps before the last one. It is false while there are none, and for slots that are not
// watched. It never waits.
func (c *Crowd) Reasons(slot int) (Reasons, bool) {
	w := &c.watching
	i, ok := slices.BinarySearch(w.slots, slot)
	if !ok || w.arrived == nil || w.arrived.step == 0 {
		return Reasons{}, false
	}
	rows := w.shape.rows()
	r := w.shape.decode(w.arrived.rows[i*rows : (i+1)*rows])
	r.Step = w.arrived.step
	return r, true
}

// local returns what the local map says.
func (h *reasonHead) local() LocalReasons {
	l := LocalReasons{Walker: int(h.Walker) - 1, Guide: h.LocalGuide, Heading: h.Heading, Cells: int(h.Cells)}
	cells := float32(2) // between what makes up the sum
	if l.Cells%2 == 0 {
		cells = 8
	}
	l.Gradient = [2]float32{h.Gradient[0] * h.CellsPerMeter / cells, h.Gradient[1] * h.CellsPerMeter / cells}
	l.Flat = l.Walker >= 0 && h.Gradient == [2]float32{}
	return l
}

// rowsAs are rows as records of another type, of whole rows.
func rowsAs[T any](rows [][4]uint32) []T {
	if len(rows) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&rows[0])), len(rows)*16/int(unsafe.Sizeof(*new(T))))
}

// The rows of lists.
type (
	neighborRows struct {
		Offset, Velocity [2]float32
		Radius           float32
		Slot, Shares     uint32
		_                uint32
	}
	wallRows struct {
		A, B, Velocity, _ [2]float32
	}
	constraintRows struct {
		Kind, Index uint32
		Last        float32
		_           uint32
		Numbers     [8]float32
	}
)

// decode returns the reasons of a record.
func (s reasonShape) decode(rows [][4]uint32) Reasons {
	h := rowsAs[reasonHead](rows[:s.lists()])[0]
	r := Reasons{
		Slot: int(h.Slot), StatusBefore: h.StatusBefore, Status: h.StatusAfter, Lost: int(h.LostAfter),
		Place: h.Place, PlaceAfter: h.PlaceAfter, Radius: h.Radius, MaxSpeed: h.MaxSpeed, PreferredSpeed: h.PreferredSpeed,
		Layer: h.Layer, Stage: h.Stage, Target: h.TargetAfter, Routed: h.Routed != 0, Corner: h.Corner, Distance: h.Distance,
		Before: h.Velocity, Guided: h.Guided, Preferred: h.Preferred, Chosen: h.Preferred, Velocity: h.VelocityAfter, Pushed: h.Pushed,
		Local:   h.local(),
		Method:  h.Method,
		Outcome: Outcome(h.Outcome),
		Best:    -1,
	}
	if h.TargetAfter != h.Target { // an explorer does not know the path
		r.Routed, r.Corner, r.Distance = false, [2]float32{}, float32(math.Inf(1))
	}
	if r.Outcome == NoOutcome {
		return r
	}
	r.Chosen, r.Desired, r.Wish = h.Chosen, h.Desired, h.Wish
	r.Demand = Demand{int(h.Index), h.Near, h.Far, h.KeepsSides != 0}
	r.NeighborCount, r.ConstraintCount, r.CandidateCount = int(h.Neighbors), int(h.Constraints), int(h.Candidates)
	for _, n := range rowsAs[neighborRows](rows[s.lists() : s.lists()+2*min(r.NeighborCount, s.neighbors)]) {
		r.Neighbors = append(r.Neighbors, NearAgent{int(n.Slot), n.Offset, n.Velocity, n.Radius, n.Shares != 0})
	}
	for _, w := range rowsAs[wallRows](rows[s.walls() : s.walls()+2*int(h.Walls)]) {
		r.Walls = append(r.Walls, NearWall{w.A, w.B, w.Velocity})
	}
	half := rows[s.half(int(h.Half)):]
	for _, c := range rowsAs[constraintRows](half[:3*min(r.ConstraintCount, s.constraints)]) {
		r.Constraints = append(r.Constraints, c.constraint())
	}
	candidates := half[3*s.constraints:][:min(r.CandidateCount, s.candidates)]
	r.Candidates = slices.Clone(rowsAs[Candidate](candidates))
	if best := int(h.Best); r.CandidateCount > 0 && best < r.CandidateCount {
		r.Best = best
	}
	return r
}

func (rows *constraintRows) constraint() Constraint {
	c := Constraint{Kind: ConstraintKind(rows.Kind), Index: int(rows.Index)}
	n := &rows.Numbers
	if c.IsCone() {
		c.Cut = Plane{[2]float32{n[0], n[1]}, n[2]}
		c.Left = Plane{[2]float32{n[3], n[4]}, n[5]}
		c.Right = Plane{[2]float32{n[6], n[7]}, rows.Last}
	} else {
		c.Point, c.Direction = [2]float32{n[0], n[1]}, [2]float32{n[2], n[3]}
	}
	return c
}
