package studio

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/agents"
	"github.com/wayfront/wayfront/agents/measure"
	"github.com/wayfront/wayfront/cmd/navview/internal/measuring"
	"github.com/wayfront/wayfront/cmd/navview/internal/worldview"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes"
)

// measured are the flags that navview measure has where none are given.
var measured = measuring.Flags{Sample: 1, Cutoff: 2}

// FlowWindow is the time before a moment over which a series has the flow through a gate. Unit: s.
const FlowWindow = 5

// Measuring measures the crowd while it walks, by the code of navview measure: what passes the gates
// of the document, density and speed in its areas, and the exits that agents leave by. It sees the crowd each 0.1 s
// of simulated time. After a seek it has what was measured until then.
type Measuring struct {
	From, To float64 // the range of all that it returns, s; To 0: up to now

	device *gpu.Device
	view   *worldview.View
	scene  *scenes.Scene // whose gates and areas are measured
	stale  bool          // the scene, or the agents of slots, may be others
	meter  *measure.Meter
	mail   *gpu.Mailbox[agents.Agent]
	state  []agents.Agent
	traits []agents.Traits
	names  []int         // of agents, by slot: those of reused slots are others
	posted []float64     // the times of states that are on their way
	frame  measure.Frame // the last one
	see    func() error  // that a frame has come
	anew   bool          // frames do not go on from those before
	due    float64       // the frame that plots are due to be made anew with, s
	plots  plots
}

// plots are what is shown of a range. Making them takes longer the longer the run: they are made
// anew when a second has been measured.
type plots struct {
	from, to float64 // the range
	series   []Series
	diagrams []Diagram
	made     bool
}

// begin begins to measure a world.
func (m *Measuring) begin(d *gpu.Device, v *worldview.View, scene *scenes.Scene) {
	m.close()
	*m = Measuring{From: m.From, To: m.To, see: m.see, anew: true, device: d, view: v, scene: scene, stale: true}
}

func (m *Measuring) close() {
	m.mail.Delete()
	m.mail = nil
}

// observe begins the readback of the crowd where a frame is due, and takes those that have arrived.
func (m *Measuring) observe() error {
	world := m.view.World
	every := max(1, uint64(math.Round(measuring.Frames/world.Scene().Simulation.Timestep)))
	if world.Ticks()%every == 0 {
		if err := m.post(); err != nil {
			return err
		}
	}
	return m.take((*gpu.Mailbox[agents.Agent]).Take)
}

// post begins a readback.
func (m *Measuring) post() error {
	world := m.view.World
	count := world.Crowd().Count()
	if m.stale || count != len(m.state) {
		if err := m.drain(); err != nil {
			return err
		}
		if err := m.renew(count); err != nil {
			return err
		}
	}
	if m.mail == nil {
		m.add(world.Time())
		return m.seen()
	}
	source := world.Buffers().Agents.Agents
	if !m.mail.Post(source, 0) {
		if err := m.next((*gpu.Mailbox[agents.Agent]).TakeNow); err != nil {
			return err
		}
		m.mail.Post(source, 0)
	}
	m.posted = append(m.posted, world.Time())
	return nil
}

// renew takes the gates and areas of the document, and the agents of slots. It waits for the device.
func (m *Measuring) renew(count int) (err error) {
	m.stale = false
	study, err := measured.Study(m.scene)
	if err != nil {
		return err
	}
	if m.meter == nil {
		m.meter = measure.NewMeter(study)
	} else {
		m.meter.Change(study)
	}
	if count != len(m.state) {
		m.close()
		if count > 0 {
			m.mail, err = gpu.NewMailbox[agents.Agent](m.device, gpu.MailboxSpec{Label: "measured agents", Length: count})
		}
		if err != nil {
			return err
		}
		m.state, m.traits, m.names = make([]agents.Agent, count), make([]agents.Traits, count), make([]int, count)
	}
	if count > 0 {
		m.view.World.Buffers().Agents.Traits.Read(0, m.traits)
	}
	for slot := range m.names {
		m.names[slot] = slot
	}
	for _, id := range m.view.World.Agents(nil) {
		slot, generation := int(uint32(id)), int(id>>32)&0xffffff
		if slot < count { // others come with the next edit that is applied
			m.names[slot] = slot + (generation-1)<<32
		}
	}
	return nil
}

// slotOf returns the slot of a name.
func slotOf(name int) int { return int(uint32(name)) }

