// Package bvp is steering by boundary value problems: agents walk along the gradient of a potential
// (Dapper et al. 2007; Fischer et al. 2009). It is cut by job:
//
//   - local: a small map that goes with each agent, around what it sees;
//   - harmonic: the map of a whole ground to a goal;
//   - explore: maps of what teams have seen of a ground that they do not know;
//   - grid: a ground as the cells of the latter two;
//   - reference: the plain Go form of the passes, for tests and benchmarks.
//
// # The field
//
// Obstacles have the potential 1, goals 0, and in between the potential solves
//
//	laplacian p + eps v . grad p = 0                                                       (equation 1)
//
// Such a field has no local minima. An agent walks down its gradient; eps and v bend the path, and
// so make for individuals. Stored is q = 1 - p, obstacles 0 and goals 1, which solves the same
// equation and is walked up: close to 0 a float keeps the digits that it loses next to 1, and far
// from the goal, or against a strong bias, q is 1e-6 and less.
//
// Written for a cell and its four neighbors, equation 1 is a weighted mean (equation 3): a
// relaxation sets cells to it, again and again.
package bvp

import "github.com/wayfront/wayfront/bvp/internal/owned"

// ErrClosed says that maps were closed before the call. A world closes its maps when it is closed.
var ErrClosed = owned.ErrClosed
