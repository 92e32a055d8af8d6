package heap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type number int

func (n number) Before(m number) bool { return n < m }

// TestHeap pushes and pops numbers at random, and compares with a sorted list.
func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var h Heap[number]
	var want []number
	for range 100_000 {
		if len(want) == 0 || r.IntN(2) == 0 {
			n := number(r.IntN(50))
			h.Push(n)
			i, _ := slices.BinarySearch(want, n)
			want = slices.Insert(want, i, n)
		} else if got := h.Pop(); got != want[0] {
			t.Fatalf("got %d, want %d", got, want[0])
		} else {
			want = want[1:]
		}
		if len(h) != len(want) {
			t.Fatalf("%d items, want %d", len(h), len(want))
		}
	}
}
