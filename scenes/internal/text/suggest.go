package text

import (
	"strconv"
	"strings"

	"github.com/hbollon/go-edlib"
)

// Shorten cuts what a message repeats from a file after 60 bytes.
func Shorten(s string) string { return cut(s, 60) }

func cut(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// Plain returns an error's text without the name of its package.
func Plain(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "geom: "), "scenes: ")
}

// Quote returns a word of a file between quotes, shortened.
func Quote(word string) string { return Shorten(strconv.Quote(cut(word, 100))) }

// Suggest returns the end of a message about an unknown word: the allowed word that was probably
// meant, or else all of them.
func Suggest(word string, allowed []string) string {
	if best := Nearest(word, allowed); best != "" {
		return `did you mean "` + best + `"?`
	}
	const most = 24
	list, more := allowed, ""
	if len(list) > most {
		list, more = list[:most], ", ..."
	}
	quoted := `"` + strings.Join(list, `", "`) + `"` + more
	switch len(allowed) {
	case 0:
		return "none is allowed here"
	case 1:
		return "allowed is " + quoted
	}
	return "allowed are " + quoted
}

// Nearest returns the word, of the first 256 that are allowed, that a mistyped one probably stands
// for: the nearest by letters to insert, delete, replace or swap with their neighbor, in any case,
// the first of several. Empty if none is near, and for words of more than 64 bytes.
func Nearest(word string, allowed []string) string {
	best, least := "", len(word)/3+2
	for _, a := range allowed[:min(len(allowed), 256)] {
		if max(len(word), len(a)) > 64 {
			continue // the cost is the product of the lengths
		}
		if d := edlib.OSADamerauLevenshteinDistance(strings.ToLower(word), strings.ToLower(a)); d < least {
			best, least = a, d
		}
	}
	return best
}
