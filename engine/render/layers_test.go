package render

import (
	"strings"
	"testing"
)

func TestLayersText(t *testing.T) {
	parse := func(list string) (l Layers, err error) {
		err = l.UnmarshalText([]byte(list))
		return l, err
	}
	all, err := parse(strings.Join(LayerNames(), ","))
	if err != nil || all != Regions|Isolines|Obstacles|Parents|Sources|Paths|Agents|Potential|LocalMap|Walked|Density|Speed {
		t.Errorf("all layers are %b, %v", all, err)
	}
	if again, err := parse(all.String()); again != all || err != nil {
		t.Errorf("%q is read as %b, %v", all, again, err)
	}
	if got, err := parse(" agents, regions "); err != nil || got != Agents|Regions {
		t.Errorf("got %b, %v", got, err)
	}
	for _, list := range []string{"", "agents,", "walls"} {
		if _, err := parse(list); err == nil {
			t.Errorf("%q was taken", list)
		}
	}
}
