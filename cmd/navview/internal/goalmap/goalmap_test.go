package goalmap

import (
	"bytes"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/spm"
)

// TestLongBuilds: where no bar shows, a build is announced if it takes long, and else not.
func TestLongBuilds(t *testing.T) {
	gputest.Fresh(t, func(d *gpu.Device) {
		b, err := spm.NewBuilder(d, spm.Sequential)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Delete()
		for cones, want := range map[int]string{100: "", 3001: "shades 1000 x 500 texels for each of 3,001 sources and corners"} {
			var notes bytes.Buffer
			watchBuild(&console.Session{Stderr: &notes}, b, cones, spm.NewExtent(20, 10, 1000)).Done()
			if got := notes.String(); got == "" != (want == "") || !strings.Contains(got, want) {
				t.Errorf("%d cones: %q, want %q", cones, got, want)
			}
		}
	})
}
