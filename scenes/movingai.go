package scenes

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine/geom"
)

// Characters of MovingAI grids, after N. Sturtevant, Benchmarks for Grid-Based
// Pathfinding, 2012. Swamp can be walked on. Water cannot be entered from land,
// and land is where people are.
const (
	freeCells    = ".GS"
	blockedCells = "@OTW"
)

// cells is a grid of which some cells are blocked. Cell (x, y) is the square from
// (x, y) to (x+1, y+1); y points up.
type cells struct {
	width, height int
	blocked       []bool // row by row, the lowest first
}

// at reports whether a cell is blocked. Those outside of the grid are not.
func (c *cells) at(x, y int) bool {
	return 0 <= x && x < c.width && 0 <= y && y < c.height && c.blocked[y*c.width+x]
}

// readMovingAI reads a grid of type octile. A cell is a square metre, or what the scale says. Each
// connected region of blocked cells becomes one polygon with holes.
//
// Free cells that touch in a corner only are not joined, and blocked cells that do
// let nobody through: both are the same place, where two obstacles touch in a
// point.
func readMovingAI(in *source) (Rect, []geom.Polygon, error) {
	c, err := readCells(in)
	if err != nil {
		return Rect{}, nil, err
	}
	k := in.options.metres()
	return Rect{0, 0, float64(c.width) * k, float64(c.height) * k}, c.outlines(k), nil
}

// readCells reads the file's header and its rows, of which the first is the
// highest.
func readCells(in *source) (*cells, error) {
	rest, at := in.data, 0
	// next returns the next line without its end, and where it begins.
	next := func() (line []byte, begin int, ok bool) {
		if at == len(in.data) {
			return nil, at, false
		}
		line, begin = rest, at
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		at = len(in.data) - len(rest)
		return bytes.TrimSuffix(line, []byte("\r")), begin, true
	}

	c := &cells{}
	typed := false
	for {
		line, begin, ok := next()
		if !ok {
			return nil, in.wrong(begin, `the file ends before the line "map"`)
		}
		words := bytes.Fields(line)
		if len(words) == 1 && string(words[0]) == "map" {
			break
		}
		if len(words) != 2 {
			return nil, in.wrong(begin, `%s is no line of a header: "type octile", "height N", "width N" and "map" are`, excerpt(line))
		}
		switch key, value := string(words[0]), string(words[1]); key {
		case "type":
			if value != "octile" {
				return nil, in.wrong(begin, "type %s cannot be read: octile can", excerpt(words[1]))
			}
			typed = true
		case "height", "width":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > maxBytes {
				return nil, in.wrong(begin, "%s %s: a number from 1 to %d is needed", key, excerpt(words[1]), maxBytes)
			}
			if key == "height" {
				c.height = n
			} else {
				c.width = n
			}
		default:
			return nil, in.wrong(begin, `%s is not known: "type octile", "height N", "width N" and "map" are`, excerpt(words[0]))
		}
	}
	if !typed || c.height == 0 || c.width == 0 {
		return nil, in.wrong(0, `the header lacks one of "type octile", "height N" and "width N"`)
	}
	for row := range c.height {
		line, begin, ok := next()
		if !ok {
			return nil, in.wrong(begin, "the file ends after %d rows, the header says height %d", row, c.height)
		}
		for x, b := range line {
			switch {
			case x == c.width:
				return nil, in.wrong(begin+x, "the row has more cells than width %d", c.width)
			case strings.IndexByte(freeCells+blockedCells, b) < 0:
				return nil, in.wrong(begin+x, "unknown cell %q: free are %s and blocked are %s", b, freeCells, blockedCells)
			}
			c.blocked = append(c.blocked, strings.IndexByte(blockedCells, b) >= 0)
		}
		if len(line) < c.width {
			return nil, in.wrong(begin+len(line), "the row has %d cells, the header says width %d", len(line), c.width)
		}
	}
	for {
		line, begin, ok := next()
		if !ok {
			break
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return nil, in.wrong(begin, "there are more rows than height %d", c.height)
		}
	}
	for low, high := 0, c.height-1; low < high; low, high = low+1, high-1 {
		a, b := c.blocked[low*c.width:][:c.width], c.blocked[high*c.width:][:c.width]
		for x := range a {
			a[x], b[x] = b[x], a[x]
		}
	}
	return c, nil
}

// excerpt quotes the beginning of what was found in a file.
func excerpt(b []byte) string { return shorten(strconv.Quote(string(b[:min(len(b), 100)]))) }

// corner is a corner of cells.
type corner struct{ x, y int }

// outlines returns the regions of blocked cells, of a side in metres, that are connected over sides of
// cells, as polygons: outer rings counter-clockwise, holes clockwise, a vertex
// wherever a ring turns. Ordered by the lowest cells, of these the leftmost.
//
// Where two blocked cells of one region touch in a corner, rings touch there; none
// passes a corner twice.
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

// regions numbers the connected regions of blocked cells, in the order of their
// first cells.
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

// walk follows the boundary of a region with its cells on the left, beginning
// along the lower side of the cell above start, and returns the corners where it
// turns. Lower sides that it passes are marked as done. Where blocked cells touch
// in a corner it stays with its own, so that it never changes to another region.
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
		// The cells ahead on the left and on the right: each is half a step on, and half a step aside.
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
			loop := append([]corner(nil), path[k:]...)
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
