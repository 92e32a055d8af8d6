package worldview

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// Zoom is the flag of what a picture shows instead of the whole domain: X0,Y0,X1,Y1, meters. In a
// film it is a place of the camera's path: X0,Y0,X1,Y1@TIME.
type Zoom struct {
	Area scenes.Rect
	At   time.Duration
}

// numbers parses finite numbers with commas between; false: they are others, or not so many.
func numbers(text string, into ...*float64) bool {
	parts := strings.Split(text, ",")
	ok := len(parts) == len(into)
	for i := 0; ok && i < len(into); i++ {
		x, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		*into[i], ok = x, err == nil && math.Abs(x) <= 1e12
	}
	return ok
}

// UnmarshalText parses the flag.
func (z *Zoom) UnmarshalText(text []byte) error {
	area, at, timed := strings.Cut(string(text), "@")
	if ok := numbers(area, &z.Area[0], &z.Area[1], &z.Area[2], &z.Area[3]); !ok || z.Area[0] >= z.Area[2] || z.Area[1] >= z.Area[3] {
		return fmt.Errorf("%q is no area: X0,Y0,X1,Y1 in meters with X0 < X1 and Y0 < Y1, such as 10,5,30,20", area)
	}
	if timed {
		var err error
		if z.At, err = console.ParseTime(at); err != nil || z.At < 0 || z.At > console.Longest {
			return fmt.Errorf("%q is no time: such as 4, 4s or 1m30s", at)
		}
	}
	return nil
}

// CheckZooms reports a path of the camera with times that do not ascend.
func CheckZooms(path []Zoom) error {
	for i := 1; i < len(path); i++ {
		if path[i].At <= path[i-1].At {
			return fmt.Errorf("--zoom: %v comes after %v: give each place of the camera a later time, X0,Y0,X1,Y1@TIME", path[i].At, path[i-1].At)
		}
	}
	return nil
}

// Eye is the flag of where a street view is seen from: X,Y,DISTANCE,YAW,TILT.
type Eye struct {
	At        mgl64.Vec2 // what it looks at, m
	Away      float64    // from there, m
	Yaw, Tilt float64    // as render.Camera has them, but in degrees
}

// UnmarshalText parses the flag.
func (e *Eye) UnmarshalText(text []byte) error {
	ok := numbers(string(text), &e.At[0], &e.At[1], &e.Away, &e.Yaw, &e.Tilt)
	if most := render.MaxTilt * 180 / math.Pi; !ok || e.Away <= 0 || e.Tilt <= 0 || e.Tilt > most+1e-9 { // degrees are rounded
		return fmt.Errorf("%q is no place of an eye: X,Y,DISTANCE,YAW,TILT in meters and degrees, with a distance above 0 and a tilt above 0 up to %.0f, such as 48,30,60,-18,52", text, most)
	}
	return nil
}

// String returns the flag.
func (e Eye) String() string {
	return fmt.Sprintf("%v,%v,%v,%v,%v", e.At[0], e.At[1], e.Away, e.Yaw, e.Tilt)
}

// EyeOf returns where a tilted camera is.
func EyeOf(c render.Camera) Eye {
	return Eye{c.Center, c.Away(), c.Yaw * 180 / math.Pi, c.Tilt * 180 / math.Pi}
}

// Camera returns the camera there, of a picture of so many pixels.
func (e Eye) Camera(s image.Point) render.Camera {
	c := render.Camera{Center: e.At, Width: s.X, Height: s.Y}
	return c.From(e.Away, e.Yaw*math.Pi/180, math.Min(e.Tilt*math.Pi/180, render.MaxTilt))
}

// Sight is the flag of the eye, and what it makes of a view and of the places to zoom to.
type Sight struct {
	Eye *Eye `placeholder:"X,Y,DISTANCE,YAW,TILT" help:"Where the street view is seen from: what it looks at, how far away, meters, and turned and leant by how much, degrees."`
}

// Check checks the flag beside the view, a zoom and what is shown.
func (s Sight) Check(view string, zoomed bool, l Look) error {
	above := l.Agent != nil || l.Layers&(render.Potential|render.LocalMap) != 0
	return cmp.Or(
		console.Check(view == "map" || !above, "--view %s: potentials and local maps are shown from above alone (--view map)", view),
		console.Check(s.Eye == nil || view == "street" && !zoomed, "--eye: it is for --view street, instead of --zoom"),
	)
}

// Camera returns the camera of a view at a time, of a picture of so many pixels.
func (s Sight) Camera(v *View, view string, path []Zoom, at time.Duration, size image.Point, ratio float64) render.Camera {
	switch street := view == "street"; {
	case s.Eye != nil:
		return s.Eye.Camera(size)
	case path != nil:
		return CameraAt(path, at, size, street)
	case street:
		return CameraAt([]Zoom{{Area: v.World.Scene().Domain}}, at, size, street)
	}
	return v.Fit(size, ratio, v.LegendHeight(size, ratio))
}

// CameraAt returns the camera of a film at a time, from above or of a street. Between two places it
// starts and stops gently, and shows one point of the ground at one place of the picture: it zooms by
// equal factors in equal times about that point, or moves where nothing is to be zoomed.
func CameraAt(path []Zoom, at time.Duration, s image.Point, street bool) render.Camera {
	fit := func(z Zoom) render.Camera {
		c := render.Fit(z.Area.Min(), z.Area.Max(), s.X, s.Y, 0)
		if street {
			c = c.Tilted().Frame(z.Area.Min(), z.Area.Max(), 0)
		}
		return c
	}
	next := 0
	for next < len(path) && path[next].At <= at {
		next++
	}
	switch next {
	case 0:
		return fit(path[0])
	case len(path):
		return fit(path[next-1])
	}
	a, b := fit(path[next-1]), fit(path[next])
	u := float64(at-path[next-1].At) / float64(path[next].At-path[next-1].At)
	u = u * u * (3 - 2*u)
	c := a
	c.Scale = a.Scale * math.Pow(b.Scale/a.Scale, u)
	moved := u
	// The share of the way between the centers that keeps the point: centers lie on a line in
	// meters to a pixel. Below a factor of 1 + 2^-20 the quotient has no digits left.
	if math.Abs(math.Log(b.Scale/a.Scale)) > 0x1p-20 {
		moved = (1/a.Scale - 1/c.Scale) / (1/a.Scale - 1/b.Scale)
	}
	c.Center = a.Center.Add(b.Center.Sub(a.Center).Mul(moved))
	return c
}