// take takes all that has arrived.
func (m *Measuring) take(by func(*gpu.Mailbox[agents.Agent], []agents.Agent) (int64, bool)) error {
	for n := len(m.posted); n > 0; n = len(m.posted) {
		if err := m.next(by); err != nil || len(m.posted) == n {
			return err
		}
	}
	return nil
}

// drain takes all that is on its way. It waits for the device.
func (m *Measuring) drain() error { return m.take((*gpu.Mailbox[agents.Agent]).TakeNow) }

// next takes the oldest state, if it is there.
func (m *Measuring) next(by func(*gpu.Mailbox[agents.Agent], []agents.Agent) (int64, bool)) error {
	if _, ok := by(m.mail, m.state); !ok {
		return nil
	}
	m.add(m.posted[0])
	m.posted = slices.Delete(m.posted, 0, 1)
	return m.seen()
}

// add adds the state as the frame of a time.
func (m *Measuring) add(time float64) {
	corner := m.view.World.Ground().Lattice.Origin
	f := measure.Frame{Time: time, Walkers: m.frame.Walkers[:0]}
	for slot, a := range m.state {
		if agents.There(a.Status) {
			f.Walkers = append(f.Walkers, measure.Walker{
				ID:       m.names[slot],
				At:       corner.Add(mgl64.Vec2{float64(a.Position[0]), float64(a.Position[1])}),
				Velocity: mgl64.Vec2{float64(a.Velocity[0]), float64(a.Velocity[1])},
				Group:    int(m.traits[slot].Group),
			})
		}
	}
	m.frame = f
	m.meter.Add(f)
	if isDue(time, m.due) {
		m.due, m.plots.made = time+measured.Sample, false
	}
}

func (m *Measuring) seen() error {
	if m.see == nil {
		return nil
	}
	return m.see()
}

// keep returns what was measured so far. It waits for the device.
func (m *Measuring) keep() (*measure.Meter, error) {
	if err := m.drain(); err != nil || m.meter == nil {
		return nil, err
	}
	return m.meter.Clone(), nil
}

// rollback goes back to what was measured then, of a world that was rolled back.
func (m *Measuring) rollback(to *measure.Meter) {
	m.close() // with what is on its way
	m.state, m.posted, m.stale, m.anew = nil, nil, true, true
	if m.meter = nil; to != nil {
		m.meter = to.Clone()
	}
	m.due, m.plots.made = 0, false
}

// limits returns the range.
func (m *Measuring) limits() (from, to float64) {
	if m.To <= 0 {
		return m.From, math.Inf(1)
	}
	return m.From, m.To
}

// Report returns the measures of the range, as navview measure prints them. It waits for the device
// and computes all anew.
func (m *Measuring) Report() (measuring.Report, error) {
	if err := m.drain(); err != nil || m.meter == nil {
		return measuring.Report{}, err
	}
	return measuring.ReportOf(m.meter.Within(m.limits())), nil
}

// Series is a quantity over time.
type Series struct {
	Kind   string // "agents", "speed", "flow", "crossings", "density", "arrivals"
	Of     string // the gate, the area or the exit; "" for all
	Unit   string
	Times  []float64 // each second, s: the same of all series
	Values []float64 // NaN where there is none
}

// Series returns what plots show of the range: agents there, their mean speed and arrivals; of each gate the
// flow within FlowWindow, and crossings; of each area density, of Voronoi cells, and speed; of each
// exit arrivals. It returns the same slice until a second is over; do not write to it.
func (m *Measuring) Series() []Series { return m.shown().series }

// Diagrams returns the fundamental diagrams of the areas over the range, as Series does.
func (m *Measuring) Diagrams() []Diagram { return m.shown().diagrams }

// isDue reports whether a frame has the time that is due, as meters have it.
func isDue(time, due float64) bool { return time >= due-1e-9*math.Abs(due) }

// shown returns the plots of the range.
func (m *Measuring) shown() *plots {
	from, to := m.limits()
	if m.meter != nil && (!m.plots.made || m.plots.from != from || m.plots.to != to) {
		r := m.meter.Within(from, to)
		m.plots = plots{from, to, seriesOf(m.meter, m.scene, r, from, to), diagramsOf(r), true}
	}
	return &m.plots
}

