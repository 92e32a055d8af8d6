package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
)

// The environment variable that makes this binary be navview: exit statuses, drivers and displays
// are then those of a process of its own.
const beNavview = "NAVVIEW_TEST_MAIN"

// The environment variable that has it say every second how far it has come.
const beTalkative = "NAVVIEW_TEST_PROGRESS"

func TestMain(m *testing.M) {
	if os.Getenv(beNavview) != "" {
		// Tests are of what verbs say, and some machines are slow.
		console.LeastQuiet = 24 * time.Hour
		if os.Getenv(beTalkative) != "" {
			console.LeastQuiet = 0
		}
		main()
	}
	gputest.WithoutThreads()
	os.Exit(m.Run())
}

// room is the scene that most tests run on.
const room = "testdata/room.json"

// walkers is the text of a scene with local maps.
func walkers(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/walkers.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// writtenFile is the name of a file of the test with a text.
func writtenFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// call is one run of the program.
type call struct {
	args  []string
	stdin string
	env   []string // NAME=value, over those of the test
}

type answer struct {
	status         int
	stdout, stderr string
}

func (c call) run(t *testing.T) answer {
	t.Helper()
	p := exec.Command(os.Args[0], c.args...)
	p.Env = append(append(os.Environ(), beNavview+"=1"), c.env...)
	p.Stdin = strings.NewReader(c.stdin)
	var stdout, stderr bytes.Buffer
	p.Stdout, p.Stderr = &stdout, &stderr
	err := p.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	return answer{p.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func navview(t *testing.T, args ...string) answer {
	t.Helper()
	return call{args: args}.run(t)
}

// done fails the test unless the call did its work and had nothing to say about it.
func (a answer) done(t *testing.T) answer {
	t.Helper()
	if a.status != statusDone || a.stderr != "" {
		t.Fatalf("exit status %d, standard error:\n%s", a.status, a.stderr)
	}
	return a
}

func TestHelpHasExamples(t *testing.T) {
	if a := navview(t, "--help").done(t); !strings.Contains(a.stdout, "validate") {
		t.Errorf("help does not list the verbs:\n%s", a.stdout)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[program]()) {
		verb := strings.ToLower(field.Name)
		if _, is := field.Tag.Lookup("cmd"); !is || verb == "view" || verb == "bench" { // those begin otherwise
			continue
		}
		if a := navview(t, verb, "--help").done(t); !strings.Contains(a.stdout, "Examples:") || !strings.Contains(a.stdout, "navview "+verb) {
			t.Errorf("%s: no examples in\n%s", verb, a.stdout)
		}
	}
}

func TestWrongUse(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--sideways"}, "--sideways"},
		{[]string{"list", "more"}, "more"},
		{[]string{"quary", "plaza"}, `navview: there is no verb, file or built-in scene "quary": did you mean navview query?`},
		{[]string{"quary", "--at", "1,1"}, `"quary": did you mean navview query?`},
		{[]string{"validate"}, "scene"},
		{[]string{"render", room}, "--output"},
		{[]string{"render", room, "-o", "a.jpg"}, ".png"},
		{[]string{"render", room, "-o", "a.svg", "--layers", "regions,trails"}, "--layers trails: figures have"},
		{[]string{"render", room, "-o", "a.pdf", "--view", "perspective"}, "write a .png"},
		{[]string{"render", room, "-o", "a.png", "--size", "12"}, "1280x720"},
		{[]string{"render", room, "-o", "a.png", "--size", "0x9"}, "1280x720"},
		{[]string{"render", room, "-o", "a.png", "--at=-1s"}, "--at -1s: the simulation starts at 0s"},
		{[]string{"render", room, "-o", "a.png", "--at", "-.5s"}, "--at -500ms: the simulation starts at 0s"},
		{[]string{"render", room, "-o", "a.png", "--at", "25h"}, "24h"},
		{[]string{"render", room, "-o", "a.png", "--at", "3x"}, "--at 3x: a time is needed"},
		{[]string{"render", room, "-o", "a.png", "--size", "-3x4"}, "1280x720"},
		{[]string{"render", room, "-o", "--size", "3x4"}, "--output: a value is missing; --size is a flag"},
		{[]string{"record", room, "-o", "a.gif", "--duration", "25h"}, "24h"},
		{[]string{"record", room, "-o", "a.gif", "--zoom", "1,2,3"}, "is no area: X0,Y0,X1,Y1"},
		{[]string{"record", room, "-o", "a.gif", "--zoom", "1,2,3,4@soon"}, `"soon" is no time`},
		{[]string{"record", room, "-o", "a.gif", "--zoom", "1,2,3,4@4s", "--zoom", "1,2,3,5@4s"}, "--zoom: 4s comes after 4s"},
		{[]string{"render", room, "-o", "a.png", "--zoom", "3,2,1,4"}, "X0 < X1"},
		{[]string{"render", room, "-o", "a.png", "--zoom", "1,2,NaN,4"}, "is no area"},
		{[]string{"render", room, "-o", "a.png", "--zoom", "1,2,3,4@4s"}, "without a time"},
		{[]string{"render", room, "-o", "a.png", "--zoom", "1,2,3,4", "--view", "perspective"}, "--zoom is for the other views"},
		{[]string{"record", room, "-o", "a.gif", "--fps", "-3"}, "--fps -3: 1 to 240"},
		{[]string{"record", room, "-o", "a.mp4", "--size", "16384x16384"}, "8192x4352"},
		{[]string{"record", room, "-o", "-", "--size", "8192x4354"}, "8192x4352"},
		{[]string{"render", room, "-o", "a.png", "--layers", "walls"}, "regions"},
		{[]string{"render", room, "-o", "a.png", "--palette", "loud"}, "calm"},
		{[]string{"render", room, "-o", "a.png", "--goal", "exit"}, `"door", "corner"`},
		{[]string{"record", room, "-o", "a.avi"}, ".mp4 or .webm or .gif"},
		{[]string{"record", room, "-o", "a.gif", "--fps", "0"}, "--fps"},
		{[]string{"record", room, "-o", "a.gif", "--duration", "0s"}, "--duration"},
		{[]string{"map", room, "-o", "a.txt"}, ".npy or .png"},
		{[]string{"map", room}, "--output=OUT.npy|.png is missing"},
		{[]string{"render", "-o", "a.png"}, "<scene> is missing"},
		{[]string{"map", room, "-o", "a.npy", "--size", "-3"}, "--size -3: 1 to 16384 texels"},
		{[]string{"map", room, "-o", "a.npy", "--size=-3"}, "--size -3: 1 to 16384 texels"},
		{[]string{"map", room, "-o", "a.npy", "--size", "0"}, "--size 0: 1 to 16384 texels"},
		{[]string{"map", room, "-o", "a.npy", "--size", "1.5"}, "--size 1.5: a whole number is needed"},
		{[]string{"map", room, "-o", "a.npy", "--size"}, "--size: a value is missing"},
		{[]string{"query", room, "--points", "-", "--size", "0"}, "--size 0: 1 to 16384 texels"},
		{[]string{"map", room, "-o", "a.npy", "--size", "99999"}, "16384"},
		{[]string{"map", room, "-o", "a.npy", "--method", "magic"}, "sequential"},
		{[]string{"map", room, "-o", "a.npy", "--goal", "exit"}, `"door", "corner"`},
		{[]string{"map", room, "-o", "a.png", "--layers", "regions,agents"}, "any of regions, isolines, obstacles, parents, sources"},
		{[]string{"map", room, "-o", "a.png", "--steps", "-1"}, "--steps -1: at least 1"},
		{[]string{"render", room, "-o", "a.png", "--steps", "-1"}, "--steps -1: at least 1"},
		{[]string{"map", room, "-o", "a.png", "--steps", "3", "--method", "wavefront"}, "method wavefront has no steps"},
		{[]string{"map", room, "-o", "a.npy", "--layers", "parents"}, "a.npy is an array; give -o OUT.png"},
		{[]string{"map", room, "-o", "-", "--palette", "paper"}, "are for pictures"},
		{[]string{"query", room}, "--points FILE or --at X,Y is missing"},
		{[]string{"query", room, "--at", "3"}, "--at \"3\": two finite decimal numbers"},
		{[]string{"query", room, "--at", "-3,inf"}, "--at \"-3,inf\": two finite decimal numbers"},
		{[]string{"render", room, "-o", "a.png", "--goal", "\x1b[2J" + strings.Repeat("g", 1<<16)}, "--goal \"\\x1b[2Jggg"},
		{[]string{"query", "-", "--points", "-"}, "standard input"},
		{[]string{"info", "--context", "cloud"}, "headless"},
	} {
		a := navview(t, c.args...)
		if a.status != statusUsage || !strings.Contains(a.stderr, c.want) || a.stdout != "" {
			t.Errorf("%q: exit status %d, want 2 and a word of %q; standard error:\n%sstandard output:\n%s", c.args, a.status, c.want, a.stderr, a.stdout)
		}
		prefixed(t, a.stderr)
	}
}

// prefixed fails the test unless every line begins with the name of the program.
func prefixed(t *testing.T, stderr string) {
	t.Helper()
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "navview: ") {
			t.Errorf("a line of standard error does not begin with navview: %q", line)
		}
	}
}

