package traj

import (
	"bytes"
	"errors"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/scenes"
)

type output struct {
	text  bytes.Buffer
	fails error
}

func (o *output) File() (string, bool) { return "", false }

func (o *output) Write(p []byte) (int, error) {
	if o.fails != nil {
		return 0, o.fails
	}
	return o.text.Write(p)
}

// TestCSV compares a file with its text: names of groups are quoted where they have to be, and times
// have no rounding errors of multiples of the time step.
func TestCSV(t *testing.T) {
	var out output
	w := Formats[0].New(&out)
	run := Run{Scene: &scenes.Scene{Groups: []scenes.Group{{ID: "left"}, {ID: `a,"b"`}}}, Every: 3}
	if err := w.Begin(run); err != nil {
		t.Fatal(err)
	}
	step := 0.1 // so that 3 * step is 0.30000000000000004
	for _, f := range []measure.Frame{
		{},
		{Time: 3 * step, Walkers: []measure.Walker{
			{ID: 2, At: mgl64.Vec2{5e6 + 0.25, -1}, Velocity: mgl64.Vec2{0.5, 1e-7}, Group: 1}, {ID: 7, At: mgl64.Vec2{1, 2}},
		}},
	} {
		if err := w.Frame(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	want := "frame,time,id,x,y,vx,vy,group\n" +
		"1,0.3,2,5000000.250000,-1.000000,0.500000,0.000000,\"a,\"\"b\"\"\"\n" +
		"1,0.3,7,1.000000,2.000000,0.000000,0.000000,left\n"
	if got := out.text.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	out.fails = errors.New("the disk is full")
	begin := newCSV(&out).Begin(run)
	if err := w.Frame(measure.Frame{Walkers: make([]measure.Walker, 1)}); !errors.Is(err, out.fails) || !errors.Is(begin, out.fails) {
		t.Errorf("errors of writing are %v and %v", begin, err)
	}
}
