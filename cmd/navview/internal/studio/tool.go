package studio

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/render"
)

// Pointer is where the pointer is, and what is held down with it.
type Pointer struct {
	At                  mgl64.Vec2 // on the ground, m
	Pixel               [2]float64 // in the window, from its upper left corner
	Reach               float64    // how far from a thing it points at it. Unit: m
	Shift, Control, Alt bool
	Double              bool // a second press at the same place
}

// Tool is what the left button does on the ground. Press and Release come in pairs, unless Cancel
// comes in between; Drag comes only after the pointer has left the dead zone of the press, so that
// no click moves anything.
type Tool interface {
	Name() string
	Hover(s *Studio, p Pointer) error
	Press(s *Studio, p Pointer) error
	Drag(s *Studio, p Pointer) error
	Release(s *Studio, p Pointer) error
	// Enter ends what is drawn in several clicks.
	Enter(s *Studio) error
	// Type sets the length, size or angle of what is being drawn or dragged, such as "2.5" or
	// "2 x 3"; false where that is none.
	Type(s *Studio, text string) (bool, error)
	// Cancel takes back what is going on; false: nothing is.
	Cancel(s *Studio) (bool, error)
	// Draw returns what is drawn over the ground for it.
	Draw(s *Studio) Overlay
}

// Size is a number of a tool that its user sets. Tools that are taken later have it, too.
type Size struct {
	Name, Unit string
	Value      *float64 // > 0
}

// Sized is a tool with sizes.
type Sized interface{ Sizes() []Size }

// Overlay is what is drawn over the ground.
type Overlay struct {
	Sketches []render.Sketch
	Labels   []Label
	Hint     string // what mouse and keys do now
}

// Label is words at a place of the ground.
type Label struct {
	At    mgl64.Vec2
	Words string
}

// DeadZone is how far the pointer moves before a press is a drag. Unit: nominal pixels.
const DeadZone = 6
