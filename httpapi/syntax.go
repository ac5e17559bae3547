package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep the objects and arrays of a request may be nested. The
// request needs two levels; ignored fields may have more.
const maxDepth = 32

// MalformedError is a body that cannot be read as a JSON object, or a query that cannot
// be read. Its text is for the caller.
type MalformedError struct{ Sentence string }

func (e *MalformedError) Error() string { return "malformed request: " + e.Sentence }

// node is one JSON value as it was sent. The zero node was not sent at all.
type node struct {
	kind    jsontext.Kind
	text    string   // of a string, or of a number as it was written
	members []member // of an object, in their order
	empty   bool     // an array without elements
	fault   *fault   // the first one in the value or anywhere inside it
	// repeated is set where the name of the value came more than once.
	repeated *fault
}

type member struct {
	name  string
	value node
	// nameFault is what is wrong with the name itself.
	nameFault *fault
}

// fault is something that JSON's grammar allows and this service does not. It
// reads as the end of a sentence about the string or name it was found in.
type fault struct {
	what   string
	offset int64 // in bytes from the start of the body
}

const (
	faultNUL      = `contains the NUL character (\u0000)`
	faultUnicode  = "is not well-formed Unicode: it contains invalid UTF-8 or one half of a surrogate pair"
	faultRepeated = "is given more than once"
)

// parser reads a body token by token. The tokenizer accepts duplicate names and broken strings,
// and the parser records them as faults, so that they can be reported together with everything
// else that is wrong with the request.
type parser struct {
	body   []byte
	text   string // the body; most names and values are parts of it
	tokens *jsontext.Decoder
	depth  int
}

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// parse reads a body that must be one JSON object. The error is a
// *MalformedError.
func parse(body []byte) (node, error) {
	p := parser{body: body, text: string(body), tokens: jsontext.NewDecoder(bytes.NewBuffer(body), lenient)}
	top, err := p.value()
	if errors.Is(err, io.EOF) {
		return node{}, &MalformedError{"The body is empty. It must be a JSON object."}
	}
	if err != nil {
		return node{}, p.explain(err)
	}
	_, err = p.tokens.ReadToken()
	switch {
	case err == nil:
		return node{}, p.malformed("something follows the end of the JSON value", p.tokens.InputOffset()-1)
	case !errors.Is(err, io.EOF):
		return node{}, p.explain(err)
	case top.kind != jsontext.KindBeginObject:
		return node{}, &MalformedError{"The body must be a JSON object."}
	}
	return top, nil
}

func (p *parser) value() (node, error) {
	switch p.tokens.PeekKind() {
	case jsontext.KindBeginObject:
		return p.object()
	case jsontext.KindBeginArray:
		return p.array()
	}
	raw, err := p.tokens.ReadValue()
	if err != nil {
		return node{}, err
	}
	n := node{kind: raw.Kind()}
	if n.kind == jsontext.KindString {
		n.text, n.fault = p.unquote(raw)
	} else {
		end := p.tokens.InputOffset()
		n.text = p.text[end-int64(len(raw)) : end]
	}
	return n, nil
}

func (p *parser) object() (node, error) {
	if err := p.enter(); err != nil {
		return node{}, err
	}
	n := node{kind: jsontext.KindBeginObject, members: make([]member, 0, len(fields))}
	var seen memberIndex
	for p.tokens.PeekKind() != jsontext.KindEndObject {
		raw, err := p.tokens.ReadValue()
		if err != nil {
			return node{}, err
		}
		var m member
		m.name, m.nameFault = p.unquote(raw)
		at := p.tokens.InputOffset() - int64(len(raw))
		if m.value, err = p.value(); err != nil {
			return node{}, err
		}
		n.note(m.nameFault)
		n.note(m.value.fault)
		if first, again := seen.find(n.members, m.name); again {
			again := &fault{faultRepeated, at}
			n.members[first].value.repeated = again
			n.note(again)
			continue
		}
		n.members = append(n.members, m)
	}
	return n, p.leave()
}

// memberIndex finds members by name. It is filled only from linearSearchLimit members on: fewer
// are searched one by one, but a body has room for thousands.
type memberIndex map[string]int

const linearSearchLimit = 16

func (p *memberIndex) find(members []member, name string) (at int, found bool) {
	if len(members) < linearSearchLimit {
		at = slices.IndexFunc(members, func(m member) bool { return m.name == name })
		return at, at >= 0
	}
	if *p == nil {
		*p = make(memberIndex, 2*linearSearchLimit)
	}
	for n := len(*p); n < len(members); n++ {
		(*p)[members[n].name] = n
	}
	at, found = (*p)[name]
	return at, found
}

// array keeps only the first fault, and whether the array is empty: no field of a
// request is a list.
func (p *parser) array() (node, error) {
	if err := p.enter(); err != nil {
		return node{}, err
	}
	n := node{kind: jsontext.KindBeginArray, empty: p.tokens.PeekKind() == jsontext.KindEndArray}
	for p.tokens.PeekKind() != jsontext.KindEndArray {
		element, err := p.value()
		if err != nil {
			return node{}, err
		}
		n.note(element.fault)
	}
	return n, p.leave()
}

func (p *parser) enter() error {
	if _, err := p.tokens.ReadToken(); err != nil {
		return err
	}
	p.depth++
	if p.depth > maxDepth {
		what := fmt.Sprintf("objects and arrays are nested deeper than %d levels", maxDepth)
		return p.malformed(what, p.tokens.InputOffset()-1)
	}
	return nil
}

func (p *parser) leave() error {
	p.depth--
	_, err := p.tokens.ReadToken()
	return err
}

// unquote returns the text of a string that was just read.
func (p *parser) unquote(raw jsontext.Value) (string, *fault) {
	end := p.tokens.InputOffset()
	at := end - int64(len(raw))
	if plain := p.text[at+1 : end-1]; strings.IndexByte(plain, '\\') < 0 && utf8.ValidString(plain) {
		return plain, nil
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	switch {
	case err != nil:
		return string(text), &fault{faultUnicode, at}
	case bytes.IndexByte(text, 0) >= 0:
		return string(text), &fault{faultNUL, at}
	}
	return string(text), nil
}

// note keeps the first fault.
func (n *node) note(f *fault) {
	if n.fault == nil {
		n.fault = f
	}
}

// explain turns an error of the tokenizer into one for the caller.
func (p *parser) explain(err error) error {
	if _, ok := errors.AsType[*MalformedError](err); ok {
		return err
	}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &MalformedError{"The body cannot be read as JSON: it ends in the middle of a value."}
	case bytes.HasPrefix(p.body, []byte("\xef\xbb\xbf")):
		return &MalformedError{"The body cannot be read as JSON: it begins with a byte order mark."}
	case errors.As(err, &syntax):
		return p.malformed(syntax.Err.Error(), syntax.ByteOffset)
	}
	return &MalformedError{"The body cannot be read as JSON."}
}

// malformed is the error for a fault at an offset, with line and column counted from 1.
func (p *parser) malformed(what string, offset int64) error {
	before := p.body[:max(0, min(offset, int64(len(p.body))))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[1+bytes.LastIndexByte(before, '\n'):])
	return &MalformedError{fmt.Sprintf("The body cannot be read as JSON: %s (line %d, column %d).",
		strings.ToValidUTF8(what, "\uFFFD"), line, column)}
}
