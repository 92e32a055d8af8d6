package reference

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/bvp/local"
	"github.com/wayfront/wayfront/scenes"
)

// foreseenBy is where an agent expects another one.
func foreseenBy(own, other Disc) mgl64.Vec2 {
	s := byRules(21, scenes.RulesRobust, 360)
	w := newWalker(own.Center[0], own.Center[1])
	f := frameOf(w, &s)
	p := f.foreseen(own, other)
	return mgl64.Vec2{float64(p[0]), float64(p[1])}
}

func vector(v [2]float32) mgl64.Vec2 { return mgl64.Vec2{float64(v[0]), float64(v[1])} }

// TestForeseenByBoth: of two agents that would collide each expects the other off the line of their
// approach, to opposite sides, by half of what lacks; after both have done that they just touch.
// Where they meet head-on, each expects the other where they are nearest.
func TestForeseenByBoth(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	collide := 0
	for range 2000 {
		a := Disc{Center: [2]float32{5 + r.Float32(), 5 + r.Float32()}, Radius: 0.2 + 0.1*r.Float32()}
		b := Disc{Center: [2]float32{6.5 + 0.5*r.Float32(), 5 + r.Float32()}, Radius: 0.2 + 0.1*r.Float32()}
		for _, d := range []*Disc{&a, &b} {
			v := polar(1+r.Float64(), 2*math.Pi*r.Float64())
			d.Velocity = [2]float32{float32(v[0]), float32(v[1])}
		}
		at, u := vector(b.Center).Sub(vector(a.Center)), vector(b.Velocity).Sub(vector(a.Velocity))
		time, sum := -at.Dot(u)/u.Dot(u), float64(a.Radius)+float64(b.Radius)
		nearest := at.Add(u.Mul(time))
		byA, byB := foreseenBy(a, b).Sub(vector(b.Center)), foreseenBy(b, a).Sub(vector(a.Center))
		switch {
		case time <= 0:
			if byA.Len() > 0 || byB.Len() > 0 {
				t.Fatalf("%+v and %+v part, and are expected %v and %v away", a, b, byA, byB)
			}
			continue
		case time < 0.3 || nearest.Len() < 1e-3 || math.Abs(nearest.Len()-sum) < 1e-3:
			continue // they cannot walk so far, or the side is one of rounding
		}
		// What is off the line of approach, but for the part along each one's own way.
		across := nearest.Normalize()
		head := func(v, own, toOther mgl64.Vec2) float64 {
			return time * max(-toOther.Dot(v.Normalize()), 0) * max(toOther.Dot(own.Normalize()), 0)
		}
		va, vb := vector(a.Velocity), vector(b.Velocity)
		offB := byA.Sub(vb.Mul(head(vb, va, at.Normalize())))
		offA := byB.Sub(va.Mul(head(va, vb, at.Normalize().Mul(-1))))
		half := max(sum-nearest.Len(), 0) / 2
		if offB.Sub(across.Mul(half)).Len() > 1e-4 || offA.Add(across.Mul(half)).Len() > 1e-4 {
			t.Fatalf("%+v and %+v: b is expected %v aside, a %v; want %g along %v", a, b, offB, offA, half, across)
		}
		if half > 0 {
			collide++
		}
	}
	if collide < 100 {
		t.Errorf("%d pairs collide", collide)
	}
}

// TestForeseenHeadOn: exactly head-on each is expected half way, on its left, so that both
// pass on their right.
func TestForeseenHeadOn(t *testing.T) {
	a := Disc{Center: [2]float32{5, 5}, Radius: 0.25, Velocity: [2]float32{1, 0}}
	b := Disc{Center: [2]float32{7, 5}, Radius: 0.25, Velocity: [2]float32{-1, 0}}
	for _, test := range []struct {
		own, other Disc
		want       mgl64.Vec2
	}{{a, b, mgl64.Vec2{6, 5.25}}, {b, a, mgl64.Vec2{6, 4.75}}} {
		if got := foreseenBy(test.own, test.other); got.Sub(test.want).Len() > 1e-5 {
			t.Errorf("from %v the other is expected at %v, want %v", test.own.Center, got, test.want)
		}
	}
}

// TestNotForeseen: where they are stay agents that stand or creep, but for the sidestep that they
// could do; those that follow and are followed are not expected ahead along their way; and those
// out of the map are not.
func TestNotForeseen(t *testing.T) {
	own := Disc{Center: [2]float32{5, 5}, Radius: 0.25, Velocity: [2]float32{1, 0}}
	for _, test := range []struct {
		name     string
		x, speed float32 // of the other along the walker's way
		want     float64 // by how far it is moved at most
	}{
		{"stands", 6, 0, 0},
		{"creeps", 6, 1e-3, 1e-3},
		{"is followed", 6, 0.5, 0.25},
		{"follows", 4, 1.5, 0.25},
		{"is out of the map", 8, -1, 0},
		{"walks away", 6, 1.5, 0},
		{"as fast", 6, 1, 0},
	} {
		other := Disc{Center: [2]float32{test.x, 5}, Radius: 0.25, Velocity: [2]float32{test.speed, 0}}
		off := foreseenBy(own, other).Sub(vector(other.Center))
		if off.Len() > test.want+1e-6 || math.Abs(off[0]) > 1e-6 {
			t.Errorf("one that %s is moved by %v", test.name, off)
		}
	}
	s := byRules(21, scenes.RulesPaper, 360)
	f := frameOf(newWalker(5, 5), &s)
	if f.yielding(Disc{Yields: true}, Disc{Yields: true}) != 1 {
		t.Error("agents yield by the papers' rules")
	}
	s.Flags |= local.Robust
	for _, yields := range [][2]bool{{true, false}, {false, true}, {false, false}} {
		if f.yielding(Disc{Yields: yields[0]}, Disc{Yields: yields[1]}) != 1 {
			t.Errorf("an agent yields where that holds for both: %v", yields)
		}
	}
}
