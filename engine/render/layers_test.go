package render

import (
	"strings"
	"testing"
)

func TestParseLayers(t *testing.T) {
	all, err := ParseLayers(strings.Join(LayerNames(), ","))
	if err != nil || all != Regions|Isolines|Obstacles|Parents|Sources|Paths|Agents|Potential|LocalMap|Walked {
		t.Errorf("all layers are %b, %v", all, err)
	}
	if again, err := ParseLayers(all.String()); again != all || err != nil {
		t.Errorf("%q is read as %b, %v", all, again, err)
	}
	if got, err := ParseLayers(" agents, regions "); err != nil || got != Agents|Regions {
		t.Errorf("got %b, %v", got, err)
	}
	for _, list := range []string{"", "agents,", "walls"} {
		if _, err := ParseLayers(list); err == nil {
			t.Errorf("%q was taken", list)
		}
	}
}
