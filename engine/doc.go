// Package engine is the public face of Wayfront: a World is a scene with its maps and its crowd on
// the GPU.
//
// A World of New lives on the thread of its OpenGL context, which may be one of the host's own
// (gpu.New) or one made by engine/headless or engine/window (gpu.NewOwn). A World of Headless or of
// a Pool has a context without a display on a thread of its own, and is used from any goroutine.
// Every call leaves the host's OpenGL state as it was, and no state of the host changes what is
// computed (see package gpu). Calls on a wrong thread, in another context or in a destroyed one do
// nothing and return a *gpu.ContextError; those without an error to return panic with it.
//
// Time goes in fixed ticks: Step is one, Advance runs as many as are due. Questions are answered by
// spm.View, an immutable copy of a map that any goroutine may use, and by the world itself about
// its ground. The host draws from the buffers and textures that Buffers names; nothing is read back
// in between.
//
// # Changes
//
// Changes are transactions: Edit takes all of them or none and they take effect at the next tick.
// Goals and obstacles are known by handles; a stale or foreign one is an error, a *HandleError.
// Doors and moving obstacles change the ground by themselves, at the beginning of the tick that
// their time has come with.
//
// Walls change at once and maps a tick later: tick n begins the maps of what changed with it, and
// agents read them from tick n+1 on, no matter how many frames are drawn in between. Until a map is
// complete its readers find the one before. Poll advances pending maps between ticks without
// waiting, and Advance calls it; a tick waits only for maps that are still pending. So a run
// depends on its edits and their ticks alone. Where time stands still, Apply has edits take effect
// without a tick.
//
// Only what changed is made anew (see Work): beginMaps in maps.go decides which goals get new maps.
// A goal has a map on the ground of its clearance: obstacles grown by it. Goals of one clearance
// share that ground. Sources that obstacles cover are blocked until they are free again (see
// World.BlockedSources); agents that walls cover are displaced to the nearest free ground.
//
// # Checkpoints
//
// Checkpoint keeps the whole state of a world in device memory, and Rollback goes back to it: the
// same edits and ticks then come out the same, bit for bit, on one device with one driver. Two
// worlds, or two runs of one, are compared by Hash.
//
// # Local maps
//
// Agents of a profile with steering "bvp" have a local map each (package bvp), which stands between
// the goals' maps and avoidance, in a stage of the frame. They see all agents within the map,
// whatever the profile says of neighbors: those are for avoidance. Arrivals are those of the goals'
// maps, whatever guides them. Goals of agents with a harmonic guide have a global harmonic map
// (World.HarmonicMap), and teams of explorers a map of what they know (World.Teams).
// Edit.SetProfile changes what a profile's agents steer by while they walk.
//
// # The frame
//
// World.Step runs the stages that frame.go lists. Drawing from the same buffers follows, by the
// host.
//
// The package has more than ten files and 2,000 lines, as one type has all that a host calls: a
// World's fields are those that its checkpoints keep (see checkpoint_test.go), and an edit is
// checked against goals, ground and agents before any of them changes. There is a file for each
// kind of thing that a world has. world.go is where to begin, then frame.go.
package engine
