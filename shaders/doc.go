// Package shaders holds every GLSL file of the project, embedded, and turns them into text that a
// driver compiles.
//
// A stage file is named by its package and stage, `spm/cone.frag.glsl`, and begins with
// `#version 450 core`. Load flattens it:
//
//   - `#include "include/exact.glsl"` pastes another file, once. Paths start at this folder.
//   - `#include <Generator>` pastes the GLSL struct generated from the Go struct of that name, so
//     that a buffer's layout has one source. Layout says what std430 asks of a Go struct.
//   - Defines are written behind the #version line in sorted order, so that equal environments give
//     equal text.
//
// Mesa drops the file number of a #line directive. Source therefore keeps its own table from
// flattened line to file and line, and Rewrite translates the log of any driver with it.
package shaders
