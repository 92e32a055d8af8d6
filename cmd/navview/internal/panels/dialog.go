//go:build !headless

package panels

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/scenes/builtin"
	"github.com/wayfront/wayfront/scenes/formats"
)

// dialog is a window that waits for an answer; Escape closes it.
type dialog interface {
	title() string
	// draw draws the contents; done: it is answered. The action, if there is one, is done then.
	draw(p *Panels, s *studio.Studio, actions []studio.Action) (chosen *studio.Action, done bool)
}

// open opens a dialog in place of the one that is open.
func (p *Panels) open(d dialog) { p.dialog, p.active = d, 3 }

// dialogs draws the dialog that is open, in the middle of the window.
func (p *Panels) dialogs(s *studio.Studio, actions []studio.Action) (chosen *studio.Action) {
	d := p.dialog
	if d == nil {
		return nil
	}
	view := imgui.MainViewport()
	at := view.WorkPos()
	size := view.WorkSize()
	imgui.SetNextWindowPosV(imgui.Vec2{X: at.X + size.X/2, Y: at.Y + size.Y*0.14}, imgui.CondAppearing, imgui.Vec2{X: 0.5})
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{X: imgui.FontSize() * 18}, imgui.Vec2{X: size.X * 0.9, Y: size.Y * 0.8})
	open := true
	flags := imgui.WindowFlagsNoDocking | imgui.WindowFlagsAlwaysAutoResize | imgui.WindowFlagsNoSavedSettings | imgui.WindowFlagsNoCollapse
	if imgui.BeginV(d.title(), &open, flags) {
		var done bool
		if chosen, done = d.draw(p, s, actions); done && p.dialog == d {
			p.dialog = nil
		}
	}
	imgui.End()
	if (!open || imgui.IsKeyPressedBool(imgui.KeyEscape)) && p.dialog == d {
		p.dialog = nil
	}
	return chosen
}

// button draws a button that Enter presses too.
func button(words string, enter bool) bool {
	return imgui.Button(words) || enter && (imgui.IsKeyPressedBoolV(imgui.KeyEnter, false) || imgui.IsKeyPressedBoolV(imgui.KeyKeypadEnter, false))
}

// question asks before something is done.
type question struct {
	name, words string
	answers     []answer
}

// answer is a button of a question; the first is that of Enter.
type answer struct {
	words string
	do    func()
}

func (q *question) title() string { return q.name }

func (q *question) draw(*Panels, *studio.Studio, []studio.Action) (*studio.Action, bool) {
	imgui.PushTextWrapPosV(imgui.FontSize() * 34)
	imgui.TextUnformatted(q.words)
	imgui.PopTextWrapPos()
	imgui.Spacing()
	for i, a := range q.answers {
		if i > 0 {
			imgui.SameLine()
		}
		if button(a.words, i == 0) {
			if a.do != nil {
				defer a.do()
			}
			return nil, true
		}
	}
	return nil, false
}

// Ask asks whether something is to be done.
func (p *Panels) Ask(words, yes string, do func()) {
	p.open(&question{"Sure?", words, []answer{{yes, do}, {"Cancel", nil}}})
}

// AskSave asks what becomes of changes that no file has.
func (p *Panels) AskSave(file string, save, drop func()) {
	p.open(&question{"Unsaved changes", filepath.Base(file) + " has changes that no file has.", []answer{{"Save", save}, {"Drop them", drop}, {"Cancel", nil}}})
}

// Alarm says what went wrong.
func (p *Panels) Alarm(words string) {
	p.open(&question{"That did not work", words, []answer{{"OK", nil}}})
}

// fileDialog asks for the name of a file.
type fileDialog struct {
	name, path string
	saves      bool
	do         func(string)
	focused    bool
}

// AskFile asks for a file: of those that can be opened, or for one to write, if a name for it is
// given.
func (p *Panels) AskFile(title, name string, do func(string)) {
	p.open(&fileDialog{name: title, path: name, saves: name != "", do: do})
}

func (f *fileDialog) title() string { return f.name }

