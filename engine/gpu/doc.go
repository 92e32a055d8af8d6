// Package gpu is the device layer: buffers, textures, programs, dispatches and draws on an OpenGL 4.5 core context.
//
// New makes a device of a host's context, a game's own for example; NewOwn of a context that Wayfront has for itself, as those of
// engine/headless and engine/window. Methods have to be called on the context's thread, with that context current. Where it is
// not, functions that return errors return a *ContextError, and others panic with it. A Delete elsewhere waits until the device
// is used next.
//
// # Hosts
//
// Supported is the core profile, 4.5 or later: state that only a compatibility profile has is not put aside. A context with the
// no-error flag (GL_CONTEXT_FLAG_NO_ERROR_BIT) reports no errors, so a device out of memory, errors of the host and conditional
// rendering cannot be seen in it. New and NewOwn refuse it with a *ContextError of kind Unchecked: make the context without that flag.
//
// In a host's context all state of OpenGL is after every call what it was before, and no state that a host may have changes what
// Wayfront computes. Device.Do checks the context, puts the host's state aside and gives it back. Every method that issues commands
// is a Do of its own, but those that leave or need bindings: Bind, BindImage, Dispatch and Draw have to be inside of one. File
// state.go lists all state that is put aside. What cannot be is refused with a *StateError, and nothing is done:
//
//   - an active query that counts what is drawn or run (one of GL_TIME_ELAPSED is fine);
//   - transform feedback that is active and not paused;
//   - conditional rendering;
//   - a current program that is marked for deletion.
//
// An error that the host's own calls have left is returned as a *HostError. The debug callback stays the host's and hears nothing
// of Wayfront: debug output is off meanwhile. Objects that another context has deleted while they are bound in this one cannot
// be bound again, and are reported. State of extensions is the host's to keep from harm.
//
// A host that uses package go-gl itself must not call its Init while another thread uses Wayfront.
//
// Ideas:
//
//   - A Buffer holds elements of one Go type whose layout is the same in GLSL (see package shaders), zeroed, of fixed
//     length. A Texture is two-dimensional or an array of layers. What the device cannot hold is a *CapacityError that
//     says what was needed and what there is.
//   - A Draw is a complete description: no state leaks from one draw to the next.
//   - Order between passes that write storage buffers or images is the caller's to state, by Device.Barrier. Read
//     states its own.
//   - Reading back waits for the device. Every such read is counted by Device.Readbacks, so that a test can hold a frame
//     loop to none. A Mailbox brings small results without waiting.
//   - Device.Pass measures what the device takes for each part of a frame, read some frames late, without waiting, where
//     Device.MeasurePasses says so.
//   - Programs of the same sources share what the driver made of them, which the device keeps; each has its own uniforms.
//   - Errors and high-severity messages of the driver are returned by Do, or by Device.Err.
//
// Misuse (a range outside a buffer, a uniform that no shader declares, a value of the wrong type) panics; what depends on
// the device or on data is an error.
package gpu
