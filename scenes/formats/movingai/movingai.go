// Package movingai reads the grids of the MovingAI benchmark (N. Sturtevant, Benchmarks for
// Grid-Based Pathfinding, 2012), of type octile.
package movingai

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/formats/plan"
	"github.com/wayfront/wayfront/scenes/internal/text"
)

// Format is the grids of the MovingAI benchmark.
var Format = plan.Format{
	Name: "movingai", Ending: ".map", Read: read,
	Help: `the grids of the MovingAI benchmark; . G S are free, @ O T W are blocked, a cell is a square meter, and no
path leads between two blocked cells that touch in a corner.`,
}

// Characters of the cells. Swamp is free. Water cannot be entered from land, where agents are.
const (
	freeCells    = ".GS"
	blockedCells = "@OTW"
)

// cells is a grid of which some cells are blocked. Cell (x, y) is the square from (x, y) to (x+1,
// y+1); y points up.
type cells struct {
	width, height int
	blocked       []bool // row by row, the lowest first
}

// at reports whether a cell is blocked. Those outside of the grid are not.
func (c *cells) at(x, y int) bool {
	return 0 <= x && x < c.width && 0 <= y && y < c.height && c.blocked[y*c.width+x]
}

// read reads a grid. A cell is a square meter, or as large as the scale says. Each connected region
// of blocked cells becomes one polygon with holes.
//
// Free cells that touch in a corner only are not joined, and no path leads between blocked cells
// that do: both are the same place, where two obstacles touch in a point.
func read(in *plan.Source) *scenes.Scene {
	r := &reader{Source: in}
	c := r.header()
	if r.rows(c); r.Err != nil {
		return nil
	}
	k := in.Options.Meters()
	return plan.Ground(scenes.Rect{0, 0, float64(c.width) * k, float64(c.height) * k}, c.outlines(k))
}

// reader reads lines.
type reader struct {
	*plan.Source
	at int // offset of the next line
}

// next returns the next line without its end, and where it begins; false at the end of the file.
func (r *reader) next() (line []byte, begin int, ok bool) {
	begin = r.at
	line, _, _ = bytes.Cut(r.Data[begin:], []byte("\n"))
	r.at = min(begin+len(line)+1, len(r.Data))
	return bytes.TrimSuffix(line, []byte("\r")), begin, begin < len(r.Data)
}

// header reads the size of the grid.
func (r *reader) header() *cells {
	c := &cells{}
	sizes, typed := map[string]*int{"height": &c.height, "width": &c.width}, false
	for r.Err == nil {
		line, begin, ok := r.next()
		if !ok {
			r.Fail(begin, `the file ends before the line "map"`)
		}
		words := strings.Fields(string(line))
		if slices.Equal(words, []string{"map"}) {
			break
		}
		if len(words) != 2 {
			r.Fail(begin, `%s is no line of a header: "type octile", "height N", "width N" and "map" are`, text.Quote(string(line)))
			break
		}
		key, value := words[0], words[1]
		switch size := sizes[key]; {
		case size != nil:
			var err error
			if *size, err = strconv.Atoi(value); err != nil || *size < 1 || *size > text.MaxBytes {
				r.Fail(begin, "%s %s: a number from 1 to %d is needed", key, text.Quote(value), text.MaxBytes)
			}
		case key != "type":
			r.Fail(begin, `%s is not known: "type octile", "height N", "width N" and "map" are`, text.Quote(key))
		case value != "octile":
			r.Fail(begin, "type %s cannot be read: octile can", text.Quote(value))
		default:
			typed = true
		}
	}
	if !typed || c.height == 0 || c.width == 0 {
		r.Fail(0, `the header lacks one of "type octile", "height N" and "width N"`)
	}
	return c
}

