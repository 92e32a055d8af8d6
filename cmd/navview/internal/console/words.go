package console

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Words of files and command lines may be of any length and hold anything, escape sequences of terminals among it. Messages and
// pictures show them by the functions below.

// mostShown is how many characters of a name a message shows.
const mostShown = 60

// brief is the beginning of a text, as much as a message can show.
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

// Quoted is a name as messages show it: short, and in quotation marks that everything but plain characters is escaped in.
func Quoted(name string) string { return strconv.Quote(brief(name)) }

// Legible is a name as results and pictures show it: short and printable, without quotation marks.
func Legible(name string) string { return Printable(brief(name)) }

// QuotedList is a list of names as messages show them, of many the first.
func QuotedList(names []string) string {
	const most = 20
	var all []string
	for i, name := range names {
		if i == most {
			all = append(all, "and "+Count(len(names)-most, "more", "more"))
			break
		}
		all = append(all, Quoted(name))
	}
	return strings.Join(all, ", ")
}

// Printable is a line in which control characters, invalid bytes, and what changes the direction of text are escaped.
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

// Line is a line of a message: printable, and of a length that can be read.
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

// Count is a number with what it counts: 1 agent, 2,000 agents.
func Count[T int | int64 | uint64](n T, one, more string) string {
	word := more
	if n == 1 {
		word = one
	}
	return Figure(float64(n)) + " " + word
}

// packages are the names that messages of our packages begin with: who reads them wrote a scene, not a program.
var packages = regexp.MustCompile(`(^|: )(?:agents|assets|avoid|bvp|engine|geom|gpu|headless|measure|render|scenes|shaders|spm|window): `)

// WithoutPackages is a message without the names of our packages.
func WithoutPackages(message string) string {
	for {
		shorter := packages.ReplaceAllString(message, "$1")
		if shorter == message {
			return message
		}
		message = shorter
	}
}

// Figure is a number with commas between thousands.
func Figure(v float64) string {
	digits := strconv.FormatFloat(v, 'f', -1, 64)
	whole := len(digits)
	if i := slices.Index([]byte(digits), '.'); i >= 0 {
		whole = i
	}
	for i := whole - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// MS is a time with three or four digits. Unit: ms.
func MS(t float64) string {
	if t <= 0 {
		return Figure(t)
	}
	digits := max(0, 2-int(math.Floor(math.Log10(t))))
	scale := math.Pow(10, float64(digits))
	return Figure(math.Round(t*scale) / scale)
}

func Milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
