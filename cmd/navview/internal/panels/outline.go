//go:build !headless

package panels

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/gui"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
)

// outline is the tree of all records.
type outline struct {
	filter   string
	renaming studio.Ref // the row that is a field; none: none is
	name     string     // in the field
	focus    bool       // the field wants the focus
	last     studio.Ref // the row that was clicked last: ranges begin there
	shown    studio.Ref // the last one that was selected alone
	s        *studio.Studio
	todo     func() error     // what a row's menu or click does, after all rows are drawn
	probe    func(studio.Ref) // called after each row, by tests; nil: not
}

// listNames are the headings.
var listNames = map[studio.List]string{
	studio.Goals: "Goals", studio.Groups: "Groups", studio.Profiles: "Profiles", studio.Obstacles: "Obstacles",
	studio.Gates: "Gates", studio.Areas: "Areas",
}

// draw draws the window.
func (o *outline) draw(s *studio.Studio) error {
	o.s, o.todo = s, nil
	if imgui.Begin(gui.Outline) {
		imgui.SetNextItemWidth(-math.SmallestNonzeroFloat32)
		imgui.InputTextWithHint("##filter", "filter", &o.filter, 0, nil)
		scene := studio.Ref{List: studio.Scene, Item: -1}
		if imgui.SelectableBoolV(scene.Name(s.Scene())+"##scene", s.IsSelected(scene), 0, imgui.Vec2{}) {
			s.Select(scene)
		}
		for l := studio.Goals; l <= studio.Areas; l++ {
			o.list(l, o.revealed())
		}
		if len(s.Selected) == 1 {
			o.shown = s.Selected[0].Whole()
		}
	}
	imgui.End()
	if o.todo != nil {
		return o.todo()
	}
	return nil
}

// revealed returns the record that has just been selected elsewhere, which is scrolled to.
func (o *outline) revealed() studio.Ref {
	if len(o.s.Selected) != 1 || o.s.Selected[0].Whole() == o.shown {
		return studio.Ref{}
	}
	return o.s.Selected[0].Whole()
}

// list draws a list with its switches.
func (o *outline) list(l studio.List, reveal studio.Ref) {
	rows := o.found(l)
	imgui.PushIDStr(listNames[l])
	defer imgui.PopID()
	if reveal.List == l || o.filter != "" && len(rows) > 0 {
		imgui.SetNextItemOpen(true)
	} else if l != studio.Obstacles {
		imgui.SetNextItemOpenV(true, imgui.CondOnce)
	}
	imgui.SetNextItemAllowOverlap()
	open := imgui.TreeNodeExStrV(fmt.Sprintf("%s (%d)###list", listNames[l], len(rows)), imgui.TreeNodeFlagsSpanAvailWidth)
	if imgui.BeginPopupContextItem() {
		if imgui.MenuItemBool("Add a " + l.String()) {
			o.todo = func() error { return o.s.Add(l) }
		}
		if imgui.MenuItemBool("Select all") {
			o.s.Select(rows...)
		}
		imgui.EndPopup()
	}
	o.switches(l)
	if !open {
		return
	}
	defer imgui.TreePop()
	c := imgui.NewListClipper()
	defer c.Destroy()
	c.Begin(int32(len(rows)))
	at := slices.Index(rows, reveal)
	if at >= 0 {
		c.IncludeItemByIndex(int32(at))
	}
	for c.Step() {
		for i := c.DisplayStart(); i < c.DisplayEnd(); i++ {
			o.row(rows[i], rows)
			if int(i) == at {
				imgui.SetScrollHereY()
			}
		}
	}
}

// found returns the records of a list that the filter lets through.
func (o *outline) found(l studio.List) []studio.Ref {
	all := studio.All(o.s.Scene(), l)
	if o.filter == "" {
		return all
	}
	return slices.DeleteFunc(all, func(r studio.Ref) bool { return !matches(o.filter, r.Name(o.s.Scene())+" "+l.String()) })
}

// switches draws the buttons of a list at the right: add, see, lock.
func (o *outline) switches(l studio.List) {
	side := imgui.FrameHeight()
	imgui.SameLineV(imgui.CursorPosX()+imgui.ContentRegionAvail().X-3*side, 0)
	if imgui.SmallButton("+") {
		o.todo = func() error { return o.s.Add(l) }
	}
	tooltip("Add a " + l.String())
	imgui.SameLineV(imgui.CursorPosX()+imgui.ContentRegionAvail().X-2*side, 0)
	toggle("hide", "Hide or show", o.s.Hidden, l, eye)
	imgui.SameLineV(0, 0)
	toggle("lock", "Lock or unlock", o.s.Locked, l, padlock)
}

// toggle draws a switch of a list with a picture.
func toggle(id, words string, of map[studio.List]bool, l studio.List, picture func(list *imgui.DrawList, at imgui.Vec2, side float32, ink uint32, on bool)) {
	side, at := imgui.TextLineHeight(), imgui.CursorScreenPos()
	if imgui.InvisibleButton("##"+id, imgui.Vec2{X: side * 1.2, Y: side}) {
		of[l] = !of[l]
	}
	colors := imgui.CurrentStyle().Colors()
	ink := color(colors[imgui.ColTextDisabled], 1)
	if of[l] {
		ink = color(accent(), 1)
	} else if imgui.IsItemHovered() {
		ink = color(colors[imgui.ColText], 1)
	}
	picture(imgui.WindowDrawList(), at, side, ink, of[l])
	tooltip(words)
}

