package query

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes"
)

// TestNumber: places on a map of a country are decimals, and every number reads back as it was.
func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 5712359.5: "5712359.5", -456809.3: "-456809.3", 1e12: "1000000000000", 2.5e-6: "0.0000025", 1.0 / 3: "0.3333333333333333",
		1e300: "1e+300", 1e-300: "1e-300", math.Inf(1): "inf",
	} {
		if got := number(v); got != want {
			t.Errorf("%g is written %s, want %s", v, got, want)
		}
	}
	if got := number(math.NaN()); got != "nan" {
		t.Errorf("NaN is written %s", got)
	}
}

func TestReadPoints(t *testing.T) {
	const text = "\ufeff1 2\r\n3,4\n\t5 \t ,  -6. \n\n   \n+1e1   .5\n7,\t8"
	points, err := ReadPoints(strings.NewReader(text), "points")
	if want := []mgl64.Vec2{{1, 2}, {3, 4}, {5, -6}, {10, 0.5}, {7, 8}}; err != nil || !slices.Equal(points, want) {
		t.Errorf("got %v, %v", points, err)
	}
	for _, line := range []string{
		"1", "1 2 3", "1,,2", ",1 2", "1,2,", "1;2", "x y", "1_0 2", "0x1 2", "0x1p4 2", "nan 2", "1 inf", "1e999 2", "1. .", "1 2e", "1 \ufeff2", "1,2 # seat",
		strings.Repeat("1", 1<<20),
	} {
		points, err := ReadPoints(strings.NewReader("0 0\n\n"+line+"\n1 2\n"), "points")
		if err == nil || !strings.HasPrefix(err.Error(), "points:3: ") || len(err.Error()) > 200 {
			t.Errorf("%.20q: got %v, %v", line, points, err)
		}
	}
}

// TestReadPointsBelowHeader: the columns x and y are those that a header names, wherever they are;
// what query prints is read.
func TestReadPointsBelowHeader(t *testing.T) {
	want := []mgl64.Vec2{{1, 2}, {3, -4.5}}
	for _, text := range []string{
		"x,y\n1,2\n3,-4.5\n", "\ufeffx,y\r\n1,2\r\n\r\n3,-4.5", "\n\nX, Y\n1, 2\n3 , -4.5\n", "x y\n1 2\n\n3\t-4.5\n", "\"x\",\"y\"\n\"1\",2\n3,-4.5\n",
		"x,y,distance,parent_x,parent_y,path\n1,2,inf,,,\n3,-4.5,1.5,3,4,\"LINESTRING (3 -4.5, 3 4)\"\n",
		"frame,id,y,note,x\n0,1,2,\"a, b\n\"\"c\"\"\",1\n0,2,-4.5,,3\n",
	} {
		if points, err := ReadPoints(strings.NewReader(text), "points"); err != nil || !slices.Equal(points, want) {
			t.Errorf("%q: got %v, %v", text, points, err)
		}
	}
	for text, at := range map[string]string{
		"x,y\n1,2\n1\n": "points:3: a row of 1 column", "x,y\n\n1,z\n": "points:3: \"1,z\"", "a,y\n1,2\n": "points:1: ", "x,a\n": "points:1: ", "x y\n1 nan\n": "points:2: ",
		"y,x\n" + strings.Repeat("1", 1<<20) + "\n": "points:2: a row of 1 column", "x,y\n1,2\nx,y\n": "points:3: ",
	} {
		points, err := ReadPoints(strings.NewReader(text), "points")
		if err == nil || !strings.HasPrefix(err.Error(), at) || len(err.Error()) > 200 {
			t.Errorf("%.40q: got %v, %v, want %s", text, points, err, at)
		}
	}
	if points, err := ReadPoints(strings.NewReader("x,y\n"), "points"); err != nil || len(points) != 0 {
		t.Errorf("a header alone: %v, %v", points, err)
	}
}

// endless is a stream without an end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "3 4\n"[(e.read+i)%4]
	}
	e.read += len(p)
	return len(p), nil
}

func TestReadPointsEnds(t *testing.T) {
	var large *scenes.TooLarge
	if _, err := ReadPoints(&endless{}, "standard input"); !errors.As(err, &large) {
		t.Errorf("got %v", err)
	}
}
