package formats

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// utf16Of returns a text as UTF-16 with its byte order mark.
func utf16Of(text string, big bool) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if big {
			u = u>>8 | u<<8
		}
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// TestEncodings: the same drawing in every encoding that SVG files are found in, and other formats
// with a byte order mark.
func TestEncodings(t *testing.T) {
	const id = "Tür"
	drawing := func(encoding string) string {
		return `<?xml version="1.0" encoding="` + encoding + `"?>` + "\r\n" + `<svg viewBox="0 0 20 10"><rect id="` + id + `" x="1" y="1" width="3" height="3"/></svg>`
	}
	latin := func(text string) []byte { return []byte(strings.ReplaceAll(text, "ü", "\xfc")) }
	for name, data := range map[string][]byte{
		"none":               []byte(drawing("")[len(`<?xml version="1.0" encoding=""?>`):]),
		"UTF-8":              []byte(drawing("UTF-8")),
		"UTF-8, marked":      []byte("\ufeff" + drawing("utf-8")),
		"UTF-16, little":     utf16Of(drawing("UTF-16"), false),
		"UTF-16, big":        utf16Of(drawing("UTF-16"), true),
		"UTF-16 in name":     []byte(drawing("UTF-16")),
		"ISO-8859-1":         latin(drawing("ISO-8859-1")),
		"ISO-8859-15":        latin(drawing("iso-8859-15")),
		"latin1":             latin(drawing("latin1")),
		"windows-1252":       latin(drawing("Windows-1252")),
		"its other name":     latin(drawing("CP1252")),
		"DOS, with its name": []byte(strings.ReplaceAll(drawing("IBM850"), "ü", "\x81")),
	} {
		s, notes, err := Import(SVG, "a", data, Options{})
		if name == "DOS, with its name" {
			if err == nil || err.Error() != `scenes: a:1:31: the encoding "IBM850" is not known: save the file as UTF-8` {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(notes) > 0 || s.Obstacles[0].ID != id {
			t.Errorf("%s: %v, %v", name, err, notes)
		}
	}
	if _, _, err := Import(SVG, "a", latin(drawing("UTF-8")), Options{}); err == nil || !strings.Contains(err.Error(), "a:2:26: this is not UTF-8") {
		t.Errorf("%v", err)
	}
	for format, text := range map[*Format]string{
		WKT: "POLYGON((0 0,9 0,9 9,0 9,0 0))\r\n", MovingAI: strings.ReplaceAll(grid("..", ".@"), "\n", "\r\n"), GeoJSON: strings.ReplaceAll(hall[GeoJSON], "\n", "\r\n"),
	} {
		for _, data := range [][]byte{[]byte("\ufeff" + text), utf16Of(text, false), utf16Of(text, true)} {
			if _, _, err := Import(format, "a", data, Options{}); err != nil {
				t.Errorf("%s, %q...: %v", format.Name, data[:4], err)
			}
		}
	}
}

// TestEntities: names for text that a drawing gives, in values and nested.
func TestEntities(t *testing.T) {
	drawing := func(entities, inside string) []byte {
		return []byte(`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [` + entities + `]>` +
			"\n" + `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">` + inside + `</svg>`)
	}
	const rect = `<rect id="&name;" x="1" y="&one;" width="&wide;" height="3"/>`
	for entities, want := range map[string]string{
		`<!ENTITY name "wall"><!ENTITY one "1"><!ENTITY wide "3">`:                                                        "wall",
		"<!ENTITY name 'a \"b\"'>\n<!-- <!ENTITY one '7'> -->\n<!ENTITY one\n '1'>\n<!ENTITY wide '&one;2'>":              `a "b"`,
		`<!ENTITY name "&a;&lt;&#66;&#x43;&a;"><!ENTITY a "-&b;-"><!ENTITY b "&amp;"><!ENTITY one "1"><!ENTITY wide "3">`: "-&-<BC-&-",
		`<!ENTITY name "first"><!ENTITY name "second"><!ENTITY one "1"><!ENTITY wide "3"><!ENTITY away SYSTEM "a.svg">
			<!ENTITY part "<rect/>"><!ENTITY round "&round;">`: "first", // what is not used does no harm
	} {
		s, notes, err := Import(SVG, "a", drawing(entities, rect), Options{})
		if err != nil || len(notes) > 0 || s.Obstacles[0].ID != want {
			t.Errorf("%s: %v, %v", entities, err, notes)
		}
	}

	laughs := `<!ENTITY l0 "lol">`
	for i := 1; i < 30; i++ {
		laughs += fmt.Sprintf(`<!ENTITY l%d "&l%[2]d;&l%[2]d;&l%[2]d;&l%[2]d;&l%[2]d;">`, i, i-1)
	}
	var deep strings.Builder
	for i := range 100000 {
		fmt.Fprintf(&deep, `<!ENTITY d%d "&d%d;">`, i+1, i)
	}
	for _, c := range []struct{ entities, inside, want string }{
		{`<!ENTITY x SYSTEM "file:///etc/hostname">`, `<rect id="&x;"/>`, "a:2:61: the entity &x; cannot be read: it stands for another file, which is not read"},
		{`<!ENTITY x PUBLIC "a" "b">`, `<text>&x;</text>`, "a:2:67: the entity &x; cannot be read: it stands for another file"},
		{`<!ENTITY x "<rect/>">`, `&x;`, "a:2:61: the entity &x; cannot be read: it has to be plain text"},
		{`<!ENTITY x "&#60;rect/>">`, `&x;`, "it holds &#60; which cannot be read"},
		{`<!ENTITY x "&y;"><!ENTITY y "&x;">`, `&x;`, "in &x; that it holds, it holds itself"},
		{`<!ENTITY x "&y;">`, `&x;`, "it holds &y; which cannot be read"},
		{`<!ENTITY x "a & b">`, `&x;`, "plain text"},
		{``, `&x;`, "invalid character entity &x;"},
		{laughs, `<rect id="&l29;"/>`, "more than 32 MiB"},
		{laughs, strings.Repeat(`<rect id="&l9;"/>`, 20), "with all its entities the file has more than 32 MiB"},
		{deep.String(), `<rect id="&d99999;"/>`, "it lies more than 64 deep in others"},
	} {
		_, _, err := Import(SVG, "a", drawing(c.entities, c.inside), Options{})
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 1000 {
			t.Errorf("%.100s: %v\nwant %s", c.entities, err, c.want)
		}
	}
}
