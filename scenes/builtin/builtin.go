package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

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

// Default is the name of the scene that is shown when none is named.
const Default = "plaza"

// listed holds the names of the built-in scenes with their sources, as List does.
var listed = func() (list [][2]string) {
	for line := range strings.Lines(assets.List) {
		name, source, _ := strings.Cut(strings.TrimSpace(line), ": ")
		list = append(list, [2]string{name, source})
	}
	return list
}()

// text returns the document of a scene in package assets.
func text(name string) ([]byte, bool) {
	data, err := assets.Scenes.ReadFile("scenes/" + name + ".json")
	return data, err == nil
}

// drawn returns the scene of a document in package assets; false if there is none of that name.
func drawn(name string) (*scenes.Scene, bool) {
	data, ok := text(name)
	if !ok {
		return nil, false
	}
	s, err := scenes.Parse(name, data)
	if err != nil {
		panic("builtin: " + err.Error())
	}
	return s, true
}

// generate returns a built-in scene by its name in lower case; false if there is none.
func generate(name string) (*scenes.Scene, bool) {
	if s, ok := drawn(name); ok {
		return s, true
	}
	return ofFamily(name)
}

// Document returns the document of a built-in scene, or of one of a family, by its name in any
// case.
func Document(name string) (data []byte, ok bool) {
	name = strings.ToLower(name)
	if data, ok := text(name); ok {
		return data, true
	}
	s, ok := ofFamily(name)
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
		names := make([]string, len(listed))
		for i, b := range listed {
			names[i] = b[0]
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
	return scenes.Parse(file, data)
}

// List returns the built-in scenes, the default one first.
func List() []Entry {
	var list []Entry
	for _, b := range listed {
		s, _ := generate(b[0])
		list = append(list, Entry{
			Name: s.Name, Description: s.Description, Source: b[1],
			Vertices: s.Vertices(), Obstacles: len(s.Obstacles), Goals: len(s.Goals), Agents: s.Agents(),
		})
	}
	return list
}
