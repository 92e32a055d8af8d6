//go:build !headless

package panels

import (
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/engine/window"
	"github.com/wayfront/wayfront/scenes"
)

// TestListsGrowAndShrink adds a goal to an itinerary by its button, chooses another one, and removes
// both again.
func TestListsGrowAndShrink(t *testing.T) {
	with(t, hall, func(d *desk) {
		before := string(d.s.Doc.Text())
		d.s.Select(studio.Ref{List: studio.Groups, Item: -1})
		d.frames(3)
		d.click(".itinerary?") // opens the list
		d.click(".itinerary")
		d.click(".itinerary[2]")
		d.click(".itinerary[2]=shop")
		if got := d.s.Scene().Groups[0].Itinerary; !slices.Equal(got, []string{"shop", "exit", "shop"}) {
			t.Fatalf("itinerary %v", got)
		}
		d.click(".itinerary[2]x")
		if string(d.s.Doc.Text()) != before {
			t.Errorf("left\n%s", d.s.Doc.Text())
		}
		d.want("add to itinerary of one", "set itinerary of one", "remove from itinerary of one")
	})
}

// TestRoutes splits a group by its form: the routes take the place of the itinerary, the second goes
// to another goal, for a third of the agents.
func TestRoutes(t *testing.T) {
	with(t, hall, func(d *desk) {
		d.s.Select(studio.Ref{List: studio.Groups, Item: -1})
		d.frames(3)
		d.click(".routes")
		d.click(".routes")
		if _, shown := d.fields[".itinerary"]; shown && d.s.Scene().Groups[0].Itinerary != nil {
			t.Error("the itinerary stays beside routes")
		}
		d.click(".routes?")
		d.click(".routes[0]?")
		d.frames(2)
		at := d.fields[".routes[0].share"]
		d.pause()
		d.press(at, window.Left, 0)
		d.press(at, window.Left, 0)
		d.retype("2")
		want := []scenes.Route{{Itinerary: []string{"shop", "exit"}, Share: 2}, {Itinerary: []string{"shop"}, Share: 1}}
		if got := d.s.Scene().Groups[0].Routes; !reflect.DeepEqual(got, want) || !d.s.Doc.Sound() {
			t.Errorf("routes %+v, want %+v\n%s", got, want, d.s.Doc.Text())
		}
		d.want("add to routes of one", "add to routes of one", "set share of one")
	})
}

// TestReset resets a field by the menu of its label.
func TestReset(t *testing.T) {
	with(t, hall, func(d *desk) {
		d.s.Select(studio.Ref{List: studio.Profiles, Index: 1, Item: -1})
		d.frames(3)
		d.press(d.fields[".radius?"], window.Right, 0)
		at, ok := d.fields[".radius!"]
		if !ok {
			t.Fatal("a right click on the label opens no menu")
		}
		d.press(at, window.Left, 0)
		d.want("set radius of child")
		if got := d.s.Scene().Profiles[1].Radius; got != scenes.Exactly(0.25) {
			t.Errorf("reset to %v", got)
		}
	})
}

// TestPointIsTyped types the second number of a goal's point.
func TestPointIsTyped(t *testing.T) {
	with(t, hall, func(d *desk) {
		d.s.Select(studio.Ref{List: studio.Goals, Item: -1})
		d.frames(3)
		d.click(".points?")
		d.frames(2)
		at := d.fields[".points[0]"]
		at[0] += 20 // into the second field, right of the middle
		d.pause()
		d.press(at, window.Left, 0)
		d.press(at, window.Left, 0)
		d.retype("7.5")
		d.want("set points of exit")
		if got := d.s.Scene().Goals[0].Points[0]; got != (mgl64.Vec2{19, 7.5}) {
			t.Errorf("the point is %v", got)
		}
	})
}
