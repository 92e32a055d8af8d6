package agents

import (
	"fmt"

	"github.com/wayfront/wayfront/engine/gpu"
)

// Paths are the paths of chosen agents, as line strips on the device: from the agent over the
// generators it will turn at to the source, or straight to its own goal point.
type Paths struct {
	Points *gpu.Buffer[[2]float32] // m, local
	// the indirect draw of each chosen agent's strip; of no points where it has no path
	Commands *gpu.Buffer[Command]
	Capacity int // points that a strip has room for: all there can be

	crowd  *Crowd
	count  int           // of agents
	queue  deferredQueue // which they are, and their searches
	slice  int           // generators that a dispatch asks about for each
	stride int           // of the guide that Capacity was made for
	held   gpu.ResourceSet
}

// Follow chooses agents by index. Their paths are there after Update. Delete them before the
// crowd. Errors are of type *gpu.CapacityError or *gpu.CompileError, or ErrDeleted.
func (c *Crowd) Follow(agents []int) (*Paths, error) {
	for _, a := range agents {
		if a < 0 || a >= c.count {
			panic(fmt.Sprintf("agents: Follow of agent %d of %d", a, c.count))
		}
	}
	w := &Paths{crowd: c, count: len(agents), slice: sliceFor(len(agents)), held: gpu.ResourceSet{Device: c.device}}
	err := c.change("the paths of some of", func(r *gpu.ResourceSet) {
		need(r, simpleMaps(false), append(c.passes.paths(), &c.passes.guiding(false).search)...)
	})
	if err != nil {
		return nil, err
	}
	w.queue = newDeferredQueue(&w.held, len(agents), agents...)
	w.Commands = gpu.Upload(&w.held, "agents path commands", make([]Command, len(agents)))
	return w, w.fit()
}

// fit makes Points fit the guide. After an error the paths are deleted.
func (w *Paths) fit() error {
	if w.Points != nil && w.stride == w.crowd.guide.Stride {
		return w.held.Err
	}
	r := &gpu.ResourceSet{Device: w.held.Device, Err: w.held.Err}
	if w.Points != nil {
		r.Replace(w.Points)
	}
	w.stride = w.crowd.guide.Stride
	w.Capacity = w.stride + 2
	w.Points = gpu.Upload(r, "agents path points", make([][2]float32, w.Capacity*w.count))
	if w.held.Err = w.held.Take(r); w.held.Err != nil {
		w.Delete()
		return fmt.Errorf("agents: the paths of %d agents: %w", w.count, w.held.Err)
	}
	return nil
}

// Update writes the paths from where agents are after the crowd's newest step, on the maps and
// the ground of now: those that the next step would find. Points has another name afterwards if
// the guide's Stride has changed. Errors are of type *gpu.CapacityError, or ErrDeleted.
func (w *Paths) Update() error { return w.crowd.do(w.update) }

func (w *Paths) update() error {
	if err := w.fit(); err != nil {
		return err
	}
	w.queue.reset()
	w.crowd.device.Stage("path", w.find)
	return nil
}

// pathSlice is how many points a dispatch takes a path further, at most: about 10 ms in all, and
// Mesa's software renderer ends loops after 65,535 turns.
const pathSlice = 1 << 14

// pathFollowInput is that of pathfollow.comp.glsl: what chosen agents walk to.
type pathFollowInput struct {
	routeInput
	agents   *gpu.Buffer[Agent]      `gpu:"read"`
	points   *gpu.Buffer[[2]float32] `gpu:"write"`
	commands *gpu.Buffer[Command]    `gpu:"write"`
	First    uint32
	buried   bool
}

// pathInput is that of path.comp.glsl: the points from there on.
type pathInput struct {
	generatorInput
	deferredInput
	agents   *gpu.Buffer[Agent]      `gpu:"read"`
	points   *gpu.Buffer[[2]float32] `gpu:"readwrite"`
	commands *gpu.Buffer[Command]    `gpu:"readwrite"`
	count    uint32
	slice    uint32
}

// find writes the paths.
func (w *Paths) find() {
	c := w.crowd
	turns := c.walls.turns.steering()
	follow := pathFollowInput{
		routeInput: c.route(w.queue, w.count, steering), agents: c.agents[0], points: w.Points, commands: w.Commands, buried: c.Buried(),
	}
	c.passes.pathFollow.RunEach(follow, w.count, groupSize, turns)
	search(c.passes.guiding(false).search.Pass, guideSearchInput{routeInput: c.route(w.queue, w.count, searching), before: c.agents[0]}, w.slice)
	follow.pass = searching
	runDeferred(c.passes.pathFollow.Pass, follow, w.queue.table, searching, w.count, turns)
	slice := max(min(pathSlice, c.device.Budget()/max(w.count, 1)), 1)
	path := pathInput{
		generatorInput: c.generators(), deferredInput: w.queue.input(), agents: c.agents[0], points: w.Points, commands: w.Commands,
		count: uint32(w.count), slice: uint32(slice),
	}
	for points := 1; points < w.Capacity; points += slice {
		c.passes.path.Run(path, gpu.Groups(w.count, groupSize))
	}
}

// Delete frees what the paths hold on the device.
func (w *Paths) Delete() { w.held.Delete() }
