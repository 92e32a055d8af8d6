package scenes

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkRead reads a scene of 5,000 squares, 20,000 vertices, with a source
// that has to be looked for among them.
func BenchmarkRead(b *testing.B) {
	var squares []string
	for i := range 5000 {
		x, y := float64(i%100), float64(i/100)
		squares = append(squares, fmt.Sprintf("{\"polygon\": [[%v, %v], [%v, %v], [%v, %v], [%v, %v]]}",
			x+0.25, y+0.25, x+0.75, y+0.25, x+0.75, y+0.75, x+0.25, y+0.75))
	}
	data := []byte(`{"version": 1, "domain": [0, 0, 100, 50], "goals": [{"points": [[50, 25]]}], "obstacles": [` +
		strings.Join(squares, ",\n") + `]}`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if s, problems := Read("f", data); s == nil || len(s.Obstacles) != 5000 {
			b.Fatal(problems)
		}
	}
}
