package fake

import (
	"cmp"
	"net/http"
	"strconv"

	"daftar/payments/acquirer/fake"
)

// Dialect is the form of the API where it is not documented, and its wrong answers. The first
// word of each list is the default.
type Dialect struct {
	// Row is a row of the inquiry by reference: short (no amount, no account), numbered (as
	// short, with the retrieval number), full.
	Row string `json:"row"`
	// Answers of the inquiry by reference: one (the last that is paid, else the last), list.
	Answers    string `json:"answers"`
	Completed  string `json:"completed"`  // the name of that status: completed, confirmed, or any
	Codes      int    `json:"codes"`      // 1, 2: the table of codes
	Amounts    string `json:"amounts"`    // string, number, decimal, bare, bare_number, no_currency, absent
	Members    string `json:"members"`    // of credit amounts: creditor (creditorAmount), amount, debtor
	Scale      int64  `json:"scale"`      // 1; 10 is a wrong scale
	Timestamps string `json:"timestamps"` // number, string, absent
	Payee      string `json:"payee"`      // iban, spaced, bare, alias, absent
	// Inquiry by reference: right, stale (still processing), other_merchant, other_reference,
	// missing.
	Inquiry  string `json:"inquiry"`
	Transfer string `json:"transfer"` // right, missing, stale
	Details  string `json:"details"`  // right, missing, several, other_amount, other_transfer
	// Lists: right, wrapped (pages inside data), untold (without the number of pages), empty.
	Lists    string `json:"lists"`
	PageSize int    `json:"page_size"` // 25
	Shift    int    `json:"shift"`     // rows by which the list grows (or shrinks) between two pages
	RRN      string `json:"rrn"`       // the member of it in rows: rrn, rnn, absent
	Errors   string `json:"errors"`    // message, error (an object with one), in_body (with the status 200)
	// Refunds: right, processing, failed, bare (data is empty), original (data is the payment).
	Refunds string `json:"refunds"`
	Extra   bool   `json:"extra"`    // adds unknown members
	NoToken bool   `json:"no_token"` // every token is refused
	Budget  int    `json:"budget"`   // 300 requests a minute
}

func (d Dialect) complete() Dialect {
	d.Row = cmp.Or(d.Row, "short")
	d.Answers = cmp.Or(d.Answers, "one")
	d.Completed = cmp.Or(d.Completed, completed)
	d.Amounts = cmp.Or(d.Amounts, "string")
	d.Members = cmp.Or(d.Members, "creditor")
	d.Timestamps = cmp.Or(d.Timestamps, "number")
	d.Payee = cmp.Or(d.Payee, "iban")
	d.Inquiry = cmp.Or(d.Inquiry, "right")
	d.Transfer = cmp.Or(d.Transfer, "right")
	d.Details = cmp.Or(d.Details, "right")
	d.Lists = cmp.Or(d.Lists, "right")
	d.RRN = cmp.Or(d.RRN, "rrn")
	d.Errors = cmp.Or(d.Errors, "message")
	d.Refunds = cmp.Or(d.Refunds, "right")
	d.Scale = max(d.Scale, 1)
	d.PageSize, d.Budget = cmp.Or(max(d.PageSize, 0), 25), cmp.Or(max(d.Budget, 0), 300)
	if codes[d.Codes] == nil {
		d.Codes = 1
	}
	return d
}

// SetDialect does the same as POST /control/dialect.
func (f *Fake) SetDialect(d Dialect) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dialect = d.complete()
}

func (f *Fake) currentDialect() Dialect {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dialect
}

func (f *Fake) showDialect(w http.ResponseWriter, _ *http.Request) {
	fake.Answer(w, http.StatusOK, f.currentDialect())
}

// money is an amount as the dialect writes it; nil: left out.
func (d Dialect) money(dirham int64, currency string) any {
	digits := strconv.FormatInt(dirham*d.Scale, 10)
	switch d.Amounts {
	case "number":
		return map[string]any{"amount": dirham * d.Scale, "currency": currency}
	case "decimal":
		return map[string]any{"amount": digits + ".0", "currency": currency}
	case "bare":
		return digits
	case "bare_number":
		return dirham * d.Scale
	case "no_currency":
		return map[string]any{"amount": digits}
	case "absent":
		return nil
	}
	return map[string]any{"amount": digits, "currency": currency}
}

// payee is the merchant's account as the dialect writes it; nil: left out.
func (d Dialect) payee(t *transfer) any {
	scheme, id := "iban", t.payee
	switch d.Payee {
	case "absent":
		return nil
	case "bare":
		return id
	case "alias":
		scheme, id = "alias", "shop.alias"
	case "spaced":
		id = grouped(id)
	}
	return map[string]any{"schemeName": scheme, "identification": id, "name": t.payeeName}
}

// grouped writes an IBAN in groups of four.
func grouped(iban string) string {
	var text string
	for len(iban) > 4 {
		text, iban = text+iban[:4]+" ", iban[4:]
	}
	return text + iban
}
