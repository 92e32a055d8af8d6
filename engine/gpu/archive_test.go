package gpu_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// TestArchive keeps buffers, changes them, and has them back as often as asked for, through the CPU
// too; the pending readbacks of a mailbox arrive again.
func TestArchive(t *testing.T) {
	gputest.Run(t, func(d *gpu.Device) {
		b, err := gpu.NewBuffer[[2]uint32](d, "pairs", 4)
		mail, err2 := gpu.NewMailbox[uint32](d, gpu.MailboxSpec{Label: "mail", Length: 1, Latency: 2})
		counter, err3 := gpu.NewBuffer[uint32](d, "counter", 1)
		if err := errors.Join(err, err2, err3); err != nil {
			t.Fatal(err)
		}
		defer func() { b.Delete(); mail.Delete(); counter.Delete() }()
		post := func(values ...uint32) (taken []uint32) {
			for _, v := range values {
				counter.Write(0, []uint32{v})
				mail.Post(counter, 0)
				for got := []uint32{0}; ; {
					if _, ok := mail.Take(got); !ok {
						break
					}
					taken = append(taken, got[0])
				}
			}
			return taken
		}
		want := [][2]uint32{{1, 2}, {3, 4}, {5, 6}, {7, 8}}
		b.Write(0, want)
		post(10, 11, 12)

		reads := d.Readbacks()
		a := gpu.NewArchive(d)
		a.Keep("pairs", b, 3)
		a.Keep("none", b, 0)
		gpu.KeepMail(a, "mail", mail)
		if a.Err() != nil || d.Readbacks() != reads || a.Bytes() != 3*8+2*4 || !a.Has("none") || a.Has("else") || a.Words("pairs") != 6 {
			t.Errorf("the archive has %d bytes, %v", a.Bytes(), a.Err())
		}
		copied := gpu.NewArchive(d)
		for _, p := range a.Read() {
			copied.Put(p)
		}
		for i, from := range []*gpu.Archive{a, copied, a} {
			b.Fill(9)
			post(20, 21, 22, 23)
			from.Return("pairs", b)
			from.Return("none", b)
			from.Return("else", b)
			gpu.ReturnMail(from, "mail", mail)
			got := make([][2]uint32, 4)
			b.Read(0, got)
			if !slices.Equal(got[:3], want[:3]) || got[3] != [2]uint32{9, 9} {
				t.Errorf("time %d: the buffer comes back as %v", i, got)
			}
			if taken := post(13, 14, 15); !slices.Equal(taken, []uint32{11, 12, 13}) {
				t.Errorf("time %d: mail comes as %v", i, taken)
			}
		}
		for name, f := range map[string]func(){
			"a name twice":     func() { a.Keep("pairs", b, 1) },
			"too many":         func() { a.Keep("more", b, 5) },
			"a smaller buffer": func() { a.Return("pairs", counter) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s does not panic", name)
					}
				}()
				f()
			}()
		}
		a.Delete()
		a.Delete()
		copied.Delete()
		if a.Bytes() != 0 {
			t.Error("a deleted archive has bytes")
		}
	})
}
