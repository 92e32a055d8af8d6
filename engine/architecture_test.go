package engine_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/wayfront/wayfront/"

// rooms are the packages with what each may import of the others, directly: arrows only point down.
var rooms = map[string][]string{
	"cmd/navview": {
		"cmd/navview/internal/bench", "cmd/navview/internal/completion", "cmd/navview/internal/console", "cmd/navview/internal/device", "cmd/navview/internal/document",
		"cmd/navview/internal/goalmap", "cmd/navview/internal/measuring", "cmd/navview/internal/media", "cmd/navview/internal/query", "cmd/navview/internal/simulation", "cmd/navview/internal/studio", "cmd/navview/internal/sweep", "cmd/navview/internal/viewer", "cmd/navview/internal/worldview",
		"agents/measure", "agents/traj", "engine", "engine/geom", "engine/gpu", "engine/render", "scenes", "scenes/builtin", "scenes/formats", "spm", "assets",
	},
	"cmd/navview/internal/sweep": {
		"cmd/navview/internal/console", "cmd/navview/internal/simulation", "engine", "engine/gpu", "scenes", "scenes/builtin",
	},
	"cmd/navview/internal/viewer": {
		"cmd/navview/internal/console", "cmd/navview/internal/device", "cmd/navview/internal/panels", "cmd/navview/internal/studio", "cmd/navview/internal/worldview",
		"engine", "scenes/edit", "engine/render", "engine/gpu", "engine/window", "assets",
	},
	"cmd/navview/internal/panels": {
		"cmd/navview/internal/console", "cmd/navview/internal/gui", "cmd/navview/internal/studio",
		"agents", "engine", "engine/gpu", "engine/render", "engine/window", "scenes", "scenes/builtin", "scenes/formats",
	},
	"cmd/navview/internal/studio": {
		"cmd/navview/internal/console", "cmd/navview/internal/document", "cmd/navview/internal/measuring", "cmd/navview/internal/worldview",
		"engine", "engine/geom", "agents", "agents/measure", "agents/spawn", "scenes", "scenes/builtin", "scenes/edit", "scenes/formats", "spm", "engine/render", "engine/gpu",
	},
	"cmd/navview/internal/gui":          {"engine/gpu", "engine/window"},
	"cmd/navview/internal/bench/report": {"cmd/navview/internal/bench/chart", "cmd/navview/internal/console", "agents/measure", "scenes", "scenes/builtin"},
	"cmd/navview/internal/bench/chart":  {"cmd/navview/internal/console", "engine/geom"},
	"cmd/navview/internal/bench": {
		"cmd/navview/internal/bench/report", "cmd/navview/internal/console", "cmd/navview/internal/device", "cmd/navview/internal/goalmap", "cmd/navview/internal/simulation",
		"engine", "agents", "agents/measure", "bvp/explore", "bvp/grid", "bvp/local", "bvp/reference", "spm", "spm/exact", "scenes", "scenes/builtin", "engine/gpu", "engine/geom",
	},
	"cmd/navview/internal/worldview": {
		"cmd/navview/internal/console", "cmd/navview/internal/device", "cmd/navview/internal/document", "cmd/navview/internal/figure", "cmd/navview/internal/simulation",
		"engine", "agents", "agents/measure", "bvp/local", "spm", "scenes", "engine/render", "engine/gpu",
	},
	"cmd/navview/internal/figure": {"spm/exact", "engine/render", "engine/geom"},
	"cmd/navview/internal/goalmap": {
		"cmd/navview/internal/console", "cmd/navview/internal/document", "spm", "scenes", "engine/render", "engine/gpu", "engine/geom",
	},
	"cmd/navview/internal/measuring":  {"agents/measure", "scenes", "engine/geom"},
	"cmd/navview/internal/query":      {"cmd/navview/internal/console", "scenes", "spm"},
	"cmd/navview/internal/completion": {"engine/render", "scenes/builtin"},
	"cmd/navview/internal/simulation": {"cmd/navview/internal/console", "engine", "agents", "agents/measure", "scenes", "engine/gpu"},
	"cmd/navview/internal/document":   {"cmd/navview/internal/console", "agents/spawn", "spm", "scenes", "scenes/builtin", "scenes/formats", "engine/gpu", "engine/geom"},
	"cmd/navview/internal/device":     {"cmd/navview/internal/console", "engine/gpu", "engine/window", "engine/headless"},
	"cmd/navview/internal/media":      {"cmd/navview/internal/console"},
	"cmd/navview/internal/console":    {"scenes"},
	"engine/render":                   {"agents", "bvp/local", "bvp/harmonic", "bvp/explore", "spm", "scenes", "engine/gpu", "engine/geom", "shaders", "assets"},
	"engine":                          {"agents", "agents/spawn", "bvp/local", "bvp/harmonic", "bvp/explore", "bvp/grid", "spm", "scenes", "engine/gpu", "engine/headless", "engine/geom", "engine/geom/polygon", "engine/internal/flat", "shaders"},
	"examples":                        {}, // tests alone
	"examples/game":                   {"engine", "engine/gpu", "scenes"},
	"examples/rollback":               {"engine", "scenes"},
	"examples/study":                  {"agents/measure", "engine", "scenes"},
	"examples/server":                 {"engine", "agents", "engine/gpu", "scenes/builtin"},
	"agents/reference":                {}, // tests alone import it, and agents/agentstest, which tests alone import
	"agents/measure":                  {"engine/geom"},
	"agents/traj":                     {"agents/measure", "scenes", "scenes/formats/wkt"},
	"agents/agentstest":               {"agents/reference"},
	"agents/spawn":                    {"scenes", "engine/geom", "engine/geom/polygon"},
	"agents":                          {"agents/spawn", "scenes", "engine/gpu", "engine/geom", "shaders"},
	"spm":                             {"spm/exact", "engine/gpu", "engine/geom", "engine/geom/polygon", "shaders"},
	"spm/exact":                       {"engine/geom", "engine/geom/polygon", "engine/geom/heap"},
	"spm/exact/exacttest":             {"spm/exact", "engine/geom", "engine/geom/polygon"},
	"bvp":                             {"bvp/internal/owned"},
	"bvp/internal/owned":              {"engine/gpu"},
	"bvp/grid":                        {"engine/geom"},
	"bvp/local":                       {"bvp/internal/owned", "agents", "scenes", "engine/gpu"},
	"bvp/harmonic":                    {"bvp/grid", "bvp/internal/owned", "engine/gpu", "engine/geom/heap"},
	"bvp/explore":                     {"bvp/grid", "bvp/local", "bvp/internal/owned", "engine/gpu"},
	"bvp/reference":                   {"bvp/grid", "bvp/local", "bvp/explore", "scenes"}, // tests and benchmarks alone import it
	"scenes":                          {"scenes/internal/text", "engine/geom", "engine/geom/polygon"},
	"scenes/internal/text":            {},
	"scenes/scenestest":               {"scenes", "engine/geom"}, // tests alone import it
	"scenes/edit":                     {"scenes"},
	"scenes/builtin":                  {"scenes", "assets"},
	"scenes/formats": {
		"scenes", "scenes/formats/plan", "scenes/formats/wkt", "scenes/formats/movingai", "scenes/formats/geojson", "scenes/formats/svg", "scenes/formats/dxf",
	},
	"scenes/formats/wkt":      {"scenes/formats/plan", "scenes", "scenes/internal/text", "engine/geom", "engine/geom/polygon"},
	"scenes/formats/movingai": {"scenes/formats/plan", "scenes", "scenes/internal/text", "engine/geom", "engine/geom/polygon"},
	"scenes/formats/geojson":  {"scenes/formats/plan", "scenes", "scenes/internal/text", "engine/geom", "engine/geom/polygon"},
	"scenes/formats/svg":      {"scenes/formats/plan", "scenes", "scenes/internal/text", "engine/geom"},
	"scenes/formats/dxf":      {"scenes/formats/plan", "scenes", "scenes/internal/text"},
	"scenes/formats/plan":     {"scenes", "scenes/internal/text", "engine/geom", "engine/geom/polygon"},
	"engine/gpu":              {"engine/gpu/internal/glstate", "shaders"},
	"engine/gpu/gputest":      {"engine/gpu", "engine/headless", "shaders"},
	"engine/window":           {},
	"engine/headless":         {},
	"engine/geom":             {"engine/geom/internal/arrangement", "engine/geom/internal/lattice", "engine/geom/internal/triangulation", "engine/geom/polygon", "engine/geom/heap"},
	"engine/geom/polygon":     {"engine/geom/internal/lattice"},

	"engine/gpu/internal/glstate": {},

	"engine/geom/internal/triangulation": {"engine/geom/internal/arrangement", "engine/geom/internal/lattice"},
	"engine/geom/internal/arrangement":   {"engine/geom/internal/lattice", "engine/geom/polygon"},
	"engine/geom/internal/lattice":       {},
	"engine/geom/internal/geomtest":      {"engine/geom/internal/lattice", "engine/geom/polygon"},

	"engine/geom/heap": {},

	"engine/internal/flat": {},

	"shaders": {},
	"assets":  {},
}

