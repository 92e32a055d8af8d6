package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/wayfront/wayfront/scenes"
)

// Session is the environment of a verb: its streams and the global flags.
type Session struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Context        string
	Verbose        bool
}

// Note prints a note, which is neither a result nor a failure.
func (s *Session) Note(format string, args ...any) {
	fmt.Fprintf(s.Stderr, "navview: %s\n", Line(fmt.Sprintf(format, args...)))
}

// UsageError is wrong usage that the verb detects itself. Exit status 2.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// Check returns an error of this message unless ok: a condition on flags.
func Check(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// ErrReported ends a verb that has printed its errors already.
var ErrReported = errors.New("navview: failed")

// Report prints an error, each line after the program's name.
func Report(w io.Writer, err error) {
	var invalid *scenes.Invalid
	if errors.As(err, &invalid) {
		for _, problem := range invalid.Problems {
			fmt.Fprintf(w, "navview: %s\n", Line(problem.String()))
		}
		return
	}
	for line := range strings.Lines(strings.TrimRight(err.Error(), "\n")) {
		fmt.Fprintf(w, "navview: %s\n", Line(WithoutPackages(strings.TrimRight(line, "\n"))))
	}
}

// WriteJSON writes one indented JSON document.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Longest is the limit of simulated time: a typing error must not run for weeks.
const Longest = 24 * time.Hour
