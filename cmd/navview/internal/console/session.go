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

// Session is what every verb works in.
type Session struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Context        string
	Verbose        bool
}

// Note tells something that is no result and no failure.
func (s *Session) Note(format string, args ...any) {
	fmt.Fprintf(s.Stderr, "navview: %s\n", Line(fmt.Sprintf(format, args...)))
}

// UsageError is a wrong use that only the verb itself can see. Exit status 2.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// ErrReported ends a verb that has already said why it failed.
var ErrReported = errors.New("navview: failed")

// Report writes an error, every line of it after the program's name.
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

// WriteJSON writes one document, as every --json does.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Longest is how much time is simulated at most: no crowd needs more than a day, and a slip of the finger should not run for
// weeks.
const Longest = 24 * time.Hour
