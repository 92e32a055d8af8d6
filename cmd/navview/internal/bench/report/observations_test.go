package report

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestStills: what is written is read again, but for what centimeters lose.
func TestStills(t *testing.T) {
	data, err := json.Marshal(Still{Time: 2.5, View: [4]float64{0, -4, 2e6, 9}, People: []Agent{
		{mgl64.Vec2{1, 2}, mgl64.Vec2{-0.125, 1.5}}, {mgl64.Vec2{1e6 + 0.25, -3}, mgl64.Vec2{}}, {mgl64.Vec2{2, 3}, mgl64.Vec2{0, -1.004}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got Still
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := Still{Time: 2.5, View: [4]float64{0, -4, 2e6, 9}, People: []Agent{
		{mgl64.Vec2{1, 2}, mgl64.Vec2{-0.12, 1.5}}, {mgl64.Vec2{1e6 + 0.25, -3}, mgl64.Vec2{}}, {mgl64.Vec2{2, 3}, mgl64.Vec2{0, -1}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v, in %s", got, want, data)
	}
	if err := json.Unmarshal([]byte(`"1 2 3"`), new(Agent)); err == nil {
		t.Error("three numbers for four")
	}
}

// TestCurves: few points are reported as they are, many as means.
func TestCurves(t *testing.T) {
	var b Observations
	b.SetCurve("none", nil)
	b.SetCurve("few", [][2]float64{{1, 5}, {2, 7}})
	many := make([][2]float64, 3*curvePoints-1)
	for i := range many {
		many[i] = [2]float64{float64(i), -float64(i)}
	}
	b.SetCurve("many", many)
	if c := b.Curves["few"]; len(b.Curves["none"]) != 0 || len(c) != 2 || c[1] != [2]float64{2, 7} {
		t.Errorf("%v", b.Curves)
	}
	if c := b.Curves["many"]; len(c) != curvePoints-1 || c[0] != [2]float64{1, -1} || c[10] != [2]float64{31, -31} {
		t.Errorf("%d points, %v", len(c), c[:11])
	}
}
