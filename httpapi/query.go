package httpapi

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"daftar/internal/plaintext"
)

// parameter is one that a query may have.
type parameter[T any] struct {
	name string
	read func(v *validator, into *T, name, text string)
}

// readQuery reads a query; violations are named in the order of the parameters. Unlike in a body, an
// unknown name is refused: an answer without the intended filter would be a wrong one.
func readQuery[T any](query string, into *T, parameters []parameter[T]) error {
	sent, err := url.ParseQuery(query)
	if err != nil {
		return &MalformedError{"The query cannot be read: it has a broken escape or a semicolon."}
	}
	var v validator
	for _, p := range parameters {
		switch values := sent[p.name]; {
		case len(values) > 1:
			v.add(p.name, "The "+p.name+" "+faultRepeated+".")
		case len(values) == 1 && !plaintext.Storable(values[0]):
			v.add(p.name, "The "+p.name+" must be UTF-8 without the NUL character.")
		case len(values) == 1:
			p.read(&v, into, p.name, values[0])
		}
		delete(sent, p.name)
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		if !utf8.ValidString(name) {
			return &MalformedError{"The query cannot be read: a name in it is not UTF-8."}
		}
		v.add(name, "There is no parameter "+name+".")
	}
	if len(v.violations) > 0 {
		return &InvalidError{v.violations}
	}
	return nil
}

func (v *validator) bounded(name, text string, limit int) {
	v.within(name, node{text: text}, limit)
}

// lostPlus matches a date-time whose offset begins with a space: an unescaped + in a query is
// read as a space.
var lostPlus = regexp.MustCompile(`[Tt]\S+ \d{2}(:?\d{2})?(\[.*)?$`)

// queryInstant reads a date-time of a query.
func (v *validator) queryInstant(name, text string) (t time.Time) {
	if lostPlus.MatchString(text) {
		v.add(name, "The "+name+" has a space: in a query + is written %2B.")
		return t
	}
	return v.instant(name, text)
}

// limit reads how many a page may have.
func (v *validator) limit(name, text string, most int) int {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n < 1 || n > uint64(most) {
		v.add(name, fmt.Sprintf("The limit must be an integer from 1 to %d.", most))
	}
	return int(n)
}
