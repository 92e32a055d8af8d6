package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/wayfront/wayfront/agents/measure"
)

// TestStudy empties small rooms: each curve begins with all, falls, and ends with none, and a wide
// door is faster than a narrow one. The plot is a picture with all lines.
func TestStudy(t *testing.T) {
	const people = 40
	var curves [][]measure.Count
	for _, width := range widths {
		curve, err := evacuate(room(people, width))
		if err != nil {
			t.Fatal(err)
		}
		first, last := curve[0], curve[len(curve)-1]
		if first.Agents != people || last.Agents != 0 {
			t.Errorf("door of %v m: from %+v to %+v", width, first, last)
		}
		for i, c := range curve[1:] {
			if c.Agents >= curve[i].Agents || c.Time <= curve[i].Time {
				t.Errorf("door of %v m: %+v comes after %+v", width, c, curve[i])
			}
		}
		curves = append(curves, curve)
	}
	if narrow, wide := curves[0], curves[2]; wide[len(wide)-1].Time >= narrow[len(narrow)-1].Time {
		t.Error("a door of three times the width is not faster")
	}
	file := filepath.Join(t.TempDir(), "plot.svg")
	if err := draw(curves, file); err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(picture, []byte("</svg>")) || !bytes.Contains(picture, []byte("door of 2.4 m")) {
		t.Errorf("the plot is no picture of the doors: %v", err)
	}
}