func (f *fileDialog) draw(*Panels, *studio.Studio, []studio.Action) (*studio.Action, bool) {
	if !f.focused {
		imgui.SetKeyboardFocusHere()
		f.focused = true
	}
	imgui.SetNextItemWidth(imgui.FontSize() * 30)
	entered := imgui.InputTextWithHint("##path", "a file or a folder", &f.path, imgui.InputTextFlagsEnterReturnsTrue, nil)
	if imgui.BeginChildStrV("##files", imgui.Vec2{X: imgui.FontSize() * 30, Y: imgui.FontSize() * 16}, imgui.ChildFlagsBorders, 0) {
		for _, name := range f.found() {
			if imgui.SelectableBoolV(name, false, imgui.SelectableFlagsAllowDoubleClick, imgui.Vec2{}) {
				if f.path = filepath.Join(f.folder(), name); strings.HasSuffix(name, "/") {
					f.path += "/"
				} else if imgui.IsMouseDoubleClicked(imgui.MouseButtonLeft) {
					entered = true
				}
			}
		}
	}
	imgui.EndChild()
	if (button(f.name, false) || entered) && f.path != "" && !strings.HasSuffix(f.path, "/") {
		defer f.do(f.path)
		return nil, true
	}
	imgui.SameLine()
	return nil, imgui.Button("Cancel")
}

// folder is the folder of what is typed.
func (f *fileDialog) folder() string {
	folder, _ := filepath.Split(f.path)
	if folder == "" {
		return "."
	}
	return folder
}

// found returns the folders and the files of scenes and importable formats there, "../" first.
func (f *fileDialog) found() []string {
	entries, err := os.ReadDir(f.folder())
	if err != nil {
		return []string{"../"}
	}
	folders, files := []string{"../"}, []string{}
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, "."):
		case e.IsDir():
			folders = append(folders, name+"/")
		case filepath.Ext(name) == ".json" || formats.OfFile(name) != nil:
			files = append(files, name)
		}
	}
	return append(folders, files...)
}

// gallery shows the built-in scenes by what they show.
type gallery struct {
	filter  string
	focused bool
	picture func(string) *gpu.Texture
	do      func(string)
}

// AskScene asks for a built-in scene. Picture is called in each frame for those that are seen; nil:
// there is none yet.
func (p *Panels) AskScene(picture func(string) *gpu.Texture, do func(string)) {
	p.open(&gallery{picture: picture, do: do})
}

func (g *gallery) title() string { return "Gallery" }

// cards is how many scenes stand beside each other in the gallery.
const cards = 4

func (g *gallery) draw(p *Panels, _ *studio.Studio, _ []studio.Action) (*studio.Action, bool) {
	if !g.focused {
		imgui.SetKeyboardFocusHere()
		g.focused = true
	}
	em := imgui.FontSize()
	imgui.SetNextItemWidth(em * 48)
	entered := imgui.InputTextWithHint("##filter", "part of a name, a paper or what it shows", &g.filter, imgui.InputTextFlagsEnterReturnsTrue, nil)
	chosen := ""
	if imgui.BeginChildStrV("##scenes", imgui.Vec2{X: em * 48, Y: em * 31}, imgui.ChildFlagsBorders, 0) {
		group, column := "", 0
		for _, e := range galleryEntries() {
			if !matches(g.filter, e.Name+" "+e.Description+" "+e.Source) {
				continue
			}
			if of := paperOf(e.Source); of != group {
				group, column = of, 0
				imgui.SeparatorText(of)
			}
			if column%cards > 0 {
				imgui.SameLine()
			}
			column++
			if g.card(p, e) || entered && chosen == "" {
				chosen = e.Name
			}
		}
	}
	imgui.EndChild()
	if chosen != "" {
		defer g.do(chosen)
	}
	return nil, chosen != ""
}

// card draws a scene's picture over its name; true: it was clicked.
func (g *gallery) card(p *Panels, e builtin.Entry) bool {
	em := imgui.FontSize()
	width, height, padding := em*32/3, em*20/3, em*0.2 // 160 x 100 nominal pixels
	imgui.BeginGroup()
	at := imgui.CursorScreenPos()
	clicked := imgui.SelectableBoolV("##"+e.Name, false, 0, imgui.Vec2{X: width + 2*padding, Y: height + em*1.8})
	seen := imgui.IsItemVisible()
	if imgui.IsItemHoveredV(imgui.HoveredFlagsForTooltip) && imgui.BeginTooltip() {
		imgui.PushTextWrapPosV(em * 26)
		imgui.TextUnformatted(e.Description)
		imgui.PopTextWrapPos()
		imgui.EndTooltip()
	}
	imgui.SetCursorScreenPos(imgui.Vec2{X: at.X + padding, Y: at.Y + padding})
	if seen {
		if picture := g.picture(e.Name); picture != nil {
			p.ui.Image(picture, width, height)
		}
	}
	imgui.SetCursorScreenPos(imgui.Vec2{X: at.X + padding, Y: at.Y + height + 2*padding})
	imgui.TextUnformatted(e.Name)
	imgui.SetCursorScreenPos(imgui.Vec2{X: at.X, Y: at.Y + height + em*1.8})
	imgui.Dummy(imgui.Vec2{X: width + 2*padding})
	imgui.EndGroup()
	return clicked
}

