//go:build !headless

package viewer

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/image/draw"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/engine/gpu"
)

// gallery has pictures of the built-in scenes. This program draws them beside the window, one at a
// time, so that no frame waits; they stay in the user's cache until there is a newer program.
type gallery struct {
	device *gpu.Device
	folder string // of the cache; "": there is none, and no picture
	newest os.FileInfo
	draw   func(ctx context.Context, scene, file string) error
	shown  map[string]*gpu.Texture // nil: it cannot be drawn
	taken  bool                    // one was read in this frame
	going  string                  // the scene that is being drawn; "": none is
	ended  chan error
	end    context.CancelFunc
}

// The size of a picture in the gallery. Unit: nominal pixels.
const (
	cardWidth  = 160
	cardHeight = 100
)

// newGallery returns a gallery of pictures for so many pixels in a nominal one.
func newGallery(d *gpu.Device, ratio float64) *gallery {
	g := &gallery{device: d, shown: map[string]*gpu.Texture{}}
	if cache, err := os.UserCacheDir(); err == nil {
		g.folder = filepath.Join(cache, "navview", "gallery", fmt.Sprint(int(cardWidth*ratio)))
	}
	self, err := os.Executable()
	if err == nil {
		g.newest, err = os.Stat(self)
	}
	if err != nil {
		g.folder = ""
	}
	g.draw = func(ctx context.Context, scene, file string) error {
		large := strings.TrimSuffix(file, ".png") + ".large.png"
		defer os.Remove(large)
		if err := exec.CommandContext(ctx, self, "render", scene, "-o", large, "--size", "640x400", "--at", "1s").Run(); err != nil {
			return err
		}
		m, err := decode(large)
		if err != nil {
			return err
		}
		small := image.NewRGBA(image.Rect(0, 0, int(cardWidth*ratio), int(cardHeight*ratio)))
		draw.CatmullRom.Scale(small, small.Rect, m, m.Bounds(), draw.Src, nil)
		return console.WriteFile(file, nil, func(w io.Writer) error { return png.Encode(w, small) })
	}
	return g
}

func decode(file string) (image.Image, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}

// picture returns the picture of a scene; nil: there is none yet. At most one is read in a frame.
func (g *gallery) picture(scene string) *gpu.Texture {
	t, known := g.shown[scene]
	if known || g.folder == "" || g.taken || g.going == scene {
		return t
	}
	file := filepath.Join(g.folder, scene+".png")
	if info, err := os.Stat(file); err == nil && !info.ModTime().Before(g.newest.ModTime()) {
		g.taken = true
		g.shown[scene] = g.read(file)
	} else if g.going == "" {
		g.begin(scene, file)
	}
	return g.shown[scene]
}

// begin begins to draw a scene.
func (g *gallery) begin(scene, file string) {
	if os.MkdirAll(g.folder, 0o700) != nil {
		g.folder = ""
		return
	}
	ctx, end := context.WithCancel(context.Background())
	g.going, g.ended, g.end = scene, make(chan error, 1), end
	ended := g.ended
	go func() { ended <- g.draw(ctx, scene, file) }()
}

// read makes a texture of a picture; nil where it is none.
func (g *gallery) read(file string) *gpu.Texture {
	from, err := decode(file)
	if err != nil {
		return nil
	}
	size := from.Bounds().Size()
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, from, from.Bounds().Min, draw.Src)
	t, err := gpu.NewTexture(g.device, gpu.TextureSpec{Label: "gallery", Format: gpu.RGBA8, Width: size.X, Height: size.Y})
	if err != nil {
		return nil
	}
	t.Write(0, m.Pix)
	return t
}

// frame takes what has ended since the last frame.
func (g *gallery) frame() {
	g.taken = false
	select {
	case err := <-g.ended:
		if g.end(); err != nil {
			g.shown[g.going] = nil
		}
		g.going = ""
	default:
	}
}

// close frees the pictures, and ends what is being drawn.
func (g *gallery) close() {
	if g.going != "" {
		g.end()
		<-g.ended //nolint:errcheck // it was asked to end
	}
	for _, t := range g.shown {
		t.Delete()
	}
}
