package shaders

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Where drivers put the line in a message. The first group is the line; what follows the match is
// the message.
var logPatterns = []*regexp.Regexp{
	// Mesa: 0:12(5): error: ...
	regexp.MustCompile(`^\d+:(\d+)\(\d+\): `),
	// NVIDIA: 0(12) : error C1008: ...
	regexp.MustCompile(`^\d+\((\d+)\) : `),
	// Intel on Windows, AMD, ANGLE: ERROR: 0:12: ...
	regexp.MustCompile(`^(?:ERROR|WARNING): \d+:(\d+): `),
	// glslangValidator: ERROR: file:12: ...
	regexp.MustCompile(`^(?:ERROR|WARNING): [^:\s]+:(\d+):(?:\d+:)? ?`),
}

// Rewrite translates a driver's log: lines that name a place in the flattened text are given the
// file and line they came from and, on a line of their own, the source text there. Other lines are
// kept.
func (s *Source) Rewrite(driverLog string) string {
	var texts []string
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(strings.ReplaceAll(driverLog, "\x00", ""), "\n"), "\n") {
		n, message, ok := place(strings.TrimRight(line, "\r"))
		if !ok || n < 1 || n > len(s.lines) {
			if line = strings.TrimSpace(line); line != "" {
				b.WriteString(line + "\n")
			}
			continue
		}
		if texts == nil {
			texts = strings.Split(s.Text, "\n")
		}
		at := s.lines[n-1]
		fmt.Fprintf(&b, "%s:%d: %s\n", at.file, at.line, message)
		if text := strings.TrimSpace(texts[n-1]); text != "" {
			fmt.Fprintf(&b, "\t%s\n", text)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// place finds the flattened line that a line of a log is about, and what it says. The word for its
// severity stays.
func place(line string) (n int, message string, ok bool) {
	for _, p := range logPatterns {
		m := p.FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(line[m[2]:m[3]])
		if err != nil {
			continue
		}
		severity, _, _ := strings.Cut(line, ":")
		if severity == "ERROR" || severity == "WARNING" {
			return n, strings.ToLower(severity) + ": " + line[m[1]:], true
		}
		return n, line[m[1]:], true
	}
	return 0, "", false
}