// galleryEntries returns the built-in scenes, those of a paper together. The first call makes all of
// them, which takes longer than a frame.
var galleryEntries = sync.OnceValue(func() []builtin.Entry {
	all := builtin.List()
	order := map[string]int{}
	for _, e := range all {
		if of := paperOf(e.Source); order[of] == 0 {
			order[of] = len(order) + 1
		}
	}
	slices.SortStableFunc(all, func(a, b builtin.Entry) int { return order[paperOf(a.Source)] - order[paperOf(b.Source)] })
	return all
})

// paperOf is the paper of a scene's source: what comes before its figure or table.
func paperOf(source string) string {
	paper, _, _ := strings.Cut(source, ",")
	if paper == "" {
		return "Wayfront"
	}
	return paper
}

// matches reports whether every word of a filter is in a text, whatever the case.
func matches(filter, text string) bool {
	text = strings.ToLower(text)
	for _, word := range strings.Fields(strings.ToLower(filter)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// palette finds an action by its words.
type palette struct {
	filter  string
	row     int
	focused bool
}

func (d *palette) title() string { return "Find an action" }

func (d *palette) draw(_ *Panels, s *studio.Studio, actions []studio.Action) (*studio.Action, bool) {
	if !d.focused {
		imgui.SetKeyboardFocusHere()
		d.focused = true
	}
	em := imgui.FontSize()
	imgui.SetNextItemWidth(em * 26)
	before := d.filter
	entered := imgui.InputTextWithHint("##filter", "what to do", &d.filter, imgui.InputTextFlagsEnterReturnsTrue, nil)
	if d.filter != before {
		d.row = 0
	}
	var found []*studio.Action
	for i, a := range actions {
		if matches(d.filter, a.Menu+" "+a.Name) && a.Enabled(s) {
			found = append(found, &actions[i])
		}
	}
	switch {
	case imgui.IsKeyPressedBool(imgui.KeyDownArrow):
		d.row++
	case imgui.IsKeyPressedBool(imgui.KeyUpArrow):
		d.row--
	}
	d.row = max(0, min(d.row, len(found)-1))
	var chosen *studio.Action
	if imgui.BeginChildStrV("##actions", imgui.Vec2{X: em * 26, Y: em * 18}, 0, 0) {
		for i, a := range found {
			if imgui.SelectableBoolV(a.Menu+": "+a.Name, i == d.row, 0, imgui.Vec2{}) || entered && i == d.row {
				chosen = a
			}
			if a.Key != "" {
				imgui.SameLineV(em*20, 0)
				imgui.TextDisabled(keyWords(a.Key))
			}
		}
	}
	imgui.EndChild()
	return chosen, chosen != nil
}

// keySheet lists the keys.
type keySheet struct{}

func (*keySheet) title() string { return "Keys" }

func (*keySheet) draw(_ *Panels, _ *studio.Studio, actions []studio.Action) (*studio.Action, bool) {
	em := imgui.FontSize()
	if imgui.BeginTable("##keys", 2) {
		for _, row := range append(handKeys(), actionKeys(actions)...) {
			imgui.TableNextColumn()
			imgui.TextColored(accent(), row[0])
			imgui.TableNextColumn()
			imgui.TextUnformatted(row[1])
		}
		imgui.EndTable()
	}
	imgui.Dummy(imgui.Vec2{X: em * 30})
	return nil, imgui.Button("Close")
}

// handKeys are what the pointer does, with the keys that are held for it.
func handKeys() [][2]string {
	return [][2]string{
		{"wheel", "zoom at the pointer"},
		{"middle or right button", "pan; in street view the middle one turns the eye"},
		{"Space + drag", "pan"},
		{"Shift, Ctrl, Alt + drag", "along an axis, square, or a new goal; no snapping; a copy"},
		{"digits while dragging", "the size, the offset or the angle"},
		{"Escape", "take back what is going on; put the tool away"},
	}
}

// actionKeys are the keys of actions.
func actionKeys(actions []studio.Action) (all [][2]string) {
	for _, a := range actions {
		if a.Key != "" {
			all = append(all, [2]string{keyWords(a.Key), a.Name})
		}
	}
	return all
}
