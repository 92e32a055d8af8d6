package main

import (
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/scenes"
	"github.com/wayfront/wayfront/scenes/builtin"
)

var negative = regexp.MustCompile(`^-\.?[0-9]`)

// negatives binds a negative number to the flag before it, --at -1s as --at=-1s: the parser would
// read it as a flag.
func negatives(args []string) []string {
	var bound []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(bound, args[i:]...)
		}
		if strings.HasPrefix(arg, "--") && !strings.Contains(arg, "=") && i+1 < len(args) && negative.MatchString(args[i+1]) {
			i++
			arg += "=" + args[i]
		}
		bound = append(bound, arg)
	}
	return bound
}

// wordings are messages of the parser, and the ones that users get instead.
var wordings = []struct {
	said  *regexp.Regexp
	plain string
}{
	{regexp.MustCompile(`^(--\S+): expected \S+ value but got "EOL".*$`), `$1: a value is missing`},
	{regexp.MustCompile(`^(--\S+): expected \S+ value but got "(.*)" \((?:short|long) flag\).*$`), `$1: a value is missing; $2 is a flag`},
	{regexp.MustCompile(`^(--\S+): expected a valid \d+ bit u?int but got "(.*)"$`), `$1 $2: a whole number is needed`},
	{regexp.MustCompile(`^(--\S+): expected duration but got "(.*)".*$`), `$1 $2: a time is needed, such as 20, 20s, 1m30s or 500ms, at most a day`},
	{regexp.MustCompile(`^missing flags: (.*)$`), `$1 is missing`},
	{regexp.MustCompile(`^expected "(.*)"$`), `$1 is missing`},
	{regexp.MustCompile(`^(--\S+ must be one of )"",(.*)$`), `$1$2`},
	// Checks of a verb itself come after the verb's name.
	{regexp.MustCompile(`^[\w ]+: (--\S+.*)$`), `$1`},
}

// withDefault is the help of a flag with its default, unless the help mentions it.
func withDefault(v *kong.Value) string {
	switch {
	case !v.HasDefault || v.Default == "" || v.IsBool() || strings.Contains(v.Help, "default"):
		return v.Help
	case v.Help == "":
		return "Default: " + v.Default + "."
	}
	return strings.TrimSuffix(v.Help, ".") + " (default: " + v.Default + ")."
}

// plainly returns the message of an error of the parser.
func plainly(err error) string {
	text := err.Error()
	for _, w := range wordings {
		if w.said.MatchString(text) {
			return w.said.ReplaceAllString(text, w.plain)
		}
	}
	return text
}

// unknownWord is the error on the first word of a command line that is no verb, no file and no
// built-in scene; nil if it is one of them, or has what only names of files have.
func unknownWord(word string, model *kong.Application) error {
	if strings.HasPrefix(word, "-") || strings.ContainsAny(word, `/\.`) {
		return nil
	}
	var verbs []string
	for _, node := range model.Children {
		if node.Name == word {
			return nil
		}
		verbs = append(verbs, node.Name)
	}
	_, _, err := builtin.Open(word)
	if _, e := os.Stat(word); err == nil || !errors.Is(e, fs.ErrNotExist) {
		return nil
	}
	if verb := scenes.Nearest(word, verbs); verb != "" {
		return fmt.Errorf("there is no verb, file or built-in scene %s: did you mean navview %s?", console.Quoted(word), verb)
	}
	return fmt.Errorf("%w\nnor is it a verb: see navview --help", err)
}

// timeFlags parses time flags by console.ParseTime.
func timeFlags() kong.Option {
	return kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto("duration", &text); err != nil {
			return err
		}
		d, err := console.ParseTime(text)
		target.SetInt(int64(d))
		return err
	}))
}

// Size is the flag of a picture's size in pixels, WIDTHxHEIGHT.
type Size struct{ image.Point }

// maxSide is the limit of framebuffers that OpenGL 4.5 promises.
const maxSide = 16384

// UnmarshalText parses the flag.
func (s *Size) UnmarshalText(text []byte) error {
	w, h, ok := strings.Cut(strings.ToLower(string(text)), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || width < 1 || height < 1 || width > maxSide || height > maxSide {
		return fmt.Errorf("%q is no size: WIDTHxHEIGHT in pixels, each 1 to %d, such as 1280x720", text, maxSide)
	}
	s.Point = image.Pt(width, height)
	return nil
}

func (s Size) String() string { return fmt.Sprintf("%dx%d", s.X, s.Y) }

// texts returns a text of each element of a list, without empty ones.
func texts[T any](list []T, of func(T) string) (all []string) {
	for _, element := range list {
		if text := of(element); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// alternatives returns words as in "a, b or c".
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
