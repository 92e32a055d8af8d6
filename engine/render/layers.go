package render

import (
	"fmt"
	"slices"
	"strings"
)

// Layers is a set of what a picture shows.
type Layers uint

// The layers, from the lowest to the highest but for the last five.
const (
	Regions Layers = 1 << iota
	Isolines
	Obstacles
	Parents
	Paths
	Sources
	Agents
	Potential // the goal's global potential, in the place of regions and their isolines
	LocalMap  // the chosen agent's, above obstacles
	Walked    // the trails of agents, below paths
	Density   // shading above obstacles in the place of agents that are too small; of all without Agents
	Speed     // the same by mean speed; in the place of Density
)

var layerNames = []string{"regions", "isolines", "obstacles", "parents", "paths", "sources", "agents", "potential", "localmap", "trails", "density", "speed"}

// LayerNames returns the names that UnmarshalText reads, in order.
func LayerNames() []string { return layerNames }

// UnmarshalText reads a list such as "regions,agents".
func (l *Layers) UnmarshalText(list []byte) error {
	*l = 0
	for name := range strings.SplitSeq(string(list), ",") {
		name = strings.TrimSpace(name)
		i := slices.Index(layerNames, name)
		if i < 0 {
			return fmt.Errorf("render: no layer is called %q: any of %s, with commas between", name, strings.Join(layerNames, ", "))
		}
		*l |= 1 << i
	}
	return nil
}

// String returns the list that UnmarshalText reads.
func (l Layers) String() string {
	var names []string
	for i, name := range layerNames {
		if l.has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func (l Layers) has(layer Layers) bool { return l&layer != 0 }
