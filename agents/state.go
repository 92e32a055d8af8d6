package agents

// An agent keeps its slot, its index in every buffer below, for life.

// Status says what an agent is doing.
type Status = uint32

// The statuses. Drawing and counting rely on these values.
const (
	Waiting Status = iota // has not entered yet; it has a place but is not there
	Walking               // on its way
	Arrived               // at the end of its itinerary, and stays there
	Left                  // at the end of its itinerary, and gone; a free slot
	// The host places it in each step and gives its velocity. Others avoid it, it avoids none, and
	// contacts do not move it.
	Placed
	statuses // how many there are
)

// There reports whether an agent of a status has a body: others avoid it, and it is drawn.
func There(s Status) bool { return s == Walking || s == Arrived || s == Placed }

// Control says which part of its motion an agent leaves to the host. One that is Placed leaves all
// of it to the host.
type Control = uint32

// The ways of Control.
const (
	ControlEngine Control = iota
	// The engine computes its velocity, and the host places it by ChangePlace: the integration,
	// contacts and walls that come to cover it leave its place alone.
	ControlHost
)

// Steering says how an agent finds its preferred velocity.
type Steering = uint32

// The ways of Steering.
const (
	Direct Steering = iota // straight to the nearest source
	SPM                    // along the goal's shortest path map
)

// What an agent does at the end of its itinerary.
const (
	OnArrivalLeave uint32 = iota
	OnArrivalStay
	OnArrivalLoop
)

// NoTarget is the Target of an agent that has none.
const NoTarget uint32 = 0xffffffff

// WayOut is the Target of an agent inside the clearance of its goal's map, on its way out.
const WayOut uint32 = 0xfffffffe

// Elsewhere is the Target of an agent that a local map leads by what its team knows. It is not
// lost.
const Elsewhere uint32 = 0xfffffffd

// InService is the Target of an agent that is served where it stands, or that is in a line.
const InService uint32 = 0xfffffffc

// OwnPoint is the Layer of a stage that leads to the agent's own goal point.
const OwnPoint uint32 = 0xffffffff

// NoGroup is the Group of an agent that was added to a crowd.
const NoGroup uint32 = 0xffffffff

// Traits are what stays the same about an agent unless the host changes it. Lengths are in meters,
// places local, that is relative to the domain's corner.
type Traits struct {
	Own            [2]float32 // own goal point, where the itinerary has an OwnPoint stage
	Radius         float32    // m
	PreferredSpeed float32    // m/s
	MaxSpeed       float32    // m/s
	Steering       Steering
	Group          uint32 // index in the scene, or NoGroup
	Entry          uint32 // the step that the agent enters in
	FirstStage     uint32 // index of the itinerary's first Stage
	Stages         uint32 // how many, at least 1
	OnArrival      uint32
	Profile        uint32 // index in the crowd: those of the scene, then those that were added
	Control        Control
	Tag            uint32 // the host's own; Spawn.Tag of engine; no pass reads it
}

// Agent is what changes about an agent. There are two buffers of them, before and after a step.
type Agent struct {
	Position [2]float32 // m, local
	Velocity [2]float32 // m/s; of the last step
	Pushed   [2]float32 // m; by others in contact, beyond that, in the last step

	// FromX, FromY and Perturbation say in which free sector the agent is where its lattice point
	// lies on walls of no thickness, or where obstacles touch: in the one that the ray to the
	// lattice point From lies in, turned by an infinitesimal angle to the left (Perturbation +1) or
	// right (-1). From is where the agent last came from.
	FromX, FromY, Perturbation int32

	// index in the layer of the generator that it walks to, NoTarget, WayOut, Elsewhere or InService
	Target   uint32
	Layer    uint32 // of the stage it walks to; OwnPoint for its own goal point
	Stage    uint32 // index in its itinerary
	Status   Status
	Arrivals uint32 // how often it reached the end of its itinerary
	Entered  uint32 // the step that it entered in
	First    uint32 // the step of its first arrival at the itinerary's end
	// steps in a row in which it saw no way to go; while it waits, 1: is delayed, as its place is
	// occupied
	Lost uint32
	Sees uint32 // 1: is known to see Target from Position, on the maps of the last step
}

// Guidance is what an agent wants in one step.
type Guidance struct {
	Preferred [2]float32 // preferred velocity, m/s
	Velocity  [2]float32 // the one to take, m/s: Preferred, or what avoiding others makes of it
	Wish      [2]float32 // Preferred as far as walls near the agent allow, m/s; see reference.Wish
	Distance  float32    // left to walk to the stage's goal, m; +Inf if not known
	Target    uint32     // as in Agent, after this step
	Layer     uint32
	Stage     uint32
	Status    Status
	Arrivals  uint32
}

// Stage is one goal of an itinerary.
type Stage struct {
	Layer         uint32  // of the map, or OwnPoint
	Sources       uint32  // generators of the layer that are sources, the first ones
	ArrivalRadius float32 // m
}

// Command is an indirect draw of vertices in order, as OpenGL lays it out.
type Command struct {
	Count, Instances, First, BaseInstance uint32
}
