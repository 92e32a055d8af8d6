package studio

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/render"
	"github.com/wayfront/wayfront/scenes"
)

// Breaks are what a run pauses at. A condition pauses it when it comes to hold, and again once it
// has not held in between.
type Breaks struct {
	Stuck   bool // an agent stays where it is for 10 s
	Contact bool // two agents overlap by more than 1% of the sum of their radii
	Density bool // above DensityAbove in an area
	Flow    bool // below FlowBelow through a gate that agents have passed, over FlowWindow
	Enters  bool // an agent comes into an area

	DensityAbove float64 // 1/m2
	FlowBelow    float64 // 1/s
	Area         string  // the one that Density and Enters are about; "": each
	Gate         string  // the one that Flow is about; "": each

	holds  map[string]bool // of conditions in the frame before; nil: there was none, and none comes to hold
	now    map[string]bool
	inside map[string]map[int]bool // of areas, the agents in the frame before
	near   contacts
}

// Break is why and where a run has paused.
type Break struct {
	Why  string
	Time float64      // s
	At   []mgl64.Vec2 // the places that it is about, world meters
	Line bool         // they are the ends of a gate
}

// newBreaks returns breaks that are off.
func newBreaks() Breaks { return Breaks{DensityAbove: 2, FlowBelow: 0.5} }

// forget forgets what held, where time does not go on.
func (b *Breaks) forget() { b.holds, b.inside = nil, nil }

// frame returns the break of a frame; nil: none.
func (b *Breaks) frame(s *Studio, f measure.Frame) *Break {
	if !b.Contact && !b.Density && !b.Flow && !b.Enters {
		b.forget()
		return nil
	}
	if s.Measure.anew {
		b.forget()
		s.Measure.anew = false
	}
	first := b.holds == nil
	if b.now == nil {
		b.now = map[string]bool{}
	}
	clear(b.now)
	var found *Break
	hold := func(name string, at []mgl64.Vec2, line bool, format string, args ...any) {
		if b.now[name] = true; !first && !b.holds[name] && found == nil {
			found = &Break{Why: fmt.Sprintf(format, args...), Time: f.Time, At: slices.Clone(at), Line: line}
		}
	}
	scene := s.Time.author.scene
	if b.Contact {
		if at, depth := b.near.deepest(f, s.Measure.traits); depth > 0 {
			hold("contact", []mgl64.Vec2{at}, false, "two agents overlap by %.0f%% of their radii", 100*depth)
		}
	}
	for _, a := range scene.Areas {
		if b.Area != "" && b.Area != a.ID {
			continue
		}
		if d := measure.Classic(f, measure.Rect{Low: a.Rect.Min(), High: a.Rect.Max()}.Box()).Density; b.Density && d > b.DensityAbove {
			hold("density "+a.ID, []mgl64.Vec2{rectOf(a.Rect).Center()}, false, "%.2g agents/m2 in area %s, above %.2g", d, console.Legible(a.ID), b.DensityAbove)
		}
		b.enter(a, f, hold)
	}
	for i, g := range scene.Gates {
		if flow, ok := s.Measure.flow(i, g.ID, f.Time); b.Flow && (b.Gate == "" || b.Gate == g.ID) && ok && flow < b.FlowBelow {
			hold("flow "+g.ID, g.Line[:], true, "%.2g agents/s through gate %s, below %.2g", flow, console.Legible(g.ID), b.FlowBelow)
		}
	}
	if b.holds == nil {
		b.holds = map[string]bool{}
	}
	b.holds, b.now = b.now, b.holds
	return found
}

// enter finds agents that have come into an area since the frame before.
func (b *Breaks) enter(a scenes.Area, f measure.Frame, hold func(string, []mgl64.Vec2, bool, string, ...any)) {
	if !b.Enters {
		return
	}
	if b.inside == nil {
		b.inside = map[string]map[int]bool{}
	}
	was, known := b.inside[a.ID]
	now := map[int]bool{}
	for _, w := range f.Walkers {
		if !a.Rect.Contains(w.At) {
			continue
		}
		if now[w.ID] = true; known && !was[w.ID] {
			hold(fmt.Sprint("enters ", a.ID, " ", w.ID), []mgl64.Vec2{w.At}, false, "an agent comes into area %s", console.Legible(a.ID))
		}
	}
	b.inside[a.ID] = now
}

