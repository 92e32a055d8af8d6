package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
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
	points, err := readPoints(strings.NewReader(text), "points")
	if want := []mgl64.Vec2{{1, 2}, {3, 4}, {5, -6}, {10, 0.5}, {7, 8}}; err != nil || !slices.Equal(points, want) {
		t.Errorf("got %v, %v", points, err)
	}
	for _, line := range []string{
		"1", "1 2 3", "1,,2", ",1 2", "1,2,", "1;2", "x y", "1_0 2", "0x1 2", "0x1p4 2", "nan 2", "1 inf", "1e999 2", "1. .", "1 2e", "1 \ufeff2", "1,2 # seat",
		strings.Repeat("1", 1<<20),
	} {
		points, err := readPoints(strings.NewReader("0 0\n\n"+line+"\n1 2\n"), "points")
		if err == nil || !strings.HasPrefix(err.Error(), "points:3: ") || len(err.Error()) > 200 {
			t.Errorf("%.20q: got %v, %v", line, points, err)
		}
	}
}
