//go:build !headless

package panels

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// stroke is a line of an icon, on a square of side 1, y down; closed: back to its beginning.
type stroke struct {
	points [][2]float32
	closed bool
	filled bool
}

// icons are the pictures of tools, by name.
var icons = map[string][]stroke{
	"Select":    {{points: [][2]float32{{.3, .15}, {.3, .8}, {.45, .65}, {.58, .88}, {.68, .83}, {.56, .6}, {.76, .58}}, closed: true}},
	"Rectangle": {{points: [][2]float32{{.18, .28}, {.82, .28}, {.82, .72}, {.18, .72}}, closed: true}},
	"Circle":    {{points: disc(.5, .5, .32), closed: true}},
	"Polygon":   {{points: [][2]float32{{.5, .16}, {.84, .42}, {.7, .82}, {.3, .82}, {.16, .42}}, closed: true}},
	"Wall":      {{points: [][2]float32{{.16, .72}, {.4, .34}, {.62, .6}, {.86, .24}}}, {points: [][2]float32{{.22, .84}, {.42, .52}, {.64, .78}, {.92, .36}}}},
	"Door":      {{points: [][2]float32{{.1, .7}, {.3, .7}}}, {points: [][2]float32{{.7, .7}, {.9, .7}}}, {points: [][2]float32{{.3, .7}, {.62, .3}}}, {points: [][2]float32{{.62, .3}, {.69, .48}, {.7, .7}}}},
	"Goal":      {{points: disc(.5, .5, .32), closed: true}, {points: disc(.5, .5, .12), closed: true, filled: true}},
	"Agents":    {{points: disc(.34, .4, .13), closed: true, filled: true}, {points: disc(.66, .34, .13), closed: true, filled: true}, {points: disc(.54, .7, .13), closed: true, filled: true}},
	"Gate":      {{points: [][2]float32{{.5, .12}, {.5, .88}}}, {points: [][2]float32{{.2, .5}, {.8, .5}}}, {points: [][2]float32{{.66, .38}, {.8, .5}, {.66, .62}}}},
	"Area":      {{points: [][2]float32{{.15, .15}, {.35, .15}}}, {points: [][2]float32{{.65, .15}, {.85, .15}, {.85, .35}}}, {points: [][2]float32{{.85, .65}, {.85, .85}, {.65, .85}}}, {points: [][2]float32{{.35, .85}, {.15, .85}, {.15, .65}}}, {points: [][2]float32{{.15, .35}, {.15, .15}}}, {points: disc(.5, .5, .08), closed: true, filled: true}},
	"Motion":    {{points: [][2]float32{{.14, .62}, {.4, .62}, {.4, .86}, {.14, .86}}, closed: true}, {points: [][2]float32{{.46, .56}, {.8, .22}}}, {points: [][2]float32{{.6, .2}, {.82, .2}, {.82, .42}}}},
	"Agents in a polygon": {
		{points: [][2]float32{{.5, .1}, {.9, .4}, {.75, .88}, {.25, .88}, {.1, .4}}, closed: true},
		{points: disc(.38, .46, .1), closed: true, filled: true},
		{points: disc(.62, .42, .1), closed: true, filled: true},
		{points: disc(.52, .68, .1), closed: true, filled: true},
	},
}

// disc returns points on a circle.
func disc(x, y, r float32) [][2]float32 {
	const n = 20
	all := make([][2]float32, n)
	for k := range all {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / n)
		all[k] = [2]float32{x + r*float32(cos), y + r*float32(sin)}
	}
	return all
}

// icon draws the picture of a tool in a square; one without a picture has its first letter.
func icon(list *imgui.DrawList, name string, at imgui.Vec2, side float32, ink uint32) {
	strokes, ok := icons[name]
	if !ok {
		size := imgui.CalcTextSize(name[:1])
		list.AddTextVec2(imgui.Vec2{X: at.X + (side-size.X)/2, Y: at.Y + (side-size.Y)/2}, ink, name[:1])
		return
	}
	for _, s := range strokes {
		for _, p := range s.points {
			list.PathLineTo(imgui.Vec2{X: at.X + side*p[0], Y: at.Y + side*p[1]})
		}
		switch {
		case s.filled:
			list.PathFillConvex(ink)
		case s.closed:
			list.PathStrokeV(ink, imgui.DrawFlagsClosed, side/16)
		default:
			list.PathStrokeV(ink, 0, side/16)
		}
	}
}
