//go:build !headless

package panels

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/cmd/navview/internal/studio"
	"github.com/wayfront/wayfront/scenes"
)

// mixedWords stand for values that differ.
const mixedWords = "mixed"

// editor draws the field of a value, by its type.
func (n *inspector) editor(r row, v reflect.Value, mixed bool) {
	if d, ok := v.Interface().(scenes.Distribution); ok {
		n.distribution(r, d, mixed)
		return
	}
	switch {
	case v.Kind() == reflect.Bool:
		on := v.Bool()
		imgui.PushItemFlag(imgui.ItemFlags(imgui.ItemFlagsMixedValue), mixed)
		if imgui.Checkbox("##v", &on) {
			n.put(r, on)
		}
		imgui.PopItemFlag()
	case v.Kind() == reflect.String:
		n.text(r, v, mixed)
	default:
		n.numbers(r, v, mixed)
	}
	n.seen(r.at)
}

// put gives the field a value.
func (n *inspector) put(r row, value any) { n.did(n.s.Put(n.refs, r.at, r.info, value)) }

// text draws a field of a text: a choice where words or ids are given.
func (n *inspector) text(r row, v reflect.Value, mixed bool) {
	now := v.String()
	choices := r.info.Words
	if r.list != studio.None {
		choices = nil
		for _, ref := range studio.All(n.s.Scene(), r.list) {
			choices = append(choices, ref.Name(n.s.Scene()))
		}
	}
	if choices != nil {
		shown := now
		if mixed {
			shown = mixedWords
		}
		if r.fallback.IsValid() && r.info.Default == "" {
			choices = append([]string{""}, choices...)
		}
		if to := n.combo("##v", shown, choices, r.at); to != shown {
			n.put(r, reflect.ValueOf(to).Convert(v.Type()).Interface())
		}
		return
	}
	hint := ""
	if mixed {
		now, hint = "", mixedWords
	}
	to := now
	imgui.InputTextWithHint("##v", hint, &to, 0, nil)
	if !imgui.IsItemDeactivatedAfterEdit() || to == now {
		return
	}
	if r.info.Name == "id" && len(n.refs) == 1 {
		n.did(n.s.Rename(n.refs[0], to))
		return
	}
	n.put(r, to)
}

// combo draws a choice and returns what is chosen.
func (n *inspector) combo(label, now string, all []string, at studio.Place) string {
	shown := now
	if now == "" {
		shown = "none"
	}
	if imgui.BeginCombo(label, shown) {
		for _, word := range all {
			name := word
			if word == "" {
				name = "none"
			}
			if imgui.SelectableBoolV(name, word == now, 0, imgui.Vec2{}) {
				now = word
			}
			n.seen(at + studio.Place("="+word))
		}
		imgui.EndCombo()
	}
	return now
}

// numbers draws a number, or the numbers of a point, a rectangle or another array.
func (n *inspector) numbers(r row, v reflect.Value, mixed bool) {
	number, kind := "%.6g", imgui.DataTypeDouble
	switch scalar(v.Type()).Kind() {
	case reflect.Int:
		number, kind = "%lld", imgui.DataTypeS64
	case reflect.Uint64:
		number, kind = "%llu", imgui.DataTypeU64
	}
	count := int(v.Type().Size() / scalar(v.Type()).Size())
	if count > 1 {
		r.info.Unit = "" // too wide for two fields on a line
	}
	to := reflect.New(v.Type())
	to.Elem().Set(v)
	for k := 0; k < count; k += 2 { // two on a line
		imgui.SetNextItemWidth(n.width)
		d := memory{kind, scalar(v.Type()), to.Pointer() + 8*uintptr(k), min(2, count-k)} // all numbers have 8 bytes
		n.drag(fmt.Sprintf("##v%d", k), r, d, format(number, r, mixed), func() any { return to.Elem().Interface() })
	}
}

// steps of a drag: how much a pixel changes a number of a unit.
var steps = map[string]float32{"degrees": 1, "s": 0.05, "m": 0.02}

// memory is what drag fields on a line change: so many numbers of a type at an address.
type memory struct {
	kind  imgui.DataType
	of    reflect.Type
	at    uintptr
	count int
}

// drag draws drag fields, and puts a value that holds their numbers when they have been changed. All
// changes while one is active are a gesture.
func (n *inspector) drag(label string, r row, d memory, format string, value func() any) {
	step, ok := steps[r.info.Unit]
	if !ok {
		step = 0.01
	}
	if d.kind != imgui.DataTypeDouble {
		step = 0.2
	}
	low, high := reflect.New(d.of), reflect.New(d.of)
	var from, until uintptr
	if d.count == 1 && limited(r.info, low.Elem(), high.Elem()) {
		from, until = low.Pointer(), high.Pointer()
	}
	changed := imgui.DragScalarNV(label, d.kind, d.at, int32(d.count), step, from, until, format, 0)
	runtime.KeepAlive(low)
	runtime.KeepAlive(high)
	runtime.KeepAlive(value) // holds the numbers
	field := n.refs[0].Path() + string(r.at) + label
	if imgui.IsItemActivated() && n.gesture != field {
		n.end()
		if n.s.BeginField(n.refs, r.at) == nil { // the gesture of a tool goes first
			n.gesture = field
		}
	}
	if n.gesture != field {
		return
	}
	n.drawn = true
	if changed {
		n.put(r, value())
	}
	if imgui.IsItemDeactivated() && !imgui.IsItemActive() {
		n.end()
	}
}

