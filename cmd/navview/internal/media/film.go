package media

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
)

// Film encodes frames of one size, in order.
type Film interface {
	Add(frame *image.RGBA) error
	Finish() error
}

// ErrNoFFmpeg reports that MP4 and WebM cannot be written, and the remedy.
var ErrNoFFmpeg = errors.New("ffmpeg is not on the PATH, and MP4 and WebM need it: apt-get install ffmpeg (Debian, Ubuntu), or write a .gif")

// video pipes raw frames into ffmpeg, which encodes them.
type video struct {
	codec    string
	process  *exec.Cmd
	frames   io.WriteCloser
	messages bytes.Buffer
	finished func()
}

// H.264 limits a frame to MaxFS blocks of 16 by 16 pixels: level 6.2 (ITU-T H.264, Table A-1).
const maxBlocks = 139264

// Filmable reports frames that are too large for MP4. WebM has frames of any size.
func Filmable(format string, s image.Point) error {
	const block = 16
	if format == ".mp4" && (s.X+block-1)/block*((s.Y+block-1)/block) > maxBlocks {
		return console.Usagef("--size %dx%d: MP4 has frames of at most %d blocks of 16x16 pixels, 8192x4352 for one; give a smaller --size, or write a .webm", s.X, s.Y, maxBlocks)
	}
	return nil
}

// encodings are how ffmpeg writes each format: the codec, with a quality at which flat colors show
// no blocks, and the container. Standard output cannot be rewound for an index, so that MP4 is
// written in fragments there.
var encodings = map[string]struct {
	codec         string
	quality       []string
	file, through []string // into a file, and through a pipe
}{
	".mp4": {
		"libx264",
		[]string{"-preset", "medium", "-crf", "18"},
		[]string{"-movflags", "+faststart", "-f", "mp4"},
		[]string{"-movflags", "frag_keyframe+empty_moov", "-f", "mp4"},
	},
	".webm": {
		"libvpx-vp9",
		[]string{"-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1"},
		[]string{"-f", "webm"},
		[]string{"-f", "webm"},
	},
}

// NewVideo starts ffmpeg, for ".mp4" or ".webm". Sides of frames must be even: chroma of yuv420p has
// half the size.
func NewVideo(o *console.Output, format string, s image.Point, fps int) (*video, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return nil, ErrNoFFmpeg
	}
	e := encodings[format]
	arguments := slices.Concat([]string{
		"-hide_banner", "-loglevel", "error", "-nostdin",
		"-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", s.X, s.Y), "-r", strconv.Itoa(fps), "-i", "pipe:0",
		"-an", "-c:v", e.codec,
	}, e.quality, []string{"-pix_fmt", "yuv420p"})
	m := &video{codec: e.codec}
	if file, ok := o.File(); ok {
		m.process = exec.Command(path, slices.Concat(arguments, e.file, []string{"-y", file})...)
	} else {
		m.process = exec.Command(path, slices.Concat(arguments, e.through, []string{"pipe:1"})...)
		m.process.Stdout = o
	}
	m.process.Stderr = &m.messages
	if m.frames, err = m.process.StdinPipe(); err != nil {
		return nil, err
	}
	if err := m.process.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", path, err)
	}
	m.finished = console.Unfinished.Add(func() {
		_ = m.process.Process.Kill()
		_, _ = m.process.Process.Wait() // so that it does not write any more
	})
	return m, nil
}

func (m *video) Add(frame *image.RGBA) error {
	if _, err := m.frames.Write(frame.Pix); err != nil {
		return m.failed(err)
	}
	return nil
}

func (m *video) Finish() error {
	defer m.finished()
	if err := m.frames.Close(); err != nil {
		return m.failed(err)
	}
	if err := m.process.Wait(); err != nil {
		return m.said(err)
	}
	return nil
}

// failed ends a process that accepts no more frames, and returns its error.
func (m *video) failed(err error) error {
	defer m.finished()
	_ = m.frames.Close()
	if e := m.process.Wait(); e != nil {
		err = e
	}
	return m.said(err)
}

func (m *video) said(err error) error {
	text := strings.TrimSpace(m.messages.String())
	if text == "" {
		text = err.Error()
	}
	text = text[strings.LastIndexByte(text, '\n')+1:]
	return fmt.Errorf("ffmpeg failed: %s. Check that it has %s (ffmpeg -encoders lists it) and that there is room for the film, or write a .gif", text, m.codec)
}