// Scenes that read well and cannot be run: people in an obstacle, people on one another, and a map
// of more texels than any.
const (
	crowded = `{"version": 1, "domain": [0, 0, 20, 10], "goals": [{"points": [[19, 5]]}],
  "obstacles": [{"rect": [1, 1, 5, 5]}], "groups": [
    {"count": 5, "spawn": {"rect": [2, 2, 3, 3]}},
    {"count": 2, "spawn": {"points": [[9, 9], [12, 9]]}},
    {"spawn": {"grid": {"rect": [8, 1, 9, 2], "spacing": 0.25}}}]}`
	finest = `{"version": 1, "domain": [0, 0, 1, 1], "goals": [{"points": [[0, 0]]}], "map": {"size": 16385}}`
)

// TestFailure: what goes wrong outside of the command line ends with exit status 1, a reason and a
// remedy, and leaves nothing behind.
func TestFailure(t *testing.T) {
	empty := t.TempDir()
	noEGL := "__EGL_VENDOR_LIBRARY_FILENAMES=" + filepath.Join(empty, "none.json")
	old := "MESA_GL_VERSION_OVERRIDE=3.3"
	drawing := writtenFile(t, "plan.svg", "<svg/>")
	for name, c := range map[string]struct {
		call
		want []string
	}{
		"no such file":        {call{args: []string{"render", "nowhere.json", "-o", "-"}}, []string{"cannot read nowhere.json: no such file or directory: give"}},
		"no such scene":       {call{args: []string{"render", "plazza", "-o", "-"}}, []string{"plazza", "plaza"}},
		"scene refused":       {call{args: []string{"map", "-", "-o", "-"}, stdin: `{"version": 1, "domain": [0, 0, 1, 1], "goals": [{"points": [[2, 2]]}]}`}, []string{"-:1:62: $.goals[0].points[0]"}},
		"a folder to read":    {call{args: []string{"query", os.TempDir(), "--at", "1,2"}}, []string{"cannot read " + os.TempDir() + ": is a directory: give"}},
		"a verb mistyped":     {call{args: []string{"quary"}}, []string{`navview: there is no verb, file or built-in scene "quary": did you mean navview query?`}},
		"not a verb":          {call{args: []string{"zzzzzzzz"}}, []string{"zzzzzzzz", "nor is it a verb: see navview --help"}},
		"no verb":             {call{args: []string{"lst"}}, []string{`"lst": did you mean navview list?`}},
		"a drawing":           {call{args: []string{"render", drawing, "-o", "-"}}, []string{"plan.svg is svg, not a scene", "navview convert " + drawing + " " + strings.TrimSuffix(drawing, "svg") + "json"}},
		"no such folder":      {call{args: []string{"render", room, "-o", filepath.Join(empty, "no", "a.png")}}, []string{"cannot write", "no such file or directory", "give another name"}},
		"a folder":            {call{args: []string{"record", room, "-o", "folder.gif"}}, []string{"cannot write", "folder"}},
		"a folder in the way": {call{args: []string{"map", room, "-o", filepath.Join(room, "a.npy")}}, []string{"cannot write", "not a directory"}},
		"no ffmpeg":           {call{args: []string{"record", room, "-o", filepath.Join(empty, "a.mp4")}, env: []string{"PATH=" + empty}}, []string{"ffmpeg", "apt-get install ffmpeg", ".gif"}},
		"no EGL":              {call{args: []string{"info"}, env: []string{noEGL}}, []string{"tried", "apt-get install", "libgl1-mesa-dri"}},
		"no EGL for work":     {call{args: []string{"render", room, "-o", filepath.Join(empty, "a.png")}, env: []string{noEGL}}, []string{"tried", "apt-get install"}},
		"old OpenGL":          {call{args: []string{"info"}, env: []string{old}}, []string{"4.5", "driver"}},
		"no display":          {call{args: []string{"info", "--context", "window"}, env: []string{"DISPLAY="}}, []string{"window", "xvfb"}},
		"no points file":      {call{args: []string{"query", room, "--points", "nowhere.csv"}}, []string{"cannot read nowhere.csv: no such file or directory: give"}},
		"a bad point":         {call{args: []string{"query", room, "--points", "-"}, stdin: "101 -45\n\n1,2,3\n"}, []string{"standard input:3", "1,2,3", "two"}},
		"a number in C":       {call{args: []string{"query", room, "--points", "-"}, stdin: "1 2\n1_0 2"}, []string{"standard input:2", "decimal"}},
		"no room to start":    {call{args: []string{"render", "-", "-o", filepath.Join(empty, "a.png")}, stdin: crowded}, []string{"-:3:27: $.groups[0].spawn: ", "0 of 5 people fit", "\nnavview: -:5:15: $.groups[2].spawn: "}},
		"no room in a film":   {call{args: []string{"record", "-", "-o", filepath.Join(empty, "a.gif")}, stdin: crowded}, []string{"-:3:27: $.groups[0].spawn: ", "0 of 5 people fit", "\nnavview: -:5:15: $.groups[2].spawn: "}},
		"too large a map":     {call{args: []string{"map", "-", "-o", filepath.Join(empty, "a.npy")}, stdin: finest}, []string{"-:1:89: $.map.size: ", "16384"}},
		"too large a picture": {call{args: []string{"render", "-", "-o", filepath.Join(empty, "a.png")}, stdin: finest}, []string{"-:1:89: $.map.size: ", "16384"}},
		"a point at infinity": {call{args: []string{"query", room, "--points", "-"}, stdin: "inf 2"}, []string{"standard input:1", "finite"}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "a folder" {
				folder := filepath.Join(empty, "folder.gif")
				if err := os.Mkdir(folder, 0o755); err != nil {
					t.Fatal(err)
				}
				defer os.Remove(folder)
				c.args[3] = folder
			}
			a := c.run(t)
			if a.status != statusFailed {
				t.Errorf("exit status %d", a.status)
			}
			for _, want := range c.want {
				if !strings.Contains(a.stderr, want) {
					t.Errorf("no %q in\n%s", want, a.stderr)
				}
			}
			prefixed(t, a.stderr)
			if left, _ := os.ReadDir(empty); name != "a folder" && len(left) > 0 {
				t.Errorf("%s was left behind", left[0].Name())
			}
		})
	}
}

