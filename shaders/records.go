package shaders

// NoParent is the parent index of a generator that no path has reached. The same value stands in a
// map's parent texture where a texel has no parent.
const NoParent uint32 = 0xffffffff

// Generator is one record of a shortest path map: a point that other points can have as their
// parent. It is the DataArray record of Farias and Kallmann 2018, section 4.1, with the point's
// free sector added, so that sight can be decided exactly on the GPU. It lives here, below the
// packages that build maps and those that follow them, because its GLSL form is generated from it.
//
// A layer of a map is a run of records: the goal's sources first, then the corners of the ground.
// 48 bytes, std430.
type Generator struct {
	// Position is the point in local coordinates. Units: m.
	Position [2]float32
	// X and Y are the point on the lattice. All tests of sight use these.
	X, Y int32
	// FromX, FromY, ToX and ToY are the far ends of the wall runs that bound the free sector, which
	// lies counter-clockwise from the ray to From to the ray to To. Both equal the point itself where
	// there is no wall.
	FromX, FromY, ToX, ToY int32
	// Kind is the width of the free sector: 0 all around, 1 less than pi, 2 exactly pi, 3 more than
	// pi. 4 is a light field, which some shaders call a beam: the light that a segment from X, Y to
	// ToX, ToY sends to its left, at right angles. Position is then no place to walk to; the foot
	// point on the segment is.
	Kind uint32
	// Status belongs to the method that builds the map.
	Status uint32
	// Distance is the length of the shortest path to the nearest source, +Inf where none is reached.
	// Units: m.
	Distance float32
	// Parent is the index, within the layer, of the next generator on that path; a source is its own
	// parent; NoParent where none is reached.
	Parent uint32
}
