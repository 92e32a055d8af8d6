//go:build !headless

package gui

import (
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"github.com/wayfront/wayfront/engine/gpu"
	"github.com/wayfront/wayfront/engine/gpu/gputest"
	"github.com/wayfront/wayfront/engine/window"
)

// inWindow is the environment variable that makes this binary a program with a window.
const inWindow = "GUI_TEST_WINDOW"

func TestMain(m *testing.M) {
	if os.Getenv(inWindow) == "" {
		gputest.Main(m)
	}
	runtime.LockOSThread()
	if err := program(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestWindow draws the panels in a window under a virtual display, and clicks into a field, types and
// copies there as a user does.
func TestWindow(t *testing.T) {
	p := exec.Command("xvfb-run", "-a", "-s", "-screen 0 640x400x24", "timeout", "60", "bash", "-c", `"$0" &
program=$!
trap 'kill $program' EXIT
seen() { xdotool search --onlyvisible --name "^$1\$" >/dev/null; }
xdotool search --sync --onlyvisible --name '^drawn$' >/dev/null
# Again and again: on a busy machine a frame may take longer than a press.
until seen editing; do xdotool mousemove 550 66 mousedown 1 sleep 0.2 mouseup 1 sleep 0.3; done
until seen 'hallway 7'; do xdotool key ctrl+a type --delay 50 'hallway 7'; sleep 0.3; done
while kill -0 $program 2>/dev/null && seen 'hallway 7'; do xdotool key ctrl+a ctrl+c; sleep 0.3; done
wait $program
status=$?
trap - EXIT
exit $status`, os.Args[0])
	p.Env = append(os.Environ(), inWindow+"=1")
	if out, err := p.CombinedOutput(); err != nil || !strings.Contains(string(out), "copied hallway 7") {
		t.Errorf("%v\n%s", err, out)
	}
}

// program draws the sample, writes what is seen and typed into the title, and ends once a text is
// copied.
func program() error {
	w, err := window.Open(window.Options{Width: 640, Height: 400, Visible: true, Title: "opened"})
	if err != nil {
		return err
	}
	defer w.Close()
	d, err := gpu.NewOwn()
	if err != nil {
		return err
	}
	ui, err := New(d, Options{Clipboard: w})
	if err != nil {
		return err
	}
	defer ui.Delete()
	file, err := os.Open("testdata/dark.png")
	if err != nil {
		return err
	}
	defer file.Close()
	want, err := png.Decode(file)
	if err != nil {
		return err
	}
	w.SetClipboard("")
	name := "hall"
	panels := sample(&name)
	for frame := 0; w.Clipboard() == ""; frame++ {
		for _, e := range w.Poll() {
			ui.Handle(e)
		}
		width, height := w.FramebufferSize()
		target := gpu.DefaultTarget(d, width, height)
		target.ClearColor(float64(ground.R)/255, float64(ground.G)/255, float64(ground.B)/255, 1)
		ui.Begin(width, height, time.Second/60)
		panels()
		ui.Status(func() { imgui.Text("x 12.50 m   y 4.00 m") })
		if err := ui.End(target); err != nil {
			return err
		}
		switch {
		case frame == 8:
			if mean := meanDifference(want, target.ReadRGBA()); mean > 1 {
				return fmt.Errorf("the window differs from the picture of the same panels by %.2f levels in the mean", mean)
			}
			w.SetTitle("drawn")
		case name != "hall":
			w.SetTitle(name)
		case ui.WantsText():
			w.SetTitle("editing")
		}
		w.SetPointer(ui.Pointer())
		w.Swap()
		if err := d.Err(); err != nil {
			return err
		}
	}
	fmt.Println("copied", w.Clipboard())
	return nil
}
