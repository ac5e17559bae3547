package fake

import (
	"embed"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	fakes "daftar/payments/acquirer/fake"
)

//go:embed page
var files embed.FS

const (
	codeLife      = 10 * time.Minute // how long a form waits for its code
	wrongCodesMax = 5                // the last one is declined
	hiddenFor     = 3 * time.Second  // the sale of card 0000000000000003 is not in the list yet
	rightCode     = "111111"
)

// formPolicy is the Content-Security-Policy of the form.
const formPolicy = "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; " +
	"connect-src 'self'; form-action 'none'; base-uri 'none'"

// serveFiles serves the script, and the form that it shows in a frame.
func (f *Fake) serveFiles() {
	for path, file := range map[string]struct{ name, kind string }{
		"GET /js/lightbox.js":  {"lightbox.js", "text/javascript; charset=utf-8"},
		"GET /js/lightbox.css": {"lightbox.css", "text/css; charset=utf-8"},
		"GET /js/form.js":      {"form.js", "text/javascript; charset=utf-8"},
		"GET /js/form.css":     {"form.css", "text/css; charset=utf-8"},
		"GET /js/bank.js":      {"bank.js", "text/javascript; charset=utf-8"},
		"GET /form":            {"form.html", "text/html; charset=utf-8"},
		"GET /bank":            {"bank.html", "text/html; charset=utf-8"},
		"GET /bank/window":     {"bank.html", "text/html; charset=utf-8"},
	} {
		content, err := files.ReadFile("page/" + file.name)
		if err != nil {
			panic("fake: " + file.name + " is not embedded")
		}
		f.mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			h := w.Header()
			h.Set("Content-Type", file.kind)
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Cross-Origin-Resource-Policy", "cross-origin")
			if strings.HasSuffix(file.name, ".html") {
				h.Set("Content-Security-Policy", formPolicy)
				h.Set("Referrer-Policy", "no-referrer")
			}
			_, _ = w.Write(content)
		})
	}
}

// press is what the form sends: the configuration from the page, and the button.
type press struct {
	MID, TID, AmountTrxn, MerchantReference, TrxDateTime, SecureHash value

	Action string `json:"action"` // open, pay or decline
	Card   string `json:"card"`
	Code   string `json:"code"`
	// Confirmed says that the cardholder's bank has confirmed the payment.
	Confirmed string `json:"confirmed"`
}

// useForm answers POST /form with the callback for the page, its data, and the text for the
// payer.
func (f *Fake) useForm(w http.ResponseWriter, r *http.Request) {
	var p press
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &p) != nil {
		fakes.Answer(w, http.StatusBadRequest, refusal("Bad request"))
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	m, known := f.merchant(string(p.MID), string(p.TID))
	signed := "Amount=" + string(p.AmountTrxn) + "&DateTimeLocalTrxn=" + string(p.TrxDateTime) +
		"&MerchantId=" + m.MerchantID + "&MerchantReference=" + string(p.MerchantReference) +
		"&TerminalId=" + m.TerminalID
	amount, err := strconv.ParseInt(string(p.AmountTrxn), 10, 64)
	switch {
	case !known || !fits(m.SecureKey, signed, string(p.SecureHash)):
		f.fail(w, p, amount, "CUBEEX5212216:Authentication Failed")
		return
	case err != nil || amount <= 0:
		f.fail(w, p, 0, "CUBEEX9900002:Invalid Amount")
		return
	}
	shown := f.forms[string(p.MerchantReference)]
	if shown == nil || p.Action == "open" {
		wrong := 0
		if shown != nil {
			wrong = shown.wrongCodes
		}
		shown = &form{opened: f.now(), wrongCodes: wrong}
		f.forms[string(p.MerchantReference)] = shown
	}
	sale := f.sale(m, string(p.MerchantReference), amount, p.Card)
	switch p.Action {
	case "pay":
		f.pay(w, p, sale, shown)
	case "decline":
		f.decline(w, p, sale, "Do not honor")
	default:
		fakes.Answer(w, http.StatusOK, map[string]any{"show": "open"})
	}
}

// pay handles the button for a code. f.mu is held.
func (f *Fake) pay(w http.ResponseWriter, p press, sale row, shown *form) {
	switch {
	case f.now().Sub(shown.opened) > codeLife:
		f.decline(w, p, sale, "OTP expired")
		return
	case p.Code != rightCode:
		shown.wrongCodes++
		if shown.wrongCodes >= wrongCodesMax {
			f.decline(w, p, sale, "OTP tries exceeded")
			return
		}
		fakes.Answer(w, http.StatusOK, map[string]any{"show": "wrong"})
		return
	}
	switch p.Card {
	case "0000000000000001":
		f.record(sale)
		panic(http.ErrAbortHandler)
	case "0000000000000002":
		panic(http.ErrAbortHandler)
	case "0000000000000003":
		sale.shownAt = f.now().Add(hiddenFor)
	case "0000000000000004":
		f.decline(w, p, sale, "Insufficient funds")
		return
	case "0000000000000007":
		if p.Confirmed == "" {
			fakes.Answer(w, http.StatusOK, map[string]any{"show": "bank"})
			return
		}
	case "0000000000000006":
		f.notify(f.message(f.record(sale)))
	}
	sale = f.record(sale)
	right := f.message(sale)
	f.notify(right)
	if p.Card == "0000000000000005" {
		f.notify(right)
		for _, kind := range []string{"altered", "forged", "repointed"} {
			m, _ := f.messageOfKind(sale, kind, "0000000000000000000000000")
			f.notify(m)
		}
	}
	answer := map[string]any{"callback": "complete", "show": "paid", "data": f.completed(sale)}
	fakes.Answer(w, http.StatusOK, answer)
}

// decline records a card that was refused. The form stays open. f.mu is held.
func (f *Fake) decline(w http.ResponseWriter, p press, sale row, because string) {
	sale.approved, sale.because = false, because
	sale = f.record(sale)
	f.notify(f.message(sale))
	f.fail(w, p, sale.amount, because)
}

// fail answers with the errorCallback, whose amount is in dinars and whose reference is
// misspelt, as at the gateway.
func (f *Fake) fail(w http.ResponseWriter, p press, amount int64, because string) {
	fakes.Answer(w, http.StatusOK, map[string]any{"callback": "error", "show": "refused", "data": map[string]any{
		"error": because, "Amount": dinars(amount), "MerchantReferenece": string(p.MerchantReference),
		"DateTimeLocalTrxn": string(p.TrxDateTime), "SecureHash": string(p.SecureHash),
	}})
}

// completed is the argument of completeCallback. Its hash covers the reference. f.mu is held.
func (f *Fake) completed(sale row) map[string]any {
	date, amount := sale.at.Format("060102150405"), strconv.FormatInt(sale.amount, 10)
	signed := "Amount=" + amount + "&Currency=434&MerchantId=" + sale.merchant.MerchantID +
		"&MerchantReference=" + sale.reference + "&PaidThrough=Card" +
		"&TerminalId=" + sale.merchant.TerminalID + "&TxnDate=" + date
	return map[string]any{
		"TxnDate":           date,
		"SystemReference":   sale.systemReference(),
		"NetworkReference":  sale.networkReference(),
		"MerchantReference": sale.reference,
		"Amount":            amount,
		"Currency":          "434",
		"PaidThrough":       "Card",
		"PayerAccount":      sale.card,
		"PayerName":         "TEST CARD",
		"CardToken":         nil,
		"CustomerId":        nil,
		"SecureHash":        secureHash(sale.merchant.SecureKey, signed),
	}
}
