package plan

import (
	"bytes"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// fromUTF16 returns a text without its byte order mark, in UTF-8 where the mark is that of UTF-16.
func fromUTF16(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte{0xff, 0xfe}) && !bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	return Decoded(unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM), data)
}

// Decoded returns a text of an encoding in UTF-8. What is invalid becomes U+FFFD.
func Decoded(e encoding.Encoding, data []byte) []byte {
	text, err := e.NewDecoder().Bytes(data)
	if err != nil {
		panic("plan: a text that cannot be decoded: " + err.Error())
	}
	return text
}