// owners are outside packages that some rooms alone import, with the rooms below them; and examples,
// which are hosts.
var owners = map[string][]string{
	"github.com/go-gl/gl/v4.5-core/gl":  {"engine/gpu"},
	"github.com/go-gl/glfw/v3.3/glfw":   {"engine/window"},
	"github.com/ebitengine/purego":      {"engine/headless"},
	"github.com/alecthomas/kong":        {"cmd/navview"},
	"github.com/tailscale/hujson":       {"scenes"},
	"github.com/schollz/progressbar/v3": {"cmd/navview/internal/console"},
	"golang.org/x/image/font/opentype":  {"engine/render"},
	"gonum.org/v1/plot":                 {"cmd/navview/internal/bench", "cmd/navview/internal/figure"},

	"github.com/peterstace/simplefeatures/geom": {"scenes/formats"},

	// Its bindings take minutes to compile: no test of another package waits for them.
	"github.com/AllenDang/cimgui-go/imgui":        {"cmd/navview/internal/gui", "cmd/navview/internal/panels"},
	"github.com/AllenDang/cimgui-go/implot":       {"cmd/navview/internal/gui", "cmd/navview/internal/panels"},
	"github.com/AllenDang/cimgui-go/impl/opengl3": {"cmd/navview/internal/gui"},
}

