package fake

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"daftar/payments/acquirer/fake"
)

// transfer answers GET funds-transfers/{uuid}, which needs uuid, reference and timestamp.
func (f *Fake) transfer(w http.ResponseWriter, r *http.Request) {
	d, query := f.currentDialect(), r.URL.Query()
	f.mu.Lock()
	t := f.find(r.PathValue("uuid"), query.Get("paymentReference"), "")
	var row map[string]any
	if t != nil && query.Get("paymentReference") != "" &&
		query.Get("transactionTimestamp") == strconv.FormatInt(t.madeAt.Unix(), 10) {
		shown := *t
		if d.Transfer == "stale" {
			shown.status = processing
		}
		row = d.row(&shown)
	}
	f.mu.Unlock()
	if row == nil || d.Transfer == "missing" {
		f.refuse(w, http.StatusNotFound, "Transaction not found.")
		return
	}
	fake.Answer(w, http.StatusOK, map[string]any{"data": row})
}

// list answers a day's credits, the last first.
func (f *Fake) list(w http.ResponseWriter, r *http.Request) {
	d, query := f.currentDialect(), r.URL.Query()
	page, err := strconv.Atoi(query.Get("page"))
	if err != nil || page < 1 {
		page = 1
	}
	f.mu.Lock()
	var all []map[string]any
	for _, t := range f.transfers {
		day := t.madeAt.In(tripoli).AddDate(0, 0, t.dayShift).Format(time.DateOnly)
		asked := query.Get("filter[date]")
		otherDay := asked != "" && asked != day
		if otherDay || f.isHidden(t) || d.Lists == "empty" || t.status == acknowledged {
			continue
		}
		row := d.row(t)
		delete(row, "timestamp")
		row["transactionDateTime"] = t.madeAt.In(tripoli).Format("2006-01-02 15:04:05")
		row["valueDateTime"] = row["transactionDateTime"]
		all = append(all, row)
	}
	f.mu.Unlock()
	slices.Reverse(all)
	// Rows that came in since the first page make more pages.
	last := max((len(all)+d.Shift*(page-1)+d.PageSize-1)/d.PageSize, 1)
	from := min(max((page-1)*(d.PageSize-d.Shift), 0), len(all))
	rows := append([]map[string]any{}, all[from:min(from+d.PageSize, len(all))]...)
	switch d.Lists {
	case "wrapped":
		fake.Answer(w, http.StatusOK,
			map[string]any{"data": map[string]any{"data": rows, "current_page": page, "last_page": last}})
	case "untold":
		fake.Answer(w, http.StatusOK, map[string]any{"data": rows})
	default:
		fake.Answer(w, http.StatusOK,
			map[string]any{"data": rows, "meta": map[string]int{"current_page": page, "last_page": last}})
	}
}

// details answers by retrieval number.
func (f *Fake) details(w http.ResponseWriter, r *http.Request) {
	d := f.currentDialect()
	var asked struct {
		RRN              string `json:"rrn"`
		PaymentReference string `json:"paymentReference"`
	}
	if err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, 64<<10), &asked); err != nil || asked.RRN == "" {
		f.refuse(w, http.StatusUnprocessableEntity, "The rrn field is required.")
		return
	}
	f.mu.Lock()
	t := f.find("", asked.PaymentReference, asked.RRN)
	var shown transfer
	if t != nil {
		shown = *t
	}
	f.mu.Unlock()
	switch {
	case t == nil || d.Details == "missing":
		f.refuse(w, http.StatusNotFound, "Transaction not found.")
		return
	case d.Details == "several":
		f.refuse(w, http.StatusConflict, "More than one transaction matches.")
		return
	case d.Details == "other_amount":
		shown.amount += 1_000
	case d.Details == "other_transfer":
		shown.uuid, shown.reference = "00000000-0000-4000-8000-000000000000", "LYP999999999999999"
	}
	fake.Answer(w, http.StatusOK, map[string]any{"data": d.row(&shown)})
}

// refund gives money back: no more than is left, and only where uuid, reference and timestamp of
// the transfer are right.
func (f *Fake) refund(w http.ResponseWriter, r *http.Request) {
	d := f.currentDialect()
	var asked struct {
		PaymentReference     string  `json:"paymentReference"`
		TransactionTimestamp int64   `json:"transactionTimestamp"`
		Amount               string  `json:"amount"`
		Description          *string `json:"description"`
	}
	err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, 64<<10), &asked, json.RejectUnknownMembers(true))
	amount, notNumber := strconv.ParseInt(asked.Amount, 10, 64)
	if err != nil || notNumber != nil || amount <= 0 || asked.PaymentReference == "" {
		f.refuse(w, http.StatusUnprocessableEntity, "The given data was invalid.")
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.find(r.PathValue("uuid"), asked.PaymentReference, "")
	switch {
	case t == nil || t.status != completed:
		fake.Refuse(w, http.StatusNotFound, "Transaction not found.")
		return
	case asked.TransactionTimestamp != t.madeAt.Unix():
		fake.Refuse(w, http.StatusUnprocessableEntity, "The transaction timestamp is invalid.")
		return
	case amount > t.amount-t.refunded:
		fake.Refuse(w, http.StatusUnprocessableEntity, "The amount exceeds what can be refunded.")
		return
	}
	fake.Answer(w, http.StatusOK, map[string]any{"data": f.recordRefund(t, amount, d)})
}

// recordRefund keeps the books and returns the data of the answer. f.mu is held.
func (f *Fake) recordRefund(t *transfer, amount int64, d Dialect) map[string]any {
	status := completed
	switch d.Refunds {
	case "processing", "failed":
		status = d.Refunds
	}
	if status != failed {
		t.refunded += amount
		f.books.Update(t.asked, func(p *fake.Payment) bool { p.Refunded += amount; return true })
	}
	if d.Refunds == "original" {
		return d.row(t)
	}
	if d.Refunds == "bare" {
		return map[string]any{}
	}
	f.made++
	back := transfer{
		uuid:      t.uuid[:35] + "f",
		reference: "LYR" + t.reference[3:] + strconv.Itoa(f.made),
		amount:    amount,
		currency:  t.currency,
		payee:     payerIBAN,
		payeeName: t.payer,
		madeAt:    f.config.Now(),
		status:    status,
	}
	row := d.row(&back)
	row["transactionType"] = "M2P"
	return row
}
