package console

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseTime returns a time: seconds, or numbers with units, 12, 0.5, 12s, 1m30s, 500ms.
func ParseTime(text string) (time.Duration, error) {
	needed := fmt.Errorf("expected duration but got %q", text) // as the parser of flags says it
	seconds, err := strconv.ParseFloat(text, 64)
	// Not hexadecimal, digits in groups, infinities or NaN, which ParseFloat takes.
	if err != nil || strings.ContainsAny(text, "xXpP_iInN") {
		d, err := time.ParseDuration(text)
		if err != nil {
			return 0, needed
		}
		return d, nil
	}
	if math.Abs(seconds) > math.MaxInt64/1e9 {
		return 0, needed
	}
	return time.Duration(math.Round(seconds * 1e9)), nil
}