// eye draws an eye, struck out where what it stands for is hidden.
func eye(list *imgui.DrawList, at imgui.Vec2, side float32, ink uint32, hidden bool) {
	x, y, w := at.X+side/2, at.Y+side/2, side*0.42
	list.PathLineTo(imgui.Vec2{X: x - w, Y: y})
	list.PathBezierQuadraticCurveTo(imgui.Vec2{X: x, Y: y - w*1.3}, imgui.Vec2{X: x + w, Y: y})
	list.PathBezierQuadraticCurveTo(imgui.Vec2{X: x, Y: y + w*1.3}, imgui.Vec2{X: x - w, Y: y})
	list.PathStrokeV(ink, 0, side/14)
	list.AddCircleFilled(imgui.Vec2{X: x, Y: y}, w*0.35, ink)
	if hidden {
		list.AddLineV(imgui.Vec2{X: x - w, Y: y + w*0.8}, imgui.Vec2{X: x + w, Y: y - w*0.8}, ink, side/12)
	}
}

// padlock draws a lock, open where nothing is locked.
func padlock(list *imgui.DrawList, at imgui.Vec2, side float32, ink uint32, locked bool) {
	x, y, w := at.X+side/2, at.Y+side*0.5, side*0.28
	list.AddRectFilledV(imgui.Vec2{X: x - w, Y: y}, imgui.Vec2{X: x + w, Y: y + w*1.5}, ink, side*0.06, 0)
	if !locked {
		y -= side * 0.1
	}
	r := w * 0.7
	list.PathLineTo(imgui.Vec2{X: x - r, Y: y})
	list.PathBezierQuadraticCurveTo(imgui.Vec2{X: x - r, Y: y - 2.4*r}, imgui.Vec2{X: x, Y: y - 1.8*r})
	list.PathBezierQuadraticCurveTo(imgui.Vec2{X: x + r, Y: y - 2.4*r}, imgui.Vec2{X: x + r, Y: y})
	list.PathStrokeV(ink, 0, side/12)
}

// row draws a record.
func (o *outline) row(r studio.Ref, rows []studio.Ref) {
	s := o.s
	if !r.There(s.Scene()) { // a row before has removed it
		return
	}
	if o.renaming == r {
		o.field(r)
		return
	}
	label := fmt.Sprintf("%s##%d", strings.ReplaceAll(r.Name(s.Scene()), "##", "# #"), r.Index)
	if imgui.SelectableBoolV(label, s.IsSelected(r), imgui.SelectableFlagsAllowDoubleClick, imgui.Vec2{}) {
		if imgui.IsMouseDoubleClicked(imgui.MouseButtonLeft) {
			o.rename(r)
		} else {
			o.click(r, rows)
		}
	}
	if imgui.IsItemHovered() {
		s.Hovered = r
	}
	if o.probe != nil {
		o.probe(r)
	}
	if imgui.BeginPopupContextItem() {
		if !s.IsSelected(r) {
			s.Select(r)
			o.shown = r
		}
		o.menu(r)
		imgui.EndPopup()
	}
}

// click selects a row; with Shift all from the last one on, with Control it changes one.
func (o *outline) click(r studio.Ref, rows []studio.Ref) {
	s, io := o.s, imgui.CurrentIO()
	switch from, to := slices.Index(rows, o.last), slices.Index(rows, r); {
	case io.KeyShift() && from >= 0:
		s.Select(rows[min(from, to) : max(from, to)+1]...)
		return // the range still begins at the last one
	case io.KeyCtrl():
		if i := slices.Index(s.Selected, r); i >= 0 {
			s.Selected = slices.Delete(s.Selected, i, i+1)
		} else {
			s.Selected = append(s.Selected, r)
		}
	default:
		s.Select(r)
	}
	o.last, o.shown = r, r
}

// menu draws what can be done with what is selected.
func (o *outline) menu(r studio.Ref) {
	if imgui.MenuItemBool("Rename") {
		o.rename(r)
	}
	if imgui.MenuItemBool("Duplicate") {
		o.todo = func() error { return o.s.Duplicate(mgl64.Vec2{2 * o.s.Grid, 2 * o.s.Grid}) }
	}
	if imgui.MenuItemBool("Delete") {
		o.todo = o.s.Delete
	}
	imgui.Separator()
	if imgui.MenuItemBool("Add a " + r.List.String()) {
		o.todo = func() error { return o.s.Add(r.List) }
	}
}

// rename makes a row a field.
func (o *outline) rename(r studio.Ref) {
	o.renaming, o.name, o.focus = r, r.Name(o.s.Scene()), true
}

// field draws the field of a row that is being renamed: Enter and a click elsewhere take the name.
func (o *outline) field(r studio.Ref) {
	if o.focus {
		imgui.SetKeyboardFocusHere()
	}
	imgui.SetNextItemWidth(-math.SmallestNonzeroFloat32)
	imgui.InputTextWithHint("##name", "", &o.name, imgui.InputTextFlagsAutoSelectAll, nil)
	if imgui.IsItemDeactivatedAfterEdit() {
		name := o.name
		o.todo = func() error { return o.s.Rename(r, name) }
	}
	if imgui.IsItemDeactivated() {
		o.renaming = studio.Ref{}
	}
	o.focus = false
}
