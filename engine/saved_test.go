package engine

import (
	"reflect"
	"testing"

	"github.com/wayfront/wayfront/engine/internal/flat"
)

// TestSavedStateIsPlain holds that all of a Checkpoint is written, or declared unsaved.
func TestSavedStateIsPlain(t *testing.T) {
	codec := new(tables).codec()
	if _, err := codec.Layout(reflect.TypeFor[savedState]()); err != nil {
		t.Errorf("%v; write it another way and declare it in unsaved", err)
	}
	for name, m := range editMethods() {
		if _, err := new(flat.Codec).Layout(argumentsOf(m.Type)); err != nil {
			t.Errorf("%s: %v; the journal takes plain arguments alone", name, err)
		}
	}
}
