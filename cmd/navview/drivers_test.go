//go:build compare

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/scenes/builtin"
)

// driverAgents bounds the scenes that TestDrivers runs: a second software driver takes seconds to
// compile their shaders.
const driverAgents = 1000

// TestDrivers runs every built-in scene on two drivers, Mesa's llvmpipe and its zink over lavapipe,
// and compares the states. Both generate code alike, so a difference shows an undefined behavior of
// shaders (a race, an uninitialized read, a missing barrier) or arithmetic that compilers may round
// in several ways; equality promises nothing for other devices.
func TestDrivers(t *testing.T) {
	program := filepath.Join(t.TempDir(), "navview")
	command(t, "go", "build", "-tags", "headless,egl", "-o", program, ".")
	on := func(t *testing.T, driver string, arguments ...string) []byte {
		c := exec.Command(program, arguments...)
		c.Env = append(os.Environ(), "LIBGL_ALWAYS_SOFTWARE=true", "GALLIUM_DRIVER="+driver, "ZINK_INLINE_UNIFORMS=false", "XDG_RUNTIME_DIR="+t.TempDir())
		output, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v", driver, err)
		}
		return output
	}
	var info struct{ Renderer string }
	if err := json.Unmarshal(on(t, "zink", "info", "--json"), &info); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(info.Renderer, "zink") {
		t.Fatalf("the second driver is %q: install zink and lavapipe (Debian: mesa-vulkan-drivers)", info.Renderer)
	}
	for _, entry := range builtin.List() {
		if entry.Agents == 0 || entry.Agents > driverAgents {
			continue
		}
		t.Run(entry.Name, func(t *testing.T) {
			t.Parallel()
			arguments := []string{"simulate", entry.Name, "--steps", compareSteps, "--report", "-"}
			first, second := stateHash(on(t, "llvmpipe", arguments...)), stateHash(on(t, "zink", arguments...))
			if first != second {
				t.Errorf("llvmpipe has the state %s, zink %s", first, second)
			}
		})
	}
}
