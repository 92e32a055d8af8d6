package scenes

import (
	"bytes"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/wayfront/wayfront/scenes/internal/text"
)

// fragments are what mutate puts into a scene: what programs and people write by
// mistake, and numbers at the ends of their range.
var fragments = []string{
	"NaN", "-Infinity", "1e999", "-1e308", "1e308", "5e-324", "-0", "1e-300", "9007199254740993", "18446744073709551615",
	"null", "true", "{}", "[]", "\"\"", "\"\\ud800\"", "[[", "]]", "{{", "}", ",,", "//", "/*", "*/", "\x00", "\xff", "\u2028", "\ufeff",
	"'", "\"", "\\", ":", ".5", "+1", "0x10", "[0, 0, 0, 0]", "[[1, 1], [1, 1], [1, 1]]", "[[0, 0], [1, 1], [1, 0], [0, 1]]",
}

var token = regexp.MustCompile(`"[^"]*"|[-+.\w]+|[][{},:]`)

// mutate returns a broken version of a scene; the same for the same random
// numbers. The result is often malformed and sometimes a scene after all.
func mutate(text []byte, r *rand.Rand) []byte {
	out := bytes.Clone(text)
	for range 1 + r.IntN(3) {
		tokens := token.FindAllIndex(out, -1)
		if len(tokens) < 2 {
			return out
		}
		a := tokens[r.IntN(len(tokens))]
		b := tokens[r.IntN(len(tokens))]
		replace := func(at []int, with []byte) {
			out = append(append(append([]byte{}, out[:at[0]]...), with...), out[at[1]:]...)
		}
		switch r.IntN(7) {
		case 0: // one token becomes another
			replace(a, out[b[0]:b[1]])
		case 1: // a token goes
			replace(a, nil)
		case 2: // a token comes twice
			replace(a, append(append(bytes.Clone(out[a[0]:a[1]]), ' '), out[a[0]:a[1]]...))
		case 3: // something odd instead of a token
			replace(a, []byte(fragments[r.IntN(len(fragments))]))
		case 4: // the end is cut off
			out = out[:a[0]]
		case 5: // a number changes its sign or its size
			if c := out[a[0]]; '0' <= c && c <= '9' {
				replace(a, append([]byte([]string{"-", "0", "1", "99", "0.0000001"}[r.IntN(5)]), out[a[0]:a[1]]...))
			}
		case 6: // a piece goes
			if a[0] < b[0] {
				replace([]int{a[0], b[0]}, nil)
			}
		}
	}
	return out
}

// mutations returns n mutations of good scenes.
func mutations(n int) [][]byte {
	town, err := os.ReadFile("../assets/scenes/plaza.json")
	if err != nil {
		panic(err)
	}
	good := [][]byte{[]byte(minimal), []byte(full), town}
	r := rand.New(rand.NewPCG(1, 2))
	var list [][]byte
	for i := range n {
		list = append(list, mutate(good[i%len(good)], r))
	}
	return list
}

// checkRead reads whatever it is given and checks what Read promises. It reports
// whether that was a scene.
func checkRead(t *testing.T, data []byte) bool {
	t.Helper()
	before := bytes.Clone(data)
	s, problems := Read("fuzz.json", data)
	if !bytes.Equal(before, data) {
		t.Fatal("the data was changed")
	}
	lines := strings.Split(string(data), "\n")
	errors := 0
	for _, p := range problems {
		if p.File != "fuzz.json" || p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1])+1 ||
			!strings.HasPrefix(p.Path, "$") || p.Message == "" {
			t.Fatalf("a problem without a place: %+v", p)
		}
		// At worst maxDepth names with every byte escaped.
		if strings.Contains(p.String(), "\n") || len(p.String()) > text.MaxDepth*5*text.LongestName {
			t.Fatalf("a problem that does not fit a line: %q", p.String())
		}
		if !p.Note {
			errors++
		}
	}
	if (s == nil) != (errors > 0) {
		t.Fatalf("scene %v with %d errors", s != nil, errors)
	}
	if s != nil {
		sameAgain(t, s)
	}
	return s != nil
}

// TestMutatedScenes reads malformed scenes on every run of the tests, without the
// fuzzer.
func TestMutatedScenes(t *testing.T) {
	const n = 600
	schema := schemaOf(t)
	refused := 0
	for _, data := range mutations(n) {
		if checkRead(t, data) {
			if err := accepts(t, schema, data); err != nil {
				t.Errorf("Read accepts what the schema refuses: %v\n%s", err, data)
			}
		} else {
			refused++
		}
	}
	if refused < 100 {
		t.Errorf("%d of %d mutations are malformed, want at least 100", refused, n)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte(full))
	for _, data := range mutations(150) {
		f.Add(data)
	}
	for _, c := range refusals {
		if len(c.scene) < 1<<12 {
			f.Add([]byte(strings.Replace(c.scene, "«", "", 1)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRead(t, data)
	})
}
