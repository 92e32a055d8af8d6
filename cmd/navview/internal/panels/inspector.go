//go:build !headless

package panels

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/cmd/navview/internal/gui"
	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/scenes"
)

// inspector is the form of what is selected: every field of the records that the document's schema
// has, or of the scene where nothing is selected.
type inspector struct {
	gesture string // the field that is being dragged or typed into; "": none
	drawn   bool   // it has been in this frame
	s       *studio.Studio
	refs    []studio.Ref // of one list
	known   known
	err     error
	width   float32 // of the editor that is drawn next
	// probe is called after each editor, by tests, with its place; with "?" behind it for the label, "!" for
	// the item of its menu, "x" for the button that removes, and "=WORD" for a choice. nil: not
	probe func(studio.Place)
}

// draw draws the window. The error is one of the device.
func (n *inspector) draw(s *studio.Studio) error {
	n.s, n.err, n.drawn = s, nil, false
	if imgui.Begin(gui.Inspector) {
		n.choose()
		flags := imgui.TableFlagsResizable | imgui.TableFlagsSizingStretchProp | imgui.TableFlagsNoSavedSettings
		if imgui.BeginTableV("##form", 2, flags, imgui.Vec2{}, 0) {
			imgui.TableSetupColumnV("field", imgui.TableColumnFlagsWidthStretch, 0.8, 0)
			imgui.TableSetupColumnV("value", imgui.TableColumnFlagsWidthStretch, 1, 0)
			imgui.PushIDStr(n.refs[0].Path())
			n.fields("")
			imgui.PopID()
			imgui.EndTable()
		}
	}
	imgui.End()
	if n.gesture != "" && !n.drawn { // another record is shown now
		n.end()
	}
	return n.err
}

// choose finds the records of the form. Of several lists one is shown, and buttons choose another.
func (n *inspector) choose() {
	byList, had := map[studio.List][]studio.Ref{}, map[studio.Ref]bool{}
	for _, r := range n.s.Selected {
		if r = r.Whole(); !had[r] {
			had[r] = true
			byList[r.List] = append(byList[r.List], r)
		}
	}
	n.refs = []studio.Ref{{List: studio.Scene, Item: -1}}
	for l := studio.Scene; l <= studio.Areas; l++ {
		if refs := byList[l]; refs != nil {
			n.refs = refs
			if len(byList) > 1 {
				if imgui.SmallButton(fmt.Sprintf("only %d of %s##%d", len(refs), l, l)) {
					n.s.Select(refs...)
				}
				imgui.SameLine()
			}
		}
	}
	if len(byList) > 1 {
		imgui.NewLine()
	}
	words := n.refs[0].Name(n.s.Scene())
	if len(n.refs) > 1 {
		words = strconv.Itoa(len(n.refs))
	}
	imgui.TextColored(accent(), n.refs[0].List.String()+" "+words)
}

