package lypay

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daftar/payments/acquirer/exchange"
)

// The API's protocol, as far as it is known. Members that the adapter does not need are not
// read, and new ones may appear. Names are read in either spelling: the API writes
// paymentReference, notifications payment_reference.

func decode(body []byte, into any) error {
	if json.Unmarshal(body, into, json.MatchCaseInsensitiveNames(true)) != nil {
		return errors.New("JSON is not as documented") // the cause may repeat a value
	}
	return nil
}

// text is a value that comes as a string or as a number; null is none.
type text string

// UnmarshalJSONFrom refuses a boolean, and cuts the spaces around a string.
func (t *text) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if kind := d.PeekKind(); kind == jsontext.KindTrue || kind == jsontext.KindFalse {
		return errors.New("neither a string nor a number")
	}
	var value exchange.Text
	err := value.UnmarshalJSONFrom(d)
	*t = text(strings.TrimSpace(string(value)))
	return err
}

// status is {name, code}, in notifications a name alone. Its code is not read: two tables of
// codes are known, and they contradict each other.
type status struct {
	Name text `json:"name"`
}

// UnmarshalJSONFrom reads either form.
func (s *status) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != jsontext.KindBeginObject {
		return s.Name.UnmarshalJSONFrom(d)
	}
	type object status
	return json.UnmarshalDecode(d, (*object)(s))
}

// amount is {amount, currency}, or the amount alone.
type amount struct {
	Amount   text `json:"amount"`
	Currency text `json:"currency"`
}

// UnmarshalJSONFrom reads either form. An amount alone is in the API's own currency.
func (a *amount) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != jsontext.KindBeginObject {
		a.Currency = "LYD"
		return a.Amount.UnmarshalJSONFrom(d)
	}
	type object amount
	return json.UnmarshalDecode(d, (*object)(a))
}

// party is {schemeName, identification}, or the identification alone.
type party struct {
	Identification text `json:"identification"`
}

// UnmarshalJSONFrom reads either form.
func (p *party) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != jsontext.KindBeginObject {
		return p.Identification.UnmarshalJSONFrom(d)
	}
	type object party
	return json.UnmarshalDecode(d, (*object)(p))
}

// labels are the members in which a payer's app may have passed the reference on.
type labels struct {
	InternalMerchantReference text `json:"internalMerchantReference"`
	ReferenceLabel            text `json:"referenceLabel"`
	BillNumber                text `json:"billNumber"`
}

func (l labels) all() []text {
	return []text{l.InternalMerchantReference, l.ReferenceLabel, l.BillNumber}
}

// row is a credit, as all answers have it.
type row struct {
	UUID                 text   `json:"uuid"`
	PaymentReference     text   `json:"paymentReference"`
	Timestamp            text   `json:"timestamp"`
	TransactionTimestamp text   `json:"transactionTimestamp"`
	TransactionDateTime  text   `json:"transactionDateTime"`
	RRN                  text   `json:"rrn"`
	RNN                  text   `json:"rnn"` // rrn, as one bank spells it
	Status               status `json:"status"`
	CreditorAmount       amount `json:"creditorAmount"`
	Amount               amount `json:"amount"`
	DebtorAmount         amount `json:"debtorAmount"`
	CreditorAccount      party  `json:"creditorAccount"`

	labels
	AdditionalData labels `json:"additionalData"`
}

// envelope is the outer object of every success.
type envelope struct {
	Data jsontext.Value `json:"data"`
	Meta jsontext.Value `json:"meta"`
}

// rows reads an answer with one row or several, and the number of the last page; empty where the
// answer does not have it.
func rows(a exchange.Answer) (found []row, lastPage text, err error) {
	var outer envelope
	if a.Status != http.StatusOK && a.Status != http.StatusCreated {
		return nil, "", unexpected(a)
	}
	if err := decode(a.Body, &outer); err != nil {
		return nil, "", err
	}
	switch outer.Data.Kind() {
	case jsontext.KindBeginArray:
		var meta struct {
			LastPage text `json:"lastPage"`
		}
		// Page parameters are not documented: the number stays empty where it cannot be read.
		_ = decode(outer.Meta, &meta)
		err = decode(outer.Data, &found)
		return found, meta.LastPage, err
	case jsontext.KindBeginObject:
		var page struct {
			Data     []row `json:"data"`
			LastPage text  `json:"lastPage"`
		}
		if decode(outer.Data, &page) == nil && page.Data != nil {
			return page.Data, page.LastPage, nil
		}
		var one row
		err = decode(outer.Data, &one)
		return []row{one}, "", err
	}
	return nil, "", errors.New("answer has no data")
}

// isRefusal reports whether an answer is the API's own error object, and not that of a gateway:
// it has a message or an error, and no data.
func isRefusal(a exchange.Answer) bool {
	var answer struct {
		Data    jsontext.Value `json:"data"`
		Message jsontext.Value `json:"message"`
		Error   jsontext.Value `json:"error"`
	}
	if decode(a.Body, &answer) != nil || len(answer.Data) > 0 && answer.Data.Kind() != jsontext.KindNull {
		return false
	}
	return answer.Message.Kind() == jsontext.KindString ||
		answer.Error.Kind() == jsontext.KindString || answer.Error.Kind() == jsontext.KindBeginObject
}
