// Package gpu is the device layer: buffers, textures and passes on an OpenGL 4.5 core context.
//
// New makes a device of a host's context, a game's own for example; NewOwn of a context that
// Wayfront has for itself, as those of engine/headless and engine/window. Methods have to be called
// on the context's thread, with that context current. Where it is not, functions that return errors
// return a *ContextError, and others panic with it. A Delete elsewhere waits until the device is
// used next.
//
// The package has more files than ten, as all kinds of objects record what passes do to them, and
// all calls go through one door: pass.go is where to begin, then hazard.go (barriers), door.go (the
// context) and object.go. What a host's state is, is in internal/glstate.
//
// # Passes
//
// A Pass is a compute or drawing program with a Go struct of its inputs, which have the names that
// the shaders declare. NewPass matches both sides, and reports what is missing, superfluous or
// different.
//
//   - Binding points, texture units and locations are derived from the linked program. Shaders name
//     none of them.
//   - Barriers are derived from what each run reads and writes: one comes only before a command
//     that depends on what shaders did earlier. Device.Unordered runs passes whose order does not
//     matter without barriers between them.
//   - A run keeps no state for the next: what a Draw leaves out is off.
//   - RunEach and RunIndirectEach cut long runs, so that no watchdog ends them: see Budget.
//
// Device.Stage names a part of a frame, which may have several passes. With Device.MeasureStages
// its time on the device is measured, and read some frames later, without waiting. Device.Counts
// lists for each pass its runs, work groups, barriers and an upper estimate of the bytes that it
// reaches.
//
// # Memory and errors
//
// A Buffer holds elements of one Go type whose layout is the same in GLSL (see package shaders),
// zeroed, of fixed length. A Texture is two-dimensional or an array of layers. What the device
// cannot hold is a *CapacityError with what was needed and what there is. Reading back waits for
// the device, and is counted by Device.Readbacks, so that a test can hold a frame loop to none. A
// Mailbox brings small results without waiting.
//
// Errors and high-severity messages of the driver are returned by Do, or by Device.Err. Misuse (a
// range outside a buffer, an input that is nil or was deleted) panics; what depends on the device
// or on data is an error.
//
// # Hosts
//
// In a host's context all state of OpenGL is after every call what it was before, and no state that
// a host may have changes what Wayfront computes. Device.Do checks the context, puts the host's
// state aside and gives it back. Every method that issues commands is a Do of its own; many in a
// row are faster inside of one. What shaders wrote is visible to the host after each. What cannot
// be put aside is refused with a *StateError, and nothing is done:
//
//   - an active query that counts what is drawn or run (one of GL_TIME_ELAPSED is fine);
//   - transform feedback that is active and not paused;
//   - conditional rendering;
//   - a current program that is marked for deletion.
//
// An error that the host's own calls have left is returned as a *HostError. The debug callback
// stays the host's and gets no messages of Wayfront: debug output is off meanwhile. Objects that
// another context has deleted while they are bound in this one cannot be bound again, and are
// reported. State of extensions and of compatibility profiles is not put aside.
//
// New and NewOwn refuse a context with the no-error flag (GL_CONTEXT_FLAG_NO_ERROR_BIT), in which a
// device out of memory, errors of the host and conditional rendering cannot be seen. A host that
// uses package go-gl itself must not call its Init while another thread uses Wayfront.
package gpu
