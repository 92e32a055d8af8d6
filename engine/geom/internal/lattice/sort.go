package lattice

// KeyBits is the width of a point's key: 21 bits a coordinate, as 2^20 is one.
const KeyBits = 2 * (Bits + 1)

// Key packs a point of a domain into KeyBits bits. Keys are ordered as points are.
func (p Point) Key() uint64 { return uint64(p.X)<<(Bits+1) | uint64(p.Y) }

// PointOf returns the point of a key.
func PointOf(key uint64) Point {
	return Point{int32(key >> (Bits + 1)), int32(key & (1<<(Bits+1) - 1))}
}

// Radix sorts pairs of a key and a value. It keeps its scratch memory between calls.
type Radix struct {
	keys []uint64
	vals []int32
}

const radixBits = 11

// Sort sorts keys, and vals with them, stably and in place, by the low n bits of the keys. All
// higher bits must be zero.
func (r *Radix) Sort(keys []uint64, vals []int32, n int) {
	if cap(r.keys) < len(keys) {
		r.keys, r.vals = make([]uint64, len(keys)), make([]int32, len(keys))
	}
	from, fromVals, to, toVals := keys, vals, r.keys[:len(keys)], r.vals[:len(keys)]
	swapped := false
	for shift := 0; shift < n; shift += radixBits {
		var count [1 << radixBits]int32
		for _, k := range from {
			count[k>>shift&(1<<radixBits-1)]++
		}
		if len(from) > 0 && count[from[0]>>shift&(1<<radixBits-1)] == int32(len(from)) {
			continue // all digits are equal
		}
		var sum int32
		for d, c := range count {
			count[d], sum = sum, sum+c
		}
		for i, k := range from {
			d := k >> shift & (1<<radixBits - 1)
			to[count[d]], toVals[count[d]] = k, fromVals[i]
			count[d]++
		}
		from, fromVals, to, toVals = to, toVals, from, fromVals
		swapped = !swapped
	}
	if swapped {
		copy(keys, from)
		copy(vals, fromVals)
	}
}

// Distribute returns the items sorted stably by group: item i belongs to group where[i]. start has
// an entry for each group and one more, all zero; on return the items of group k lie from start[k]
// to start[k+1].
func Distribute[N int32 | uint32, T any](start []N, where []int32, items []T) []T {
	for _, k := range where {
		start[k]++
	}
	var sum N
	for k, n := range start {
		sum += n
		start[k] = sum
	}
	sorted := make([]T, len(items))
	for i := len(items) - 1; i >= 0; i-- {
		k := where[i]
		start[k]--
		sorted[start[k]] = items[i]
	}
	return sorted
}

// Numbers returns the n numbers from first on.
func Numbers(first int32, n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = first + int32(i)
	}
	return all
}
