package console

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Texts of files and command lines may have any length and content, escape sequences of terminals
// included. Messages and pictures show them by the functions below.

// mostShown is the number of characters of a name that a message shows.
const mostShown = 60

// brief returns the beginning of a text, at most mostShown characters.
func brief(text string) string {
	text = strings.TrimSpace(text)
	n := 0
	for i := range text {
		if n == mostShown {
			return text[:i] + "..."
		}
		n++
	}
	return text
}

// Quoted returns a name as messages show it: short, escaped, in quotation marks.
func Quoted(name string) string { return strconv.Quote(brief(name)) }

// Legible returns a name as results and pictures show it: short and printable.
func Legible(name string) string { return Printable(brief(name)) }

// QuotedList returns a list of names as messages show it, cut after the first 20.
func QuotedList(names []string) string {
	const most = 20
	var all []string
	for _, name := range names[:min(len(names), most)] {
		all = append(all, Quoted(name))
	}
	if len(names) > most {
		all = append(all, "and "+Count(len(names)-most, "more", "more"))
	}
	return strings.Join(all, ", ")
}

// Printable escapes control characters, invalid bytes and changes of the direction of text.
func Printable(line string) string {
	plain := func(r rune) bool { return unicode.IsPrint(r) || r == '\t' }
	if utf8.ValidString(line) && strings.IndexFunc(line, func(r rune) bool { return !plain(r) }) < 0 {
		return line
	}
	var b strings.Builder
	for len(line) > 0 {
		r, size := utf8.DecodeRuneInString(line)
		if plain(r) && (r != utf8.RuneError || size > 1) {
			b.WriteRune(r)
		} else {
			escaped := strconv.Quote(line[:size])
			b.WriteString(escaped[1 : len(escaped)-1])
		}
		line = line[size:]
	}
	return b.String()
}

// Line returns a printable line of a message, cut at 2,000 characters.
func Line(line string) string {
	const most = 2000 // characters
	n := 0
	for i := range line {
		if n == most {
			return Printable(line[:i]) + "... and " + Count(utf8.RuneCountInString(line[i:]), "character", "characters") + " more"
		}
		n++
	}
	return Printable(line)
}

// Count returns a number with its noun: 1 agent, 2,000 agents.
func Count[T int | int64 | uint64](n T, one, more string) string {
	word := more
	if n == 1 {
		word = one
	}
	return Figure(float64(n)) + " " + word
}

// packages matches the package names at the beginning of our errors, which say nothing to an author
// of scenes.
var packages = regexp.MustCompile(`(^|: )(?:agents|assets|avoid|bvp|engine|geom|gpu|headless|measure|render|scenes|shaders|spm|window): `)

// WithoutPackages removes the names of our packages from a message.
func WithoutPackages(message string) string {
	for {
		shorter := packages.ReplaceAllString(message, "$1")
		if shorter == message {
			return message
		}
		message = shorter
	}
}

// Figure formats a number with commas between thousands.
func Figure(v float64) string {
	digits := strconv.FormatFloat(v, 'f', -1, 64)
	for i := strings.IndexByte(digits+".", '.') - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// MS formats a time in milliseconds with three or four digits.
func MS(t float64) string {
	if t <= 0 {
		return Figure(t)
	}
	digits := max(0, 2-int(math.Floor(math.Log10(t))))
	scale := math.Pow(10, float64(digits))
	return Figure(math.Round(t*scale) / scale)
}

// Milliseconds returns a duration in milliseconds.
func Milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
