package reconcile

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

type text struct {
	in       *bufio.Reader
	start    []byte            // the first bytes of the file, decoded to UTF-8 if the encoding is known
	encoding encoding.Encoding // nil: UTF-8, or not known
}

// The byte order marks, the longest first.
var byteOrderMarks = []struct {
	mark     string
	encoding encoding.Encoding // nil: UTF-8
	known    bool
}{
	{"\xff\xfe\x00\x00", nil, false}, // UTF-32
	{"\x00\x00\xfe\xff", nil, false},
	{"\xef\xbb\xbf", nil, true},
	{"\xff\xfe", utf16(unicode.LittleEndian), true},
	{"\xfe\xff", utf16(unicode.BigEndian), true},
}

func utf16(order unicode.Endianness) encoding.Encoding {
	return unicode.UTF16(order, unicode.IgnoreBOM)
}

// detect finds the encoding by the byte order mark, and skips it. A file without one is in
// UTF-16 if it has zero bytes and gives letters in exactly one of the two byte orders.
func detect(in *bufio.Reader, start []byte) (text, error) {
	for _, m := range byteOrderMarks {
		if !bytes.HasPrefix(start, []byte(m.mark)) {
			continue
		}
		if !m.known {
			return text{}, problemAt(ProblemEncoding, 0, "", "")
		}
		_, _ = in.Discard(len(m.mark)) // it was there just now
		return newText(in, start[len(m.mark):], m.encoding), nil
	}
	if bytes.IndexByte(start, 0) < 0 {
		return text{in: in, start: start}, nil
	}
	little, big := isText(start, utf16(unicode.LittleEndian)), isText(start, utf16(unicode.BigEndian))
	switch {
	case little && !big:
		return newText(in, start, utf16(unicode.LittleEndian)), nil
	case big && !little:
		return newText(in, start, utf16(unicode.BigEndian)), nil
	}
	return text{in: in, start: start}, nil
}

func newText(in *bufio.Reader, start []byte, e encoding.Encoding) text {
	if e == nil {
		return text{in: in, start: start}
	}
	decoded, _ := e.NewDecoder().Bytes(start) // it has a replacement for what is wrong
	return text{in, decoded, e}
}

// reader is the whole text in UTF-8.
func (t text) reader() *bufio.Reader {
	if t.encoding == nil {
		return t.in
	}
	return bufio.NewReaderSize(transform.NewReader(io.Reader(t.in), t.encoding.NewDecoder()), maxLine)
}

// isText reports whether the decoded bytes are letters, digits and signs of Latin and Arabic.
func isText(b []byte, e encoding.Encoding) bool {
	decoded, err := e.NewDecoder().Bytes(b[:len(b)&^1])
	return err == nil && !bytes.ContainsFunc(decoded, func(r rune) bool {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= ' ' && r <= '~', r >= 0xa0 && r < 0x250, r >= 0x600 && r < 0x700:
			return false
		case r >= 0x2000 && r < 0x2070, r >= 0x20a0 && r < 0x20c0, r >= 0xfb50 && r <= 0xfeff:
			return false
		}
		return true
	})
}

// isArabicWindows reports whether a head was surely in Windows-1256: it has the Arabic name
// of a column.
func isArabicWindows(h head) bool {
	for _, n := range h.at {
		if slices.ContainsFunc([]rune(h.names[n]), isArabic) {
			return true
		}
	}
	return false
}

// firstInvalid is the number of the first line that is not UTF-8, or has zero bytes; 0: none.
func firstInvalid(text []byte) int {
	for line, at := 1, 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == 0 || r == utf8.RuneError && size == 1 && utf8.FullRune(text[at:]) {
			return line
		}
		if r == '\n' || r == '\r' && !bytes.HasPrefix(text[at+1:], []byte("\n")) {
			line++
		}
		at += size
	}
	return 0
}

// arabicWindows is the encoding of CSV files that an Arabic Excel for Windows writes.
var arabicWindows = charmap.Windows1256