// rows reads the rows of the grid, of which the first is the highest.
func (r *reader) rows(c *cells) {
	var rows [][]bool
	for row := 0; row < c.height && r.Err == nil; row++ {
		line, begin, ok := r.next()
		if !ok {
			r.Fail(begin, "the file ends after %d rows, the header says height %d", row, c.height)
		}
		blocked := make([]bool, len(line))
		for x, b := range line {
			if x == c.width {
				r.Fail(begin+x, "the row has more cells than width %d", c.width)
			} else if strings.IndexByte(freeCells+blockedCells, b) < 0 {
				r.Fail(begin+x, "unknown cell %q: free are %s and blocked are %s", b, freeCells, blockedCells)
			}
			blocked[x] = strings.IndexByte(blockedCells, b) >= 0
		}
		if len(line) < c.width {
			r.Fail(begin+len(line), "the row has %d cells, the header says width %d", len(line), c.width)
		}
		rows = append(rows, blocked)
	}
	for r.Err == nil {
		line, begin, ok := r.next()
		if !ok {
			break
		}
		if len(bytes.TrimSpace(line)) > 0 {
			r.Fail(begin, "there are more rows than height %d", c.height)
		}
	}
	slices.Reverse(rows)
	c.blocked = slices.Concat(rows...)
}

// corner is a corner of cells.
type corner struct{ x, y int }

// outlines returns the regions of blocked cells, of a side in meters, that are connected over sides
// of cells, as polygons: outer rings counter-clockwise, holes clockwise, a vertex wherever a ring
// turns. Ordered by the lowest cells, of these the leftmost. Where two blocked cells of one region
// touch in a corner, rings touch there; none passes a corner twice.
func (c *cells) outlines(side float64) []geom.Polygon {
	region, regions := c.regions()
	polygons := make([]geom.Polygon, regions)
	done := make([]bool, len(c.blocked)) // the cell's lower side has been walked
	for i := range c.blocked {
		x, y := i%c.width, i/c.width
		if done[i] || !c.blocked[i] || c.at(x, y-1) {
			continue
		}
		p := &polygons[region[i]]
		for _, loop := range loops(c.walk(corner{x, y}, done)) {
			ring := make(geom.Ring, len(loop))
			for k, v := range loop {
				ring[k] = mgl64.Vec2{float64(v.x) * side, float64(v.y) * side}
			}
			if ring.Area() < 0 {
				p.Holes = append(p.Holes, ring)
			} else {
				p.Outer = ring
			}
		}
	}
	return polygons
}

// regions numbers the connected regions of blocked cells, in the order of their first cells.
func (c *cells) regions() (region []int32, count int) {
	region = make([]int32, len(c.blocked))
	for i := range region {
		region[i] = -1
	}
	var todo []int
	for first := range c.blocked {
		if !c.blocked[first] || region[first] >= 0 {
			continue
		}
		region[first] = int32(count)
		todo = append(todo, first)
		for len(todo) > 0 {
			x, y := todo[len(todo)-1]%c.width, todo[len(todo)-1]/c.width
			todo = todo[:len(todo)-1]
			for _, n := range [...]corner{{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}} {
				if i := n.y*c.width + n.x; c.at(n.x, n.y) && region[i] < 0 {
					region[i] = int32(count)
					todo = append(todo, i)
				}
			}
		}
		count++
	}
	return region, count
}

// walk follows the boundary of a region with its cells on the left, beginning along the lower side
// of the cell above start, and returns the corners where it turns. Lower sides that it passes are
// marked as done. Where blocked cells touch in a corner it stays with its own, so that it never
// changes to another region.
func (c *cells) walk(start corner, done []bool) []corner {
	var turns []corner
	at, dx, dy := start, 1, 0
	for {
		if dx == 1 {
			i := at.y*c.width + at.x
			if done[i] {
				return turns // round: this is where it began
			}
			done[i] = true
		}
		at = corner{at.x + dx, at.y + dy}
		// The cells ahead on the left and on the right: each is half a step on, and half a step
		// aside.
		left := c.at(at.x+(dx-dy-1)/2, at.y+(dy+dx-1)/2)
		right := c.at(at.x+(dx+dy-1)/2, at.y+(dy-dx-1)/2)
		switch {
		case !left:
			dx, dy = -dy, dx
		case right:
			dx, dy = dy, -dx
		default:
			continue
		}
		turns = append(turns, at)
	}
}

// loops cuts a closed walk into loops that pass no corner twice.
func loops(walk []corner) [][]corner {
	var cut [][]corner
	var path []corner
	place := map[corner]int{}
	for _, v := range walk {
		if k, again := place[v]; again {
			loop := slices.Clone(path[k:])
			for _, w := range loop {
				delete(place, w)
			}
			cut = append(cut, loop)
			path = path[:k]
		}
		place[v] = len(path)
		path = append(path, v)
	}
	return append(cut, path)
}
