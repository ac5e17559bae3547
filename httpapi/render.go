package httpapi

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/projections"
)

// AppendIntent appends the API's resource of an intent as JSON: the fields of
// the specification's table, all of them, in its order. The address of the
// checkout page is publicURL, which has no trailing slash, and the intent's
// path. There is an error only for a text that is not UTF-8, which no accepted request
// contains.
func AppendIntent(b []byte, i projections.Intent, publicURL string) ([]byte, error) {
	w := jsonWriter{b: append(b, '{')}
	w.name("uuid").uuid(i.ID)
	w.next("reference").text(string(i.Reference))
	w.next("merchant_reference").text(string(i.MerchantReference))
	w.next("amount").integer(i.Amount.Minor)
	w.next("currency").text(string(i.Amount.Currency))
	w.next("status").text(string(i.Status))
	w.next("description").text(i.Description)
	w.next("customer").raw("{").name("external_id").textOrNull(i.CustomerID)
	w.raw("}")
	w.next("return_url").textOrNull(i.ReturnURL)
	w.next("metadata").metadata(i)
	w.next("expires_at").instant(i.ExpiresAt)
	var address [128]byte // long enough for most addresses
	w.next("checkout_url").bytes(append(append(address[:0], publicURL...), i.CheckoutPath...))
	w.next("created_at").instant(i.CreatedAt)
	w.next("updated_at").instant(i.UpdatedAt)
	w.raw("}")
	if w.err != nil {
		return b, fmt.Errorf("write intent %s: %w", i.ID, w.err)
	}
	return w.b, nil
}

// jsonWriter appends JSON and keeps the first error. Texts are not escaped for
// HTML: a merchant reads back what it sent.
type jsonWriter struct {
	b   []byte
	err error
}

func (w *jsonWriter) raw(s string) *jsonWriter {
	w.b = append(w.b, s...)
	return w
}

func (w *jsonWriter) name(name string) *jsonWriter { return w.text(name).raw(":") }

func (w *jsonWriter) next(name string) *jsonWriter { return w.raw(",").name(name) }

func (w *jsonWriter) text(s string) *jsonWriter { return w.quoted(jsontext.AppendQuote(w.b, s)) }

func (w *jsonWriter) bytes(s []byte) { w.quoted(jsontext.AppendQuote(w.b, s)) }

func (w *jsonWriter) quoted(b []byte, err error) *jsonWriter {
	if w.b = b; err != nil && w.err == nil {
		w.err = err
	}
	return w
}

func (w *jsonWriter) textOrNull(s *string) {
	if s == nil {
		w.raw("null")
		return
	}
	w.text(*s)
}

func (w *jsonWriter) uuid(id domain.IntentID) {
	w.raw(`"`)
	for n, part := range [...][]byte{id[:4], id[4:6], id[6:8], id[8:10], id[10:]} {
		if n > 0 {
			w.raw("-")
		}
		w.b = hex.AppendEncode(w.b, part)
	}
	w.raw(`"`)
}

func (w *jsonWriter) integer(n int64) { w.b = strconv.AppendInt(w.b, n, 10) }

func (w *jsonWriter) metadata(i projections.Intent) {
	if i.Metadata == nil {
		w.raw("null")
		return
	}
	w.raw("{")
	for n, p := range i.Metadata {
		if n > 0 {
			w.raw(",")
		}
		w.name(p.Key).text(p.Value)
	}
	w.raw("}")
}

func (w *jsonWriter) instant(t time.Time) {
	w.b, _ = locale.Instant(t).AppendText(append(w.b, '"')) // never fails
	w.b = append(w.b, '"')
}
