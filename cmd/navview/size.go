package main

import (
	"fmt"
	"image"
	"strconv"
	"strings"
)

// Size is the flag of a picture's size in pixels, WIDTHxHEIGHT.
type Size struct{ image.Point }

// maxSide is the limit of framebuffers that OpenGL 4.5 promises.
const maxSide = 16384

// UnmarshalText parses the flag.
func (s *Size) UnmarshalText(text []byte) error {
	w, h, ok := strings.Cut(strings.ToLower(string(text)), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || width < 1 || height < 1 || width > maxSide || height > maxSide {
		return fmt.Errorf("%q is no size: WIDTHxHEIGHT in pixels, each 1 to %d, such as 1280x720", text, maxSide)
	}
	s.Point = image.Pt(width, height)
	return nil
}

func (s Size) String() string { return fmt.Sprintf("%dx%d", s.X, s.Y) }
