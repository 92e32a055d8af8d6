package scenes

import (
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/assets"
)

// Entry is what List tells about a built-in scene.
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

// builtin is a scene that comes with the program: a file of package assets, or
// what make returns.
type builtin struct {
	name   string
	source string
	make   func() *Scene
}

const (
	tableOne = "Farias and Kallmann 2018, Table 1 and figure 7"
	own      = "Wayfront"
)

// figure is the source of a scene made after a figure of the paper.
func figure(number string) string { return "Farias and Kallmann 2018, figure " + number }

// builtins lists the built-in scenes, as List does.
var builtins = []builtin{
	{name: Default, source: own},
	{name: "simple1", source: tableOne},
	{name: "simple2", source: tableOne},
	{name: "concave1", source: tableOne},
	{name: "concave2", source: tableOne},
	{name: "spiral", source: tableOne},
	{name: "spmex1", source: tableOne},
	{name: "spmex2", source: tableOne},
	{"profiling0", tableOne, profiling(0, 2)},
	{"profiling1", tableOne, profiling(1, 4)},
	{"profiling2", tableOne, profiling(2, 6)},
	{"profiling3", tableOne, profiling(3, 8)},
	{"profiling4", tableOne, profiling(4, 10)},
	{"profiling5", tableOne, profiling(5, 14)},
	{"profiling6", tableOne, profiling(6, 20)},
	{name: "farias-1", source: figure("1")},
	{name: "farias-2", source: figure("2")},
	{name: "farias-4", source: figure("4")},
	{name: "farias-5-left", source: figure("5")},
	{name: "farias-5-right", source: figure("5")},
	{"farias-8-spmex2", figure("8"), withSources("farias-8-spmex2", builtin{name: "spmex2"}, mgl64.Vec2{8, 8}, mgl64.Vec2{50, 67}, mgl64.Vec2{95, 60}, mgl64.Vec2{60, 5})},
	{"farias-8-concave2", figure("8"), withSources("farias-8-concave2", builtin{name: "concave2"}, mgl64.Vec2{4, 4}, mgl64.Vec2{96, 50}, mgl64.Vec2{30, 96})},
	{"farias-8-profiling2", figure("8"), withSources("farias-8-profiling2", builtin{make: profiling(2, 6)}, mgl64.Vec2{17, 83}, mgl64.Vec2{50, 33}, mgl64.Vec2{92, 66})},
	{"circle-1k", clearPath("Circle-1K, figure 2"), sized(circle, 1000)},
	{"4-streams", clearPath("4-Streams"), streams},
	{"back-and-forth-80", clearPath("Back&Forth, figure 8"), sized(backAndForth, 80)},
	{"evac-500", clearPath("Evac-500"), sized(evac, 500)},
	{"evac-1k", clearPath("Evac-1K, figure 1"), sized(evac, 1000)},
	{"evac-5k", clearPath("Evac-5K"), sized(evac, 5000)},
	{"stadium-25k", clearPath("Stad-25K"), bowl},
	{"city-10k", clearPath("City-10K"), sized(city, 10_000)},
	{"city-100k", clearPath("City-100K"), sized(city, 100_000)},
	{"city-250k", clearPath("City-250K"), sized(city, 250_000)},
	{"simple", bleiweiss("Simple"), diagonals},
	{"car", bleiweiss("Car"), car},
	{"robots", bleiweiss("Robots"), robots},
	{"circle", bleiweiss("Circle"), smallCircle},
	{"narrow", bleiweiss("Narrow"), narrow},
	{"stadium", bleiweiss("Stadium"), writing},
	{"crosswalk", bleiweiss("Crosswalk, figure 14"), crosswalk},
	{"evacuation-500", bleiweiss("Evacuation, figure 15"), sized(evacuationOf, 500)},
	{"evacuation-1k", bleiweiss("Evacuation"), sized(evacuationOf, 1000)},
	{"evacuation-5k", bleiweiss("Evacuation"), sized(evacuationOf, 5000)},
	{"evacuation-10k", bleiweiss("Evacuation"), sized(evacuationOf, 10_000)},
	{"evacuation-20k", bleiweiss("Evacuation"), sized(evacuationOf, 20_000)},
	{"fischer-1", fischer("1"), fischerOne},
	{"fischer-2", fischer("2"), fischerTwo},
	{"dapper-1", dapper("1"), dapperOne},
	{"dapper-5", dapper("5"), dapperFive},
	{"dapper-6", dapper("6"), dapperSix},
	{"dapper-7", dapper("7"), dapperSeven},
	{"dapper-8a", dapper("8a"), dapperEight("dapper-8a", 1)},
	{"dapper-8b", dapper("8b"), dapperEight("dapper-8b", 2)},
}

// sized returns the maker of a family's scene of one size.
func sized(make func(count int) *Scene, count int) func() *Scene {
	return func() *Scene { return make(count) }
}

// find returns the built-in scene with this name, whatever its case; those of
// families too.
func find(name string) (builtin, bool) {
	for _, b := range builtins {
		if strings.EqualFold(b.name, name) {
			return b, true
		}
	}
	return ofFamily(name)
}

func names() []string {
	var list []string
	for _, b := range builtins {
		list = append(list, b.name)
	}
	return list
}

// withSources returns the maker of a scene that is another one with several
// sources.
func withSources(name string, of builtin, sources ...mgl64.Vec2) func() *Scene {
	return func() *Scene {
		s := of.scene()
		s.Name = name
		s.Description += fmt.Sprintf("; %d sources", len(sources))
		s.Goals[0].ID, s.Goals[0].Points = "sources", sources
		for i := range s.Groups {
			s.Groups[i].Itinerary = []string{"sources"}
		}
		return s
	}
}

// scene returns the scene, which a test holds to be what its document says.
func (b builtin) scene() *Scene {
	if b.make != nil {
		return b.make()
	}
	s, problems := Read(b.name, b.document())
	if s == nil {
		panic("scenes: the built-in scene " + b.name + " is refused: " + problems[0].String())
	}
	return s
}

// document returns the scene's document. It always exists: a test reads them all.
func (b builtin) document() []byte {
	if b.make != nil {
		data, err := b.make().Encode()
		if err != nil {
			panic(fmt.Sprintf("scenes: the built-in scene %s: %v", b.name, err))
		}
		return data
	}
	data, err := assets.Scenes.ReadFile("scenes/" + b.name + ".json")
	if err != nil {
		panic(fmt.Sprintf("scenes: the built-in scene %s: %v", b.name, err))
	}
	return data
}

// List returns the built-in scenes, the default one first.
func List() []Entry {
	var list []Entry
	for _, b := range builtins {
		s := b.scene()
		list = append(list, Entry{
			Name: s.Name, Description: s.Description, Source: b.source,
			Vertices: s.Vertices(), Obstacles: len(s.Obstacles), Goals: len(s.Goals), Agents: s.Agents(),
		})
	}
	return list
}
