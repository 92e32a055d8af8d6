package main

import (
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/wayfront/wayfront/engine/render"
)

type recordVerb struct {
	Scene    string        `arg:"" help:"A file, a built-in scene, or - for standard input."`
	Output   string        `short:"o" required:"" placeholder:"OUT.mp4|.gif" help:"Where to write; - writes MP4 to standard output."`
	Duration time.Duration `default:"30s" placeholder:"30s" help:"How much simulated time the film shows."`
	FPS      int           `name:"fps" default:"30" placeholder:"N" help:"Frames a second."`
	Size     size          `default:"1280x720" placeholder:"WxH" help:"Pixels; MP4 takes even numbers only, odd ones become one less."`
	look     `embed:""`
}

func (recordVerb) Help() string {
	return `MP4 needs ffmpeg; GIF needs nothing.

Examples:
  navview record plaza -o plaza.mp4 --duration 12s
  navview record plaza -o plaza.gif --duration 6s --fps 20 --size 640x400
  navview record hall.json -o hall.mp4 --goal exits --layers regions,obstacles,agents`
}

// Validate refuses films without frames.
func (v recordVerb) Validate() error {
	if v.FPS < 1 || v.FPS > 240 {
		return fmt.Errorf("--fps %d: 1 to 240 frames a second", v.FPS)
	}
	if v.Duration > longest {
		return fmt.Errorf("--duration %v: at most %v", v.Duration, longest)
	}
	if v.frames() < 1 {
		return fmt.Errorf("--duration %v: at least one frame's time, %v, is needed", v.Duration, time.Second/time.Duration(v.FPS))
	}
	if v.Size.width < 2 || v.Size.height < 2 {
		return errors.New("--size: a film is at least 2x2 pixels")
	}
	return nil
}

func (v recordVerb) frames() int {
	return int(v.Duration.Seconds()*float64(v.FPS) + 0.5)
}

func (v recordVerb) Run(s *session) error {
	format, err := formatOf(v.Output, ".mp4", ".gif")
	if err != nil {
		return err
	}
	doc, err := load(v.Scene)
	if err != nil {
		return err
	}
	if format == ".mp4" {
		if _, err := exec.LookPath("ffmpeg"); err != nil {
			return errNoFFmpeg
		}
		v.Size.width &^= 1
		v.Size.height &^= 1
		if err := filmable(v.Size); err != nil {
			return err
		}
	}
	return takePicture(s, doc, v.look, v.Output, v.Size, false, func(t *set) (err error) {
		if err := t.pick(s, anybody); err != nil {
			return err
		}
		var f film
		if format == ".mp4" {
			if f, err = newMP4(t.out, v.Size, v.FPS); err != nil {
				return err
			}
		} else {
			f = newGIF(t.out, v.Size, v.FPS, render.Swatches())
		}
		err = v.shoot(s, t, f)
		if e := f.finish(); err == nil {
			err = e
		}
		if err == nil {
			reportTimes(s, t.host.device)
		}
		return err
	})
}

// shoot draws and takes all frames.
func (v recordVerb) shoot(s *session, t *set, f film) error {
	bar := newProgress(s.stderr, "record", v.frames())
	defer bar.done()
	camera := t.fit(v.Size, 1, t.legendHeight(v.Size, 1))
	for i := range v.frames() {
		at := time.Duration(float64(i) / float64(v.FPS) * float64(time.Second))
		behind, err := t.advanceTo(at, func() {})
		if err != nil {
			return err
		}
		t.aim()
		if err := t.draw(render.Picture{Target: t.canvas.target, Camera: camera, Behind: behind}); err != nil {
			return err
		}
		t.host.device.FrameEnd()
		if err := f.add(t.canvas.read()); err != nil {
			return err
		}
		bar.step()
	}
	return nil
}
