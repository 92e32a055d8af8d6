// Command rollback has two peers of a networked game run the same crowd, each for itself: only
// inputs are exchanged. One input reaches the second peer 17 ticks late. That peer goes back to a
// checkpoint before the input, runs again with it, and has the state of the first.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/scenes"
)

const hall = `{
  "version": 1,
  "domain": [0, 0, 40, 20],
  "obstacles": [{"rect": [19, 0, 20, 8]}, {"rect": [19, 11, 20, 20]}],
  "goals": [{"id": "east", "points": [[38, 10]]}, {"id": "west", "points": [[2, 10]]}],
  "groups": [{"count": 150, "spawn": {"rect": [1, 1, 15, 19]}, "itinerary": ["east"], "onArrival": "stay"}],
}`

// input is what a player does: newcomers appear at a place, and some agents are sent to a goal. It
// names them by slots, as handles are each peer's own.
type input struct {
	tick      uint64 // that it comes before
	newcomers int
	at        mgl64.Vec2
	slots     []int
	goal      int
}

// every is how many ticks are between checkpoints.
const every = 10

type peer struct {
	world  *engine.World
	inputs map[uint64]input
	kept   []*engine.Checkpoint // oldest first
}

func join(pool *engine.Pool) (*peer, error) {
	scene, err := scenes.Parse("hall.json", []byte(hall))
	if err != nil {
		return nil, err
	}
	world, err := pool.Open(context.Background(), scene, engine.Options{})
	return &peer{world: world, inputs: map[uint64]input{}}, err
}

// advance runs up to a tick, with the inputs that are known.
func (p *peer) advance(to uint64) error {
	for now := p.world.Ticks(); now < to; now = p.world.Ticks() {
		if now%every == 0 && (len(p.kept) == 0 || p.kept[len(p.kept)-1].Ticks() < now) {
			c, err := p.world.Checkpoint()
			if err != nil {
				return err
			}
			p.kept = append(p.kept, c)
		}
		if in, ok := p.inputs[now]; ok {
			if _, err := p.world.Edit(func(e *engine.Edit) error { p.apply(e, in); return nil }); err != nil {
				return err
			}
		}
		if err := p.world.Step(); err != nil {
			return err
		}
	}
	return nil
}

func (p *peer) apply(e *engine.Edit, in input) {
	ids, goal, profile := p.world.Agents(nil), p.world.Goals()[in.goal], p.world.Profiles()[0]
	for _, slot := range in.slots {
		e.Send(goal, ids[slot])
	}
	for i := range in.newcomers {
		e.AddAgents(nil, engine.Spawn{At: in.at.Add(mgl64.Vec2{0, float64(i)}), Goal: goal, Profile: profile})
	}
}

// receive takes an input. One of the past is put there: the world goes back and runs again.
func (p *peer) receive(in input) error {
	p.inputs[in.tick] = in
	now := p.world.Ticks()
	if in.tick >= now {
		return nil
	}
	last := len(p.kept) - 1
	for ; p.kept[last].Ticks() > in.tick; last-- { // what came after is another past now
		p.kept[last].Free()
	}
	p.kept = p.kept[:last+1]
	if err := p.world.Rollback(p.kept[last]); err != nil {
		return err
	}
	fmt.Printf("rolled back from tick %d to %d\n", now, p.world.Ticks())
	return p.advance(now)
}

// play returns the hashes of both peers before the late input reaches the second, and after.
func play(late input, delay uint64) (hashes [2][2]uint64, err error) {
	pool, err := engine.NewPool(2)
	if err != nil {
		return hashes, err
	}
	defer pool.Close()
	var peers [2]*peer
	for i := range peers {
		if peers[i], err = join(pool); err != nil {
			return hashes, err
		}
	}
	peers[0].inputs[late.tick] = late
	for when := range hashes {
		if when == 1 {
			if err := peers[1].receive(late); err != nil {
				return hashes, err
			}
		}
		for i, p := range peers {
			if err := p.advance(late.tick + delay); err != nil {
				return hashes, err
			}
			if hashes[when][i], err = p.world.Hash(); err != nil {
				return hashes, err
			}
		}
		fmt.Printf("tick %d: %016x %016x\n", peers[0].world.Ticks(), hashes[when][0], hashes[when][1])
	}
	return hashes, nil
}

func main() {
	late := input{tick: 46, newcomers: 5, at: mgl64.Vec2{30, 8}, slots: []int{3, 14, 15, 92, 65}, goal: 1}
	hashes, err := play(late, 17)
	switch {
	case err != nil:
		log.Fatal(err)
	case hashes[1][0] != hashes[1][1]:
		log.Fatal("the peers differ")
	}
	fmt.Println("the peers agree")
}
