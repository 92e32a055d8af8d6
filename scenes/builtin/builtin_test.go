package builtin

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wayfront/wayfront/assets"
	"github.com/wayfront/wayfront/scenes"
)

const minimal = `{"version": 1, "domain": [0, 0, 40, 25], "goals": [{"points": [[39, 2]]}]}`

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
			if e.Obstacles != want[0] || e.Vertices != want[1] || e.Goals != 1 || e.Source != "Farias and Kallmann 2018, Table 1 and figure 7" {
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
	for _, b := range listed {
		name := b[0]
		data, ok := Document(name)
		if !ok {
			t.Errorf("%s has no document", name)
			continue
		}
		s, problems := scenes.Read(name, data)
		if s == nil || len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		if s.Name != name {
			t.Errorf("%s calls itself %s", name, s.Name)
		}
		made, _ := generate(name)
		if d := cmp.Diff(made, s); d != "" {
			t.Errorf("%s is not what its document says (-made +read): %s", name, d)
		}
		// Files are written as Encode writes them, so that the editor changes only what was edited.
		again, err := s.Encode()
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s is not in canonical form: %v, %s", name, err, cmp.Diff(string(again), string(data)))
		}
		for _, line := range strings.Split(string(data), "\n") {
			if len(line) > 120 {
				t.Errorf("%s: a line of %d: %s", name, len(line), line)
			}
		}
	}
}

// TestEveryDocumentIsListed: no file of package assets is left out of the list.
func TestEveryDocumentIsListed(t *testing.T) {
	files, err := fs.Glob(assets.Scenes, "scenes/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if !slices.ContainsFunc(listed, func(b [2]string) bool { return b[0] == name }) {
			t.Errorf("%s is not listed", file)
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
	var invalid *scenes.Invalid
	if !errors.As(err, &invalid) || len(invalid.Problems) != 2 || !strings.Contains(err.Error(), file+":1:1: $.domain: the field is missing") {
		t.Errorf("%v", err)
	}
	var unread *scenes.ReadError
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
