package gpu

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Barriers, derived step by step, are compared with the rule of OpenGL taken literally: of any two
// commands, the later has to come after a barrier of its use where the earlier one's shaders wrote
// what it reaches, or read in them what it writes.
func TestOrderAgainstRule(t *testing.T) {
	type access struct {
		buffer int
		use    use
		writes bool
	}
	type event struct {
		accesses []access
		group    int // 0: none
		barrier  uint
	}
	random := rand.New(rand.NewPCG(3, 7))
	barriers := 0
	for range 2000 {
		var o order
		var histories [4]history
		var log []event
		group := 0
		for range 30 {
			e := event{}
			switch random.IntN(8) {
			case 0: // a group begins or ends
				if o.group = !o.group; o.group {
					group++
				}
				if o.group {
					o.group = false
					o.next()
					o.group = true
				}
				continue
			case 1: // a transfer
				e.accesses = []access{{random.IntN(4), byTransfer, true}}
			default:
				for b := range histories {
					if random.IntN(3) == 0 {
						u := use(random.IntN(int(byTransfer)))
						e.accesses = append(e.accesses, access{b, u, u == inStorage && random.IntN(2) == 0})
					}
				}
			}
			transfer := len(e.accesses) == 1 && e.accesses[0].use == byTransfer
			if o.group && !transfer {
				e.group = group
			}
			if transfer {
				o.group = false // as Device.transfer
			}
			o.next()
			for _, a := range e.accesses {
				if o.needs(&histories[a.buffer], a.use, a.writes) {
					e.barrier |= 1 << a.use
				}
			}
			for u := range uses {
				if e.barrier>>u&1 != 0 {
					o.barrier(u)
					barriers++
				}
			}
			if transfer {
				o.group = e.group != 0
			} else {
				for _, writes := range []bool{false, true} {
					for _, a := range e.accesses {
						if a.writes == writes {
							o.note(&histories[a.buffer], writes)
						}
					}
				}
			}

			var want uint
			for i, before := range log {
				if e.group != 0 && before.group == e.group {
					continue
				}
				for _, a := range e.accesses {
					conflicts := slices.ContainsFunc(before.accesses, func(b access) bool {
						return b.buffer == a.buffer && b.use != byTransfer && (b.writes || a.writes && a.use == inStorage)
					})
					ordered := slices.ContainsFunc(log[i+1:], func(between event) bool { return between.barrier>>a.use&1 != 0 })
					if conflicts && !ordered {
						want |= 1 << a.use
					}
				}
			}
			// A barrier inside of a group counts as one before it: some after the group come twice.
			grouped := slices.ContainsFunc(log, func(e event) bool { return e.group != 0 })
			if want&^e.barrier != 0 || e.barrier&^want != 0 && !grouped {
				t.Fatalf("after %+v, %+v has barriers %b, want %b", log, e, e.barrier, want)
			}
			log = append(log, e)
		}
	}
	if barriers < 1000 {
		t.Errorf("only %d barriers in all: the test compares nothing", barriers)
	}
}
