package lattice

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRadixSortsStably(t *testing.T) {
	var r Radix
	for _, n := range []int{0, 1, 2, 63, 64, 65, 5000, 100} {
		for _, bits := range []int{1, radixBits, radixBits + 1, KeyBits, 64} {
			rng := rand.New(rand.NewPCG(uint64(n), uint64(bits)))
			type pair struct {
				key uint64
				val int32
			}
			var want []pair
			var keys []uint64
			var vals []int32
			for i := range int32(n) {
				k := rng.Uint64() >> (64 - bits)
				if rng.IntN(2) == 0 { // equal keys, and equal digits
					k &= 3
				}
				keys, vals, want = append(keys, k), append(vals, i), append(want, pair{k, i})
			}
			slices.SortStableFunc(want, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
			r.Sort(keys, vals, bits)
			for i, p := range want {
				if keys[i] != p.key || vals[i] != p.val {
					t.Fatalf("%d keys of %d bits: at %d is %d, %d, want %v", n, bits, i, keys[i], vals[i], p)
				}
			}
		}
	}
}
