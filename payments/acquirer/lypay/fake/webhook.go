package fake

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daftar/payments/acquirer/fake"
)

// Notices lists every kind of webhook, for tests that try them all.
func Notices() []string {
	return []string{
		"right", "rrn", "nameless", "arabic", "extra", "upper_case", "lower_currency",
		"other_amount", "other_payee", "unknown",
		"forged", "reserialised", "unsigned", "doubled",
		"status", "status_hyphen",
	}
}

// webhook is one message, ready to be sent.
type webhook struct {
	url        string
	body       []byte
	signatures []string
}

// webhooks are the messages about a transfer. f.mu is held.
func (f *Fake) webhooks(t *transfer, kinds []string) []webhook {
	to, ok := f.endpoints[t.payee]
	if !ok {
		to = f.endpoints[""]
	}
	if !fake.OnLoopback(to.url) {
		return nil
	}
	var messages []webhook
	for _, kind := range kinds {
		messages = append(messages, newWebhook(to, *t, kind))
	}
	return messages
}

func newWebhook(to endpoint, t transfer, kind string) webhook {
	body, err := json.Marshal(event(t, kind), json.Deterministic(true))
	if err != nil {
		panic("fake: webhook does not fit JSON: " + err.Error())
	}
	signature := sign(to.key, body)
	message := webhook{url: to.url, body: body, signatures: []string{signature}}
	switch kind {
	case "forged":
		message.signatures = []string{sign(to.key+"x", body)}
	case "reserialised":
		indented := jsontext.Value(bytes.Clone(body))
		if err := indented.Indent(); err != nil {
			panic("fake: " + err.Error())
		}
		message.signatures = []string{sign(to.key, indented)}
	case "unsigned":
		message.signatures = nil
	case "doubled":
		message.signatures = []string{signature, signature}
	case "upper_case":
		message.signatures = []string{strings.ToUpper(signature)}
	}
	return message
}

func sign(key string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// statusEvent is the message about a status. Its members are in the documented order.
type statusEvent struct {
	Webhook string `json:"webhook"`
	Data    struct {
		PaymentReference string `json:"payment_reference"`
		Status           string `json:"status"`
		StatusCode       string `json:"status_code"`
		Amount           *sum   `json:"amount,omitempty"` // of what is completed
	} `json:"data"`
}

type sum struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Fees     string `json:"fees,omitempty"`
}

// event returns the message of a kind, before it is signed.
func event(t transfer, kind string) any {
	if kind == "status" || kind == "status_hyphen" {
		var e statusEvent
		e.Webhook = "transaction_status_update"
		if kind == "status_hyphen" {
			e.Webhook = "transaction-update"
		}
		e.Data.PaymentReference, e.Data.Status, e.Data.StatusCode = t.reference, t.status, codes[1][t.status]
		if t.status == completed {
			e.Data.Amount = &sum{Amount: strconv.FormatInt(t.amount, 10), Currency: t.currency}
		}
		return e
	}
	number := "rnn"
	t.currency = strings.ToUpper(t.currency)
	switch kind {
	case "rrn":
		number = "rrn"
	case "lower_currency":
		t.currency = strings.ToLower(t.currency)
	case "arabic":
		t.payer = "محمد علي"
	case "other_amount":
		t.amount += 1_000
	case "other_payee":
		t.payee = otherPayee
	case "unknown":
		t.reference = "LYP000000000000000"
	}
	debtor := map[string]any{"scheme_name": "iban", "identification": payerIBAN, "name": t.payer}
	if kind == "nameless" || t.payer == "" {
		delete(debtor, "name")
	}
	data := map[string]any{
		"amount":             sum{Amount: strconv.FormatInt(t.amount, 10), Currency: t.currency, Fees: "0"},
		"debtor_account":     debtor,
		"debtor_bank":        map[string]string{"name": "TEST BANK", "code": "099"},
		"creditor_account":   map[string]string{"scheme_name": "iban", "identification": t.payee},
		"creditor_bank":      map[string]string{"name": "TEST BANK", "code": "099"},
		"numo_credit_notice": map[string]string{number: t.rrn},
		"payment_reference":  t.reference,
	}
	if kind == "extra" {
		data["channel"], data["cycle"] = "NUMO", []int{1, 2}
	}
	return map[string]any{"webhook": "transaction_credit_notice", "data": data}
}

// send sends messages in their order. A message that does not arrive is lost, as it may be with
// LYPay.
func (f *Fake) send(messages []webhook) {
	for _, m := range messages {
		f.messenger.Post(m.url, http.Header{
			"Content-Type": {"application/json"}, "Signature": m.signatures,
		}, m.body)
	}
}

type webhookAsked struct {
	IBAN string `json:"iban"`
	URL  string `json:"url"`
	Key  string `json:"key"`
}

func (f *Fake) controlWebhook(asked webhookAsked) string {
	if asked.URL != "" && !fake.OnLoopback(asked.URL) {
		return "webhooks go to this machine only"
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.endpoints[asked.IBAN] = endpoint{asked.URL, cmp.Or(asked.Key, f.config.WebhookKey)}
	return ""
}
