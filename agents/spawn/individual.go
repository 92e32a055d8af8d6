package spawn

import (
	"hash/fnv"

	"github.com/wayfront/wayfront/scenes"
)

// preferredSpeed is the field that draws from a stream of its own.
const preferredSpeed = "preferredSpeed"

// Draw returns how an agent of a scene draws the numbers that differ between the agents of its
// profile. A number depends on the seed, the agent's group and its index in the group, and the
// field alone: in whatever order numbers are drawn, and whatever other fields vary, it is the same.
func Draw(seed uint64, group, index uint32) scenes.Draw {
	return drawBy(seed, streamSpeed, streamIndividual, group, index)
}

// Quantile returns how to draw the number below which the share u of a distribution lies.
func Quantile(u float64) scenes.Draw {
	return func(field string, d scenes.Distribution) float64 { return quantile(u, field, d) }
}

// DrawAdded is Draw for an agent that is added to a crowd: by its slot, and how many agents had the
// slot before.
func DrawAdded(seed uint64, slot, generation uint32) scenes.Draw {
	return drawBy(seed, streamAdded, streamAddedIndividual, slot, generation)
}

func drawBy(seed uint64, speeds, others stream, a, b uint32) scenes.Draw {
	return func(field string, d scenes.Distribution) float64 {
		stream, counter := others, numberOf(field)
		if field == preferredSpeed {
			stream, counter = speeds, 0
		}
		u, _ := random(seed, stream, a, b, counter)
		return quantile(u, field, d)
	}
}

// numberOf is the number of a field, which does not change where other fields are added.
func numberOf(field string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(field)) // it has no errors
	return h.Sum32()
}
