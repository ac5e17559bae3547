package fake

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	fakes "daftar/payments/acquirer/fake"
)

// message is a notification before it is written.
type message struct {
	to     string
	fields map[string]any
	form   bool
}

// message is the right notification of a transaction. f.mu is held.
func (f *Fake) message(r row) message {
	action, outcome, status := "51", "Declined", "Failed"
	if r.approved {
		action, outcome, status = "00", "Approved", "Success"
	}
	original := "0"
	if r.original != 0 {
		original = strconv.Itoa(r.original)
	}
	m := message{to: r.merchant.NotifyURL, fields: map[string]any{
		"MerchantId":            r.merchant.MerchantID,
		"TerminalId":            r.merchant.TerminalID,
		"DateTimeLocalTrxn":     r.at.Format("20060102150405"),
		"AuthorizationDateTime": r.at.Format("20060102150405"),
		"TxnType":               r.txnType(),
		"Message":               outcome,
		"PaidThrough":           "Card",
		"SystemReference":       r.systemReference(),
		"NetworkReference":      r.networkReference(),
		"MerchantReference":     r.reference,
		"Amount":                strconv.FormatInt(r.amount, 10),
		"Tip":                   "0",
		"Currency":              "434",
		"PayerAccount":          r.card,
		"PayerName":             "TEST CARD",
		"ActionCode":            action,
		"SID":                   nil,
		"Token":                 nil,
		"Email":                 nil,
		"Status":                status,
		"CustomerMobile":        nil,
		"AdditionalFees":        "0",
		"OriginalTxnId":         original,
	}}
	for _, known := range f.merchants { // the address may have changed since
		if known.TerminalID == r.merchant.TerminalID {
			m.to = known.NotifyURL
		}
	}
	if f.style.Extra {
		m.fields["LoyaltyPoints"] = map[string]any{"Earned": 3}
	}
	m.sign(r.merchant.NotificationKey, f.style.Lower)
	return m
}

// sign sets the hash of the fields as they are now.
func (m message) sign(key string, lower bool) {
	var pairs []string
	for _, name := range []string{"Amount", "Currency", "DateTimeLocalTrxn", "MerchantId", "TerminalId"} {
		value, _ := m.fields[name].(string)
		pairs = append(pairs, name+"="+value)
	}
	hash := secureHash(key, strings.Join(pairs, "&"))
	if lower {
		hash = strings.ToLower(hash)
	}
	m.fields["SecureHash"] = hash
}

// messageOfKind returns a message of a kind of the package's documentation; false where there is
// no such kind. f.mu is held.
func (f *Fake) messageOfKind(r row, kind, as string) (message, bool) {
	m, key := f.message(r), r.merchant.NotificationKey
	switch kind {
	case "right":
	case "form":
		m.form = true
	case "short":
		m.fields["DateTimeLocalTrxn"] = r.at.Format("060102150405")
		m.sign(key, f.style.Lower)
	case "lower":
		m.sign(key, true)
	case "numbers":
		m.fields["Amount"], m.fields["Currency"] = r.amount, 434
	case "old":
		m.fields["DateTimeLocalTrxn"] = r.at.Add(-365 * 24 * time.Hour).Format("20060102150405")
		m.sign(key, f.style.Lower)
	case "altered":
		m.fields["Amount"] = strconv.FormatInt(r.amount+1_000, 10)
	case "forged":
		m.sign(key+"00ff", f.style.Lower)
	case "repointed":
		m.fields["MerchantReference"] = as
	case "foreign":
		m.fields["MerchantId"], m.fields["TerminalId"] = "79999999999", "79999999"
		m.sign(key, f.style.Lower)
	default:
		return message{}, false
	}
	return m, true
}

// notify sends a message once, unless its address is on another machine: it is not known how often
// the gateway repeats one.
func (f *Fake) notify(m message) {
	if !fakes.OnLoopback(m.to) {
		return
	}
	body, kind := []byte(nil), "application/json"
	if m.form {
		form := url.Values{}
		for name, value := range m.fields {
			switch v := value.(type) {
			case string:
				form.Set(name, v)
			case int:
				form.Set(name, strconv.Itoa(v))
			}
		}
		body, kind = []byte(form.Encode()), "application/x-www-form-urlencoded"
	} else {
		encoded, err := json.Marshal(m.fields)
		if err != nil {
			panic("fake: notification is not JSON: " + err.Error())
		}
		body = encoded
	}
	f.messenger.Go(func() { f.messenger.Post(m.to, http.Header{"Content-Type": {kind}}, body) })
}
