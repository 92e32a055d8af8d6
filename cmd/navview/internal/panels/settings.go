//go:build !headless

package panels

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
)

// settings are what stays between runs of the program. They are the user's, not the scene's.
type settings struct {
	Light  bool   `json:"light"`
	Layout string `json:"layout"` // of gui.UI
	Hints  int    `json:"hints"`  // of the first steps that are done, or-ed
	inset  studio.Inset
}

// SettingsFile is the file of the settings in the user's folder for such; "" where there is none.
func SettingsFile() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "navview", "viewer.json")
}

// readSettings reads the settings. What cannot be read is as at first.
func readSettings(file string) (s settings) {
	data, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(data, &s) != nil {
		return settings{}
	}
	return s
}

// write keeps the settings. A file that cannot be written is no error: the layout is lost.
func (s settings) write(file string) {
	data, err := json.Marshal(s)
	if file == "" || err != nil || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	_ = os.WriteFile(file, data, 0o600)
}

// Light reports whether the panels have the light theme.
func (p *Panels) Light() bool { return p.settings.Light }
