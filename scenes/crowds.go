package scenes

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// blank is a scene with a name, a description and a domain, and the default of
// everything that has one. It still needs a goal.
func blank(name, description string, domain Rect) *Scene {
	s := records[sceneType].blank.Interface().(Scene)
	s.Version, s.Name, s.Description, s.Domain = Version, name, description, domain
	s.Profiles = []Profile{DefaultProfile()}
	return &s
}

// walker is a profile of that name with every default but the way of avoiding
// others.
func walker(avoidance Avoidance) Profile {
	p := DefaultProfile()
	p.ID, p.Avoidance = "walker", avoidance
	return p
}

// sizeText is how names write a count: whole thousands as 1k.
func sizeText(n int) string {
	if n%1000 == 0 {
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// millimetres rounds a length or a place to millimetres, so that documents are short, and what a
// machine may have rounded otherwise is gone.
func millimetres(x float64) float64 { return math.Round(x*1e3) / 1e3 }

// dot and cross are the products of two vectors, rounded alike on every machine:
// the conversions keep a compiler from fusing the operations.
func dot(a, b mgl64.Vec2) float64   { return float64(a[0]*b[0]) + float64(a[1]*b[1]) }
func cross(a, b mgl64.Vec2) float64 { return float64(a[0]*b[1]) - float64(a[1]*b[0]) }

// thousands is a number with commas between thousands.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
