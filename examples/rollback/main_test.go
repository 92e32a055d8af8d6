package main

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestRollback has an input come late, within the ticks after a checkpoint and right at one: peers
// differ until it has come, and agree then.
func TestRollback(t *testing.T) {
	for _, tick := range []uint64{26, 30} {
		late := input{tick: tick, newcomers: 4, at: mgl64.Vec2{30, 8}, slots: []int{3, 14, 15}, goal: 1}
		hashes, err := play(late, 12)
		if err != nil {
			t.Fatal(err)
		}
		if hashes[0][0] == hashes[0][1] {
			t.Error("the input changes nothing: both peers agree without it")
		}
		if hashes[1][0] != hashes[1][1] || hashes[1][0] != hashes[0][0] {
			t.Errorf("after the rollback: %x, and before: %x", hashes[1], hashes[0])
		}
	}
}
