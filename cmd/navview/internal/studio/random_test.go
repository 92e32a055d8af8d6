package studio

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/scenes/edit"
)

// TestRandomEditing does 1,000 random actions: no tool fails, the world has what the document says
// wherever that is sound and the world takes it, and undo restores the first byte.
func TestRandomEditing(t *testing.T) {
	with(t, room, func(s *Studio) {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		file := filepath.Join(t.TempDir(), "room.json")
		ok(t, os.WriteFile(file, []byte(room), 0o600))
		s.Doc = edit.Opened(file, []byte(room))
		u := &user{Studio: s, Rand: rand.New(rand.NewPCG(16, 1)), file: file, did: map[string]int{}}
		for i := range 1000 {
			what, err := u.act()
			if err != nil {
				t.Fatalf("action %d, %s: %v\n%s", i, what, err, s.Doc.Text())
			}
			u.did[what]++
			if s.Fault == nil && !s.Doc.Dragging() && !reflect.DeepEqual(s.World().Document(), s.Doc.Scene()) {
				t.Fatalf("action %d, %s: the world has not what the document has:\n%s", i, what, s.Doc.Text())
			}
			s.Picture()
		}
		for _, make := range Tools {
			if name := make().Name(); u.did[name] == 0 {
				t.Errorf("%s was never used: %v", name, u.did)
			}
		}
		ok(t, s.Use(&Select{}))
		all, _ := s.Doc.History()
		if len(all) < 30 {
			t.Errorf("only %d changes", len(all))
		}
		ok(t, s.Go(0))
		if !bytes.Equal(s.Doc.Text(), []byte(room)) || s.Fault != nil {
			t.Errorf("fault %v; undone to\n%s", s.Fault, s.Doc.Text())
		}
	})
}

// user acts at random.
type user struct {
	*Studio
	*rand.Rand
	file string
	held bool // the button is
	tool int  // the next one
	did  map[string]int
}

// act does one action and names it.
func (u *user) act() (string, error) {
	s, n := u.Studio, u.IntN(100)
	switch {
	case n < 8 && !u.held:
		u.tool++
		t := Tools[u.tool%len(Tools)]()
		return t.Name(), s.Use(t)
	case n < 11:
		_, done := s.Doc.History()
		return "undo", s.Go(done - 1)
	case n < 14:
		_, done := s.Doc.History()
		return "redo", s.Go(done + 1)
	case n < 16 && !s.Doc.Dragging():
		return "save", s.Save("")
	case n < 17:
		return "external change", u.rewrite()
	case n < 18:
		return "escape", s.Escape()
	case n < 20:
		return "enter", s.Tool.Enter(s)
	case n < 25:
		_, err := s.Tool.Type(s, []string{"2", "1.5 x 0.4", "0.2", "12", "-", "", "30"}[u.IntN(7)])
		return "type", err
	case n < 26:
		return "delete", s.Delete()
	case n < 28 && !s.Doc.Dragging():
		return "duplicate", s.Duplicate(mgl64.Vec2{0.5, 0.5})
	case n < 30:
		return "tick", s.tick()
	}
	return "pointer", u.move()
}

// rewrite has another program change the file.
func (u *user) rewrite() error {
	text := bytes.Replace(u.Doc.Text(), []byte(`"name": "room"`), fmt.Appendf(nil, `"name": "room", "description": "%d"`, u.IntN(1000)), 1)
	if u.IntN(4) == 0 {
		text = []byte("{")
	}
	if err := os.WriteFile(u.file, text, 0o600); err != nil {
		return err
	}
	return u.Take(text)
}

// move presses, drags, releases or hovers, often at what there is.
func (u *user) move() error {
	at := mgl64.Vec2{u.Float64()*21 - 0.5, u.Float64()*11 - 0.5}
	if r := u.anything(); !r.IsNone() && u.IntN(2) == 0 {
		if figures := r.Figures(u.Scene()); len(figures) > 0 {
			corners := figures[u.IntN(len(figures))].Corners()
			at = corners[u.IntN(len(corners))]
		}
	}
	p := Pointer{At: at, Reach: 10 / u.Camera.Scale, Shift: u.IntN(5) == 0, Control: u.IntN(5) == 0, Alt: u.IntN(8) == 0, Double: u.IntN(8) == 0}
	switch n := u.IntN(4); {
	case !u.held && n == 0:
		return u.Tool.Hover(u.Studio, p)
	case !u.held:
		u.held = true
		return u.Tool.Press(u.Studio, p)
	case n == 0:
		u.held = false
		return u.Tool.Release(u.Studio, p)
	}
	return u.Tool.Drag(u.Studio, p)
}

// anything returns a record.
func (u *user) anything() Ref {
	var all []Ref
	for _, l := range []List{Goals, Groups, Obstacles, Gates, Areas} {
		all = append(all, All(u.Scene(), l)...)
	}
	if len(all) == 0 {
		return Ref{}
	}
	return all[u.IntN(len(all))]
}
