package arrangement

import (
	"math"
	"slices"

	"github.com/wayfront/wayfront/engine/geom/internal/lattice"
	"github.com/wayfront/wayfront/engine/geom/polygon"
)

// Outlines puts rings on the lattice as an arrangement has them before it bends them: joined with
// the vertices that touch them, and clipped. Each of their edges is a chain of edges of the
// arrangement through all vertices whose pixels it meets (see Edge.Through).
type Outlines struct {
	contacts contacts
	arranger arranger
	clipper  clipper
}

// NewOutlines returns the outlines of an arrangement of obstacles.
func NewOutlines(l lattice.Lattice, obstacles []polygon.Polygon) *Outlines {
	return &Outlines{contacts: newContacts(l, obstacles, &effort{most: math.MaxInt64}), clipper: clipper{lattice: l}}
}

// Outlines returns the outlines of the rings as they are. It is for the time until the next change.
func (d *Incremental) Outlines() *Outlines {
	contacts := d.contacts
	contacts.effort = &effort{most: math.MaxInt64}
	return &Outlines{contacts: contacts, clipper: clipper{lattice: d.lattice}}
}

// Edges returns the edges of a ring of the arrangement, lower ends first.
func (o *Outlines) Edges(ring polygon.Ring) []Edge {
	o.arranger.raw = o.arranger.raw[:0]
	o.arranger.addRing(o.clipper.clip(o.contacts.join(ring)), 1)
	return slices.Clone(o.arranger.raw)
}
