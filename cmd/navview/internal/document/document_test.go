package document

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/spm"
)

// TestExplain: what a device has no room for comes with a remedy, what is not the scene's fault
// stays as it is. Places are in TestFailure.
func TestExplain(t *testing.T) {
	doc, err := Load("../../testdata/room.json")
	if err != nil {
		t.Fatal(err)
	}
	full := &gpu.CapacityError{What: "a texture", Unit: "texels", Needed: 3, Limit: 2}
	if err := doc.Explain(fmt.Errorf("a map: %w", full)); !errors.Is(err, full) || !strings.Contains(err.Error(), "limit is 2; each of 2 maps of ") ||
		!strings.Contains(err.Error(), "lower map.size, ") {
		t.Errorf("got %v", err)
	}
	// 30,000 x 15,000 texels of 20 bytes, 9e9 in all.
	if err := doc.TooLarge(full, 30000, 1, "--size"); !strings.Contains(err.Error(), "takes 8.4 GiB, 20 bytes a texel: lower --size") {
		t.Errorf("got %v", err)
	}
	corners := &spm.GroundError{Corners: 7, Cause: full}
	for goals, want := range map[int]string{1: "with 7 corners: gpu: a texture needs 3 texels, the device's limit is 2; this does not depend on the size of the map: give obstacles with fewer corners", 2: "give fewer goals, or obstacles with fewer corners"} {
		if err := doc.TooLarge(corners, 10, goals, "--size"); !errors.Is(err, full) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "lower") {
			t.Errorf("got %v", err)
		}
	}
	full.Unit = "layers"
	if err := doc.Explain(full); !strings.Contains(err.Error(), "at most 2 goals") {
		t.Errorf("got %v", err)
	}
	other := errors.New("the driver is gone")
	if err := doc.Explain(other); !errors.Is(err, other) || err.Error() != other.Error() {
		t.Errorf("got %v", err)
	}
}

// TestBuiltinsHaveRoom: all agents of every built-in scene have a place to start, clear of walls
// and of one another.
func TestBuiltinsHaveRoom(t *testing.T) {
	for _, e := range builtin.List() {
		doc, err := Load(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		problems, err := doc.Refusals()
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %v, %v", e.Name, err, problems)
		}
	}
}
