//go:build !headless

package gui

import (
	"image"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/engine/window"
)

// box is a Clipboard.
type box struct{ text string }

func (b *box) Clipboard() string        { return b.text }
func (b *box) SetClipboard(text string) { b.text = text }

// click presses and releases the left button at a place, each in a frame of its own.
func (b *bench) click(x, y float64) {
	b.t.Helper()
	b.frame(window.MoveEvent{X: x, Y: y})
	b.frame(window.ButtonEvent{Button: window.Left, Action: window.Press, X: x, Y: y})
	b.frame(window.ButtonEvent{Button: window.Left, Action: window.Release, X: x, Y: y})
	b.frame()
}

// key presses and releases a key, with what it types.
func (b *bench) key(name string, mods window.Modifiers, text string) {
	b.t.Helper()
	b.frame(window.KeyEvent{Key: name, Action: window.Press, Modifiers: mods})
	for _, r := range text {
		b.frame(window.TextEvent{Rune: r})
	}
	b.frame(window.KeyEvent{Key: name, Action: window.Release, Modifiers: mods})
}

// TestInput edits a text, presses a button and drags a slider by events of the window, and pastes and
// copies.
func TestInput(t *testing.T) {
	clip := &box{text: "café"}
	on(t, 640, 400, Options{Clipboard: clip}, func(b *bench) {
		text, share, pressed := "", float32(0), 0
		var field, button, slider imgui.Vec2 // their middles
		b.panels = func() {
			middle := func() imgui.Vec2 {
				low, high := imgui.ItemRectMin(), imgui.ItemRectMax()
				return imgui.Vec2{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}
			}
			imgui.Begin(Inspector)
			imgui.SetNextItemWidth(80)
			imgui.InputTextWithHint("##text", "", &text, 0, nil)
			field = middle()
			if imgui.Button("press") {
				pressed++
			}
			button = middle()
			imgui.SetNextItemWidth(100)
			imgui.SliderFloat("##share", &share, 0, 1)
			slider = middle()
			imgui.End()
		}
		b.draw(4)
		b.frame(window.MoveEvent{X: 300, Y: 200})
		if b.frame(); b.ui.WantsPointer() || b.ui.Pointer() != window.Arrow {
			t.Error("over the ground the UI wants events")
		}
		b.click(float64(button.X), float64(button.Y))
		if pressed != 1 || !b.ui.WantsPointer() || b.ui.WantsText() {
			t.Errorf("%d presses after a click, wants pointer %v, wants text %v", pressed, b.ui.WantsPointer(), b.ui.WantsText())
		}
		b.click(float64(field.X), float64(field.Y))
		if !b.ui.WantsText() || b.ui.Pointer() != window.Text {
			t.Error("a field that is edited wants no text")
		}
		b.key("h", 0, "h")
		b.key("i", 0, "é") // by the layout of the keyboard
		b.key("v", window.Control, "")
		b.key("left", 0, "")
		b.key("backspace", 0, "")
		if text != "hécaé" {
			t.Errorf("the text is %q", text)
		}
		b.key("a", window.Control, "")
		b.key("x", window.Control, "")
		if clip.text != "hécaé" || text != "" {
			t.Errorf("the clipboard has %q and %q is left", clip.text, text)
		}
		b.key("escape", 0, "")
		if b.frame(); b.ui.WantsText() {
			t.Error("Escape does not leave the field")
		}
		x, y := float64(slider.X), float64(slider.Y)
		b.frame(window.MoveEvent{X: x, Y: y})
		b.frame(window.ButtonEvent{Button: window.Left, Action: window.Press, X: x, Y: y})
		b.frame(window.MoveEvent{X: x - 300, Y: y})
		if b.frame(); share != 0 || !b.ui.WantsPointer() {
			t.Errorf("a slider dragged to its left end is %g; wants pointer %v", share, b.ui.WantsPointer())
		}
		b.frame(window.MoveEvent{X: x + 300, Y: y})
		b.frame(window.ButtonEvent{Button: window.Left, Action: window.Release, X: x + 300, Y: y}, window.LeaveEvent{})
		if b.frame(); share != 1 || b.ui.WantsPointer() {
			t.Errorf("a slider dragged to its right end is %g; wants pointer %v", share, b.ui.WantsPointer())
		}
	})
}

// TestKeysDiffer holds that no two keys mean one: left and right keys have one name already.
func TestKeysDiffer(t *testing.T) {
	names := map[imgui.Key]string{}
	for name, key := range keys {
		if other := names[key]; other != "" || key == imgui.KeyNone {
			t.Errorf("%q and %q are key %d", name, other, key)
		}
		names[key] = name
	}
}

