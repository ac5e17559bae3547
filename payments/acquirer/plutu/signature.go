package plutu

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// parameter is a field of a message, in the order of its arrival.
type parameter struct {
	name, value string
	number      bool // it was a number in JSON
	nested      bool // it was an object or an array in JSON, and has no value here
}

type parameters []parameter

// maxParameters is many times the number that Plutu sends. It is bounded because anyone can send
// a message, and each name is compared with the others.
const maxParameters = 64

func (p parameters) get(name string) string {
	for _, each := range p {
		if each.name == name {
			return each.value
		}
	}
	return ""
}

// readQuery reads a query. It refuses a repeated name: otherwise one value could be checked and
// the other used.
func readQuery(query []byte) (parameters, error) {
	var all parameters
	for part := range strings.SplitSeq(string(query), "&") {
		if part == "" {
			continue
		}
		encodedName, encodedValue, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(encodedName)
		value, err2 := url.QueryUnescape(encodedValue)
		if err != nil || err2 != nil {
			return nil, errors.New("query is malformed")
		}
		if len(all) == maxParameters {
			return nil, errors.New("query has too many parameters")
		}
		if slices.ContainsFunc(all, func(other parameter) bool { return other.name == name }) {
			return nil, errors.New("a parameter stands there twice")
		}
		all = append(all, parameter{name: name, value: value})
	}
	return all, nil
}

// readJSON reads an object as PHP passes its members to http_build_query: null is left out,
// true is 1 and false is 0.
func readJSON(body []byte) (parameters, error) {
	var all parameters
	malformed := errors.New("body is not one JSON object")
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, malformed
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil || len(all) == maxParameters {
			return nil, malformed // also for a repeated name
		}
		each := parameter{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, malformed
		}
		switch value.Kind() {
		case 'n':
			continue
		case 't':
			each.value = "1"
		case 'f':
			each.value = "0"
		case '0':
			each.value, each.number = string(value), true
		case '"':
			plain, err := jsontext.AppendUnquote(nil, value)
			if err != nil {
				return nil, malformed
			}
			each.value = string(plain)
		default:
			each.nested = true
		}
		all = append(all, each)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, malformed
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, malformed
	}
	return all, nil
}

// known are the parameters that Plutu's library signs; by the documentation, all are signed.
var known = []string{
	"gateway", "approved", "canceled", "invoice_no", "amount", "transaction_id",
	"payment_method", "paymet_method", // the library's spelling and the documentation's
}

// authenticate returns the parameters that the signature covers. Only those may be used.
func (p parameters) authenticate(secret string) (parameters, error) {
	given, err := hex.DecodeString(p.get("hashed"))
	if err != nil || len(given) != sha256.Size {
		return nil, errors.New("message has no signature")
	}
	all := slices.DeleteFunc(slices.Clone(p), func(each parameter) bool { return each.name == "hashed" })
	onlyKnown := slices.DeleteFunc(slices.Clone(all), func(each parameter) bool {
		return !slices.Contains(known, each.name)
	})
	for _, signed := range []parameters{all, onlyKnown, all.asPHPNumbers(), onlyKnown.asPHPNumbers()} {
		if slices.ContainsFunc(signed, func(each parameter) bool { return each.nested }) {
			continue
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(signed.encode()))
		if hmac.Equal(given, mac.Sum(nil)) {
			return signed, nil
		}
	}
	return nil, errors.New("signature does not fit")
}

// encode writes a query as PHP's http_build_query.
func (p parameters) encode() string {
	var b strings.Builder
	for i, each := range p {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(phpEncode(each.name) + "=" + phpEncode(each.value))
	}
	return b.String()
}

// phpEncode escapes as PHP's urlencode, which differs from Go's in the tilde.
func phpEncode(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "~", "%7E") }

// asPHPNumbers writes numbers as Plutu's library writes them after it has read them as floats:
// 12.50 becomes 12.5. The value is the same.
func (p parameters) asPHPNumbers() parameters {
	rewritten := slices.Clone(p)
	for i, each := range rewritten {
		if each.number && strings.Contains(each.value, ".") && !strings.ContainsAny(each.value, "eE") {
			rewritten[i].value = strings.TrimSuffix(strings.TrimRight(each.value, "0"), ".")
		}
	}
	return rewritten
}
