package gpu_test

import (
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

func mailbox(t testing.TB, d *gpu.Device, spec gpu.MailboxSpec) *gpu.Mailbox[uint32] {
	t.Helper()
	spec.Label = t.Name()
	m, err := gpu.NewMailbox[uint32](d, spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// counter is a buffer whose elements a dispatch raises: element i by i + 1.
func counter(t testing.TB, d *gpu.Device, n int) (*gpu.Buffer[uint32], func()) {
	type input struct {
		values *gpu.Buffer[uint32] `gpu:"readwrite"`
	}
	p := compute[input](t, d, `
layout(local_size_x = 1) in;
layout(std430) buffer Values { uint values[]; };
void main() { values[gl_WorkGroupID.x] += gl_WorkGroupID.x + 1u; }
`)
	b := buffer[uint32](t, d, n)
	return b, func() { p.Run(input{b}, uint32(n)) }
}

func TestMailboxDelivers(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		b, raise := counter(t, d, 8)
		m := mailbox(t, d, gpu.MailboxSpec{Length: 3})
		defer m.Delete()
		got := make([]uint32, 3)
		if _, ok := m.Take(got); ok {
			t.Fatal("an empty mailbox gave a readback")
		}
		next := int64(0)
		check := func() bool {
			number, ok := m.Take(got)
			if !ok {
				return false
			}
			if number != next {
				t.Errorf("readback %d came, want %d", number, next)
			}
			for i, v := range got {
				if want := uint32(i+6) * uint32(number+1); v != want { // elements 5, 6, 7 of round number
					t.Errorf("readback %d, element %d: %d, want %d", number, i, v, want)
				}
			}
			next++
			return true
		}
		posted := 0
		for range 50 {
			raise()
			for !m.Post(b, 5) {
				d.Finish()
				for check() {
				}
			}
			posted++
		}
		d.Finish()
		for check() {
		}
		if next != 50 || m.Posted() != 50 {
			t.Errorf("%d posted, %d taken, counted %d", posted, next, m.Posted())
		}
		if d.Readbacks() != 0 {
			t.Errorf("%d read-backs, want none", d.Readbacks())
		}
	})
}

func TestMailboxFull(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		b, raise := counter(t, d, 2)
		m := mailbox(t, d, gpu.MailboxSpec{Length: 2, Slots: 2})
		defer m.Delete()
		raise()
		for slot := range 2 {
			if !m.Post(b, 0) {
				t.Errorf("slot %d of two did not take a readback", slot)
			}
		}
		raise()
		if m.Post(b, 0) {
			t.Error("two slots took three readbacks")
		}
		d.Finish()
		got := make([]uint32, 2)
		for i := range int64(2) {
			if number, ok := m.Take(got); !ok || number != i || got[1] != 2 {
				t.Errorf("readback %d: %v %v %v", i, number, ok, got)
			}
		}
		if _, ok := m.Take(got); ok {
			t.Error("a refused readback arrived")
		}
	})
}

// With a fixed latency the readback that Take gives depends on the readbacks posted alone.
func TestMailboxLatency(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		work := busy(t, d)
		b, raise := counter(t, d, 1)
		m := mailbox(t, d, gpu.MailboxSpec{Length: 1, Latency: 3})
		defer m.Delete()
		got := make([]uint32, 1)
		for frame := range int64(20) {
			if frame%2 == 0 {
				work()
			} else {
				d.Finish() // everything posted is done: it must not arrive early
			}
			raise()
			if !m.Post(b, 0) {
				t.Fatalf("frame %d: no slot", frame)
			}
			number, ok := m.Take(got)
			if frame < 3 {
				if ok {
					t.Fatalf("frame %d: readback %d came early", frame, number)
				}
				continue
			}
			if !ok || number != frame-3 || got[0] != uint32(number+1) {
				t.Fatalf("frame %d: readback %d %v with %v, want readback %d", frame, number, ok, got, frame-3)
			}
			if number, ok := m.Take(got); ok {
				t.Fatalf("frame %d: readback %d came as well", frame, number)
			}
		}
		for number := range int64(3) {
			if got, ok := m.TakeNow(got); !ok || got != 17+number {
				t.Fatalf("readback %d %v, want readback %d, which is pending", got, ok, 17+number)
			}
		}
		if number, ok := m.TakeNow(got); ok || got[0] != 20 {
			t.Errorf("readback %d %v after the last, which had %v", number, ok, got)
		}
	})
}

func TestMailboxMisuse(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		b := buffer[uint32](t, d, 4)
		panics(t, func() { mailbox(t, d, gpu.MailboxSpec{}) }, "Length 0")
		panics(t, func() { mailbox(t, d, gpu.MailboxSpec{Length: 1, Slots: 2, Latency: 2}) }, "above Latency 2")
		m := mailbox(t, d, gpu.MailboxSpec{Length: 3})
		panics(t, func() { m.Post(b, 2) }, "elements 2 to 5")
		panics(t, func() { m.Take(make([]uint32, 2)) }, "2 elements", "have 3")
		if !m.Post(b, 1) {
			t.Error("no slot")
		}
		m.Delete()
		m.Delete()
		panics(t, func() { m.Post(b, 0) }, "deleted")
	})
}