// seriesOf makes the series of a range.
func seriesOf(meter *measure.Meter, scene *scenes.Scene, r measure.Results, from, to float64) []Series {
	var times []float64
	agents, speed := Series{Kind: "agents", Unit: "1"}, Series{Kind: "speed", Unit: "m/s"}
	due := math.Inf(-1)
	for _, at := range meter.Moments(from, to) {
		if !isDue(at.Time, due) {
			continue
		}
		due = at.Time + measured.Sample
		times = append(times, at.Time)
		agents.Values, speed.Values = append(agents.Values, float64(at.Agents)), append(speed.Values, valueIf(at.Agents > 0, at.Speed))
	}
	total := Series{Kind: "arrivals", Unit: "1"}
	left := slices.Concat(meter.Arrivals(from, to)...)
	slices.Sort(left)
	for _, t := range times {
		total.Values = append(total.Values, float64(until(left, t)))
	}
	all := []Series{agents, speed, total}
	for i, g := range r.Gates {
		flow, crossings := Series{Kind: "flow", Of: g.Name, Unit: "1/s"}, Series{Kind: "crossings", Of: g.Name, Unit: "1"}
		every := sortedTimes(meter.Crossings(i)) // those before the range count for the flow at its begin
		first := sort.SearchFloat64s(every, from)
		for _, t := range times {
			n := until(every, t)
			crossings.Values = append(crossings.Values, float64(n-first))
			flow.Values = append(flow.Values, float64(n-until(every, t-FlowWindow))/FlowWindow)
		}
		all = append(all, flow, crossings)
	}
	for _, a := range r.Areas {
		density, speed := Series{Kind: "density", Of: a.Name, Unit: "1/m2"}, Series{Kind: "speed", Of: a.Name, Unit: "m/s"}
		for _, t := range times {
			// The last sample of the second before: an area that came later is sampled between times.
			i := sort.Search(len(a.Voronoi), func(i int) bool { return a.Voronoi[i].Time > t+1e-9*math.Abs(t) }) - 1
			ok := i >= 0 && a.Voronoi[i].Time > t-measured.Sample
			sample := measure.Sample{}
			if ok {
				sample = a.Voronoi[i].Sample
			}
			density.Values = append(density.Values, valueIf(ok, sample.Density))
			speed.Values = append(speed.Values, valueIf(ok && sample.Density > 0, sample.Speed))
		}
		all = append(all, density, speed)
	}
	for i, left := range meter.Arrivals(from, to) {
		if r.Exits == nil { // no frame is in the range
			break
		}
		arrivals := Series{Kind: "arrivals", Of: r.Exits[i].Name, Unit: "1"}
		for _, t := range times {
			arrivals.Values = append(arrivals.Values, float64(until(left, t)))
		}
		all = append(all, arrivals)
	}
	for i := range all {
		all[i].Times = times
	}
	return all
}

// until returns how many of sorted times are at most t.
func until(times []float64, t float64) int {
	return sort.Search(len(times), func(i int) bool { return times[i] > t })
}

func valueIf(ok bool, v float64) float64 {
	if !ok {
		return math.NaN()
	}
	return v
}

// sortedTimes returns the times of crossings, sorted.
func sortedTimes(all []measure.Crossing) []float64 {
	times := make([]float64, len(all))
	for i, c := range all {
		times[i] = c.Time
	}
	slices.Sort(times)
	return times
}

// Diagram is density and speed of an area: the samples of its fundamental diagram.
type Diagram struct {
	Area           string
	Density, Speed []float64 // 1/m2, m/s
	Curve          []measuring.Bin
}

// diagramsOf returns the fundamental diagrams of the areas over a range.
func diagramsOf(r measure.Results) (all []Diagram) {
	for _, a := range measuring.ReportOf(r).Areas {
		d := Diagram{Area: a.Area, Curve: a.Fundamental}
		for _, s := range a.Samples {
			if s.VoronoiSpeed != nil {
				d.Density, d.Speed = append(d.Density, *s.VoronoiDensity), append(d.Speed, *s.VoronoiSpeed)
			}
		}
		all = append(all, d)
	}
	return all
}

// CSV returns the series as a table: a column each, a row a time, fields without a value empty.
func (m *Measuring) CSV() []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	series := m.Series()
	row := []string{"time_s"}
	for _, s := range series {
		name := s.Kind
		if s.Of != "" {
			name += " " + s.Of
		}
		if s.Unit != "1" {
			name += " (" + s.Unit + ")"
		}
		row = append(row, name)
	}
	_ = w.Write(row) // to memory
	for i := range rows(series) {
		row = append(row[:0], number(series[0].Times[i]))
		for _, s := range series {
			row = append(row, number(s.Values[i]))
		}
		_ = w.Write(row) // as above
	}
	w.Flush()
	return out.Bytes()
}

// rows returns how many times series have.
func rows(all []Series) int {
	if len(all) == 0 {
		return 0
	}
	return len(all[0].Times)
}

// number writes a number without the digits that sums of time steps are off by; NaN is empty.
func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 9, 64)
}
