package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/assets"
	"github.com/wayfront/wayfront/scenes"
)

// Entry describes a built-in scene.
type Entry struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Source is the paper and the figure or table that the scene comes from.
	Source    string `json:"source"`
	Vertices  int    `json:"vertices"`
	Obstacles int    `json:"obstacles"`
	Goals     int    `json:"goals"`
	Agents    int    `json:"agents"`
}

// Default is the name of the scene that is shown when none is asked for.
const Default = "plaza"

const (
	tableOne  = "Farias and Kallmann 2018, Table 1 and figure 7"
	figure    = "Farias and Kallmann 2018, figure "
	guy       = "Guy et al. 2009, "
	bleiweiss = "Bleiweiss 2009, Tables 3 and 4, "
	fischer   = "Fischer et al. 2009, figure "
	dapper    = "Dapper et al. 2007, figure "
	own       = "Wayfront"
)

// builtins lists the built-in scenes with their sources, as List does.
var builtins = []struct{ name, source string }{
	{Default, own},
	{"simple1", tableOne},
	{"simple2", tableOne},
	{"concave1", tableOne},
	{"concave2", tableOne},
	{"spiral", tableOne},
	{"spmex1", tableOne},
	{"spmex2", tableOne},
	{"profiling0", tableOne},
	{"profiling1", tableOne},
	{"profiling2", tableOne},
	{"profiling3", tableOne},
	{"profiling4", tableOne},
	{"profiling5", tableOne},
	{"profiling6", tableOne},
	{"farias-1", figure + "1"},
	{"farias-2", figure + "2"},
	{"farias-4", figure + "4"},
	{"farias-5-left", figure + "5"},
	{"farias-5-right", figure + "5"},
	{"farias-8-spmex2", figure + "8"},
	{"farias-8-concave2", figure + "8"},
	{"farias-8-profiling2", figure + "8"},
	{"circle-1k", guy + "Circle-1K, figure 2"},
	{"4-streams", guy + "4-Streams"},
	{"back-and-forth-80", guy + "Back&Forth, figure 8"},
	{"evac-500", guy + "Evac-500"},
	{"evac-1k", guy + "Evac-1K, figure 1"},
	{"evac-5k", guy + "Evac-5K"},
	{"stadium-25k", guy + "Stad-25K"},
	{"city-10k", guy + "City-10K"},
	{"city-100k", guy + "City-100K"},
	{"city-250k", guy + "City-250K"},
	{"simple", bleiweiss + "Simple"},
	{"car", bleiweiss + "Car"},
	{"robots", bleiweiss + "Robots"},
	{"circle", bleiweiss + "Circle"},
	{"narrow", bleiweiss + "Narrow"},
	{"stadium", bleiweiss + "Stadium"},
	{"crosswalk", bleiweiss + "Crosswalk, figure 14"},
	{"evacuation-500", bleiweiss + "Evacuation, figure 15"},
	{"evacuation-1k", bleiweiss + "Evacuation"},
	{"evacuation-5k", bleiweiss + "Evacuation"},
	{"evacuation-10k", bleiweiss + "Evacuation"},
	{"evacuation-20k", bleiweiss + "Evacuation"},
	{"fischer-1", fischer + "1"},
	{"fischer-2", fischer + "2"},
	{"dapper-1", dapper + "1"},
	{"dapper-5", dapper + "5"},
	{"dapper-6", dapper + "6"},
	{"dapper-7", dapper + "7"},
	{"dapper-8a", dapper + "8a"},
	{"dapper-8b", dapper + "8b"},
}

// generated holds the scenes that are neither documents nor of a family.
var generated = map[string]func() *scenes.Scene{
	"farias-8-spmex2":     withSources("spmex2", mgl64.Vec2{8, 8}, mgl64.Vec2{50, 67}, mgl64.Vec2{95, 60}, mgl64.Vec2{60, 5}),
	"farias-8-concave2":   withSources("concave2", mgl64.Vec2{4, 4}, mgl64.Vec2{96, 50}, mgl64.Vec2{30, 96}),
	"farias-8-profiling2": withSources("profiling2", mgl64.Vec2{17, 83}, mgl64.Vec2{50, 33}, mgl64.Vec2{92, 66}),
	"4-streams":           streams,
	"stadium-25k":         bowl,
	"stadium":             writing,
}

// rows are the numbers of rows of the Profiling maps.
var rows = []int{2, 4, 6, 8, 10, 14, 20}

