package scenes

import "strings"

// suggest returns the part of a message that helps with a word that is not among
// those allowed: the one that was probably meant, or else all of them.
func suggest(word string, allowed []string) string {
	best := Nearest(word, allowed)
	switch {
	case best != "":
		return `did you mean "` + best + `"?`
	case len(allowed) == 0:
		return "none is allowed here"
	case len(allowed) == 1:
		return `allowed is "` + allowed[0] + `"`
	case len(allowed) > 24:
		return "allowed are " + strings.Join(quoted(allowed[:24]), ", ") + ", ..."
	}
	return "allowed are " + strings.Join(quoted(allowed), ", ")
}

// Nearest returns the word, of the first 256 that are allowed, that a mistyped one
// probably stands for: the nearest by edit distance, in any case, the first of
// several. Empty if none is near.
func Nearest(word string, allowed []string) string {
	best, least := "", len(word)/3+2
	for _, a := range allowed[:min(len(allowed), 256)] {
		if d := editDistance(strings.ToLower(word), strings.ToLower(a)); d < least {
			best, least = a, d
		}
	}
	return best
}

func quoted(words []string) []string {
	q := make([]string, len(words))
	for i, w := range words {
		q[i] = `"` + w + `"`
	}
	return q
}

// editDistance returns how many letters have to be put in, taken out, replaced
// or swapped with their neighbour to make a into b (restricted Damerau
// distance). Long words are not compared: 64 letters are more than any name has
// that somebody mistyped.
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
