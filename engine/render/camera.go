package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// Camera looks onto the ground: straight down, or, with a tilt, in perspective. Coordinates of pixels
// run from the upper left corner, y down.
type Camera struct {
	// Center is what the middle of the picture shows. Unit: m, world.
	Center mgl64.Vec2
	// Scale is how large it shows. Unit: pixels/m. Limit: > 0.
	Scale float64
	// Width and Height of the picture. Unit: pixels. Limit: > 0.
	Width, Height int
	// Yaw is where the eye stands, as seen from the center: 0 below it on the map, a quarter turn to
	// the right of it. Unit: rad.
	Yaw float64
	// Tilt is how far the eye leans from straight above. Unit: rad. Limit: 0 to MaxTilt. Above 0 the
	// picture is a street: walls stand, and agents walk.
	Tilt float64
}

// Fit returns the camera that shows all of a rectangle, with a margin of the given width (pixels)
// around it where the picture has room for that.
func Fit(min, max mgl64.Vec2, width, height int, margin float64) Camera {
	extent := max.Sub(min)
	// A margin takes at most a quarter of a side.
	inner := func(side int) float64 { return math.Max(float64(side)-2*margin, float64(side)/2) }
	return Camera{
		Center: min.Add(max).Mul(0.5),
		Scale:  math.Min(inner(width)/extent[0], inner(height)/extent[1]),
		Width:  width,
		Height: height,
	}
}

// World returns the point on the ground at a pixel; with a tilt, where the pixel is above the horizon,
// one far away in its direction.
func (c Camera) World(x, y float64) mgl64.Vec2 {
	dx, dy := x-float64(c.Width)/2, float64(c.Height)/2-y
	if c.Tilt > 0 {
		return c.onGround(dx, dy)
	}
	return mgl64.Vec2{c.Center[0] + dx/c.Scale, c.Center[1] + dy/c.Scale}
}

// Pixel returns the pixel of a point on the ground.
func (c Camera) Pixel(p mgl64.Vec2) (x, y float64) {
	dx, dy := (p[0]-c.Center[0])*c.Scale, (p[1]-c.Center[1])*c.Scale
	if c.Tilt > 0 {
		dx, dy = c.onScreen(p.Vec3(0))
	}
	return float64(c.Width)/2 + dx, float64(c.Height)/2 - dy
}

// Pan moves the picture by pixels.
func (c *Camera) Pan(dx, dy float64) {
	x, y := float64(c.Width)/2, float64(c.Height)/2
	c.Center = c.Center.Add(c.World(x, y).Sub(c.World(x+dx, y+dy)))
}

// Zoom scales the picture about a pixel, within limits.
func (c *Camera) Zoom(factor, x, y float64, limits [2]float64) {
	fixed := c.World(x, y)
	c.Scale = math.Min(math.Max(c.Scale*factor, limits[0]), limits[1])
	c.Center = c.Center.Add(fixed.Sub(c.World(x, y)))
}

// window is the visible rectangle: its lower left corner from an origin, width and height, in
// meters. The difference is taken in float64: coordinates of millions of meters keep their
// centimeters.
func (c Camera) window(origin mgl64.Vec2) [4]float32 {
	w, h := float64(c.Width)/c.Scale, float64(c.Height)/c.Scale
	low := c.Center.Sub(origin).Sub(mgl64.Vec2{w / 2, h / 2})
	return [4]float32{float32(low[0]), float32(low[1]), float32(w), float32(h)}
}

// matrix maps meters from an origin to clip space, at the depth of obstacles.
func (c Camera) matrix(origin mgl64.Vec2) mgl32.Mat4 {
	if c.Tilt > 0 {
		return c.streetMatrix(origin)
	}
	w := c.window(origin)
	return mgl32.Mat4{
		2 / w[2], 0, 0, 0,
		0, 2 / w[3], 0, 0,
		0, 0, 0, 0,
		-1 - 2*w[0]/w[2], -1 - 2*w[1]/w[3], obstacleDepth, 1,
	}
}

// isolineStep is the distance between isolines: the least 1, 2 or 5 times a power of ten that is at
// least `apart` pixels. Unit: m.
func (c Camera) isolineStep(apart float64) float64 {
	least := apart / c.Scale
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= least {
			return m * power
		}
	}
	return 10 * power
}
