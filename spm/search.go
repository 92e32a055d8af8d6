package spm

import (
	"unsafe"

	"github.com/wayfront/wayfront/engine/gpu"
)

// cone is the current generator as the passes of an iteration see it: as a storage buffer in
// compute, as instanced attributes where cones and shadows are drawn.
type cone struct {
	Position               [2]float32 // m from the domain's corner
	X, Y                   int32      // lattice
	FromX, FromY, ToX, ToY int32      // free sector
	RightX, RightY         int32      // the taut wedge runs counter-clockwise from the ray to right
	LeftX, LeftY           int32      // to the ray to left
	AheadX, AheadY         int32      // of a beam, where all its rays go; zero where they part
	Kind                   uint32     // geom.SectorKind
	Wedge                  uint32     // one of the wedge constants
	Distance               float32    // m
	Index                  uint32     // of the generator, in its layer
}

// What the taut wedge of a cone is.
const (
	wedgeNone  uint32 = 0 // no wedge: all of the free sector
	wedgeTaut  uint32 = 1 // between right and left
	wedgeEmpty uint32 = 2 // no shortest path turns at this corner
)

// commands are the indirect commands of an iteration's draws and dispatch, in OpenGL's layout.
type commands struct {
	ShadowCount, ShadowInstances, ShadowFirst, ShadowBase uint32
	ConeCount, ConeInstances, ConeFirst, ConeBase         uint32
	GroupsX, GroupsY, GroupsZ                             uint32
}

// Byte offsets in commands.
const (
	shadowCommand   = int(unsafe.Offsetof(commands{}.ShadowCount))
	coneCommand     = int(unsafe.Offsetof(commands{}.ConeCount))
	distanceCommand = int(unsafe.Offsetof(commands{}.GroupsX))
)

// searchInput is what search.comp.glsl takes: it picks the nearest generator that is not expanded
// yet (Procedure 1).
type searchInput struct {
	generators *gpu.Buffer[Generator] `gpu:"readwrite"`
	cone       *gpu.Buffer[cone]      `gpu:"write"`
	commands   *gpu.Buffer[commands]  `gpu:"write"`
	base       uint32                 // first record of the layer
	count      uint32                 // records of the layer
	walls      uint32                 // that may cast shadows
}

var searchPass = gpu.PassSpec[searchInput]{Name: "spm search", Stages: []string{"spm/search.comp.glsl"}, Defines: defines}
