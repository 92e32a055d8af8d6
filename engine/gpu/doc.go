// Package gpu is the device layer: buffers, textures and passes on an OpenGL 4.5 core context.
//
// New makes a device of a host's context, a game's own for example; NewOwn of a context that
// Wayfront has for itself, as those of engine/headless and engine/window. Methods have to be called
// on the context's thread, with that context current. Where it is not, functions that return errors
// return a *ContextError, and others panic with it. A Delete elsewhere waits until the device is
// used next.
//
// # Hosts
//
// Supported is the core profile, 4.5 or later: state that only a compatibility profile has is not
// put aside. A context with the no-error flag (GL_CONTEXT_FLAG_NO_ERROR_BIT) reports no errors, so
// a device out of memory, errors of the host and conditional rendering cannot be seen in it. New
// and NewOwn refuse it with a *ContextError of kind Unchecked: make the context without that flag.
//
// In a host's context all state of OpenGL is after every call what it was before, and no state that
// a host may have changes what Wayfront computes. Device.Do checks the context, puts the host's
// state aside and gives it back. Every method that issues commands is a Do of its own; many in a
// row are faster inside of one. What shaders wrote is visible to the host after each. Package
// internal/glstate lists all state that is put aside. What cannot be is refused with a *StateError,
// and nothing is done:
//
//   - an active query that counts what is drawn or run (one of GL_TIME_ELAPSED is fine);
//   - transform feedback that is active and not paused;
//   - conditional rendering;
//   - a current program that is marked for deletion.
//
// An error that the host's own calls have left is returned as a *HostError. The debug callback
// stays the host's and gets no messages of Wayfront: debug output is off meanwhile. Objects that
// another context has deleted while they are bound in this one cannot be bound again, and are
// reported. State of extensions is the host's to keep from harm.
//
// A host that uses package go-gl itself must not call its Init while another thread uses Wayfront.
//
// # Passes
//
// A Pass is a compute or drawing program with a Go struct of its inputs, which have the names that
// the shaders declare: buffers, textures, attributes, uniforms. NewPass matches both sides, and
// reports what is missing, superfluous or different.
//
//   - Binding points, texture units and locations are derived from the linked program. Shaders name
//     none of them.
//   - Barriers are derived from what each run reads and writes: one comes only before a command
//     that depends on what shaders did earlier. Device.Unordered runs passes whose order does not
//     matter without barriers between them: those that write different parts of a buffer, or whose
//     writes commute.
//   - A run keeps no state for the next: what a Draw leaves out is off.
//   - Passes of the same sources share a program of the driver.
//   - RunEach and RunIndirectEach cut long runs, so that no watchdog ends them: see Budget.
//
// # Measuring
//
// Device.Stage names a part of a frame, which may have several passes. With Device.MeasureStages
// its time on the device is measured, and read some frames later, without waiting. Device.Counts
// lists for each pass its runs, work groups, barriers and an upper estimate of the bytes that it
// reaches.
//
// # Memory
//
// A Buffer holds elements of one Go type whose layout is the same in GLSL (see package shaders),
// zeroed, of fixed length. A Texture is two-dimensional or an array of layers. What the device
// cannot hold is a *CapacityError with what was needed and what there is. Reading back waits for
// the device, and is counted by Device.Readbacks, so that a test can hold a frame loop to none. A
// Mailbox brings small results without waiting.
//
// # Errors
//
// Errors and high-severity messages of the driver are returned by Do, or by Device.Err. Misuse (a
// range outside a buffer, an input that is nil or was deleted) panics; what depends on the device
// or on data is an error.
package gpu