// TestLayout compares the free rectangle with shares of the window, as docked by default, after a
// splitter was dragged, from the saved text in another UI, and after a reset.
func TestLayout(t *testing.T) {
	const width, height = 1280, 800
	dir := t.TempDir()
	t.Chdir(dir)
	free := func(b *bench) [4]float64 { x, y, w, h := b.ui.Central(); return [4]float64{x, y, w, h} }
	near := func(got, want [4]float64) bool {
		for i := range got {
			if math.Abs(got[i]-want[i]) > 4 { // half of a splitter, and rounding
				return false
			}
		}
		return true
	}
	first := [4]float64{0.16 * width, 0, 0.62 * width, 0.76 * height}
	var moved [4]float64
	var saved string
	on(t, width, height, Options{}, func(b *bench) {
		b.panels = named
		b.draw(5)
		if got := free(b); !near(got, first) {
			t.Errorf("the free rectangle is %v, want about %v", got, first)
		}
		checkSeen(t, b)
		edge := first[0] - 1
		b.frame(window.MoveEvent{X: edge, Y: 300})
		b.draw(20) // a splitter waits before it takes the pointer
		if b.ui.Pointer() != window.ResizeX {
			t.Errorf("the pointer over a splitter is %d", b.ui.Pointer())
		}
		b.frame(window.ButtonEvent{Button: window.Left, Action: window.Press, X: edge, Y: 300})
		b.frame(window.MoveEvent{X: edge + 100, Y: 300})
		b.frame()
		b.frame(window.ButtonEvent{Button: window.Left, Action: window.Release, X: edge + 100, Y: 300})
		b.frame()
		moved = free(b)
		if want := [4]float64{first[0] + 100, 0, first[2] - 100, first[3]}; !near(moved, want) {
			t.Errorf("after a drag the free rectangle is %v, want about %v", moved, want)
		}
		b.elapsed = 2 * time.Second
		b.draw(5) // Dear ImGui saves every 5 s where it has a file
		saved = b.ui.Layout()
	})
	on(t, width, height, Options{Layout: saved}, func(b *bench) {
		b.panels = named
		b.draw(5)
		if got := free(b); got != moved {
			t.Errorf("from the saved layout the free rectangle is %v, want %v", got, moved)
		}
		b.ui.ResetLayout()
		b.draw(5)
		if got := free(b); !near(got, first) {
			t.Errorf("after a reset the free rectangle is %v, want about %v", got, first)
		}
	})
	for name, text := range map[string]string{"no layout": "a: b", "bytes": "\xff[\n]=\x01\n", "cut": saved[:len(saved)/2], "long": strings.Repeat("[Window][x]\nPos=1,1\n", 1000)} {
		on(t, width, height, Options{Layout: text}, func(b *bench) {
			b.panels = named
			b.draw(5)
			if _, _, w, h := b.ui.Central(); w <= 0 || h <= 0 {
				t.Errorf("%s: the free rectangle is %g x %g", name, w, h)
			}
		})
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("files were written: %v %v", files, err)
	}
}

// checkSeen fails unless the ground is seen in all of the free rectangle, and nowhere else.
func checkSeen(t *testing.T, b *bench) {
	t.Helper()
	x, y, w, h := b.ui.Central()
	picture, outside := b.target.ReadRGBA(), 0
	for py := range b.height {
		for px := range b.width {
			inside := float64(px) >= x && float64(px) < x+w && float64(py) >= y && float64(py) < y+h
			seen := picture.RGBAAt(px, py) == ground
			if inside && !seen {
				t.Fatalf("a panel covers (%d, %d) of the free rectangle", px, py)
			}
			if !inside && seen {
				outside++
			}
		}
	}
	if outside > 0 {
		t.Errorf("the ground is seen at %d pixels beside the free rectangle", outside)
	}
}

// TestTabsInFront holds that the first of the windows that share a place is seen, whatever the order
// in which they are drawn.
func TestTabsInFront(t *testing.T) {
	on(t, 800, 600, Options{}, func(b *bench) {
		seen := map[string]bool{}
		b.panels = func() {
			for _, name := range []string{History, Mind, Inspector, Outline, Plots, Timeline} {
				seen[name] = imgui.Begin(name)
				imgui.End()
			}
		}
		for range 2 {
			b.draw(5)
			for name, want := range map[string]bool{Outline: true, Inspector: true, Timeline: true, Mind: false, History: false, Plots: false} {
				if seen[name] != want {
					t.Errorf("window %s is seen: %v, want %v", name, seen[name], want)
				}
			}
			b.ui.ResetLayout()
		}
	})
}

// TestStyleChanges compares a UI that changes its theme and scale with one that begins so.
func TestStyleChanges(t *testing.T) {
	pictures := map[string]*image.RGBA{}
	for name, o := range map[string]Options{"begins": {Light: true, Scale: 1.25}, "changes": {Scale: 3}} {
		on(t, 640, 400, o, func(b *bench) {
			b.panels = sample(new(string))
			b.draw(3)
			b.ui.SetLight(true)
			b.ui.Handle(window.ScaleEvent{Scale: 2})
			b.draw(3)
			b.ui.SetScale(1.25)
			b.ui.ResetLayout() // sizes of docked windows stay at other scales
			b.draw(6)
			pictures[name] = b.target.ReadRGBA()
		})
	}
	// Glyphs lie elsewhere in the atlas, and round differently.
	if mean := meanDifference(pictures["begins"], pictures["changes"]); mean > 0.1 {
		t.Errorf("a style that was changed differs from one of the start by %.2f levels in the mean", mean)
	}
}

// TestUIsFollow makes one UI after another, as the loader of Dear ImGui does not expect.
func TestUIsFollow(t *testing.T) {
	for range 3 {
		on(t, 64, 64, Options{}, func(b *bench) {
			b.draw(2)
			b.ui.Delete()
			b.ui.Delete()
		})
	}
	(*UI)(nil).Delete()
}

// BenchmarkFrame is a frame of the panels on a window of the usual size, with and without what the
// device does.
func BenchmarkFrame(b *testing.B) {
	on(b, 1280, 800, Options{}, func(bench *bench) {
		bench.panels = sample(new(string))
		bench.draw(5)
		bench.target.ReadRGBA()
		for b.Loop() {
			bench.ui.Begin(1280, 800, time.Second/60)
			bench.panels()
			if err := bench.ui.End(bench.target); err != nil {
				b.Fatal(err)
			}
			bench.ui.device.Finish()
		}
	})
}
