package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/wayfront/wayfront/engine"
)

// TestServer reads a second of a world's snapshots while the pool's only room is taken, and finds
// the room free once the client has gone.
func TestServer(t *testing.T) {
	pool, err := engine.NewPool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	server := httptest.NewServer(handler(pool))
	defer server.Close()
	get := func(ctx context.Context, scene string) *http.Response {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/"+scene, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	ctx, leave := context.WithCancel(t.Context())
	first := get(ctx, "crosswalk")
	defer first.Body.Close()
	for scene, want := range map[string]int{"crosswalk": http.StatusServiceUnavailable, "nowhere": http.StatusNotFound} {
		answer := get(t.Context(), scene)
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: status %d, want %d", scene, answer.StatusCode, want)
		}
	}
	lines, began := bufio.NewScanner(first.Body), time.Now()
	var states []snapshot
	for len(states) < 20 && lines.Scan() {
		var s snapshot
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		states = append(states, s)
	}
	if len(states) < 20 || time.Since(began) < 18*interval {
		t.Fatalf("%d snapshots in %v", len(states), time.Since(began))
	}
	last := states[19]
	if last.Time <= states[0].Time || len(last.Agents) == 0 || len(states[0].Agents) == 0 || last.Agents[0] == states[0].Agents[0] {
		t.Errorf("nothing moves: first %+v, last %+v", states[0], last)
	}
	leave()
	for deadline := time.Now().Add(10 * time.Second); pool.Worlds() > 0; time.Sleep(interval) {
		if time.Now().After(deadline) {
			t.Fatal("the world of a client that has gone is still open")
		}
	}
}
