package spawn

import (
	"math"
	"math/bits"

	"github.com/wayfront/wayfront/scenes"
)

// stream separates the uses of random numbers, so that one use never repeats the numbers of
// another.
type stream uint32

// The uses of random numbers.
const (
	streamPlace stream = iota + 1 // darts: counter is the attempt
	streamOrder                   // which agent gets which place of a packing
	streamSpeed                   // preferred speeds
)

// StreamAvoid is the stream of the samples of velocities on the device.
const StreamAvoid uint32 = 4

// The other numbers that agents have of their own: counter is the field.
const (
	streamAdded           stream = iota + 5 // preferred speeds of agents that are added to a crowd
	streamIndividual                        // of agents of a scene
	streamAddedIndividual                   // of agents that are added
	streamRoute                             // routes: counter is the route
)

// StreamService is the stream of the times of services on the device.
const StreamService uint32 = 9

// Philox returns four random words from a counter and a key, by Philox4x32-10 of Salmon, Moraes,
// Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3". It has no state: any number
// can be had in any order. shaders/include/rand.glsl is the same function.
func Philox(counter [4]uint32, key [2]uint32) [4]uint32 {
	for range 10 {
		high0, low0 := bits.Mul32(0xD2511F53, counter[0])
		high1, low1 := bits.Mul32(0xCD9E8D57, counter[2])
		counter = [4]uint32{high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0}
		key[0] += 0x9E3779B9
		key[1] += 0xBB67AE85
	}
	return counter
}

// random returns two numbers in [0, 1), multiples of 2^-53.
func random(seed uint64, stream stream, group, agent, counter uint32) (u, v float64) {
	words := Philox([4]uint32{uint32(stream), group, agent, counter}, [2]uint32{uint32(seed), uint32(seed >> 32)})
	fraction := func(high, low uint32) float64 {
		return float64((uint64(high)<<32|uint64(low))>>11) * (1.0 / (1 << 53))
	}
	return fraction(words[0], words[1]), fraction(words[2], words[3])
}

// normalGrain is the grid that preferred speeds are rounded to, in m/s. The error function and
// its inverse differ in their last bits between processors; rounded to 2^-20 m/s their results do
// not, short of an accident of one in 10^9.
const normalGrain = 1.0 / (1 << 20)

// mostDeviations is how far from the mean, in standard deviations, numbers of a distribution
// without bounds are: one in 10^18 would be farther away.
const mostDeviations = 9

// quantile returns the number of a distribution, of an agent's field, below which the share u of it
// lies. Preferred speeds are rounded to normalGrain, all else to a part in 2^20 of the deviation.
func quantile(u float64, field string, d scenes.Distribution) float64 {
	if math.IsInf(d.Std, 1) {
		return min(max(d.Min+float64(u*(d.Max-d.Min)), d.Min), d.Max)
	}
	lo, hi := max(d.Min, d.Mean-mostDeviations*d.Std), min(d.Max, d.Mean+mostDeviations*d.Std)
	if field == preferredSpeed {
		return truncatedNormal(u, d.Mean, d.Std, d.Min, d.Max, normalGrain)
	}
	_, size := math.Frexp(d.Std)
	return truncatedNormal(u, d.Mean, d.Std, lo, hi, math.Ldexp(1, size-20))
}

// truncatedNormal returns the value of a normal distribution, cut to lo..hi, below which the
// share u of it lies, rounded to a grain: the distribution function is inverted, nothing is
// rejected.
func truncatedNormal(u, mean, std, lo, hi, grain float64) float64 {
	mean = min(max(mean, lo), hi)
	if std == 0 || lo >= hi {
		return mean
	}
	below := func(x float64) float64 { return math.Erfc((mean-x)/(std*math.Sqrt2)) / 2 }
	a, b := below(lo), below(hi)
	share := a + float64(u*(b-a))
	x := mean + float64(std*math.Sqrt2*math.Erfinv(float64(2*share)-1))
	x = math.Round(x/grain) * grain
	return min(max(x, lo), hi)
}
