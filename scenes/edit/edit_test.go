package edit_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/edit"
)

const hall = `{
  "version": 1, "name": "hall", "domain": [0, 0, 40, 25],
  "obstacles": [
    {"id": "pillar", "rect": [5, 5, 7, 7]}, // stone
    {"id": "door", "rect": [20, 10, 20.3, 12]},
  ],
  "goals": [{"points": [[39, 2]]}],
}
`

// move moves the left side of the first obstacle.
func move(x float64) func(*scenes.Scene) error {
	return func(s *scenes.Scene) error { s.Obstacles[0].Rect[0] = x; return nil }
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func titles(d *edit.Document) (all []string, done int) {
	entries, done := d.History()
	for _, e := range entries {
		all = append(all, e.Title)
	}
	return all, done
}

// TestHistory: a gesture is one entry, what changes nothing is none, and each time in the history
// has its bytes.
func TestHistory(t *testing.T) {
	d := edit.Opened("hall.json", []byte(hall))
	texts := [][]byte{d.Text()}
	must(t, d.Change("Move pillar", move(4)))
	texts = append(texts, d.Text())
	must(t, d.Change("Move pillar", move(4)))
	must(t, d.Begin("Drag pillar"))
	for _, x := range []float64{3, 2, 1} {
		must(t, d.Drag(move(x)))
	}
	for _, err := range []error{d.Change("", move(0)), d.Replace("", nil), d.Begin("")} {
		if !errors.Is(err, edit.ErrGesture) {
			t.Errorf("in a gesture: %v", err)
		}
	}
	if d.Undo() || d.Redo() {
		t.Error("undone in a gesture")
	}
	d.End()
	texts = append(texts, d.Text())
	must(t, d.Begin("Drag it back"))
	must(t, d.Drag(move(4)))
	d.Cancel()
	must(t, d.Begin("Drag nothing"))
	d.End()
	if all, done := titles(d); !slices.Equal(all, []string{"Move pillar", "Drag pillar"}) || done != 2 {
		t.Errorf("entries %q, %d done", all, done)
	}
	if bytes.Count(d.Text(), []byte("[1, 5, 7, 7]}, // stone")) != 1 || d.Saved() {
		t.Errorf("got %s", d.Text())
	}
	for _, k := range []int{1, 2, 0, 2, 1, 0} {
		if !d.Go(k) || !bytes.Equal(d.Text(), texts[k]) {
			t.Errorf("at %d: %s", k, d.Text())
		}
	}
	if d.Undo() || d.Go(3) || d.Go(-1) || !d.Saved() {
		t.Error("there is more, or the file has another text")
	}
	must(t, d.Change("Instead", move(2)))
	if all, _ := titles(d); !slices.Equal(all, []string{"Instead"}) {
		t.Errorf("entries %q", all)
	}
}

// TestFaults: a text may have faults; the last scene without stays, and a refused change changes
// nothing.
func TestFaults(t *testing.T) {
	d := edit.New("hall.json", []byte(hall))
	sound := d.Scene()
	must(t, d.Change("Out of the domain", move(-3)))
	if d.Sound() || len(d.Problems()) != 1 || d.Problems()[0].Path != "$.obstacles[0].rect" || d.Scene() != sound || d.Draft().Obstacles[0].Rect[0] != -3 {
		t.Errorf("got %v", d.Problems())
	}
	must(t, d.Change("Back", move(1)))
	if !d.Sound() || d.Scene().Obstacles[0].Rect[0] != 1 {
		t.Errorf("got %v", d.Problems())
	}
	before := d.Text()
	ours := errors.New("not now")
	if err := d.Change("Refused", func(*scenes.Scene) error { return ours }); !errors.Is(err, ours) {
		t.Errorf("got %v", err)
	}
	var invalid *scenes.Invalid
	if err := d.Change("Inside out", move(9)); !errors.As(err, &invalid) || invalid.Problems[0].Path != "$.obstacles[0].rect" {
		t.Errorf("got %v", err)
	}
	if !bytes.Equal(d.Text(), before) {
		t.Error("a refused change has changed the text")
	}
	must(t, d.Replace("Typed", []byte("{")))
	if d.Draft() != nil || d.Scene() == nil || !errors.Is(d.Change("", move(1)), edit.ErrUnreadable) || !errors.Is(d.Begin(""), edit.ErrUnreadable) {
		t.Errorf("a text that is no JSON gives %v", d.Problems())
	}
	if !d.Undo() || !bytes.Equal(d.Text(), before) {
		t.Errorf("got %s", d.Text())
	}
}

// TestTake takes changes of other programs.
func TestTake(t *testing.T) {
	d := edit.Opened("hall.json", []byte(hall))
	theirs := bytes.Replace([]byte(hall), []byte("20.3, 12]"), []byte("20.3, 13] /* higher */"), 1)
	conflicts, err := d.Take(theirs) // without changes of ours: to the byte
	if must(t, err); len(conflicts) > 0 || !bytes.Equal(d.Text(), theirs) || !d.Saved() {
		t.Errorf("got %s", d.Text())
	}
	must(t, d.Change("Move pillar", move(4)))
	again := bytes.Replace(theirs, []byte("[39, 2]"), []byte("[38, 2]"), 1)
	conflicts, err = d.Take(again) // with changes of both
	want := bytes.Replace(again, []byte("[5, 5, 7"), []byte("[4, 5, 7"), 1)
	if must(t, err); len(conflicts) > 0 || !bytes.Equal(d.Text(), want) || d.Saved() || !bytes.Equal(d.Filed(), again) {
		t.Errorf("got %s", d.Text())
	}
	conflicts, err = d.Take(bytes.Replace(again, []byte("[5, 5, 7"), []byte("[3, 5, 7"), 1))
	if must(t, err); !reflect.DeepEqual(conflicts, []string{"$.obstacles[0].rect"}) || !bytes.Equal(d.Text(), want) {
		t.Errorf("conflicts %q, %s", conflicts, d.Text())
	}
	if _, err := d.Take([]byte("{")); !errors.Is(err, edit.ErrUnreadable) || !bytes.Equal(d.Text(), want) {
		t.Errorf("got %v", err)
	}
	for d.Undo() {
	}
	if string(d.Text()) != hall {
		t.Errorf("undone: %s", d.Text())
	}
	d.Wrote("other.json")
	if !d.Saved() || d.File() != "other.json" {
		t.Error("not saved")
	}
}

// TestRandomEdits does 1,000 random things and undoes all, to the byte.
func TestRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	d := edit.New("hall.json", []byte(hall))
	at := [][]byte{[]byte(hall)} // the text of each time in the history
	rect := func() *scenes.Rect {
		x, y := float64(r.IntN(30)), float64(r.IntN(20))
		return &scenes.Rect{x, y, x + 1 + r.Float64(), y + 1}
	}
	for i := range 1000 {
		_, before := d.History()
		var err error
		switch r.IntN(6) {
		case 0:
			err = d.Change("Add", func(s *scenes.Scene) error {
				s.Obstacles = slices.Insert(s.Obstacles, r.IntN(len(s.Obstacles)+1), scenes.Obstacle{ID: fmt.Sprint("o", i), Rect: rect()})
				return nil
			})
		case 1:
			err = d.Change("Remove", func(s *scenes.Scene) error {
				if n := len(s.Obstacles); n > 1 {
					s.Obstacles = slices.Delete(s.Obstacles, r.IntN(n), n)
				}
				return nil
			})
		case 2:
			must(t, d.Begin("Drag"))
			for range r.IntN(4) {
				must(t, d.Drag(func(s *scenes.Scene) error {
					if n := len(s.Obstacles); n > 0 {
						s.Obstacles[r.IntN(n)].Rect = rect()
					}
					return nil
				}))
			}
			d.End()
		case 3:
			d.Undo()
		case 4:
			d.Redo()
		case 5:
			err = d.Replace("Type", bytes.Replace(d.Text(), []byte("  "), []byte(fmt.Sprintf(" /* %d */ ", i)), 1))
		}
		must(t, err)
		if _, done := d.History(); done == before+1 && done >= len(at) || done == before+1 && !bytes.Equal(at[done], d.Text()) {
			at = append(at[:done], bytes.Clone(d.Text()))
		} else if !bytes.Equal(at[done], d.Text()) {
			t.Fatalf("after %d: the text of entry %d is another one", i, done)
		}
		if d.Draft() == nil {
			t.Fatalf("after %d: %v", i, d.Problems())
		}
	}
	for d.Undo() {
	}
	if string(d.Text()) != hall {
		t.Errorf("got %s", d.Text())
	}
}
