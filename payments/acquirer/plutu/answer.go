package plutu

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

// result is what a call that Plutu carried out answers: each call some of it.
type result struct {
	ProcessID     text `json:"process_id"`
	TransactionID text `json:"transaction_id"`
	Amount        text `json:"amount"`
	RedirectURL   text `json:"redirect_url"`
}

// refusal is an error in Plutu's own words.
type refusal struct {
	code   string // empty: one that the table does not know, or a list of fields without one
	means  meaning
	reason acquirer.Reason
	fields []string // that were malformed, as far as Plutu names them
}

// Error names the code only if it is one of ours: the rest of a body is not for logs.
func (r *refusal) Error() string {
	switch {
	case r.code != "":
		return "plutu answers " + r.code
	case r.means == malformed:
		return "plutu finds the request malformed"
	}
	return "plutu answers an error code that is not known"
}

// asError is the refusal as an error of Begin and Confirm.
func (r *refusal) asError() error {
	if r.means == accountRefused {
		return fmt.Errorf("%w: %w", acquirer.ErrAccount, r)
	}
	return r
}

// call makes one call. The error is a *refusal if Plutu itself gives one; any other means
// that nothing is known, or is acquirer.ErrNotSent.
func (a *account) call(ctx context.Context, m acquirer.Method, action string,
	form url.Values,
) (result, error) {
	res, err := a.client.Do(ctx, exchange.Request{
		Method: http.MethodPost, Path: "/v1/transaction/" + gateways[m] + "/" + action, Form: form,
		Header: map[string]string{
			"X-API-KEY": a.settings.APIKey, "Authorization": "Bearer " + a.settings.AccessToken,
		},
	})
	if err != nil {
		return result{}, err
	}
	return readAnswer(res)
}

// readAnswer tells an answer that carries out from one that refuses. One that does both, or
// neither, is an error.
func readAnswer(res exchange.Answer) (result, error) {
	var said struct {
		Status text           `json:"status"`
		Result jsontext.Value `json:"result"`
		Error  *struct {
			Code   text       `json:"code"`
			Fields fieldNames `json:"fields"`
		} `json:"error"`
		Errors fieldNames `json:"errors"`
	}
	if err := json.Unmarshal(res.Body, &said); err != nil {
		// The text of err may quote the body.
		return result{}, fmt.Errorf("answer %d has not the form of Plutu's", res.Status)
	}
	carriedOut := said.Result.Kind() == '{' && len(said.Result) > len("{}")
	switch {
	case carriedOut && (said.Error != nil || len(said.Errors) > 0):
		return result{}, errors.New("answer both has a result and refuses")
	case said.Error != nil:
		return result{}, newRefusal(string(said.Error.Code), said.Error.Fields)
	case !carriedOut && said.Errors != nil && res.Status == http.StatusUnprocessableEntity:
		return result{}, &refusal{means: malformed, fields: said.Errors}
	case !carriedOut || res.Status != http.StatusOK || said.Status != "" && said.Status != "200":
		return result{}, fmt.Errorf("answer %d neither has a result nor refuses", res.Status)
	}
	var r result
	if err := json.Unmarshal(said.Result, &r); err != nil {
		return result{}, fmt.Errorf("result of answer %d has not the form of Plutu's", res.Status)
	}
	return r, nil
}

func newRefusal(code string, fields []string) *refusal {
	code = strings.ToUpper(strings.TrimSpace(code))
	entry, known := codes[code]
	if !known {
		code = ""
	}
	return &refusal{code: code, means: entry.means, reason: entry.reason, fields: fields}
}

// identifierForm is what Plutu's numbers of processes and payments may be: text that can be
// stored and shown.
var identifierForm = regexp.MustCompile(`^[\x21-\x7e]{1,100}$`)

func isIdentifier(t text) bool { return identifierForm.MatchString(string(t)) }

// text is a string, a number as it is written, or a truth value: Plutu does not keep to one
// of them. null is empty.
type text string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (t *text) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	switch value.Kind() {
	case '"':
		plain, err := jsontext.AppendUnquote(nil, value)
		*t = text(plain)
		return err
	case '0', 't', 'f':
		*t = text(value)
		return nil
	case 'n':
		*t = ""
		return nil
	}
	return errors.New("value is not a scalar")
}

// fieldNames are the fields that a list of errors is about: an object by their names, or an
// array of them. It is nil where there is no such list.
type fieldNames []string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (f *fieldNames) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	switch value.Kind() {
	case '{':
		var byName map[string]jsontext.Value
		err = json.Unmarshal(value, &byName)
		*f = slices.AppendSeq(fieldNames{}, maps.Keys(byName))
		return err
	case '[':
		var names []string
		if json.Unmarshal(value, &names) == nil {
			*f = append(fieldNames{}, names...)
		}
	}
	return nil
}
