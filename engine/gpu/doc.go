// Package gpu is the device layer: buffers, textures, programs, dispatches and draws on an OpenGL 4.5 core context.
//
// New wraps whatever context is current on the calling thread, be it one of engine/headless, engine/window or a game's
// own. Every method must be called on that thread, with that context current. A host that has a context of its own gets
// buffer and texture names from Name, and must expect that the state it set is changed: Draw sets all the state that it
// depends on and restores none.
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
//   - Device.Pass measures what the device takes for each part of a frame, read some frames late, without waiting.
//   - Errors and high-severity messages of the driver stick in Device.Err until asked for.
//
// Misuse (a range outside a buffer, a uniform that no shader declares, a value of the wrong type) panics; what depends on
// the device or on data is an error.
package gpu
