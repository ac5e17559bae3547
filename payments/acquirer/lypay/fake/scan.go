package fake

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/lypay/numo"
)

// rightCode is what the payer types in the app.
const rightCode = "111111"

// Accounts that do not exist: bank 099 is not assigned.
const (
	payerIBAN  = "LY12099002000000000098765"
	otherPayee = "LY16099001000000000099999"
)

// Scan is what a payer does with a code in the app of their bank. Only Payload is required;
// zero values of the others mean the default in brackets.
type Scan struct {
	Payload string `json:"payload"` // the text of the code
	Payer   string `json:"payer"`   // a number of the package's documentation (one that pays)
	Code    string `json:"code"`    // (111111)

	Amount           int64     `json:"amount"`            // in dirham (the code's)
	Currency         string    `json:"currency"`          // (lyd)
	Times            int       `json:"times"`             // (1)
	DropReference    bool      `json:"drop_reference"`    // the app passes no reference on
	ShortenReference int       `json:"shorten_reference"` // to so many characters (all)
	Payee            string    `json:"payee"`             // IBAN that is credited instead (the code's)
	PayerName        *string   `json:"payer_name"`        // (TEST PAYER)
	At               time.Time `json:"at"`                // when it was made (now)
	Status           string    `json:"status"`            // in which it ends (completed)
	After            int64     `json:"after"`             // milliseconds of processing before that (0)
	HiddenFor        int64     `json:"hidden_for"`        // milliseconds until the books show it (0)
	DayShift         int       `json:"day_shift"`         // days by which it is in the wrong list (0)
	// Notices are the webhooks of its completion (right).
	Notices []string `json:"notices"`
}

// Made is a transfer that a scan made.
type Made struct {
	UUID             string `json:"uuid"`
	PaymentReference string `json:"payment_reference"`
	Timestamp        int64  `json:"timestamp"`
	Status           string `json:"status"`
}

// payers are the numbers that act differently.
var payers = map[string]Scan{
	"0920000001": {Status: acknowledged},
	"0920000002": {Status: processing},
	"0920000003": {After: 6_000},
	"0920000004": {Status: declined},
	"0920000005": {Notices: []string{"right", "right", "forged", "other_amount", "unsigned"}},
	"0920000006": {DropReference: true},
	"0920000007": {ShortenReference: 10},
	"0920000008": {Times: 2},
	"0920000009": {Amount: half},
	"0920000010": {Amount: double},
	"0920000011": {After: 6_000, Status: failed},
	"0920000012": {Notices: []string{}},
	"0920000013": {HiddenFor: 120_000},
	"0920000014": {Payee: otherPayee},
}

// Amounts that depend on the code's.
const (
	half   = -1
	double = -2
)

var (
	errUnreadable = errors.New("the app cannot read this code")
	errWrongCode  = errors.New("wrong code")
	errUnknown    = errors.New("there is no such status or webhook")
)

// Scan pays a code, sends the webhooks and returns what it made.
func (f *Fake) Scan(s Scan) ([]Made, error) {
	code, err := numo.Parse(strings.TrimSpace(s.Payload))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	if special, ok := payers[s.Payer]; ok {
		special.Payload, special.Code = s.Payload, s.Code
		s = special
	}
	if s.Code != "" && s.Code != rightCode {
		return nil, errWrongCode
	}
	if s.Status == "" {
		s.Status = completed
	}
	if s.Notices == nil {
		s.Notices = []string{"right"}
	}
	if codes[1][s.Status] == "" || slices.ContainsFunc(s.Notices, isUnknownNotice) {
		return nil, errUnknown
	}
	t := s.transfer(code, f.config.Now())
	if t.amount <= 0 {
		return nil, fmt.Errorf("%w: it has no amount, and none was typed", errUnreadable)
	}
	made, messages := f.record(s, t)
	f.send(messages)
	return made, nil
}

func isUnknownNotice(name string) bool { return !slices.Contains(Notices(), name) }

func (s Scan) transfer(code numo.Code, now time.Time) transfer {
	label := code.ReferenceLabel
	if label == "" {
		label = code.MerchantReference
	}
	t := transfer{
		amount:      code.Amount,
		currency:    "lyd",
		payee:       code.Account,
		payeeName:   code.Name,
		payer:       "TEST PAYER",
		label:       label,
		asked:       label,
		madeAt:      now,
		notices:     s.Notices,
		dayShift:    s.DayShift,
		hiddenUntil: now.Add(time.Duration(s.HiddenFor) * time.Millisecond),
	}
	switch {
	case s.Amount == half:
		t.amount /= 2
	case s.Amount == double:
		t.amount *= 2
	case s.Amount != 0:
		t.amount = s.Amount
	}
	if s.Currency != "" {
		t.currency = s.Currency
	}
	if s.DropReference {
		t.label = ""
	}
	if s.ShortenReference > 0 {
		t.label = t.label[:min(s.ShortenReference, len(t.label))]
	}
	if s.Payee != "" {
		t.payee = s.Payee
	}
	if s.PayerName != nil {
		t.payer = *s.PayerName
	}
	if !s.At.IsZero() {
		t.madeAt = s.At
	}
	return t
}

// record writes the transfers into the books.
func (f *Fake) record(s Scan, t transfer) (made []Made, messages []webhook) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for range max(s.Times, 1) {
		one := f.newTransfer(t)
		if s.After > 0 {
			f.setStatus(one, processing)
			one.due = f.config.Now().Add(time.Duration(s.After) * time.Millisecond)
			one.then = s.Status
		} else {
			f.setStatus(one, s.Status)
		}
		if one.status == completed {
			messages = append(messages, f.webhooks(one, s.Notices)...)
		}
		made = append(made, one.made())
	}
	return made, messages
}

func (t *transfer) made() Made {
	return Made{UUID: t.uuid, PaymentReference: t.reference, Timestamp: t.madeAt.Unix(), Status: t.status}
}

func (f *Fake) controlScan(w http.ResponseWriter, r *http.Request) {
	var s Scan
	if !fake.Read(w, r, &s) {
		return
	}
	made, err := f.Scan(s)
	if err != nil {
		fake.Refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	fake.Answer(w, http.StatusOK, map[string]any{"transfers": made})
}

// controlTransfer changes a transfer and sends webhooks about it.
func (f *Fake) controlTransfer(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Status  string   `json:"status"`
		Notices []string `json:"notices"`
	}
	if !fake.Read(w, r, &asked) {
		return
	}
	unknownStatus := asked.Status != "" && codes[1][asked.Status] == ""
	if unknownStatus || slices.ContainsFunc(asked.Notices, isUnknownNotice) {
		fake.Refuse(w, http.StatusUnprocessableEntity, errUnknown.Error())
		return
	}
	f.mu.Lock()
	t := f.find("", r.PathValue("reference"), "")
	if t == nil {
		f.mu.Unlock()
		fake.Refuse(w, http.StatusNotFound, "there is no such transfer")
		return
	}
	if asked.Status != "" {
		f.setStatus(t, asked.Status)
	}
	made, messages := t.made(), f.webhooks(t, asked.Notices)
	f.mu.Unlock()
	f.send(messages)
	fake.Answer(w, http.StatusOK, made)
}
