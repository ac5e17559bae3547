package fake

import (
	"crypto/subtle"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daftar/payments/acquirer/fake"
)

const (
	credited  = "/api/v1/payments/credited-funds-transfers"
	transfers = "/api/v1/payments/funds-transfers"
)

// tripoli is the zone of the lists' days.
var tripoli = time.FixedZone("Africa/Tripoli", 2*60*60)

// bank wraps a handler of the API: it checks the token and the limit of requests.
func (f *Fake) bank(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f.applyDue()
		given, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		right := subtle.ConstantTimeCompare([]byte(given), []byte(f.config.Token)) == 1
		if !isBearer || !right || f.currentDialect().NoToken {
			f.refuse(w, http.StatusUnauthorized, "Unauthenticated.")
			return
		}
		budget, left := f.count()
		w.Header().Set("X-Ratelimit-Limit", strconv.Itoa(budget))
		w.Header().Set("X-Ratelimit-Remaining", strconv.Itoa(max(left, 0)))
		if left < 0 {
			f.refuse(w, http.StatusTooManyRequests, "Too Many Attempts.")
			return
		}
		h(w, r)
	}
}

// count counts a request and returns how many this minute has left.
func (f *Fake) count() (budget, left int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if minute := f.config.Now().Truncate(time.Minute); !minute.Equal(f.minute) {
		f.minute, f.requests = minute, 0
	}
	f.requests++
	return f.dialect.Budget, f.dialect.Budget - f.requests
}

func (f *Fake) refuse(w http.ResponseWriter, status int, message string) {
	switch f.currentDialect().Errors {
	case "error":
		fake.Answer(w, status, map[string]any{"error": map[string]string{"message": message}})
	case "in_body":
		fake.Answer(w, http.StatusOK, map[string]any{"error": map[string]any{"code": status, "message": message}})
	default:
		fake.Refuse(w, status, message)
	}
}

func (f *Fake) byReference(w http.ResponseWriter, r *http.Request) {
	asked, d := r.URL.Query().Get("internal_merchant_reference"), f.currentDialect()
	if asked == "" {
		f.refuse(w, http.StatusUnprocessableEntity, "The internal merchant reference field is required.")
		return
	}
	f.mu.Lock()
	var found []map[string]any
	chosen, isPaid := 0, false
	for _, t := range f.transfers {
		if t.label != asked || f.isHidden(t) || d.Inquiry == "missing" {
			continue
		}
		if t.status == completed || !isPaid {
			chosen, isPaid = len(found), t.status == completed
		}
		found = append(found, d.inquired(*t))
	}
	f.mu.Unlock()
	switch {
	case len(found) == 0 && d.Answers == "list" && d.Inquiry != "missing":
		fake.Answer(w, http.StatusOK, map[string]any{"data": []any{}})
	case len(found) == 0:
		f.refuse(w, http.StatusNotFound, "Transaction not found.")
	case d.Answers == "list":
		fake.Answer(w, http.StatusOK, map[string]any{"data": found})
	default:
		fake.Answer(w, http.StatusOK, map[string]any{"data": found[chosen]})
	}
}

// inquired is a row as the inquiry by reference has it.
func (d Dialect) inquired(t transfer) map[string]any {
	switch d.Inquiry {
	case "stale":
		t.status = processing
	case "other_merchant":
		t.payee, t.payeeName = otherPayee, "ANOTHER SHOP"
		d.Row = "full"
	}
	row := d.row(&t)
	if d.Inquiry == "other_reference" {
		row["internalMerchantReference"] = "0000000000000000000000000"
	}
	if d.Row == "full" {
		return row
	}
	for _, member := range []string{
		"creditorAmount", "amount", "debtorAmount",
		"creditorAccount", "debtorAccount", "creditorInstitution",
	} {
		delete(row, member)
	}
	if d.Row == "short" {
		delete(row, d.RRN)
	}
	return row
}

// row is a transfer as lists have it.
func (d Dialect) row(t *transfer) map[string]any {
	name := t.status
	if name == completed {
		name = d.Completed
	}
	row := map[string]any{
		"uuid":                t.uuid,
		"paymentReference":    t.reference,
		"transactionType":     "P2M",
		"description":         "QR",
		"debtorAccount":       map[string]any{"schemeName": "iban", "identification": payerIBAN, "name": t.payer},
		"creditorInstitution": map[string]any{"name": "TEST BANK", "code": "099"},
		"status":              map[string]any{"name": name, "code": codes[d.Codes][t.status]},
	}
	switch d.Timestamps {
	case "number":
		row["timestamp"] = t.madeAt.Unix()
	case "string":
		row["timestamp"] = strconv.FormatInt(t.madeAt.Unix(), 10)
	}
	members := map[string]string{"creditor": "creditorAmount", "amount": "amount", "debtor": "debtorAmount"}
	if money := d.money(t.amount, t.currency); money != nil {
		row[members[d.Members]] = money
	}
	if payee := d.payee(t); payee != nil {
		row["creditorAccount"] = payee
	}
	if d.RRN != "absent" {
		row[d.RRN] = t.rrn
	}
	if d.Extra {
		row["channel"], row["settlement"] = "NUMO", map[string]any{"cycle": 3, "final": true}
	}
	return row
}

func (f *Fake) institutions(w http.ResponseWriter, _ *http.Request) {
	fake.Answer(w, http.StatusOK,
		map[string]any{"data": []map[string]string{{"name": "TEST BANK", "code": "099"}}})
}

func (f *Fake) statuses(w http.ResponseWriter, _ *http.Request) {
	d := f.currentDialect()
	var list []map[string]string
	for _, name := range []string{acknowledged, processing, completed, declined, failed, pending, canceled} {
		shown := name
		if name == completed {
			shown = d.Completed
		}
		list = append(list, map[string]string{"name": shown, "code": codes[d.Codes][name]})
	}
	fake.Answer(w, http.StatusOK, map[string]any{"data": list})
}
