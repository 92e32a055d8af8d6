//go:build !headless

package panels

import (
	"fmt"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/scenes"
)

// menus are the menus, in order.
var menus = []string{"File", "Edit", "Tools", "Run", "View", "Help"}

// keyWords is a key as menus show it.
func keyWords(key string) string {
	words := map[string]string{
		"ctrl": "Ctrl", "shift": "Shift", "alt": "Alt", "space": "Space", "delete": "Del", "tab": "Tab", "/": "?",
	}
	parts := strings.Split(key, "+")
	for i, part := range parts {
		if w, ok := words[part]; ok {
			parts[i] = w
		} else if len(part) == 1 {
			parts[i] = strings.ToUpper(part)
		}
	}
	if key == "shift+/" {
		return "?"
	}
	return strings.Join(parts, "+")
}

// menu draws the menu bar with the run's buttons, and returns the action that was chosen, or nil.
func (p *Panels) menu(s *studio.Studio, actions []studio.Action) (chosen *studio.Action) {
	if !imgui.BeginMainMenuBar() {
		return nil
	}
	for _, menu := range menus {
		if !imgui.BeginMenu(menu) {
			continue
		}
		for i, a := range actions {
			if a.Menu == menu && imgui.MenuItemBoolV(a.Name, keyWords(a.Key), a.Checked(s), a.Enabled(s)) {
				chosen = &actions[i]
			}
		}
		imgui.EndMenu()
	}
	imgui.Separator()
	for _, b := range []struct{ name, on, words string }{
		{"Undo", "Undo", "Undo"}, {"Redo", "Redo", "Redo"}, {"Run", "Pause", "Run"}, {"Step", "Step", "Step"}, {"Start again", "Start again", "Start again"},
	} {
		for i, a := range actions {
			if a.Name != b.name {
				continue
			}
			words := b.words
			if a.Checked(s) {
				words = b.on
			}
			imgui.BeginDisabledV(!a.Enabled(s))
			if imgui.SmallButton(words + "##bar") { // menus have these words, too
				chosen = &actions[i]
			}
			imgui.EndDisabled()
			tooltip(strings.TrimSpace(a.Name + "  " + keyWords(a.Key)))
		}
	}
	imgui.Separator()
	p.method(s)
	imgui.TextUnformatted(fmt.Sprintf("%8.1f s", s.World().Time()))
	imgui.EndMainMenuBar()
	return chosen
}

// method draws the choice of the avoidance method of all profiles: what is compared first.
func (p *Panels) method(s *studio.Studio) {
	scene := s.Scene()
	shown := string(scene.Profiles[0].Avoidance)
	for _, profile := range scene.Profiles {
		if string(profile.Avoidance) != shown {
			shown = "mixed"
		}
	}
	imgui.SetNextItemWidth(imgui.FontSize() * 7)
	if imgui.BeginCombo("##method", shown) {
		for _, name := range scenes.Avoidances() {
			if imgui.SelectableBoolV(name, name == shown, 0, imgui.Vec2{}) {
				_ = s.Change("avoid by "+name, func(to *scenes.Scene) {
					for i := range to.Profiles {
						to.Profiles[i].Avoidance = scenes.Avoidance(name)
					}
				})
			}
		}
		imgui.EndCombo()
	}
	tooltip("How agents avoid each other")
}

// tooltip explains the item before.
func tooltip(words string) {
	if imgui.IsItemHoveredV(imgui.HoveredFlagsForTooltip | imgui.HoveredFlagsAllowWhenDisabled) {
		imgui.SetTooltip(words)
	}
}
