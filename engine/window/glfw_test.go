//go:build !headless

package window

import (
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"
)

func TestKeyNames(t *testing.T) {
	for key, want := range map[glfw.Key]string{
		glfw.KeyA: "a", glfw.KeyM: "m", glfw.KeyZ: "z", glfw.Key0: "0", glfw.Key9: "9", glfw.KeyF1: "f1",
		glfw.KeyF12: "f12", glfw.KeyF25: "f25", glfw.KeyKP0: "kp0", glfw.KeyKP9: "kp9", glfw.KeySpace: "space",
		glfw.KeyRightShift: "shift", glfw.KeyMinus: "-", glfw.KeyKPAdd: "kp+", glfw.KeyUnknown: "unknown",
		glfw.KeyWorld1: "unknown",
	} {
		if got := keyName(key); got != want {
			t.Errorf("key %d is %q, want %q", key, got, want)
		}
	}
}

func TestModifiers(t *testing.T) {
	if got := modifiers(glfw.ModShift | glfw.ModAlt); got != Shift|Alt {
		t.Errorf("got %b, want shift and alt", got)
	}
	if got := modifiers(glfw.ModControl | glfw.ModSuper | glfw.ModCapsLock); got != Control|Super {
		t.Errorf("got %b, want control and super", got)
	}
	if got := modifiers(0); got != 0 {
		t.Errorf("got %b, want none", got)
	}
}

func TestMethodsAfterClose(t *testing.T) {
	w := &glfwWindow{}
	w.Close()
	if !w.ShouldClose() {
		t.Error("a closed window should close")
	}
	defer func() {
		if p := recover(); p != "window: Swap after Close" {
			t.Errorf("Swap after Close panicked with %v", p)
		}
	}()
	w.Swap()
}
