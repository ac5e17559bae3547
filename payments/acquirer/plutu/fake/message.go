package fake

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Kinds of messages about a payment that has a page.
const (
	kindPaid          = "paid"
	kindCanceled      = "canceled"
	kindUndecided     = "undecided"
	kindForged        = "forged"
	kindAltered       = "altered"
	kindRepointed     = "repointed"
	kindUnderpaid     = "underpaid"
	kindExtra         = "extra"
	kindUnsignedExtra = "unsigned_extra"
	kindDoubled       = "doubled"
	kindLower         = "lower"
	kindMisspelt      = "misspelt"
	kindTyped         = "typed"
	kindGrouped       = "grouped"
)

// takesNothing are the kinds that take no money.
var takesNothing = []string{kindCanceled, kindUndecided, kindForged, kindAltered, kindRepointed}

func kinds(gateway string) []string {
	all := append([]string{
		kindPaid, kindUnderpaid, kindExtra, kindUnsignedExtra, kindDoubled, kindLower, kindGrouped,
	}, takesNothing...)
	if gateway == "tlync" {
		all = append(all, kindMisspelt, kindTyped)
	}
	return all
}

// pair is a parameter of a message.
type pair struct {
	name, value string
	literal     string // the value in JSON; empty: as a string
}

// message is a message in the order of its parameters.
type message []pair

// compose makes a message, and takes the money that it reports if that was not done before.
// f.mu is held.
func (f *Fake) compose(o *order, kind string) message {
	amount := o.amount
	if kind == kindUnderpaid {
		amount -= 10
	}
	if !o.paid && !slices.Contains(takesNothing, kind) {
		o.paid = true
		f.take(o.invoice, o.gateway, amount)
	}
	stated := dinars(amount)
	if kind == kindGrouped {
		stated = Grouped(stated)
	}
	m := o.parameters(kind, stated)
	key := f.config.SecretKey
	switch kind {
	case kindExtra:
		m = append(m, pair{name: "note", value: "a ~ further & parameter"})
	case kindForged:
		key = "not " + key
	}
	hash := m.sign(key)
	switch kind {
	case kindAltered:
		m.set("amount", dinars(amount+10))
	case kindRepointed:
		m.set("invoice_no", o.invoice+"0")
	case kindUnsignedExtra:
		m = append(m, pair{name: "utm", value: "x"})
	case kindDoubled:
		m = append(m, pair{name: "invoice_no", value: o.invoice})
	case kindLower:
		hash = strings.ToLower(hash)
	}
	return append(m, pair{name: "hashed", value: hash})
}

// parameters are those of a genuine message, before it is signed.
func (o *order) parameters(kind, amount string) message {
	m := message{{name: "gateway", value: o.gateway}}
	switch {
	case kind == kindCanceled:
		m = append(m, pair{"canceled", "1", "1"})
	case kind == kindTyped:
		m = append(m, pair{"approved", "1", "true"})
	case kind != kindUndecided:
		m = append(m, pair{"approved", "1", "1"})
	case o.gateway == "tlync":
		m = append(m, pair{"approved", "0", "0"})
	}
	if o.gateway != "tlync" {
		return append(m,
			pair{name: "amount", value: amount},
			pair{name: "invoice_no", value: o.invoice},
			pair{name: "transaction_id", value: o.transaction})
	}
	stated, method := pair{name: "amount", value: amount}, pair{name: "payment_method", value: "tadawul"}
	if kind == kindTyped {
		stated.value = string(number(amount))
		stated.literal = stated.value
	}
	if kind == kindMisspelt {
		method.name = "paymet_method"
	}
	return append(m,
		pair{name: "invoice_no", value: o.invoice},
		stated,
		method,
		pair{name: "transaction_id", value: o.transaction})
}

func (m message) set(name, value string) {
	for i := range m {
		if m[i].name == name {
			m[i].value, m[i].literal = value, ""
		}
	}
}

// sign is the HMAC-SHA256, in capital hex, of the parameters as a query.
func (m message) sign(key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = io.WriteString(mac, m.query())
	return strings.ToUpper(hex.EncodeToString(mac.Sum(nil)))
}

// query writes the message as a query, as PHP's http_build_query does.
func (m message) query() string {
	var b strings.Builder
	for i, p := range m {
		if i > 0 {
			b.WriteByte('&')
		}
		escape(&b, p.name)
		b.WriteByte('=')
		escape(&b, p.value)
	}
	return b.String()
}

// escape escapes as PHP's urlencode.
func escape(b *strings.Builder, s string) {
	for _, c := range []byte(s) {
		switch {
		case c == ' ':
			b.WriteByte('+')
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
			b.WriteByte(c)
		default:
			fmt.Fprintf(b, "%%%02X", c)
		}
	}
}

// json writes the message as the body of a request. It keeps the order and repeated names.
func (m message) json() []byte {
	members := make([]string, 0, len(m))
	for _, p := range m {
		value := p.literal
		if value == "" {
			value = quote(p.value)
		}
		members = append(members, quote(p.name)+":"+value)
	}
	return []byte("{" + strings.Join(members, ",") + "}")
}

func quote(s string) string {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic("fake: parameter is not UTF-8: " + err.Error())
	}
	return string(quoted)
}

// post sends a message and returns the receiver's status; 0 where there is none.
func (f *Fake) post(address string, body []byte) int {
	return f.messenger.Post(address, http.Header{"Content-Type": {"application/json"}}, body)
}

// postAll sends messages in the background, one after the other. f.mu is held.
func (f *Fake) postAll(o *order, kinds []string) {
	bodies := make([][]byte, 0, len(kinds))
	for _, kind := range kinds {
		bodies = append(bodies, f.compose(o, kind).json())
	}
	f.messenger.Go(func() {
		for _, body := range bodies {
			f.post(o.callbackURL, body)
		}
	})
}