// value returns what the first record has at a place, not to be changed; invalid: nothing.
func (n *inspector) value(at studio.Place) reflect.Value {
	v := n.refs[0].Value(n.s.Scene(), at)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

// mixed reports whether the records differ at a place. It compares once for each scene and selection.
func (n *inspector) mixed(at studio.Place) bool {
	k := &n.known
	if k.scene != n.s.Scene() || !slices.Equal(k.refs, n.refs) {
		*k = known{n.s.Scene(), n.refs, map[studio.Place]bool{}}
	}
	mixed, ok := k.mixed[at]
	if !ok {
		mixed = studio.Mixed(k.scene, k.refs, at)
		k.mixed[at] = mixed
	}
	return mixed
}

// known is at which places records of a scene differ.
type known struct {
	scene *scenes.Scene
	refs  []studio.Ref
	mixed map[studio.Place]bool
}

// did keeps an error.
func (n *inspector) did(err error) { n.err = errors.Join(n.err, err) }

// fields draws the fields of the struct at a place.
func (n *inspector) fields(at studio.Place) {
	v := n.value(at)
	if !v.IsValid() {
		return
	}
	if all, given := studio.Kinds(v); all != nil {
		n.line("kind", func() {
			if kind := n.combo("##kind", given, all, at.Field("kind")); kind != given {
				n.did(n.s.SetKind(n.refs, at, kind))
			}
			n.seen(at.Field("kind"))
		})
		if v = n.value(at); !v.IsValid() {
			return
		}
	}
	for _, f := range studio.Fields(v) {
		r := row{at: at.Field(f.Name), info: f, item: -1, list: studio.ListOf(v.Type(), f)}
		if studio.Resets(v.Type(), f) {
			r.fallback = scenes.Defaults(v).FieldByIndex(f.Index)
		}
		n.row(r)
	}
}

// line draws a row with a label.
func (n *inspector) line(label string, editor func()) {
	imgui.TableNextRow()
	imgui.TableNextColumn()
	imgui.AlignTextToFramePadding()
	imgui.TextUnformatted(label)
	imgui.TableNextColumn()
	imgui.SetNextItemWidth(-math.SmallestNonzeroFloat32)
	editor()
}

// row is a field, or an item of a list.
type row struct {
	at       studio.Place
	info     scenes.FieldInfo // of the field, or of the list that it is an item of
	item     int              // in its list; -1: it is a field
	list     studio.List      // whose ids it has; None: it has no ids
	fallback reflect.Value    // the default; invalid: it cannot be left out
}

// label is the name of a row.
func (r row) label() string {
	if r.item >= 0 {
		return strconv.Itoa(r.item + 1)
	}
	return r.info.Name
}

// isDefault reports whether the row has its default.
func (r row) isDefault(v reflect.Value) bool {
	if !r.fallback.IsValid() {
		return false
	}
	return reflect.DeepEqual(v.Interface(), r.fallback.Interface()) || !studio.Given(v) && !studio.Given(r.fallback)
}

// row draws a field by its type.
func (n *inspector) row(r row) {
	whole := n.refs[0].Value(n.s.Scene(), r.at) // with its pointer
	if !whole.IsValid() {
		return
	}
	imgui.PushIDStr(string(r.at))
	defer imgui.PopID()
	mixed, dim := n.mixed(r.at), r.isDefault(whole)
	if dim && !mixed {
		imgui.PushStyleColorVec4(imgui.ColText, imgui.CurrentStyle().Colors()[imgui.ColTextDisabled])
		defer imgui.PopStyleColor()
	}
	imgui.TableNextRow()
	imgui.TableNextColumn()
	v, optional := whole, whole.Kind() == reflect.Pointer && r.fallback.IsValid()
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	nested := r.nests(v)
	open := nested && n.tree(r)
	if !nested {
		imgui.AlignTextToFramePadding()
		imgui.TextUnformatted(r.label())
	}
	n.seen(r.at + "?")
	n.explain(r, dim)
	imgui.TableNextColumn()
	faults := n.faults(r, open)
	if len(faults) > 0 && !nested {
		imgui.PushStyleVarFloat(imgui.StyleVarFrameBorderSize, 1.5)
		imgui.PushStyleColorVec4(imgui.ColBorder, red)
	}
	n.right(r, v, optional, mixed)
	if len(faults) > 0 && !nested {
		imgui.PopStyleColor()
		imgui.PopStyleVar()
	}
	if len(faults) > 0 {
		imgui.PushStyleColorVec4(imgui.ColText, red)
		imgui.TextWrapped(strings.Join(faults, "\n"))
		imgui.PopStyleColor()
	}
	if open {
		n.below(r, v)
		imgui.TreePop()
	}
}

// red is the color of faults, on both themes.
var red = imgui.Vec4{X: 0.88, Y: 0.3, Z: 0.25, W: 1}

// nests reports whether a row has rows below it: structs, and lists of anything.
func (r row) nests(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		return v.Type() != distributionType
	case reflect.Array:
		return scalar(v.Type()) == distributionType
	case reflect.Pointer: // to nothing
		return false
	}
	return v.Kind() == reflect.Slice
}

var distributionType = reflect.TypeFor[scenes.Distribution]()

// scalar returns what an array has, at any depth.
func scalar(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t
}

// tree draws the label of a row that has rows below it.
func (n *inspector) tree(r row) bool {
	return imgui.TreeNodeExStrV(r.label(), imgui.TreeNodeFlagsSpanAvailWidth|imgui.TreeNodeFlagsFramePadding)
}

