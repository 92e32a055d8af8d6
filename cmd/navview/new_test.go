package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/assets"
)

// TestNew: what a new scene says holds: nothing is wrong with it, all its agents arrive, and the
// line that a comment offers is a door. A file that is there stays.
func TestNew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hall.json")
	navview(t, "new", file).done(t)
	if a := navview(t, "validate", file).done(t); a.stdout != "" {
		t.Errorf("validate: %s", a.stdout)
	}
	var report struct {
		Scene    string `json:"scene"`
		Agents   int    `json:"agents"`
		Arrived  int    `json:"arrived"`
		Finished bool   `json:"finished"`
	}
	a := navview(t, "simulate", file, "--report", "-")
	if err := json.Unmarshal([]byte(a.stdout), &report); err != nil || report.Agents != 80 || report.Arrived != 80 {
		t.Errorf("%+v, %v: %s%s", report, err, a.stdout, a.stderr)
	}
	if a := navview(t, "new", file); a.status != statusFailed || !strings.Contains(a.stderr, "is there already: name a file that is not") {
		t.Errorf("again: %d, %s", a.status, a.stderr)
	}
	if a := navview(t, "new", "-").done(t); a.stdout != assets.New {
		t.Errorf("to standard output: %s", a.stdout)
	}
	offered := strings.Replace(assets.New, "    // {", "    {", 1)
	if offered == assets.New {
		t.Fatal("the scene offers no door")
	}
	if err := os.WriteFile(file, []byte(offered), 0o666); err != nil {
		t.Fatal(err)
	}
	if a := navview(t, "validate", file).done(t); a.stdout != "" {
		t.Errorf("with the door: %s", a.stdout)
	}
}

// TestSchema: the schema is JSON, and names itself.
func TestSchema(t *testing.T) {
	var schema struct {
		ID string `json:"$id"`
	}
	if err := json.Unmarshal([]byte(navview(t, "schema").done(t).stdout), &schema); err != nil || !strings.HasSuffix(schema.ID, "scene.schema.json") {
		t.Errorf("%+v, %v", schema, err)
	}
}
