// Command server simulates built-in scenes for many clients at once: GET /SCENE opens a world in a
// pool and streams its agents as lines of JSON, 20 a second, until the client goes.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"log"
	"net/http"
	"time"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes/builtin"
)

// snapshot is a line of the stream.
type snapshot struct {
	Time   float64      `json:"time"`   // simulated seconds
	Agents [][2]float32 `json:"agents"` // positions of those that are on the ground, meters
}

const interval = time.Second / 20

func main() {
	address := flag.String("listen", "localhost:8080", "address to listen on")
	worlds := flag.Int("worlds", 16, "worlds at a time; more clients get status 503")
	flag.Parse()
	pool, err := engine.NewPool(*worlds)
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	log.Printf("try: curl -N http://%s/plaza", *address)
	log.Print(http.ListenAndServe(*address, handler(pool)))
}

func handler(pool *engine.Pool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{scene}", func(out http.ResponseWriter, r *http.Request) {
		scene, err := builtin.Load(r.PathValue("scene"))
		if err != nil {
			http.Error(out, err.Error(), http.StatusNotFound)
			return
		}
		// The world ends with the request; at most 256 MiB of the device are its own.
		world, err := pool.Open(r.Context(), scene, engine.Options{Memory: 256 << 20})
		switch {
		case errors.Is(err, engine.ErrBusy):
			http.Error(out, err.Error(), http.StatusServiceUnavailable)
		case err != nil:
			http.Error(out, err.Error(), http.StatusInternalServerError)
		default:
			defer world.Close()
			if err := stream(out, world); !errors.Is(err, engine.ErrClosed) {
				log.Print(err)
			}
		}
	})
	return mux
}

// stream steps a world in real time and writes snapshots, until the world is closed or the client is
// gone.
func stream(out http.ResponseWriter, world *engine.World) error {
	lines, flush := json.NewEncoder(out), http.NewResponseController(out)
	state := make([]agents.Agent, 0)
	for range time.Tick(interval) {
		if _, err := world.Advance(interval); err != nil {
			return err
		}
		line := snapshot{Time: world.Time(), Agents: [][2]float32{}}
		err := world.Do(func(*gpu.Device) error {
			state = append(state[:0], make([]agents.Agent, world.Crowd().Count())...)
			world.Crowd().Snapshot(state)
			return nil
		})
		if err != nil {
			return err
		}
		for _, a := range state {
			if a.Status == agents.Walking || a.Status == agents.Arrived {
				line.Agents = append(line.Agents, a.Position)
			}
		}
		if err := errors.Join(lines.Encode(line), flush.Flush()); err != nil {
			return err
		}
	}
	return nil
}