// TestArrowsPointDown reads the imports of every package and fails on one that the table does not
// allow.
func TestArrowsPointDown(t *testing.T) {
	command := exec.Command("go", "list", "-f", `{{.ImportPath}}:{{join .Imports " "}}`, "./...")
	command.Dir = ".."
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := 0
	for line := range strings.Lines(string(out)) {
		path, imports, _ := strings.Cut(strings.TrimSpace(line), ":")
		room := strings.TrimPrefix(path, module)
		allowed, ok := rooms[room]
		if !ok {
			t.Errorf("package %s is not in the table of rooms", room)
			continue
		}
		found++
		for _, imported := range strings.Fields(imports) {
			if inside, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(allowed, inside) {
				t.Errorf("%s imports %s: not allowed", room, inside)
			}
			owned := func(owner string) bool { return room == owner || strings.HasPrefix(room, owner+"/") }
			if all, ok := owners[imported]; ok && !slices.ContainsFunc(all, owned) && !strings.HasPrefix(room, "examples/") {
				t.Errorf("%s imports %s: only %s may", room, imported, strings.Join(all, " and "))
			}
		}
	}
	if found != len(rooms) {
		t.Errorf("%d packages of the table's %d exist", found, len(rooms))
	}
}

// TestExactNeedsNoDevice holds that exact maps and questions build without cgo and OpenGL.
func TestExactNeedsNoDevice(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", module+"spm/exact").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, module+"engine/geom") {
		t.Fatalf("the list lacks what is known to be imported: %v", deps)
	}
	for _, dep := range deps {
		if dep == "runtime/cgo" || dep == module+"engine/gpu" || strings.HasPrefix(dep, "github.com/go-gl/gl/") {
			t.Errorf("spm/exact depends on %s", dep)
		}
	}
}

// TestHeadlessHasNoPanels holds that the program without windows builds without Dear ImGui and GLFW.
func TestHeadlessHasNoPanels(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-tags", "headless,egl", module+"cmd/navview").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, module+"engine/render") {
		t.Fatalf("the list lacks what is known to be imported: %v", deps)
	}
	for _, dep := range deps {
		if strings.HasPrefix(dep, "github.com/AllenDang/") || strings.HasPrefix(dep, "github.com/go-gl/glfw/") {
			t.Errorf("the headless build depends on %s", dep)
		}
	}
}
