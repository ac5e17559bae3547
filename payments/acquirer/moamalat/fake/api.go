package fake

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	fakes "daftar/payments/acquirer/fake"
)

// Paths, in lower case.
const (
	filterPath = "/cube/paylink.svc/api/filtertransactions"
	refundPath = "/cube/paylink.svc/api/refundtransaction"
)

// verdict is an answer without further members.
type verdict struct {
	Message *string
	Success bool
}

func refusal(message string) verdict { return verdict{Message: &message} }

// request has the members of both calls.
type request struct {
	MerchantReference value
	NetworkReference  value
	SystemReference   value
	AmountTrxn        value
	TerminalId        value
	MerchantId        value
	DisplayLength     value
	DisplayStart      value
	DateTimeLocalTrxn value
	DateFrom          value
	DateTo            value
	SecureHash        value
}

// read decodes a request and authenticates its merchant. It has answered where it returns
// false. f.mu is held.
func (f *Fake) read(w http.ResponseWriter, r *http.Request) (request, Merchant, bool) {
	var asked request
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &asked) != nil {
		fakes.Answer(w, http.StatusBadRequest, refusal("Bad request"))
		return asked, Merchant{}, false
	}
	m, known := f.merchant(string(asked.MerchantId), string(asked.TerminalId))
	signed := "DateTimeLocalTrxn=" + string(asked.DateTimeLocalTrxn) +
		"&MerchantId=" + m.MerchantID + "&TerminalId=" + m.TerminalID
	if !known || !fits(m.SecureKey, signed, string(asked.SecureHash)) {
		fakes.Answer(w, http.StatusUnauthorized, map[string]any{
			"Message": "Authentication failed.", "StackTrace": nil,
			"ExceptionType": "System.InvalidOperationException",
		})
		return asked, m, false
	}
	used := m.TerminalID + " " + string(asked.DateTimeLocalTrxn)
	if _, repeated := f.dates[used]; repeated && f.config.RefuseRepeats {
		fakes.Answer(w, http.StatusOK, refusal("CUBEEX9900001:Duplicate Request"))
		return asked, m, false
	}
	f.dates[used] = struct{}{}
	return asked, m, true
}

// filter answers FilterTransactions.
func (f *Fake) filter(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	asked, m, ok := f.read(w, r)
	if !ok {
		return
	}
	length, errLength := strconv.Atoi(string(asked.DisplayLength))
	start, errStart := strconv.Atoi(string(asked.DisplayStart))
	if errLength != nil || errStart != nil || length < 1 || start < 0 {
		fakes.Answer(w, http.StatusOK, refusal("Invalid DisplayLength or DisplayStart"))
		return
	}
	var found []row
	var sum int64
	for _, t := range f.rows {
		if t.matches(asked, m, f.now()) {
			found = append(found, t)
			sum += t.amount
		}
	}
	answer := map[string]any{
		"Message":                    nil,
		"Success":                    true,
		"TotalAmountAllTransaction":  sum,
		"TotalAmountTipsTransaction": 0,
		"TotalCountAllTransaction":   len(found),
		"Transactions":               f.days(found[min(start, len(found)):min(start+length, len(found))]),
	}
	if len(found) == 0 {
		answer["Message"], answer["TotalAmountTipsTransaction"] = "Transaction not found", nil
	}
	if f.style.Extra {
		answer["ServerName"] = "node 2"
	}
	fakes.Answer(w, http.StatusOK, answer)
}

func (r row) matches(asked request, m Merchant, now time.Time) bool {
	day := r.at.Format("20060102")
	return r.merchant.TerminalID == m.TerminalID && !r.shownAt.After(now) &&
		(asked.MerchantReference == "" || r.reference == string(asked.MerchantReference)) &&
		(asked.NetworkReference == "" || r.networkReference() == string(asked.NetworkReference)) &&
		(asked.DateFrom == "" || day >= string(asked.DateFrom)) &&
		(asked.DateTo == "" || day <= string(asked.DateTo))
}

// days groups transactions by their day. f.mu is held.
func (f *Fake) days(rows []row) []map[string]any {
	days := []map[string]any{}
	for _, r := range rows {
		date := r.at.Format("02/01/2006")
		if len(days) == 0 || days[len(days)-1]["Date"] != date {
			days = append(days, map[string]any{"Date": date, "DateTotalAmount": "0", "DateTransactions": []any{}})
		}
		day := days[len(days)-1]
		listed, _ := day["DateTransactions"].([]any)
		day["DateTransactions"] = append(listed, f.write(r))
	}
	return days
}

