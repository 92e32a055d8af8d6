package engine_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/wayfront/wayfront/engine"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/internal/flat"
)

// record is one of a saved world.
type record struct {
	kind    byte
	payload []byte
}

// recordsOf takes a saved world apart.
func recordsOf(t testing.TB, file []byte) (first string, all []record) {
	t.Helper()
	from, first, err := flat.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for {
		kind, payload, err := from.Next()
		if err != nil {
			return first, all
		}
		all = append(all, record{kind, bytes.Clone(payload)})
	}
}

// fileOf is the saved world of records, with their checksums.
func fileOf(t testing.TB, first string, all []record) []byte {
	t.Helper()
	var out bytes.Buffer
	to := flat.NewWriter(&out, first)
	for _, r := range all {
		to.Put(r.kind, r.payload)
	}
	if err := to.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// craft changes a record of a saved world at random, sound checksums included.
func craft(r *rand.Rand, all []record) []record {
	all = append([]record(nil), all...)
	i := 1 + r.IntN(3) // the scene, the tables, the state
	p := bytes.Clone(all[i].payload)
	for range 1 + r.IntN(3) {
		at := r.IntN(len(p))
		switch r.IntN(5) {
		case 0:
			p[at] ^= 1 << r.IntN(8)
		case 1:
			p[at] = byte(r.Uint32())
		case 2:
			p = append(p[:at], p[min(len(p), at+1+r.IntN(8)):]...)
		case 3:
			p = append(p[:at], append([]byte{byte(r.Uint32())}, p[at:]...)...)
		case 4:
			copy(p[at:], p[r.IntN(len(p)):])
		}
		if len(p) == 0 {
			break
		}
	}
	all[i].payload = p
	return all
}

// TestRestoreOfCraftedFiles restores saved worlds that were changed with intent, so that checksums
// hold: each is refused with a typed error, or is a world that can be asked and edited.
func TestRestoreOfCraftedFiles(t *testing.T) {
	tries := atLength(250, 1000)
	run(t, smallOf(t), func(d *gpu.Device, w *engine.World) {
		r := rand.New(rand.NewPCG(14, 4))
		for range 12 {
			fiddle(t, w, r)
			steps(t, w, 3)
		}
		fiddle(t, w, r)
		first, all := recordsOf(t, saved(t, w))
		refused, taken := 0, 0
		for n := range tries {
			r := rand.New(rand.NewPCG(uint64(n), 5))
			file := fileOf(t, first, craft(r, all))
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("file %d panics: %v", n, p)
					}
				}()
				other, err := engine.Restore(d, bytes.NewReader(file), engine.Options{})
				var format *engine.FormatError
				if err != nil {
					if refused++; !errors.As(err, &format) {
						t.Logf("file %d: %T %v", n, err, err)
					}
					return
				}
				defer other.Close()
				taken++
				other.Document()
				other.Agents(nil)
				tinker(t, other, r)
				if _, err := other.Hash(); err != nil {
					t.Errorf("file %d: the hash: %v", n, err)
				}
			}()
		}
		t.Logf("%d were refused, %d taken", refused, taken)
	})
}