func TestList(t *testing.T) {
	a := navview(t, "list", "--json").done(t)
	var entries []map[string]any
	if err := json.Unmarshal([]byte(a.stdout), &entries); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e["name"].(string)] = true
		for _, field := range []string{"name", "description", "source", "vertices", "obstacles", "goals", "agents"} {
			if _, ok := e[field]; !ok || len(e) != 7 {
				t.Errorf("%v: no field %s, or others", e, field)
			}
		}
	}
	for _, name := range []string{"plaza", "simple1", "simple2", "concave1", "concave2", "spiral", "spmex1", "spmex2", "profiling0", "profiling6"} {
		if !names[name] {
			t.Errorf("%s is not listed", name)
		}
	}
	table := navview(t, "list").done(t)
	if lines := strings.Count(table.stdout, "\n"); lines != len(entries)+1 {
		t.Errorf("%d lines for %d scenes:\n%s", lines, len(entries), table.stdout)
	}
}

func TestInfo(t *testing.T) {
	a := navview(t, "info", "--json").done(t)
	var r infoReport
	if err := json.Unmarshal([]byte(a.stdout), &r); err != nil {
		t.Fatal(err)
	}
	chosen := 0
	for _, attempt := range r.Attempts {
		if attempt.Chosen {
			chosen++
		}
	}
	// 2^24 bytes is what OpenGL 4.5 promises of a storage block, 16384 texels of a texture.
	if r.Renderer == "" || !strings.HasPrefix(r.Version, "4.") || chosen != 1 || r.Limits.StorageBlock < 1<<24 || r.Limits.TextureSize < 16384 {
		t.Errorf("%+v", r)
	}
	if a := navview(t, "info").done(t); !strings.Contains(a.stdout, r.Renderer) || !strings.Contains(a.stdout, "(chosen)") {
		t.Errorf("got\n%s", a.stdout)
	}
}

