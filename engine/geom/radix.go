package geom

// radix sorts pairs of a key and a value by key, stably, from the low bits up.
// It keeps its scratch memory between calls.
type radix struct {
	keys []uint64
	vals []int32
}

const radixBits = 11

// sort orders keys and vals, in place, by the low n bits of the keys. All
// higher bits must be zero.
func (r *radix) sort(keys []uint64, vals []int32, n int) {
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
			continue // all digits equal
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
