package gpu

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// Budget is how many loop turns all invocations of a dispatch take together, at most: watchdogs end
// what holds a device for 2 s, as on Windows. A turn is a read and some hundred operations. The
// slowest devices considered, integrated ones of 192 lanes at 1 GHz, do 2 10^9 turns a second with
// every lane busy, and half of that while they wait for memory every other time: 2^30 turns take
// them about 1 s. What takes longer is cut into several dispatches, which an operating system can
// interrupt between them.
const Budget = 1 << 30

// LongestInvocation is how many turns one invocation takes, at most, of those that wait for one
// another: at 1 us for a read that waits for the read before it, 0.3 s. As many of its longest
// invocations as a dispatch of RunEach takes keep within Budget.
const LongestInvocation = 1 << 18

// portionStep divides every portion: a multiple of all sizes of work groups.
const portionStep = 128

// dispatchMost is how many work groups every device can dispatch along an axis.
const dispatchMost = 65535

// SetBudget makes dispatches shorter, or longer, than Budget has it, from now on: on a device that
// is slower than any considered there. Results stay the same.
func (d *Device) SetBudget(turns int) { d.budget = turns }

// Budget is how many turns a dispatch takes, at most: the constant Budget unless SetBudget has set
// another.
func (d *Device) Budget() int { return d.budget }

// portion is how many elements a dispatch may take if each takes up to so many turns: at least 128,
// and a multiple of that.
func (d *Device) portion(turns int) int {
	return max(d.budget/max(turns, 1), portionStep) / portionStep * portionStep
}

// RunEach runs a compute pass with work groups of so many invocations, one for each of count
// elements, which take up to so many turns each. It makes several dispatches, in any order, where
// one would exceed Budget or have more groups than OpenGL promises. The shader finds its element by
// adding the field first, a uint32 that RunEach sets, to the invocation's number.
func (p *Pass[T]) RunEach(in T, count, group, turns int) {
	first := portionField[uint32](&p.pass, unsafe.Pointer(&in), "first")
	most := min(p.device.portion(turns), dispatchMost*group/portionStep*portionStep)
	p.device.Unordered(func() {
		for *first = 0; int(*first) < count; *first += uint32(most) {
			p.Run(in, Groups(min(most, count-int(*first)), group))
		}
	})
}

// RunIndirectEach runs a compute pass on as many work groups as three uint32 in a buffer say, for
// at most count elements, which take up to so many turns each. It makes several dispatches, in any
// order, where one could exceed Budget: each is for the elements from .x up to, not including, .y
// of the field portion, a [2]uint32 that RunIndirectEach sets.
func (p *Pass[T]) RunIndirectEach(in T, commands Storage, offset, count, turns int) {
	portion := portionField[[2]uint32](&p.pass, unsafe.Pointer(&in), "portion")
	most := uint32(p.device.portion(turns))
	p.device.Unordered(func() {
		for *portion = [2]uint32{0, most}; int(portion[0]) < count; *portion = [2]uint32{portion[1], portion[1] + most} {
			p.RunIndirect(in, commands, offset)
		}
	})
}

// portionField is where the inputs of a pass have a uniform that says which elements a dispatch is
// for.
func portionField[F any](p *pass, in unsafe.Pointer, name string) *F {
	i := slices.IndexFunc(p.inputs, func(x input) bool { return x.name == name && x.kind == reflect.TypeFor[F]() && x.to.class == plain })
	if i < 0 {
		panic(fmt.Sprintf("gpu: pass %q: its shaders use no uniform %s of type %v, which says what a dispatch is for", p.label, name, reflect.TypeFor[F]()))
	}
	return (*F)(unsafe.Add(in, p.inputs[i].offset))
}
