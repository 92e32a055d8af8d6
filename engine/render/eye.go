package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// The perspective of tilted cameras.
const (
	// MaxTilt is the greatest tilt of a camera. Unit: rad.
	MaxTilt = 80 * math.Pi / 180

	fieldOfView = 36 * math.Pi / 180 // from the lower to the upper side
	leastSink   = 0.02               // of a ray that meets the ground: flatter ones are bent down to it
	nearShare   = 0.05               // of the distance to the center, where the picture begins
	farShare    = 60.0               // and where it ends
)

// Tilted returns the camera with the eye at a usual place for streets.
func (c Camera) Tilted() Camera {
	c.Yaw, c.Tilt = -18*math.Pi/180, 52*math.Pi/180
	return c
}

// From returns the camera with the eye so many meters from the center, turned and tilted.
func (c Camera) From(away, yaw, tilt float64) Camera {
	c.Scale, c.Yaw, c.Tilt = c.focus()/away, yaw, tilt
	return c
}

// Frame returns a tilted camera that shows all of a rectangle, walls on it included, with a margin
// of the given width in pixels.
func (c Camera) Frame(min, max mgl64.Vec2, margin float64) Camera {
	c.Center = min.Add(max).Mul(0.5)
	// A few steps: place and size of what is shown depend on each other.
	for range 24 {
		low, high := mgl64.Vec2{math.Inf(1), math.Inf(1)}, mgl64.Vec2{math.Inf(-1), math.Inf(-1)}
		for i := range 8 {
			corner := mgl64.Vec3{min[0], min[1], float64(i>>2) * wallHeight}
			if i&1 > 0 {
				corner[0] = max[0]
			}
			if i&2 > 0 {
				corner[1] = max[1]
			}
			x, y := c.onScreen(corner)
			low = mgl64.Vec2{math.Min(low[0], x), math.Min(low[1], y)}
			high = mgl64.Vec2{math.Max(high[0], x), math.Max(high[1], y)}
		}
		extent, middle := high.Sub(low), low.Add(high).Mul(0.5)
		c.Center = c.Center.Add(c.onGround(middle[0], middle[1]).Sub(c.Center).Mul(0.8))
		factor := math.Min((float64(c.Width)-2*margin)/extent[0], (float64(c.Height)-2*margin)/extent[1])
		c.Scale *= math.Pow(math.Max(factor, 0.1), 0.8)
	}
	return c
}

// Orbit turns a tilted camera around its center, by pixels that the pointer has moved.
func (c *Camera) Orbit(dx, dy float64) {
	const turn = math.Pi // along the shorter side
	side := math.Min(float64(c.Width), float64(c.Height))
	c.Yaw -= dx / side * turn
	c.Tilt = math.Min(math.Max(c.Tilt-dy/side*turn, 1*math.Pi/180), MaxTilt)
}

// axes returns the directions to the right, up and back on the screen, in the world.
func (c Camera) axes() (right, up, back mgl64.Vec3) {
	sin, cos := math.Sincos(c.Yaw)
	lean, rise := math.Sincos(c.Tilt)
	right, back = mgl64.Vec3{cos, sin, 0}, mgl64.Vec3{sin * lean, -cos * lean, rise}
	return right, back.Cross(right), back
}

// focus is the number of pixels that a meter has a meter in front of the eye.
func (c Camera) focus() float64 { return float64(c.Height) / 2 / math.Tan(fieldOfView/2) }

// Away is the distance of the eye of a tilted camera from the center. Unit: m.
func (c Camera) Away() float64 { return c.focus() / c.Scale }

// onGround returns the point on the ground at an offset from the middle of the picture, in pixels, y up.
func (c Camera) onGround(x, y float64) mgl64.Vec2 {
	right, up, back := c.axes()
	ray := right.Mul(x).Add(up.Mul(y)).Sub(back.Mul(c.focus())).Normalize()
	eye := back.Mul(c.Away())
	return c.Center.Add(eye.Add(ray.Mul(eye[2] / math.Max(-ray[2], leastSink))).Vec2())
}

// onScreen returns the offset of a world point from the middle of the picture, in pixels, y up. What
// is behind the eye is far away.
func (c Camera) onScreen(p mgl64.Vec3) (x, y float64) {
	right, up, back := c.axes()
	to := p.Sub(c.Center.Vec3(0))
	depth := math.Max(c.Away()-to.Dot(back), nearShare*c.Away())
	return c.focus() * to.Dot(right) / depth, c.focus() * to.Dot(up) / depth
}

// streetMatrix maps meters from an origin to clip space. w is the depth in meters.
func (c Camera) streetMatrix(origin mgl64.Vec2) mgl32.Mat4 {
	right, up, back := c.axes()
	at := c.Center.Sub(origin).Vec3(0)
	zx, zy := 2*c.focus()/float64(c.Width), 2*c.focus()/float64(c.Height)
	near, far := nearShare*c.Away(), farShare*c.Away()
	slope := far / (far - near)
	row := func(axis mgl64.Vec3, by, add float64) mgl64.Vec4 {
		return axis.Mul(by).Vec4(add - by*axis.Dot(at))
	}
	m := mgl64.Mat4FromRows(row(right, zx, 0), row(up, zy, 0), row(back, -slope, slope*(c.Away()-near)), row(back, -1, c.Away()))
	var out mgl32.Mat4
	for i, v := range m {
		out[i] = float32(v)
	}
	return out
}

// eyeAt is the place of the eye from an origin. Unit: m.
func (c Camera) eyeAt(origin mgl64.Vec2) [3]float32 {
	_, _, back := c.axes()
	e := back.Mul(c.Away()).Add(c.Center.Sub(origin).Vec3(0))
	return [3]float32{float32(e[0]), float32(e[1]), float32(e[2])}
}
