package text

import (
	"strconv"
	"strings"
)

// Shorten cuts what a message repeats from a file after 60 bytes.
func Shorten(s string) string { return cut(s, 60) }

func cut(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
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
// for: the nearest by edit distance, in any case, the first of several. Empty if none is near.
func Nearest(word string, allowed []string) string {
	best, least := "", len(word)/3+2
	for _, a := range allowed[:min(len(allowed), 256)] {
		if d := editDistance(strings.ToLower(word), strings.ToLower(a)); d < least {
			best, least = a, d
		}
	}
	return best
}

// editDistance returns the number of letters to insert, delete, replace or swap with their neighbor
// that make a into b (restricted Damerau distance). Words of more than 64 letters are not compared.
func editDistance(a, b string) int {
	s, t := []rune(a), []rune(b)
	if max(len(s), len(t)) > 64 {
		return 64
	}
	before, row := make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		above := row
		row = make([]int, len(t)+1)
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+cost)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before = above
	}
	return row[len(t)]
}
