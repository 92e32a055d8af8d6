package query

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/wayfront/wayfront/cmd/navview/internal/console"
	"github.com/wayfront/wayfront/scenes"
)

// pointLine matches two decimal numbers, separated by blanks or a comma.
var pointLine = func() *regexp.Regexp {
	const decimal = `([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)`
	return regexp.MustCompile(`^\s*` + decimal + `(?:\s*,\s*|\s+)` + decimal + `\s*$`)
}()

// ParsePoint parses two numbers; false outside the range of float64 too.
func ParsePoint(text string) (p mgl64.Vec2, ok bool) {
	fields := pointLine.FindStringSubmatch(text)
	ok = fields != nil
	for i := 0; ok && i < 2; i++ {
		var err error
		p[i], err = strconv.ParseFloat(fields[i+1], 64)
		ok = err == nil
	}
	return p, ok
}

// NeededPoint says what ParsePoint parses.
const NeededPoint = "two finite decimal numbers, x y or x,y, are needed"

// ReadPoints reads lines of two numbers, or columns x and y below a header, separated by commas or
// blanks. Empty lines and a byte order mark are skipped. It reads at most scenes.MaxInput bytes.
func ReadPoints(in io.Reader, name string) ([]mgl64.Vec2, error) {
	data, err := scenes.ReadInput(name, in)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	skipped, c, below := header(data)
	for range skipped {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	var points []mgl64.Vec2
	take := func(number int, text string, fields []string) error {
		if below {
			if last := max(c.at[0], c.at[1]); last >= len(fields) {
				return fmt.Errorf("%s:%d: a row of %s: the header has x and y in columns %d and %d",
					name, number, console.Count(len(fields), "column", "columns"), c.at[0]+1, c.at[1]+1)
			}
			text = fields[c.at[0]] + "," + fields[c.at[1]]
		}
		p, ok := ParsePoint(text)
		if !ok {
			return fmt.Errorf("%s:%d: %s is no point: %s", name, number, console.Quoted(text), NeededPoint)
		}
		points = append(points, p)
		return nil
	}
	if below && c.commas {
		return points, eachRecord(data, name, func(number int, fields []string) error { return take(skipped+number, "", fields) })
	}
	number := skipped
	for line := range bytes.Lines(data) {
		number++
		if text := strings.TrimSpace(string(line)); text != "" {
			if err := take(number, text, strings.Fields(text)); err != nil {
				return nil, err
			}
		}
	}
	return points, nil
}

// columns are the indices of x and y, and the separator.
type columns struct {
	at     [2]int
	commas bool
}

// header reports whether the first non-empty line names x and y, and the lines up to it.
func header(data []byte) (lines int, c columns, ok bool) {
	for line := range bytes.Lines(data) {
		lines++
		text := strings.ToLower(strings.TrimSpace(string(line)))
		if text == "" {
			continue
		}
		names := strings.Fields(text)
		if c.commas = strings.Contains(text, ","); c.commas {
			names = strings.Split(text, ",")
		}
		for i := range names {
			names[i] = strings.Trim(strings.TrimSpace(names[i]), `"`)
		}
		if c.at = [2]int{slices.Index(names, "x"), slices.Index(names, "y")}; min(c.at[0], c.at[1]) >= 0 {
			return lines, c, true
		}
		break
	}
	return 0, c, false
}

// eachRecord calls a function with the non-empty records of CSV and the lines where they begin.
func eachRecord(data []byte, name string, take func(line int, fields []string) error) error {
	rows := csv.NewReader(bytes.NewReader(data))
	rows.FieldsPerRecord, rows.ReuseRecord, rows.LazyQuotes = -1, true, true
	for {
		fields, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: the points cannot be read: %w", name, err)
		}
		number, _ := rows.FieldPos(0)
		if len(fields) == 1 && strings.TrimSpace(fields[0]) == "" {
			continue
		}
		if err := take(number, fields); err != nil {
			return err
		}
	}
}