// TestVerbose: the renderer's name and what the map took go to standard error, so that results stay
// clean.
func TestVerbose(t *testing.T) {
	reports := func(a answer) bool {
		return a.status == statusDone && strings.Contains(a.stderr, "OpenGL") &&
			strings.Contains(a.stderr, "navview: spm wavefront") && strings.Contains(a.stderr, " ms\n")
	}
	a := call{args: []string{"query", room, "--points", "-", "--verbose"}, stdin: "101 -45"}.run(t)
	if !reports(a) || !strings.HasPrefix(a.stdout, "x,y,distance") {
		t.Errorf("%+v", a)
	}
	prefixed(t, a.stderr)
	if a := navview(t, "map", room, "-o", "-", "--verbose"); !reports(a) || !strings.HasPrefix(a.stdout, "\x93NUMPY") {
		t.Errorf("exit status %d\n%s", a.status, a.stderr)
	}
	if a := navview(t, "map", room, "-o", "-"); a.stderr != "" {
		t.Errorf("without --verbose: %s", a.stderr)
	}
}

func TestValidate(t *testing.T) {
	if a := navview(t, "validate", room, "plaza"); a.status != statusDone {
		t.Errorf("exit status %d\n%s%s", a.status, a.stdout, a.stderr)
	}
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte("{\n  \"version\": 1,\n  \"domain\": [0, 0, 1, 1],\n  \"goals\": [{\"points\": [[2, 2]]}]\n}"), 0o644); err != nil {
		t.Fatal(err)
	}
	a := navview(t, "validate", bad, "nowhere.json", room)
	if a.status != statusFailed || !strings.HasPrefix(a.stdout, bad+":4:") || !strings.Contains(a.stdout, "$.goals[0].points[0]") {
		t.Errorf("exit status %d\n%s", a.status, a.stdout)
	}
	if !strings.Contains(a.stderr, "nowhere.json") {
		t.Errorf("nothing about the missing file:\n%s", a.stderr)
	}

	// What shows only when agents are placed.
	b := call{args: []string{"validate", "-"}, stdin: crowded}.run(t)
	lines := strings.Split(strings.TrimSpace(b.stdout), "\n")
	if b.status != statusFailed || b.stderr != "" || len(lines) != 2 ||
		!strings.HasPrefix(lines[0], "-:3:27: $.groups[0].spawn: ") || !strings.HasPrefix(lines[1], "-:5:15: $.groups[2].spawn: ") {
		t.Errorf("exit status %d\n%s%s", b.status, b.stdout, b.stderr)
	}
	if c := (call{args: []string{"validate", "-"}, stdin: finest}).run(t); c.status != statusFailed || !strings.Contains(c.stdout, "$.map.size") {
		t.Errorf("exit status %d\n%s", c.status, c.stdout)
	}
}
