package reconcile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind int

const (
	textToken tokenKind = iota
	startToken
	endToken
)

// token is a piece of XML. It is valid until the next one is read.
type token struct {
	kind tokenKind
	name string // of an element, without its prefix
	raw  []byte // a text with its references, or the attributes of an element
}

// markup reads the XML of a workbook. encoding/xml allocates four times the size of a sheet,
// takes a hundred times as long as CSV, and keeps a text of any length in memory.
type markup struct {
	in    *bufio.Reader
	depth int
	ended string // an element that begins and ends in one tag; empty: none
	names map[string]string
}

var (
	errTooMuch   = errors.New("a part of the workbook is too large")
	errBadMarkup = errors.New("a part of the workbook is no XML")
)

func newMarkup(in io.Reader) *markup {
	return &markup{in: bufio.NewReaderSize(in, maxLine), names: map[string]string{}}
}

// next returns io.EOF after all elements have ended.
func (m *markup) next() (token, error) {
	if name := m.ended; name != "" {
		m.ended = ""
		return token{kind: endToken, name: name}, nil
	}
	first, err := m.in.Peek(1)
	switch {
	case errors.Is(err, io.EOF) && m.depth != 0:
		return token{}, io.ErrUnexpectedEOF
	case err != nil:
		return token{}, err
	case first[0] != '<':
		return m.readText()
	}
	_, _ = m.in.Discard(1) // it was there just now
	start, _ := m.in.Peek(8)
	switch {
	case bytes.HasPrefix(start, []byte("?")):
		return token{}, m.skip("?>")
	case bytes.HasPrefix(start, []byte("!--")):
		return token{}, m.skip("-->")
	case bytes.Equal(start, []byte("![CDATA[")):
		return m.readLiteral()
	case bytes.HasPrefix(start, []byte("!")): // workbooks have no document type
		return token{}, errBadMarkup
	}
	return m.readTag()
}

// readText reads up to the next tag, or until the buffer is full.
func (m *markup) readText() (token, error) {
	text, err := m.in.ReadSlice('<')
	switch {
	case err == nil:
		_ = m.in.UnreadByte() // it was just read
		text = text[:len(text)-1]
	case errors.Is(err, bufio.ErrBufferFull), errors.Is(err, io.EOF):
	default:
		return token{}, err
	}
	return token{raw: text}, nil
}

// readLiteral reads a CDATA section.
func (m *markup) readLiteral() (token, error) {
	_, _ = m.in.Discard(len("![CDATA[")) // they were there just now
	for seen := 0; ; {
		_, err := m.in.Peek(seen + 1)
		text, _ := m.in.Peek(m.in.Buffered()) // they are there
		end := bytes.Index(text, []byte("]]>"))
		switch {
		case end >= 0:
			_, _ = m.in.Discard(end + len("]]>")) // they are there
			return token{raw: bytes.ReplaceAll(text[:end], []byte("&"), []byte("&amp;"))}, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return token{}, errTooMuch
		case errors.Is(err, io.EOF):
			return token{}, io.ErrUnexpectedEOF
		case err != nil:
			return token{}, err
		}
		seen = len(text)
	}
}

func (m *markup) skip(end string) error {
	for {
		text, err := m.in.ReadSlice(end[len(end)-1])
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return errTooMuch
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case bytes.HasSuffix(text, []byte(end)):
			return nil
		}
	}
}

// readTag reads a tag to its end. A ">" in quotes does not end it.
func (m *markup) readTag() (token, error) {
	for seen := 0; ; {
		_, err := m.in.Peek(seen + 1)
		text, _ := m.in.Peek(m.in.Buffered()) // they are there
		end := bytes.IndexByte(text[seen:], '>')
		switch {
		case end >= 0:
			if end += seen; isWholeTag(text[:end]) {
				_, _ = m.in.Discard(end + 1) // they are there
				return m.tag(text[:end])
			}
			seen = end + 1
		case errors.Is(err, bufio.ErrBufferFull):
			return token{}, errTooMuch
		case errors.Is(err, io.EOF):
			return token{}, io.ErrUnexpectedEOF
		case err != nil:
			return token{}, err
		default:
			seen = len(text)
		}
	}
}

// isWholeTag reports whether all quotes of a tag are closed.
func isWholeTag(tag []byte) bool {
	for {
		n := bytes.IndexAny(tag, `"'`)
		if n < 0 {
			return true
		}
		end := bytes.IndexByte(tag[n+1:], tag[n])
		if end < 0 {
			return false
		}
		tag = tag[n+1+end+1:]
	}
}

func (m *markup) tag(text []byte) (token, error) {
	kind := startToken
	if cut, ends := bytes.CutPrefix(text, []byte("/")); ends {
		kind, text = endToken, cut
	}
	text, alone := bytes.CutSuffix(text, []byte("/"))
	name, rest := text, []byte(nil)
	if end := bytes.IndexAny(text, " \t\r\n"); end >= 0 {
		name, rest = text[:end], text[end:]
	}
	t := token{kind, m.local(name), rest}
	switch {
	case kind == endToken:
		m.depth--
	case alone:
		m.ended = t.name
	default:
		m.depth++
	}
	if t.name == "" || m.depth < 0 {
		return token{}, errBadMarkup
	}
	return t, nil
}

// local is a name without its prefix. Names are interned, because a workbook has few.
func (m *markup) local(name []byte) string {
	if n := bytes.LastIndexByte(name, ':'); n >= 0 {
		name = name[n+1:]
	}
	if known, is := m.names[string(name)]; is {
		return known
	}
	text := string(name)
	if len(m.names) < 100 && len(text) < 100 {
		m.names[text] = text
	}
	return text
}

// attribute is the value of an attribute; empty: the element does not have it.
func (t token) attribute(wanted string) string {
	for rest := t.raw; ; {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		name, value, is := bytes.Cut(rest, []byte("="))
		value = bytes.TrimLeft(value, " \t\r\n")
		if !is || len(value) == 0 {
			return ""
		}
		end := bytes.IndexByte(value[1:], value[0])
		if end < 0 {
			return ""
		}
		name = bytes.TrimRight(name, " \t\r\n")
		if n := bytes.LastIndexByte(name, ':'); n >= 0 {
			name = name[n+1:]
		}
		if string(name) == wanted {
			return unescaped(value[1 : 1+end])
		}
		rest = value[1+end+1:]
	}
}

var entities = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\''}

// unescaped is a text with its character references replaced. Unknown references stay.
func unescaped(raw []byte) string {
	if bytes.IndexByte(raw, '&') < 0 {
		return string(raw)
	}
	var b strings.Builder
	for len(raw) > 0 {
		n := bytes.IndexByte(raw, '&')
		if n < 0 {
			break
		}
		b.Write(raw[:n])
		raw = raw[n:]
		name, rest, is := bytes.Cut(raw[1:], []byte(";"))
		r, known := entities[string(name)]
		if number, is := strings.CutPrefix(string(name[:min(len(name), 12)]), "#"); is {
			code, err := strconv.ParseInt(strings.Replace(number, "x", "0x", 1), 0, 32)
			r, known = rune(code), err == nil && utf8.ValidRune(rune(code))
		}
		if !is || !known {
			b.WriteByte('&')
			raw = raw[1:]
			continue
		}
		b.WriteRune(r)
		raw = rest
	}
	b.Write(raw)
	return b.String()
}
