package main

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"image"
	"image/color"
	stdgif "image/gif"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// bound is how far a distance may be off: 1e-5 (d + L), the promise of package spm for its maps in
// float32.
func bound(d, longer float64) float64 { return 1e-5 * (d + longer) }

// snapped reports whether a coordinate of the room is as the lattice of 20 m / 2^20 may have it:
// off by half a step, and by a rounding of float32 where it went through that.
func snapped(got, want float64) bool {
	return math.Abs(got-want) <= 20.0/(1<<21)+math.Abs(want)/(1<<24)
}

// readNPY reads what writeNPY wrote; TestWriteNPY holds that against the format.
func readNPY(t *testing.T, file []byte) (shape [3]int, data []float32) {
	t.Helper()
	length := int(binary.LittleEndian.Uint16(file[8:]))
	header := string(file[10 : 10+length])
	_, after, _ := strings.Cut(header, "'shape': ")
	if _, err := fmt.Sscanf(after, "(%d, %d, %d)", &shape[0], &shape[1], &shape[2]); err != nil {
		t.Fatalf("%q: %v", header, err)
	}
	body := file[10+length:]
	data = make([]float32, len(body)/4)
	for i := range data {
		data[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return shape, data
}

// TestMapArray reads the array of the room by hand: the layout, world coordinates, and the three
// states.
func TestMapArray(t *testing.T) {
	file := filepath.Join(t.TempDir(), "room.npy")
	navview(t, "map", room, "-o", file).done(t)
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	shape, data := readNPY(t, written)
	if shape != [3]int{50, 100, 4} {
		t.Fatalf("shape %v", shape)
	}
	const cell = 20.0 / 100
	at := func(x, y float64) []float32 {
		i, j := int((y+50)/cell), int((x-100)/cell)
		return data[4*(i*100+j):][:4]
	}
	nan := func(v float32) bool { return v != v }

	source := mgl64.Vec2{101, -45}
	for i := range 50 {
		for j := range 35 { // left of the pillar: in sight of the source
			p := mgl64.Vec2{100 + (float64(j)+0.5)*cell, -50 + (float64(i)+0.5)*cell}
			texel := data[4*(i*100+j):][:4]
			want := p.Sub(source).Len()
			if texel[3] != 1 || texel[0] != 101 || texel[1] != -45 || math.Abs(float64(texel[2])-want) > bound(want, 20) {
				t.Fatalf("texel %d,%d is %v, want distance %v", i, j, texel, want)
			}
		}
	}
	if texel := at(109, -45); texel[3] != 2 || !nan(texel[2]) || !nan(texel[0]) || !nan(texel[1]) {
		t.Errorf("in the pillar: %v", texel)
	}
	if texel := at(117, -43); texel[3] != 0 || !math.IsInf(float64(texel[2]), 1) || !nan(texel[0]) || !nan(texel[1]) {
		t.Errorf("in the closed chamber: %v", texel)
	}
	// Behind the pillar the way leads round its corners.
	if texel := at(110.5, -45.5); texel[3] != 1 || !snapped(float64(texel[0]), 110) || !snapped(float64(texel[1]), -46) {
		t.Errorf("behind the pillar: %v", texel)
	}

	piped := navview(t, "map", room, "-o", "-").done(t)
	if piped.stdout != string(written) {
		t.Error("standard output differs from the file")
	}
	other := navview(t, "map", room, "-o", "-", "--goal", "corner", "--size", "40").done(t)
	if shape, data := readNPY(t, []byte(other.stdout)); shape != [3]int{20, 40, 4} || data[0] == 101 {
		t.Errorf("shape %v, first parent %v", shape, data[0])
	}
}

func TestMapPicture(t *testing.T) {
	picture := func(more ...string) *image.NRGBA {
		file := filepath.Join(t.TempDir(), "room.PNG")
		if a := navview(t, append([]string{"map", room, "-o", file, "--size", "200"}, more...)...).done(t); a.stdout != "" {
			t.Errorf("standard output: %q", a.stdout)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return decode(t, string(data))
	}
	// 200 texels over 20 m. The pillar's lower left corner at (108, -46) is reached from the source
	// at (101, -45).
	between := func(m *image.NRGBA) color.NRGBA { return m.NRGBAAt(int((104.5-100)*10), int((-40+45.5)*10)) }
	plain, tree := picture(), picture("--layers", "regions,obstacles,parents")
	if plain.Rect.Dx() != 200 || plain.Rect.Dy() != 100 {
		t.Errorf("size %v", plain.Rect)
	}
	if was, is := between(plain), between(tree); int(is.R)+80 > int(was.R) {
		t.Errorf("half way from a corner to its parent the picture is %v, without the tree %v", is, was)
	}
}

// TestMargin: what is too near to walls for a goal's clearance is neither a wall nor unreached, and
// looks the same in all pictures. An array has it as obstacle.
func TestMargin(t *testing.T) {
	scene := writtenFile(t, "margin.json", `{"version": 1, "domain": [0, 0, 20, 10], "goals": [{"points": [[1, 5]], "clearance": 0.5}],
		"obstacles": [{"rect": [8, 4, 10, 6]}, {"polygon": [[14, 1], [19, 1], [19, 9], [14, 9]], "holes": [[[15, 2], [18, 2], [18, 8], [15, 8]]]}]}`)
	file := filepath.Join(t.TempDir(), "margin.png")
	navview(t, "map", scene, "-o", file, "--size", "200").done(t)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mapped := decode(t, string(data))
	at := func(x, y float64) color.NRGBA { return mapped.NRGBAAt(int(10*x), int(10*(10-y))) }
	for _, args := range [][]string{{}, {"--steps", "2"}} {
		rendered := decode(t, navview(t, append([]string{"render", scene, "-o", "-", "--size", "240x140"}, args...)...).done(t).stdout)
		// Fitted with 24 pixels above and below: 9.2 pixels a meter.
		shown := func(x, y float64) color.NRGBA { return rendered.NRGBAAt(int(120+(x-10)*9.2), int(70-(y-5)*9.2)) }
		wall, free, chamber, margin := shown(9, 5), shown(4, 5), shown(16.5, 5), shown(7.8, 5)
		if margin == wall || margin == free || margin == chamber || wall == free {
			t.Errorf("%v: wall %v, free %v, unreached %v, margin %v", args, wall, free, chamber, margin)
		}
		for _, p := range [][2]float64{{9, 5}, {16.5, 5}, {7.8, 5}, {9, 6.2}, {0.2, 2}, {12, 9.7}} {
			if got, want := at(p[0], p[1]), shown(p[0], p[1]); got != want {
				t.Errorf("%v: at %v the map shows %v, the picture %v", args, p, got, want)
			}
		}
	}
	_, array := readNPY(t, []byte(navview(t, "map", scene, "-o", "-", "--size", "200").done(t).stdout))
	if state := array[4*(50*200+78)+3]; state != 2 {
		t.Errorf("the margin's state is %v", state)
	}
}

// TestSteps: after the source's cone alone what the pillar hides is unreached, in the array and in
// pictures.
func TestSteps(t *testing.T) {
	_, data := readNPY(t, []byte(navview(t, "map", room, "-o", "-", "--steps", "1").done(t).stdout))
	if behind, before := data[4*(25*100+55):][:4], data[4*(25*100+10):][:4]; behind[3] != 0 || before[3] != 1 {
		t.Errorf("behind the pillar is %v, before it %v", behind, before)
	}
	picture := func(more ...string) *image.NRGBA {
		args := []string{"render", room, "-o", "-", "--size", "240x140", "--layers", "regions,obstacles"}
		return decode(t, navview(t, append(args, more...)...).done(t).stdout)
	}
	// The domain of 20 m by 10 m, fitted with a margin of 24 pixels on the left and right: 9.6
	// pixels a meter.
	at := func(m *image.NRGBA, x, y float64) color.NRGBA {
		return m.NRGBAAt(int(120+(x-110)*9.6), int(70-(y+45)*9.6))
	}
	step, whole := picture("--steps", "1"), picture()
	if at(step, 103, -42) != at(whole, 103, -42) || at(step, 111, -45) == at(whole, 111, -45) || at(step, 111, -45) != at(whole, 117, -43) {
		t.Error("the picture of the first step does not show what is unreached")
	}
}

// TestQuery compares with distances worked out by hand.
func TestQuery(t *testing.T) {
	a := call{
		args:  []string{"query", room, "--points", "-", "--path"},
		stdin: "104 -41\n 101,-45\n111,-45\r\n109 -45\n117 -43\n99 -45\n",
	}.run(t).done(t)
	rows, err := csv.NewReader(strings.NewReader(a.stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(rows[0], ",") != "x,y,distance,parent_x,parent_y,path" {
		t.Errorf("header %v", rows[0])
	}
	for i, want := range [][]string{
		{"104", "-41", "5", "101", "-45", "LINESTRING (104 -41, 101 -45)"},
		{"101", "-45", "0", "101", "-45", "LINESTRING (101 -45, 101 -45)"},
		nil, // behind the pillar: below
		{"109", "-45", "nan", "", "", ""},
		{"117", "-43", "inf", "", "", ""},
		{"99", "-45", "nan", "", "", ""},
	} {
		if want != nil && strings.Join(rows[i+1], ";") != strings.Join(want, ";") {
			t.Errorf("got %v, want %v", rows[i+1], want)
		}
	}
	// Round either of the pillar's two corners on each side, which are equally far: sqrt(1+1) + 2 +
	// sqrt(49+1).
	var d float64
	if _, err := fmt.Sscan(rows[3][2], &d); err != nil {
		t.Fatal(err)
	}
	var px float64
	if _, err := fmt.Sscan(rows[3][3], &px); err != nil {
		t.Fatal(err)
	}
	want := math.Sqrt2 + 2 + math.Sqrt(50)
	if math.Abs(d-want) > bound(want, 20) || !snapped(px, 110) {
		t.Errorf("behind the pillar: %v, want distance %v", rows[3], want)
	}

	file := filepath.Join(t.TempDir(), "points.csv")
	if err := os.WriteFile(file, []byte("104 -41\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if a := navview(t, "query", room, "--points", file).done(t); a.stdout != "x,y,distance,parent_x,parent_y\n104,-41,5,101,-45\n" {
		t.Errorf("got %q", a.stdout)
	}
}

func decode(t *testing.T, data string) *image.NRGBA {
	t.Helper()
	m, err := png.Decode(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewNRGBA(m.Bounds())
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			out.Set(x, y, m.At(x, y))
		}
	}
	return out
}

func TestRender(t *testing.T) {
	args := []string{"render", room, "-o", "-", "--size", "240x140", "--at", "2.05s"}
	a := navview(t, args...).done(t)
	m := decode(t, a.stdout)
	if m.Rect.Dx() != 240 || m.Rect.Dy() != 140 {
		t.Fatalf("size %v", m.Rect)
	}
	// The domain of 20 m by 10 m, fitted with a margin of 24 pixels on the left and right: 9.6
	// pixels a meter.
	at := func(x, y float64) color.NRGBA {
		return m.NRGBAAt(int(120+(x-110)*9.6), int(70-(y+45)*9.6))
	}
	if got, in := at(109, -45), at(115.5, -43); got != in || got == at(103, -42) {
		t.Errorf("the pillar is %v, the chamber's wall %v, the ground %v", got, in, at(103, -42))
	}
	if got, unreached := at(103, -42), at(117, -43); got == unreached {
		t.Errorf("reached and unreached ground are both %v", got)
	}
	if got := at(101, -45); got.R < 2*got.G || got.A != 255 {
		t.Errorf("the source's mark is %v", got)
	}
	if again := navview(t, args...).done(t); again.stdout != a.stdout {
		t.Error("the same call gave another picture")
	}
	later := navview(t, "render", room, "-o", "-", "--size", "240x140", "--at", "4s").done(t)
	if later.stdout == a.stdout {
		t.Error("no agent moved from 2 s to 4 s")
	}
}

func TestRenderPerspective(t *testing.T) {
	args := []string{"render", room, "-o", "-", "--size", "160x120", "--layers", "regions,obstacles,paths,agents"}
	a := navview(t, append(args, "--view", "perspective")...).done(t)
	if m := decode(t, a.stdout); m.Rect.Dx() != 160 || m.Rect.Dy() != 120 {
		t.Errorf("size %v", m.Rect)
	}
	if b := navview(t, args...).done(t); b.stdout == a.stdout {
		t.Error("the relief is the map")
	}
}

func TestRecordGIF(t *testing.T) {
	a := navview(t, "record", room, "-o", filepath.Join(t.TempDir(), "a.gif"), "--duration", "0.5s", "--fps", "10", "--size", "101x61").done(t)
	if a.stdout != "" {
		t.Errorf("standard output %q", a.stdout)
	}
	file := filepath.Join(t.TempDir(), "b.gif")
	navview(t, "record", room, "-o", file, "--duration", "0.5s", "--fps", "10", "--size", "101x61", "--layers", "regions,agents,paths").done(t)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := stdgif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != 5 || g.Config.Width != 101 || g.Config.Height != 61 {
		t.Errorf("%d frames of %d x %d", len(g.Image), g.Config.Width, g.Config.Height)
	}
}

func TestRecordVideo(t *testing.T) {
	probe := func(name string, stdin string) string {
		p := exec.Command("ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,pix_fmt,width,height,nb_read_frames", "-of", "csv=p=0", name)
		p.Stdin = strings.NewReader(stdin)
		out, err := p.CombinedOutput()
		if err != nil {
			t.Fatalf("ffprobe: %v\n%s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for name, want := range map[string]string{"a.mp4": "h264,100,60,yuv420p,8", "a.webm": "vp9,100,60,yuv420p,8"} {
		file := filepath.Join(t.TempDir(), name)
		navview(t, "record", room, "-o", file, "--duration", "1s", "--fps", "8", "--size", "101x61").done(t)
		if got := probe(file, ""); got != want {
			t.Errorf("the film is %s, want %s", got, want)
		}
	}
	piped := navview(t, "record", room, "-o", "-", "--duration", "1s", "--fps", "8", "--size", "101x61").done(t)
	if got := probe("-", piped.stdout); got != "h264,100,60,yuv420p,8" {
		t.Errorf("the piped film is %s", got)
	}
}

// TestZoom: a picture and the frames of a film of the same places are the same pixels, and the
// domain that fills a picture is what a picture of the area around it has in its middle.
func TestZoom(t *testing.T) {
	folder := t.TempDir()
	picture := func(zoom string, size string, time string) image.Image {
		t.Helper()
		a := navview(t, "render", room, "-o", "-", "--zoom", zoom, "--size", size, "--at", time, "--layers", "obstacles").done(t)
		img, err := png.Decode(strings.NewReader(a.stdout))
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	// 20 m around 10 m at 20 pixels a meter.
	whole, middle := picture("98,-58,118,-38", "400x400", "0s"), picture("103,-53,113,-43", "200x200", "0s")
	for y := range 200 {
		for x := range 200 {
			if whole.At(x+100, y+100) != middle.At(x, y) {
				t.Fatalf("pixel %d, %d: %v, alone %v", x, y, whole.At(x+100, y+100), middle.At(x, y))
			}
		}
	}
	film := func(zooms ...string) *stdgif.GIF {
		t.Helper()
		args := []string{"record", room, "-o", filepath.Join(folder, "a.gif"), "--duration", "2s", "--fps", "1", "--size", "120x80", "--layers", "obstacles"}
		for _, z := range zooms {
			args = append(args, "--zoom", z)
		}
		navview(t, args...).done(t)
		data, err := os.ReadFile(filepath.Join(folder, "a.gif"))
		if err != nil {
			t.Fatal(err)
		}
		g, err := stdgif.DecodeAll(bytes.NewReader(data))
		if err != nil || len(g.Image) != 2 {
			t.Fatalf("%d frames, %v", len(g.Image), err)
		}
		return g
	}
	// The palette has all colors of the first frame, which are few.
	still, want := film("103,-53,113,-43"), picture("103,-53,113,-43", "120x80", "0s")
	for y := range 80 {
		for x := range 120 {
			if c := color.RGBAModel.Convert(still.Image[0].At(x, y)); c != color.RGBAModel.Convert(want.At(x, y)) {
				t.Fatalf("pixel %d, %d of the film is %v, of the picture %v", x, y, c, want.At(x, y))
			}
		}
	}
	if a, b := still.Image[1].Rect, film("103,-53,113,-43", "98,-58,118,-38@1s").Image[1].Rect; a.Dx()*a.Dy() >= b.Dx()*b.Dy() || b.Dx() < 60 {
		t.Errorf("%v changes where the camera stands, and %v where it moves", a, b)
	}
}

// TestQueryWithoutPath: where no point has a path a note says so; the answers stay as they are.
func TestQueryWithoutPath(t *testing.T) {
	a := call{args: []string{"query", room, "--points", "-", "--goal", "door"}, stdin: "117 -43\n109 -45\n"}.run(t)
	if a.status != statusDone || !strings.Contains(a.stdout, "117,-43,inf,,\n109,-45,nan,,\n") || a.stderr != "navview: no path leads to goal \"door\" from any of the points\n" {
		t.Errorf("exit status %d\n%s%s", a.status, a.stdout, a.stderr)
	}
	a = call{args: []string{"query", room, "--at", "109,-45", "--at", "9999,0"}}.run(t)
	if a.status != statusDone || !strings.Contains(a.stdout, "109,-45,nan,,\n9999,0,nan,,\n") || !strings.HasPrefix(a.stderr, "navview: no point is on free ground: ") {
		t.Errorf("exit status %d\n%s%s", a.status, a.stdout, a.stderr)
	}
	call{args: []string{"query", room, "--points", "-"}}.run(t).done(t)
}
