package main

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// parseTime parses a time: seconds, or numbers with units, 12, 0.5, 12s, 1m30s, 500ms.
func parseTime(text string) (time.Duration, error) {
	needed := fmt.Errorf("expected duration but got %q", text)
	if strings.ContainsAny(text, "xXpP_iInN") { // hexadecimal, digits in groups, infinities, not a number
		if d, err := time.ParseDuration(text); err == nil {
			return d, nil
		}
		return 0, needed
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if math.Abs(seconds) > math.MaxInt64/1e9 {
			return 0, needed
		}
		return time.Duration(math.Round(seconds * 1e9)), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, needed
	}
	return d, nil
}

// timeFlags parses time flags by parseTime.
func timeFlags() kong.Option {
	return kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto("duration", &text); err != nil {
			return err
		}
		d, err := parseTime(text)
		if err != nil {
			return err
		}
		target.Set(reflect.ValueOf(d))
		return nil
	}))
}