// explain gives the label its tooltip, and a menu that resets the field.
func (n *inspector) explain(r row, dim bool) {
	if r.item < 0 && imgui.IsItemHoveredV(imgui.HoveredFlagsForTooltip) && imgui.BeginTooltip() {
		imgui.PushTextWrapPosV(imgui.FontSize() * 26)
		imgui.TextUnformatted(strings.Join(n.words(r), "\n"))
		imgui.PopTextWrapPos()
		imgui.EndTooltip()
	}
	if r.fallback.IsValid() && imgui.BeginPopupContextItemV("##reset", imgui.PopupFlagsMouseButtonRight) {
		if imgui.MenuItemBoolV("Reset to the default", "", false, !dim) {
			n.reset(r)
		}
		n.seen(r.at + "!")
		imgui.EndPopup()
	}
}

// reset gives a field its default.
func (n *inspector) reset(r row) {
	n.did(n.s.Put(n.refs, r.at, scenes.FieldInfo{}, r.fallback.Interface()))
}

// words are what the schema says of a field.
func (n *inspector) words(r row) []string {
	words := []string{r.info.Description}
	if limits := r.info.Limits(); limits != "" {
		words = append(words, "Limits: "+limits)
	} else if r.info.Unit != "" {
		words = append(words, "Unit: "+r.info.Unit)
	}
	if r.info.Default != "" {
		words = append(words, "Default: "+r.info.Default)
	}
	return words
}

// faults are the problems that a row shows: of what is below it only while that is not.
func (n *inspector) faults(r row, open bool) []string {
	var all []string
	for _, ref := range n.refs[:min(len(n.refs), 8)] { // as many as a form can show
		all = append(all, n.s.ProblemsAt(ref, r.at, open)...)
	}
	return slices.Compact(all)
}

// right draws the second column of a row.
func (n *inspector) right(r row, v reflect.Value, optional, mixed bool) {
	n.width = -math.SmallestNonzeroFloat32
	removable := r.item >= 0 && r.parentIsList()
	if removable {
		n.width = -imgui.FrameHeight() - imgui.CurrentStyle().ItemInnerSpacing().X
	}
	if optional {
		given := v.Kind() != reflect.Pointer
		if imgui.Checkbox("##given", &given) {
			n.did(n.s.Give(n.refs, r.at, given))
		}
		n.seen(r.at)
		imgui.SameLine()
	}
	imgui.SetNextItemWidth(n.width)
	switch {
	case v.Kind() == reflect.Pointer: // to nothing
		imgui.NewLine()
	case v.Kind() == reflect.Slice:
		imgui.TextUnformatted(fmt.Sprint(v.Len()))
		imgui.SameLine()
		if imgui.SmallButton("+") {
			n.did(n.s.Grow(n.refs, r.at))
		}
		n.seen(r.at)
	case !r.nests(v):
		n.editor(r, v, mixed)
	case !removable:
		imgui.NewLine()
	}
	if removable {
		imgui.SameLineV(0, imgui.CurrentStyle().ItemInnerSpacing().X)
		if imgui.Button("x") {
			list := r.at[:strings.LastIndexByte(string(r.at), '[')]
			n.did(n.s.Shrink(n.refs, list, r.item))
		}
		n.seen(r.at + "x")
	}
}

// parentIsList reports whether the item can be removed: it is not one of an array.
func (r row) parentIsList() bool { return r.info.Name != "direction" }

// seen shows tests where an editor is.
func (n *inspector) seen(at studio.Place) {
	if n.probe != nil {
		n.probe(at)
	}
}

// below draws the rows below one.
func (n *inspector) below(r row, v reflect.Value) {
	if v.Kind() == reflect.Struct {
		n.fields(r.at)
		return
	}
	item := func(i int) { n.row(row{at: r.at.Item(i), info: r.info, item: i, list: r.list}) }
	if v.Kind() == reflect.Slice && v.Len() > 100 && v.Type().Elem().Kind() != reflect.Slice {
		clip(v.Len(), item)
		return
	}
	for i := range v.Len() {
		item(i)
	}
}

// clip draws those of many rows of one height that are seen.
func clip(rows int, draw func(int)) {
	c := imgui.NewListClipper()
	defer c.Destroy()
	for c.Begin(int32(rows)); c.Step(); {
		for i := c.DisplayStart(); i < c.DisplayEnd(); i++ {
			draw(int(i))
		}
	}
}
