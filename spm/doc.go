// Package spm builds shortest path maps on the GPU and answers questions about them.
//
// A shortest path map tells, for every point of the ground, how far the nearest source of a goal is along a path that no
// obstacle crosses, and which point to walk to next: the parent. A shortest path among obstacles is a polyline that
// turns only at corners, vertices of obstacles round which the free ground is wider than a half turn. So the map is a
// competition of cones: every source, and every corner once its own distance is known, is the generator of a cone whose
// height over a point is the corner's distance plus the straight way from it; where cones overlap and are in sight,
// the lowest wins. Reference: Farias and Kallmann, "Improved Shortest Path Maps with GPU Shaders", 2018 (the paper).
//
// # What a map holds
//
// Generators is the paper's DataArray: per layer (goal) a record for each source, then one for each corner of
// the ground, with position, free sector, distance and parent. Parents is an integer texture array, the index of the
// winning generator of every texel; Field is a float texture array with parent position, distance and state. They stay on
// the GPU: agents and drawing read them there.
//
// # Method wavefront
//
// The default. Light from all generators spreads at once over the triangles of the free ground, in waves, nearest first:
//
//  1. propagate.comp carries windows (what a generator lights of a triangle's edge) from triangle to triangle, drops those
//     that a known distance beats, and offers distances to the corners that they see
//  2. ties.comp      finds, of the generators that offer a corner the same least distance, the one of lowest index
//  3. expand.comp    makes every corner with a new distance or parent a generator of its taut wedge
//
// and again until all queues are empty, which the CPU learns a batch of waves late. Then everything that was lit at a
// distance that held is sorted by generator (tally, scan, scatter) and drawn in one draw (shard.*), and the depth test keeps
// the nearest generator of every texel. The order of threads decides nothing: distances settle by atomic minimum, ties by
// index, and windows are only dropped where another path is shorter by more than rounding.
//
// # Method sequential
//
// The paper's four procedures, one generator an iteration, nearest first; kept as the reference and for comparison:
//
//  1. search.comp   picks the nearest generator that is not expanded yet, and cuts its taut wedge
//  2. shadow.*      marks in the stencil what walls hide from it
//  3. cone.*        draws its cone; the depth test keeps the nearest generator of every texel
//  4. distances.comp offers its distance to all corners that it sees
//
// The loop never waits for the GPU: which generator is current, and whether there is one at all, is decided there, and the
// passes are indirect.
//
// With both, cover.* says beforehand which texels are free ground, and resolve.comp writes Field in the end.
//
// # Exactness
//
// All sight is decided by signs of exact determinants on the lattice (see geom and shaders/include/sight.glsl): a ray
// that grazes a corner may be lost, but never one leaks, and what a lost ray would have lit is reached over the grazed
// corner with the same length. Lengths are float32 in metres from the domain's corner.
//
// # Questions
//
// View answers on the CPU, Batch on the GPU for many points at once, in place or from Go (query.comp, querysight.comp). Neither
// depends on texels: they expand from the point itself, through the triangles, where a better answer can be.
//
// # Segments
//
// Solve, View and Batch know segments whole, by beams (see geom.Beam). The two methods do not carry beams yet: the maps that they
// build lead to the ends of segments only.
package spm
