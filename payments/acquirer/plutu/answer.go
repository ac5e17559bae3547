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

// result has the values of a successful answer. Each call has some of them.
type result struct {
	ProcessID     text `json:"process_id"`
	TransactionID text `json:"transaction_id"`
	Amount        text `json:"amount"`
	RedirectURL   text `json:"redirect_url"`
}

// refusal is an error that Plutu itself reports.
type refusal struct {
	code   string // empty: a code that the table does not know, or a list of fields without a code
	means  meaning
	reason acquirer.Reason
	fields []string // the malformed fields that Plutu names
}

// Error has the code only if the table knows it: other parts of a body must not be logged.
func (r *refusal) Error() string {
	switch {
	case r.code != "":
		return "plutu answers " + r.code
	case r.means == malformed:
		return "plutu finds the request malformed"
	}
	return "plutu answers an error code that is not known"
}

// asError returns the refusal as an error of Begin and Confirm.
func (r *refusal) asError() error {
	if r.means == accountRefused {
		return fmt.Errorf("%w: %w", acquirer.ErrAccount, r)
	}
	return r
}

// call makes one call. The error is a *refusal if Plutu itself refuses; any other is
// acquirer.ErrNotSent, or means that the outcome is unknown.
func (a *account) call(
	ctx context.Context, m acquirer.Method, action string, form url.Values,
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

// readAnswer returns the result of a success, or the refusal. An answer that has both, or
// neither, is an error.
func readAnswer(res exchange.Answer) (result, error) {
	var answer struct {
		Status text           `json:"status"`
		Result jsontext.Value `json:"result"`
		Error  *struct {
			Code   text       `json:"code"`
			Fields fieldNames `json:"fields"`
		} `json:"error"`
		Errors fieldNames `json:"errors"`
	}
	if err := json.Unmarshal(res.Body, &answer); err != nil {
		// The text of err may quote the body.
		return result{}, fmt.Errorf("answer %d has not the form of Plutu's", res.Status)
	}
	carriedOut := answer.Result.Kind() == '{' && len(answer.Result) > len("{}")
	switch {
	case carriedOut && (answer.Error != nil || len(answer.Errors) > 0):
		return result{}, errors.New("answer both has a result and refuses")
	case answer.Error != nil:
		return result{}, newRefusal(string(answer.Error.Code), answer.Error.Fields)
	case !carriedOut && answer.Errors != nil && res.Status == http.StatusUnprocessableEntity:
		return result{}, &refusal{means: malformed, fields: answer.Errors}
	case !carriedOut || res.Status != http.StatusOK || answer.Status != "" && answer.Status != "200":
		return result{}, fmt.Errorf("answer %d neither has a result nor refuses", res.Status)
	}
	var r result
	if err := json.Unmarshal(answer.Result, &r); err != nil {
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

// identifierForm matches Plutu's numbers of processes and payments: text that can be stored and
// shown.
var identifierForm = regexp.MustCompile(`^[\x21-\x7e]{1,100}$`)

func isIdentifier(t text) bool { return identifierForm.MatchString(string(t)) }

// text may be a boolean too: Plutu uses all of them for one value.
type text = exchange.Text

// fieldNames are the fields in a list of errors: the names of an object, or the strings of an
// array. It is nil where there is no such list.
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
