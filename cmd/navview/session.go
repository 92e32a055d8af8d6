package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/wayfront/wayfront/scenes"
)

// session is what every verb works in.
type session struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	context        string
	verbose        bool
}

// note tells something that is no result and no failure.
func (s *session) note(format string, args ...any) {
	fmt.Fprintf(s.stderr, "navview: %s\n", told(fmt.Sprintf(format, args...)))
}

// usageError is a wrong use that only the verb itself can see. Exit status 2.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// errTold ends a verb that has already said why it failed.
var errTold = errors.New("navview: failed")

// tell writes an error, every line of it after the program's name.
func tell(w io.Writer, err error) {
	var invalid *scenes.Invalid
	if errors.As(err, &invalid) {
		for _, problem := range invalid.Problems {
			fmt.Fprintf(w, "navview: %s\n", told(problem.String()))
		}
		return
	}
	for line := range strings.Lines(strings.TrimRight(err.Error(), "\n")) {
		fmt.Fprintf(w, "navview: %s\n", told(withoutPackages(strings.TrimRight(line, "\n"))))
	}
}

// writeJSON writes one document, as every --json does.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// longest is how much time is simulated at most: no crowd needs more than a day, and a slip of the finger should not run for
// weeks.
const longest = 24 * time.Hour
