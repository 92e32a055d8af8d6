package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// corridor has so many strips of 1 m along x, with ten people in each, which walk the given way.
func corridor(strips int, way func(strip, i int) float64) Frame {
	var f Frame
	for k := range strips {
		for i := range 10 {
			f.Walkers = append(f.Walkers, Walker{
				ID: len(f.Walkers), At: mgl64.Vec2{float64(i) * 3, float64(k) + 0.5}, Velocity: mgl64.Vec2{way(k, i), 0.1},
			})
		}
	}
	return f
}

func TestLanes(t *testing.T) {
	x := mgl64.Vec2{1, 0}
	sign := func(forward bool) float64 {
		if forward {
			return 1.3
		}
		return -0.7
	}
	near(t, "a lane in every strip", Lanes(corridor(8, func(k, _ int) float64 { return sign(k%2 == 0) }), x, 1), 1)
	near(t, "two lanes", Lanes(corridor(8, func(k, _ int) float64 { return sign(k < 3) }), x, 1), 1)
	near(t, "walked along another line", Lanes(turned(corridor(8, func(k, _ int) float64 { return sign(k < 3) }), 0.7), mgl64.Vec2{math.Cos(0.7), math.Sin(0.7)}.Mul(5), 1), 1)
	near(t, "all one way", Lanes(corridor(8, func(int, int) float64 { return 1 }), x, 1), 0)
	near(t, "no people", Lanes(Frame{}, x, 1), 0)
	near(t, "people that stand have no direction", Lanes(corridor(8, func(k, i int) float64 { return sign(k%2 == 0) * float64(i%2) }), x, 1), 1)
	near(t, "a strip for each", Lanes(corridor(1, func(_, i int) float64 { return sign(i%2 == 0) }), mgl64.Vec2{0, 1}, 1), 0)
	// Five and five in each strip: order 0, and chance has (N - n) / (N - 1) a strip.
	chance := 8 * (80.0 - 10) / (80 - 1) / 80
	near(t, "evenly mixed", Lanes(corridor(8, func(_, i int) float64 { return sign(i%2 == 0) }), x, 1), -chance/(1-chance))

	// Dealt at random, with three forward of four: 0 on average. The standard deviation of the mean is estimated from the
	// same deals; a mean five of those off would come once in 2 million seeds.
	r := rand.New(rand.NewPCG(1, 2))
	const deals = 4000
	sum, squares := 0.0, 0.0
	for range deals {
		order := r.Perm(80)
		v := Lanes(corridor(8, func(k, i int) float64 { return sign(order[10*k+i] < 60) }), x, 1)
		sum, squares = sum+v, squares+v*v
	}
	mean := sum / deals
	if deviation := math.Sqrt((squares/deals - mean*mean) / deals); math.Abs(mean) > 5*deviation || deviation == 0 {
		t.Errorf("lanes of chance: %v +- %v", mean, deviation)
	}
}