// write returns a transaction as the list has it. f.mu is held.
func (f *Fake) write(r row) map[string]any {
	status := "Declined"
	if r.approved {
		status = "Approved"
	}
	amount := strconv.FormatInt(r.amount, 10)
	if f.style.Dinars {
		amount = dinars(r.amount)
	}
	original := ""
	if r.original != 0 {
		original = strconv.Itoa(r.original)
	}
	written := map[string]any{
		"Amnt":                  amount,
		"AmountTrxn":            amount,
		"AuthCode":              nil,
		"CardNo":                r.card,
		"CardType":              "",
		"Currency":              "LYD",
		"ExternalTxnId":         nil,
		"FeeAmnt":               "0",
		"IsRefund":              r.kind != kindSale,
		"MerchantReference":     r.reference,
		"MobileNumber":          nil,
		"OriginalTxnId":         original,
		"RRN":                   r.networkReference(),
		"ReceiptNo":             r.networkReference(),
		"RemainingRefundAmount": strconv.FormatInt(r.amount-r.refunded, 10),
		"ResCodeDesc":           r.because,
		"STAN":                  r.networkReference()[6:],
		"SenderName":            "TEST CARD",
		"Status":                status,
		"TipAmnt":               "0",
		"TransType":             r.kind,
		"TransactionChannel":    "Card",
		"TransactionId":         r.systemReference(),
		"TxnDateTime":           r.at.Format("02/01/06  15:04"),
	}
	if f.style.Numbers {
		written["AmountTrxn"], written["TransactionId"], written["Currency"] = jsontext.Value(amount), r.number, 434
	}
	if f.style.Extra {
		written["LoyaltyPoints"], written["Nested"] = nil, map[string]any{"Amount": []int{1}}
	}
	return written
}

// refund answers RefundTransaction.
func (f *Fake) refund(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	asked, m, ok := f.read(w, r)
	if !ok {
		return
	}
	amount, err := strconv.ParseInt(string(asked.AmountTrxn), 10, 64)
	sale := f.saleOf(asked, m)
	switch {
	case err != nil || amount <= 0:
		fakes.Answer(w, http.StatusOK, refundAnswer("CUBEEX9900002:Invalid Amount", false, nil))
		return
	case sale == nil:
		fakes.Answer(w, http.StatusOK, refundAnswer("CUBEEX9900003:Transaction Not Found", false, nil))
		return
	case sale.refunded == sale.amount:
		fakes.Answer(w, http.StatusOK, refundAnswer("CUBEEX5250616:Transaction Already Refunded", false, nil))
		return
	case sale.refunded+amount > sale.amount:
		fakes.Answer(w, http.StatusOK, refundAnswer("CUBEEX9900004:Amount Exceeds Transaction", false, nil))
		return
	}
	sale.refunded += amount
	back := row{
		merchant: m, reference: sale.reference, amount: amount, kind: kindRefund, approved: true,
		because: "Approved", card: sale.card, original: sale.number,
	}
	if amount == sale.amount && sale.at.Format("20060102") == f.now().Format("20060102") {
		back.kind = kindVoidSale // before the day's settlement
	}
	back = f.record(back)
	f.notify(f.message(back))
	fakes.Answer(w, http.StatusOK, refundAnswer("Approved", true, back.systemReference()))
}

// saleOf finds the sale by one of its numbers. f.mu is held.
func (f *Fake) saleOf(asked request, m Merchant) *row {
	for i := range f.rows {
		r := &f.rows[i]
		if r.kind != kindSale || !r.approved || r.merchant.TerminalID != m.TerminalID {
			continue
		}
		if r.systemReference() == string(asked.SystemReference) ||
			r.networkReference() == string(asked.NetworkReference) {
			return r
		}
	}
	return nil
}

func refundAnswer(message string, success bool, number any) map[string]any {
	return map[string]any{
		"Message":           message,
		"Success":           success,
		"ActionCode":        nil,
		"AuthCode":          nil,
		"DecimalFraction":   3,
		"MerchantReference": nil,
		"NetworkReference":  nil,
		"ReceiptNumber":     nil,
		"RefNumber":         number,
		"SystemReference":   0,
		"SystemTxnId":       0,
		"TxnDate":           nil,
	}
}