// end ends the gesture, if there is one.
func (n *inspector) end() {
	if n.gesture != "" {
		n.s.End()
		n.gesture = ""
	}
}

// limited sets the range of a drag; false: nothing limits it. A typed number beyond it is refused, with the reason.
func limited(f scenes.FieldInfo, low, high reflect.Value) bool {
	from, to := float64(-math.MaxInt32), float64(math.MaxInt32)
	const above = 0.01 // the least step of a drag
	switch {
	case f.Min != nil:
		from = *f.Min
	case f.Above != nil:
		from = *f.Above + above
	}
	switch {
	case f.Max != nil:
		to = *f.Max
	case f.Below != nil:
		to = *f.Below - above
	}
	low.Set(reflect.ValueOf(from).Convert(low.Type()))
	high.Set(reflect.ValueOf(to).Convert(high.Type()))
	return f.Min != nil || f.Above != nil || f.Max != nil || f.Below != nil
}

// distribution draws a number that may differ between agents: the number, or what its distribution has,
// with its density.
func (n *inspector) distribution(r row, d scenes.Distribution, mixed bool) {
	kind, gap := studio.DistributionKind(d), imgui.CurrentStyle().ItemInnerSpacing().X
	if kind == studio.Exact {
		imgui.SetNextItemWidth(-imgui.FrameHeight() - gap)
		n.part("mean", r, d, kind, mixed)
		n.seen(r.at)
		imgui.SameLineV(0, gap)
		if imgui.Button("~") {
			n.put(r, studio.Spreading(d, studio.Normal))
		}
		n.seen(r.at + "~")
		tooltip("Let agents differ")
		return
	}
	shown := studio.Spreads[kind]
	if mixed {
		shown = mixedWords
	}
	if to := n.combo("##spread", shown, studio.Spreads, r.at); to != shown {
		n.put(r, studio.Spreading(d, studio.Spread(slices.Index(studio.Spreads, to))))
	}
	n.seen(r.at)
	parts := []string{"mean", "std", "min", "max"}
	switch kind {
	case studio.Normal:
		parts = parts[:2]
	case studio.Uniform:
		parts = parts[2:]
	}
	for _, name := range parts {
		imgui.SetNextItemWidth(-imgui.FontSize() * 2.5)
		n.part(name, r, d, kind, mixed)
		imgui.SameLineV(0, gap)
		imgui.TextUnformatted(name)
	}
	density(d)
}

// part draws a number of a distribution.
func (n *inspector) part(name string, r row, d scenes.Distribution, kind studio.Spread, mixed bool) {
	to := &d
	x := map[string]*float64{"mean": &to.Mean, "std": &to.Std, "min": &to.Min, "max": &to.Max}[name]
	if name == "std" {
		r.info.Above, r.info.Min, r.info.Max, r.info.Below = nil, new(float64), nil, nil
	}
	number := memory{imgui.DataTypeDouble, reflect.TypeFor[float64](), reflect.ValueOf(x).Pointer(), 1}
	n.drag("##"+name, r, number, format("%.6g", r, mixed), func() any {
		if kind == studio.Uniform {
			return scenes.Uniform(to.Min, to.Max)
		}
		return *to
	})
	n.seen(r.at + studio.Place("."+name))
}

// format is how a number is shown.
func format(number string, r row, mixed bool) string {
	switch {
	case mixed:
		return mixedWords
	case r.info.Unit != "":
		return number + " " + r.info.Unit
	}
	return number
}

// density draws the curve of a distribution.
func density(d scenes.Distribution) {
	const places = 40
	low, high, curve := studio.Density(d, places)
	list, at := imgui.WindowDrawList(), imgui.CursorScreenPos()
	width, height := imgui.ContentRegionAvail().X, imgui.FontSize()*1.8
	ink := color(accent(), 1)
	point := func(i int, share float64) imgui.Vec2 {
		return imgui.Vec2{X: at.X + width*float32(i)/(places-1), Y: at.Y + height*(1-float32(share))}
	}
	list.PathLineTo(point(0, 0))
	for i, share := range curve {
		list.PathLineTo(point(i, share))
	}
	list.PathLineTo(point(places-1, 0))
	list.PathStrokeV(ink, 0, 1.5)
	imgui.Dummy(imgui.Vec2{X: width, Y: height})
	tooltip(fmt.Sprintf("%.3g to %.3g", low, high))
}
