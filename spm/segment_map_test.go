package spm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/wayfront/wayfront/engine/geom"
	"github.com/wayfront/wayfront/engine/gpu"
)

// spotsAlong are the spots that stand for a segment along an axis: in all units of it those that
// hold ground beside it. All that is asked about lies on whole units, and so does its foot. An end
// that the segment leaves into what is full is a point.
func (c *cells) spotsAlong(s [2]unit) (all []spot) {
	dx, dy := s[1].x-s[0].x, s[1].y-s[0].y
	n := max(gcd(dx, dy), 1)
	for i := range n + 1 {
		p := unit{s[0].x + i*dx/n, s[0].y + i*dy/n}
		full := c.quarters(p)
		beside := uint(0)
		for q, sign := range signs {
			ahead := dx*sign.x+dy*sign.y > 0
			if !full[q] && (ahead && i < n || !ahead && i > 0) {
				beside |= 1 << q
			}
		}
		for _, at := range c.spots(p) {
			if at.quarters&beside != 0 || beside == 0 && (i == 0 || i == n) {
				all = append(all, at)
			}
		}
	}
	return all
}

// segments draws one to three segments along an axis that are not full all along, half of them on
// the sides of cells.
func (c *cells) segments(r *rand.Rand) (all [][2]unit) {
	width, height := c.columns*pitch, c.rows*pitch
	count := 1 + r.IntN(3)
	for range 100 {
		s := [2]unit{{r.IntN(width + 1), r.IntN(height + 1)}, {r.IntN(width + 1), r.IntN(height + 1)}}
		if r.IntN(2) == 0 {
			s[0] = unit{s[0].x / pitch * pitch, s[0].y / pitch * pitch}
		}
		if r.IntN(2) == 0 {
			s[1].x = s[0].x
		} else {
			s[1].y = s[0].y
		}
		if len(all) < count && c.spotsAlong(s) != nil {
			all = append(all, s)
		}
	}
	return all
}

// TestCellsWithSegments compares maps that lead to segments with the oracle of cells: along
// walls, through obstacles and through places where these touch, with points beside.
func TestCellsWithSegments(t *testing.T) {
	for i := range 60 {
		byMethod(t, fmt.Sprint(i), func(t *testing.T, d *gpu.Device, method Method) {
			r := rand.New(rand.NewPCG(uint64(i), 19))
			c := scattered(r, 4+r.IntN(7), 4+r.IntN(7), []float64{0.15, 0.3, 0.45}[i%3])
			points := c.points(r)
			if i%4 != 0 {
				points = nil
			}
			checkCells(t, d, method, c, frames[i%len(frames)], points, c.segments(r), r)
		})
	}
}

// TestLightThatMustNotPass compares maps with the reference where light comes to a point and must
// not go on: every texel.
func TestLightThatMustNotPass(t *testing.T) {
	for _, c := range []struct {
		name      string
		domain    [4]float64
		obstacles []geom.Ring
		goal      Goal
		size      int
	}{
		{
			// Centers of texels lie on the wall that the segment begins at, behind a box that touches it.
			name: "along a wall", domain: [4]float64{0, 0, 16, 8}, obstacles: []geom.Ring{box(0, 0, 4.5, 8), box(4.5, 3, 6.5, 4)},
			goal: segments([4]float64{4.5, 1, 10, 1}), size: 16,
		},
		{
			name: "along a wall on the other side", domain: [4]float64{0, 0, 16, 8}, obstacles: []geom.Ring{box(0, 0, 4.5, 8), box(4.5, 3, 6.5, 4)},
			goal: segments([4]float64{10, 6.5, 4.5, 6.5}), size: 16,
		},
		{
			name: "into the tip of a fork", domain: [4]float64{0, 0, 20, 10},
			obstacles: []geom.Ring{{{10, 8}, {6, 2}, {5.5, 2}}, {{10, 8}, {14, 2}, {14.5, 2}}}, goal: segments([4]float64{9, 3, 11, 3}), size: 100,
		},
		{
			name: "from the tip of a fork", domain: [4]float64{0, 0, 20, 10},
			obstacles: []geom.Ring{{{4, 5}, {16, 4}, {16, 4.5}}, {{4, 5}, {16, 5.5}, {16, 6}}}, goal: segments([4]float64{4, 5, 9, 5}), size: 100,
		},
		{
			name: "up to the tip of a fork", domain: [4]float64{0, 0, 20, 10},
			obstacles: []geom.Ring{{{4, 5}, {16, 4}, {16, 4.5}}, {{4, 5}, {16, 5.5}, {16, 6}}}, goal: segments([4]float64{9, 5, 4, 5}), size: 100,
		},
		{
			// The tip of the wall is a corner at distance 0 between the segment's ends.
			name: "past the tip of a thin wall", domain: [4]float64{0, 0, 20, 10}, obstacles: []geom.Ring{{{2, 5}, {11, 5}, {11, 5.0000001}}, box(2, 4, 3, 5)},
			goal: segments([4]float64{8, 5, 15, 5}), size: 100,
		},
	} {
		byMethod(t, c.name, func(t *testing.T, d *gpu.Device, method Method) {
			b, m, _ := build(t, d, method, ground(t, c.domain, c.obstacles...), c.goal, c.size)
			defer b.Delete()
			defer m.Delete()
			if err := m.Validate(0, 1); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSegmentTexels compares every texel of maps that lead to segments with the reference.
func TestSegmentTexels(t *testing.T) {
	check := func(t *testing.T, d *gpu.Device, method Method, g *geom.Ground, goal Goal) {
		b, m, _ := build(t, d, method, g, goal, testSize)
		defer b.Delete()
		defer m.Delete()
		if err := m.Validate(0, 1); err != nil {
			t.Error(err)
		}
	}
	for _, c := range segmentScenes {
		byMethod(t, c.name, func(t *testing.T, d *gpu.Device, method Method) {
			check(t, d, method, ground(t, c.domain, c.obstacles...), c.goal)
		})
	}
	for seed := range uint64(20) {
		byMethod(t, fmt.Sprint(seed), func(t *testing.T, d *gpu.Device, method Method) {
			g, goal := randomSegments(t, 100+seed)
			check(t, d, method, g, goal)
		})
	}
}
