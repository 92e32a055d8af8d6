package local

import (
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// relaxers are the methods of relaxation. Each relaxation sets every free cell once, of ADI twice.
var relaxers = [...]struct {
	method scenes.Method
	stem   string
	turns  int // that a relaxation takes a cell: ADI goes through rows and columns three times each
}{
	// Over-relaxation in two halves, as on a chessboard, each of which reads the other's cells
	// alone: no order of invocations changes its result.
	{scenes.MethodRedBlack, "redblack", 1},
	// All cells at once, in place, from whatever their neighbors hold (Fischer et al. 2009, section
	// 5). What a number of relaxations gives depends on the device; what they converge to does not.
	{scenes.MethodJacobiGS, "jacobi", 1},
	// Whole rows at once, then whole columns (Peaceman and Rachford 1955), which Fischer et al.
	// name as future work. Potentials far below the largest in their row or column, by 1e-7 and
	// less, have no digits that mean anything, so that it is for maps whose goal is near.
	{scenes.MethodADI, "adi", 6},
}

// methodOf is the index of a method.
func methodOf(m scenes.Method) int {
	for i, r := range relaxers {
		if r.method == m {
			return i
		}
	}
	panic("bvp: there is no relaxation method " + string(m))
}

const (
	// aroundRelaxing is how many turns a cell takes before and after a dispatch's relaxations:
	// masks, factors, to shared memory and back.
	aroundRelaxing = 4
	// relaxedAtOnce is how many relaxations a dispatch does at most, so that no loop takes more turns
	// than Mesa's software renderer allows an invocation, 65,535. It is a multiple of Shifts.
	relaxedAtOnce = 200
)

// relaxInput is what redblack, jacobi and adi.comp.glsl take: they relax maps.
type relaxInput struct {
	walkersInput
	walkers    *gpu.Buffer[Walker] `gpu:"read"`
	potentials *gpu.Buffer[uint32] `gpu:"readwrite"`

	method, relaxations, most uint32
}

func relaxPass(method int, c class) gpu.PassSpec[relaxInput] {
	return gpu.PassSpec[relaxInput]{Stages: []string{"bvp/" + relaxers[method].stem + ".comp.glsl"}, Defines: c.defines()}
}

func (m *Maps) relax() {
	for method, r := range relaxers {
		for done := 0; ; done += relaxedAtOnce {
			left := 0
			for i := range m.batches {
				left = max(left, m.batches[i].relaxations[method]-done)
			}
			if left <= 0 {
				break
			}
			most := min(relaxedAtOnce, left)
			wants := func(b *batch) bool { return b.relaxations[method] > done }
			run(m, m.relaxing[method][:], most*r.turns+aroundRelaxing, wants, func(in walkersInput, potentials *gpu.Buffer[uint32]) relaxInput {
				return relaxInput{
					walkersInput: in, walkers: m.walkers, potentials: potentials,
					method: uint32(method), relaxations: uint32(done), most: uint32(most),
				}
			})
		}
	}
}