// profiling returns a Profiling map of the paper's Table 1: n rows of n squares on 100 m by 100 m,
// squares and the lanes between them equally wide, half a lane along the border. The source is where
// the first lanes cross, the agents start in the far quarter.
func profiling(number int) *scenes.Scene {
	n := rows[number]
	s := squares(n * n)
	s.Name = fmt.Sprintf("profiling%d", number)
	s.Description = fmt.Sprintf("%d rows of %d squares: large visible areas from everywhere", n, n)
	s.Profiles = []scenes.Profile{walker(scenes.AvoidanceNone)}
	s.Groups = []scenes.Group{spread("walkers", "walker", 200, scenes.Rect{60, 60, 99, 99}, scenes.ArrivalLeave, "source")}
	return s
}

// withSources returns the generator of a scene that is another one with several sources.
func withSources(of string, sources ...mgl64.Vec2) func() *scenes.Scene {
	return func() *scenes.Scene {
		s, _ := drawn(of)
		s.Name = "farias-8-" + of
		s.Description += fmt.Sprintf("; %d sources", len(sources))
		s.Goals[0].ID, s.Goals[0].Points = "sources", sources
		for i := range s.Groups {
			s.Groups[i].Itinerary = []string{"sources"}
		}
		return s
	}
}

// drawn returns the scene of a document, or a Profiling map; false if there is none of that name.
func drawn(name string) (*scenes.Scene, bool) {
	for number := range rows {
		if name == fmt.Sprintf("profiling%d", number) {
			return profiling(number), true
		}
	}
	data, err := assets.Scenes.ReadFile("scenes/" + name + ".json")
	if err != nil {
		return nil, false
	}
	s, problems := scenes.Read(name, data)
	if s == nil {
		panic("builtin: the scene " + name + " is refused: " + problems[0].String())
	}
	return s, true
}

// generate returns a built-in scene by its name in lower case; false if there is none.
func generate(name string) (*scenes.Scene, bool) {
	if build, ok := generated[name]; ok {
		return build(), true
	}
	if s, ok := drawn(name); ok {
		return s, true
	}
	return ofFamily(name)
}

// Document returns the document of a built-in scene, or of one of a family, by its name in any
// case.
func Document(name string) (data []byte, ok bool) {
	name = strings.ToLower(name)
	if data, err := assets.Scenes.ReadFile("scenes/" + name + ".json"); err == nil {
		return data, true
	}
	s, ok := generate(name)
	if !ok {
		return nil, false
	}
	data, err := s.Encode()
	if err != nil {
		panic(fmt.Sprintf("builtin: the scene %s: %v", name, err))
	}
	return data, true
}

// Open returns a document and its name for messages: that of a built-in scene by its name, in any
// case, or else that of a file; "-" is standard input. ./NAME reaches a file that has the name of a
// built-in scene. Errors are those of scenes.Open.
func Open(nameOrFile string) (file string, data []byte, err error) {
	if data, ok := Document(nameOrFile); ok {
		return strings.ToLower(nameOrFile), data, nil
	}
	data, err = scenes.Open(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(nameOrFile, `/\.`) {
		hint := `give the name of a file or of a scene, such as "` + Default + `"` // there are too many to list
		names := make([]string, len(builtins))
		for i, b := range builtins {
			names[i] = b.name
		}
		if best := scenes.Nearest(nameOrFile, names); best != "" {
			hint = `did you mean "` + best + `"?`
		}
		return "", nil, fmt.Errorf("scenes: %q is neither a file nor a built-in scene: %s", nameOrFile, hint)
	}
	return nameOrFile, data, err
}

// Load reads the scene that Open finds. The error of a scene that is refused is *scenes.Invalid.
func Load(nameOrFile string) (*scenes.Scene, error) {
	file, data, err := Open(nameOrFile)
	if err != nil {
		return nil, err
	}
	scene, problems := scenes.Read(file, data)
	if scene == nil {
		return nil, &scenes.Invalid{File: file, Problems: problems}
	}
	return scene, nil
}

// List returns the built-in scenes, the default one first.
func List() []Entry {
	var list []Entry
	for _, b := range builtins {
		s, _ := generate(b.name)
		list = append(list, Entry{
			Name: s.Name, Description: s.Description, Source: b.source,
			Vertices: s.Vertices(), Obstacles: len(s.Obstacles), Goals: len(s.Goals), Agents: s.Agents(),
		})
	}
	return list
}
