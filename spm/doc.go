// Package spm builds shortest path maps on the GPU and answers questions about them.
//
// A shortest path map holds, for every point of the ground, how far the nearest source of a goal is
// along a path that no obstacle crosses, and which point to walk to next: the parent. A shortest
// path among obstacles is a polyline that turns only at corners, vertices of obstacles round which
// the free ground is wider than a half turn. So the map is a competition of cones: every source,
// and every corner once its own distance is known, is the generator of a cone whose height over a
// point is the corner's distance plus the straight line from it; where cones overlap and are in
// sight, the lowest wins. Reference: Farias and Kallmann, "Improved Shortest Path Maps with GPU
// Shaders", 2018 (the paper).
//
// # What a map holds
//
// Generators is the paper's DataArray: per layer (goal) a record for each source, then one for each
// corner of the ground, with position, free sector, distance and parent. Parents is an integer
// texture array, the index of the winning generator of every texel; Field is a float texture array
// with parent position, distance and state. They stay on the GPU: agents and drawing read them
// there.
//
// # Method wavefront
//
// The default. Light from all generators of all layers that change spreads at once over the
// triangles of the free ground, in waves, nearest first:
//
//  1. propagate.comp carries windows (what a generator lights of a triangle's edge) from triangle
//     to triangle, drops those that a known distance beats, and offers distances to the corners
//     that they see
//  2. ties.comp finds, of the generators that offer a corner the same least distance, the one of
//     lowest index
//  3. expand.comp makes every corner with a new distance or parent a generator of its taut wedge
//
// and again until all queues are empty. Then everything that was lit at a distance that held is
// sorted by layer and generator (tally, scan, scatter), each layer is drawn in one draw (shard.*),
// and the depth test keeps the nearest generator of every texel. The order of threads decides
// nothing: distances are atomic minima, ties go by index, and windows are only dropped where
// another path is shorter by more than rounding.
//
// Sources need no waves to beat one another: each is drawn and sends light out only where it is
// nearest of those in the same triangle, in its Voronoi cell there, and its windows are
// narrowed to where no source of the triangles that they cross is nearer. So many sources in one
// room cost about as much as one, not that many times as much.
//
// Layers that spread together are a batch: mostly all that change, several in turn where their
// queues would be more than shaders can see. Each layer has a slot of records, which start.comp
// fills from its ground and where the sources are written; sources begin by offering their distance
// to the corners about them (seed.comp). Nearest is counted for each layer apart, so that each
// takes the waves that it would alone, and together they take as many as the slowest.
//
// # Pending builds
//
// Waves work on records of their own. Builder.Begin submits the first of them and Builder.Advance
// the next ones, two submissions ahead of the last readback; neither waits. What was lit is
// collected until the last batch completes. Then, in one go, the records are copied to Generators
// and all layers drawn: commands before read the old layers, commands afterwards the new ones.
// Submissions are short at first, since small maps take few waves; waves after the end find empty
// queues. A queue that proves too small is made larger, and its batch begins anew. What is lit
// fills pages, buffers that are used one after the other, and is drawn from pages, so that no
// buffer is larger than shaders can see.
//
// No dispatch is long, whatever the scene: an invocation takes some thousand steps at most, and
// what it has not come to stays in the queues for the next wave. Draws are cut too.
//
// # Method sequential
//
// The paper's four procedures, one generator an iteration, nearest first; kept as the reference and
// for comparison:
//
//  1. search.comp   picks the nearest generator that is not expanded yet, and cuts its taut wedge
//  2. shadow.*      marks in the stencil what walls hide from it (shaders/include/shadow.glsl)
//  3. cone.*        draws its cone; the depth test keeps the nearest generator of every texel
//  4. distances.comp offers its distance to all corners that it sees
//
// The loop never waits for the GPU: which generator is current, and whether there is one at all, is
// decided there, and the passes are indirect.
//
// With both, resolve.* draws Field from Parents in the end. Texels that no generator lights are in
// obstacles, or on ground that no source reaches. Which connected areas of the ground hold a source
// is known beforehand, and cover.* draws the others.
//
// # Exactness
//
// All sight is decided by signs of exact determinants on the lattice (see geom and
// shaders/include/sight.glsl): a ray that grazes a corner may be lost, but never one leaks, and
// what a lost ray would have lit is reached over the grazed corner with the same length. Lengths
// are float32 in meters from the domain's corner.
//
// # Questions
//
// View (package exact) answers on the CPU, Batch on the GPU for many points at once, in place or
// from Go (query.comp, querysight.comp). Neither depends on texels: they expand from the point
// itself, through the triangles, where a better answer can be.
//
// # Segments
//
// A segment is cut into source segments on closed free ground. Their ends are sources like others,
// and each free side of one is a generator of its own, a parallel light field: its rays are all
// orthogonal to the segment (geom.LightField). Windows, wedges and shadows of a light field have
// parallel rays, and the one question that they ask, on which side of a ray a point lies, is as
// exact as for rays that part (shaders/include/ray.glsl). In method sequential its cone is the
// strip that its segment faces.
//
// The paper splits segments at their critical points, the projections of corners in sight, and has
// a record, and an iteration, for each piece. Those points are as many as the corners, are not on
// the lattice, and must be known before the first iteration finds what is in sight. A light field
// needs none of them: each corner and each texel has its own foot point on the segment. The
// critical points are the foot points of the corners whose parent is the light field.
//
// # Files
//
// Passes stand with what runs them, by shader:
//
//	wavefront.go   queues, and the list of the method's passes
//	layerbatch.go  batches of layers
//	wave.go        start, seed, propagate, ties, expand
//	seed.go        what light begins with; voronoi.go  the cells of sources in a triangle
//	sort.go        tally, scan, scatter
//	shard.go       shard.*
//	sequential.go  search, shadow.*, cone.*, distances
//	field.go       resolve.*, cover.*
//	batch.go       what all questions share; query.go, querysight.go
//	change.go      builds, from Begin to the new layers
//	map.go         layers and textures; surface.go  a ground on the device
//
// They are one package, and a large one. Both methods and the questions work on what surface.go
// keeps of a ground on the device, on the records of a map and on its texels: as packages of their
// own they would export these layouts, a dozen structs of device memory, to each other and to
// nothing else. What needs none of them, exact answers without OpenGL, is package exact.
package spm
