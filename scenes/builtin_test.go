package scenes

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The polygons and vertices of Table 1 of the paper.
var tableOneCounts = map[string][2]int{
	"simple1": {3, 13}, "simple2": {4, 16}, "concave1": {2, 12}, "concave2": {13, 96}, "spiral": {1, 38},
	"spmex1": {3, 15}, "spmex2": {13, 91}, "profiling0": {4, 16}, "profiling1": {16, 64}, "profiling2": {36, 144},
	"profiling3": {64, 256}, "profiling4": {100, 400}, "profiling5": {196, 784}, "profiling6": {400, 1600},
}

func TestListHasTableOne(t *testing.T) {
	list := List()
	if list[0].Name != Default {
		t.Errorf("the first scene is %s, want the default one", list[0].Name)
	}
	found := 0
	for _, e := range list {
		if want, ok := tableOneCounts[e.Name]; ok {
			found++
			if e.Obstacles != want[0] || e.Vertices != want[1] || e.Goals != 1 || e.Source != tableOne {
				t.Errorf("%+v, want %d polygons, %d vertices, a goal", e, want[0], want[1])
			}
		}
		if e.Name != strings.ToLower(e.Name) || e.Description == "" || e.Source == "" || e.Agents == 0 {
			t.Errorf("%+v lacks something", e)
		}
	}
	if found != len(tableOneCounts) {
		t.Errorf("%d of %d maps of Table 1", found, len(tableOneCounts))
	}
}

func TestBuiltinsAreClean(t *testing.T) {
	for _, b := range builtins {
		data := b.document()
		s, problems := Read(b.name, data)
		for _, p := range problems {
			// What scenes say that the program does not do yet.
			if !p.Note || !strings.Contains(p.Message, "without effect yet") {
				t.Errorf("%s: %v", b.name, p)
			}
		}
		if s == nil {
			continue
		}
		if s.Name != b.name {
			t.Errorf("%s calls itself %s", b.name, s.Name)
		}
		if d := cmp.Diff(b.scene(), s); d != "" {
			t.Errorf("%s is not what its document says (-made +read): %s", b.name, d)
		}
		// The files are written as Encode writes them, so that the editor changes
		// only what was edited.
		if again := sameAgain(t, s); !bytes.Equal(again, data) {
			t.Errorf("%s is not in canonical form: %s", b.name, cmp.Diff(string(again), string(data)))
		}
	}
}

func TestLoad(t *testing.T) {
	for _, name := range []string{"profiling3", "Profiling3", "PROFILING3"} {
		s, err := Load(name)
		if err != nil || s.Name != "profiling3" || len(s.Obstacles) != 64 {
			t.Errorf("%s: %v", name, err)
		}
	}
	one, _ := Load("simple1")
	one.Goals[0].Points[0][0] = 77
	if two, _ := Load("simple1"); two.Goals[0].Points[0][0] == 77 {
		t.Error("two loads share their memory")
	}

	file := filepath.Join(t.TempDir(), "my town.json")
	if err := os.WriteFile(file, []byte(minimal), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err := Load(file); err != nil || s.Name != "my town" {
		t.Errorf("%v, %v", s, err)
	}
	if err := os.WriteFile(file, []byte(`{"version": 1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Load(file)
	var invalid *Invalid
	if !errors.As(err, &invalid) || len(invalid.Problems) != 2 || !strings.Contains(err.Error(), file+":1:1: $.domain: the field is missing") {
		t.Errorf("%v", err)
	}
	var unread *ReadError
	if _, err := Load("none.json"); !errors.As(err, &unread) || !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), "none.json") != 1 {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Load(t.TempDir()); !errors.As(err, &unread) || !strings.Contains(err.Error(), ": is a directory: give") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Load("sprial"); err == nil || !strings.Contains(err.Error(), `did you mean "spiral"?`) {
		t.Errorf("%v", err)
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := Load(t.TempDir()); err == nil {
		t.Error("a folder was loaded")
	}
}

func TestLoadFromStandardInput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdin
	os.Stdin = r
	t.Cleanup(func() { os.Stdin = before })
	go func() {
		_, _ = w.WriteString(minimal)
		_ = w.Close()
	}()
	if s, err := Load("-"); err != nil || s.Name != "scene" {
		t.Errorf("%v, %v", s, err)
	}
}