// flow returns the flow through a gate of the study over FlowWindow; false before so much time has
// passed since the first crossing.
func (m *Measuring) flow(gate int, name string, now float64) (float64, bool) {
	times := m.meter.Crossings(gate)
	if m.stale || len(times) == 0 || now < times[0].Time+FlowWindow {
		return 0, false
	}
	n := 0
	for _, c := range slices.Backward(times) {
		if c.Time <= now-FlowWindow {
			break
		}
		n++
	}
	return float64(n) / FlowWindow, true
}

// sawFrame looks at a frame that was measured.
func (s *Studio) sawFrame() error {
	b := s.Breaks.frame(s, s.Measure.frame)
	if b == nil || !s.Playing || s.Time.Seeking() {
		return nil
	}
	s.pause(b)
	return nil
}

// breakAtEvents looks at events from an index on.
func (s *Studio) breakAtEvents(from int) {
	if !s.Breaks.Stuck || !s.Playing {
		return
	}
	for _, e := range s.Time.Events[min(from, len(s.Time.Events)):] {
		if e.Kinds&engine.Stuck == 0 {
			continue
		}
		b := &Break{Why: "an agent has stayed where it is for 10 s", Time: s.Time.seconds(e.Tick)}
		for _, w := range s.Measure.frame.Walkers {
			if slotOf(w.ID) == int(uint32(e.Agent)) {
				b.At = []mgl64.Vec2{w.At}
			}
		}
		s.pause(b)
		return
	}
}

// pause pauses the run at a break.
func (s *Studio) pause(b *Break) {
	s.Playing, s.Break = false, b
	s.Notify("paused: " + b.Why)
}

// broken returns to the time of a break, which was seen some ticks late.
func (s *Studio) broken() error {
	if s.Break == nil || s.Break.Time >= s.Time.Now() {
		return nil
	}
	return s.Seek(s.Break.Time)
}

// mark draws the place of a break.
func (b *Break) mark(o *Overlay) {
	if b == nil || len(b.At) == 0 {
		return
	}
	k := render.Sketch{Color: faultColor, Width: 3, Radius: 9, Target: true}
	if b.Line {
		k.Lines = [][2]mgl64.Vec2{{b.At[0], b.At[1]}}
	} else {
		k.Marks = b.At
	}
	o.Sketches, o.Labels = append(o.Sketches, k), append(o.Labels, Label{b.At[0], b.Why})
}

// contacts finds agents that overlap.
type contacts struct{ order []int }

// deepest returns where two agents overlap the most, and by which part of the sum of their radii; 0
// where none do by more than a hundredth.
func (c *contacts) deepest(f measure.Frame, traits []agents.Traits) (at mgl64.Vec2, depth float64) {
	const least = 0.01 // as of Tally.Contacts
	c.order = c.order[:0]
	widest := 0.0
	for i, w := range f.Walkers {
		c.order = append(c.order, i)
		widest = max(widest, float64(traits[slotOf(w.ID)].Radius))
	}
	slices.SortFunc(c.order, func(i, j int) int { return cmp.Compare(f.Walkers[i].At[0], f.Walkers[j].At[0]) })
	for k, i := range c.order {
		a := &f.Walkers[i]
		for _, j := range c.order[k+1:] {
			b := &f.Walkers[j]
			if b.At[0]-a.At[0] > 2*widest {
				break
			}
			reach := float64(traits[slotOf(a.ID)].Radius) + float64(traits[slotOf(b.ID)].Radius)
			if d := 1 - b.At.Sub(a.At).Len()/reach; d > max(depth, least) {
				at, depth = a.At.Add(b.At).Mul(0.5), d
			}
		}
	}
	return at, depth
}

func breakActions() []Action {
	one := func(name string, of func(*Studio) *bool) Action {
		return Action{Menu: "Run", Name: "Pause " + name, On: func(s *Studio) bool { return *of(s) }, Do: func(s *Studio) error {
			*of(s) = !*of(s)
			return nil
		}}
	}
	return []Action{
		one("when an agent is stuck", func(s *Studio) *bool { return &s.Breaks.Stuck }),
		one("when agents overlap", func(s *Studio) *bool { return &s.Breaks.Contact }),
		one("at a density in an area", func(s *Studio) *bool { return &s.Breaks.Density }),
		one("at a flow through a gate", func(s *Studio) *bool { return &s.Breaks.Flow }),
		one("when an agent enters an area", func(s *Studio) *bool { return &s.Breaks.Enters }),
	}
}
