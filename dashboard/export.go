package dashboard

import (
	"context"
	"encoding/csv"
	"fmt"
	"iter"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/web"
	"daftar/projections"
)

const (
	// exportLimit is for a whole export, stallLimit for a reader to take a part.
	exportLimit = 30 * time.Minute
	stallLimit  = time.Minute
	exportFlush = 500 // rows
)

// byteOrderMark tells spreadsheets that the file is UTF-8.
const byteOrderMark = "\ufeff"

// export is a file of comma-separated values that is sent while it is made.
type export struct {
	req     *request
	name    string
	asOf    *time.Time
	control *http.ResponseController
	begun   bool
}

// Write begins the answer, and gives the reader a while for each part.
func (e *export) Write(part []byte) (int, error) {
	// The server's limit is for a page. One that cannot be set is no limit.
	_ = e.control.SetWriteDeadline(time.Now().Add(stallLimit))
	if !e.begun {
		if err := e.req.saveSession(); err != nil {
			return 0, err
		}
		e.begun = true
		h := e.req.w.Header()
		h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
		h.Set("Content-Disposition", `attachment; filename="`+e.name+`"`)
		if e.asOf != nil {
			h.Set("Daftar-As-Of", e.asOf.UTC().Format(time.RFC3339))
		}
		e.req.w.WriteHeader(http.StatusOK)
		_, _ = e.req.w.Write([]byte(byteOrderMark))
	}
	return e.req.w.Write(part)
}

// export answers with a file of these rows. Nothing is sent before the first rows or
// the end: until then an error is answered with a page. Where something fails after
// that the connection is broken, so that no client takes a part for the whole.
func (req *request) export(name string, heads []string, rows iter.Seq2[[]string, error]) error {
	e := &export{req: req, name: name, asOf: req.d.config.Late.AsOf(), control: http.NewResponseController(req.w)}
	out := csv.NewWriter(e)
	out.UseCRLF = true
	if req.r.Method == http.MethodHead {
		rows = func(func([]string, error) bool) {} // nothing is taken, so nothing was recorded
	}
	err, sent := out.Write(heads), 0
	for row, failed := range rows {
		if err = failed; err == nil {
			err = out.Write(row)
		}
		if err != nil {
			break
		}
		if sent++; sent%exportFlush == 0 {
			out.Flush()
			_ = e.control.Flush() // what has broken, the next part finds
		}
	}
	if err == nil {
		out.Flush()
		err = out.Error()
	}
	if err != nil && e.begun {
		req.d.config.Log.Warn().Err(err).Str("request_id", web.RequestID(req.r.Context())).Int("rows", sent).Msg("export broken off")
		panic(http.ErrAbortHandler)
	}
	return err
}

// recordExport writes down who takes what, before the first byte of it leaves.
func (d *Dashboard) recordExport(req *request, action accounts.Action, filter map[string]any) error {
	if req.r.Method == http.MethodHead {
		return nil
	}
	return d.config.Accounts.Do(req.ctx, req.by, req.organization.ID, accounts.ExportPayments, func(tx pgx.Tx) (accounts.Entry, error) {
		var lately int
		err := tx.QueryRow(req.ctx, exportsSQL, req.organization.ID, req.by.User).Scan(&lately)
		switch {
		case err != nil:
			return accounts.Entry{}, fmt.Errorf("count exports: %w", err)
		case lately >= maxExports:
			return accounts.Entry{}, errTooManyExports
		}
		return accounts.Entry{Action: action, Detail: filter}, nil
	})
}

// maxExports is how many exports a person may take from an organisation in an hour. Each
// leaves a record for ever, so that reading could fill the trail.
const maxExports = 60

// The records of the last hour are among the latest, of which a bounded number is read.
const exportsSQL = `
SELECT count(*) FROM (SELECT user_uuid, action, at FROM audit_records WHERE organization_uuid = $1 ORDER BY position DESC LIMIT 1000) r
WHERE user_uuid = $2 AND action IN ('` + string(view.ActionExportPayments) + `', '` + string(view.ActionExportTurnover) + `', '` + string(view.ActionExportDecided) + `', '` + string(view.ActionReconcile) + `')
  AND at > now() - interval '1 hour'`

func (d *Dashboard) exportPayments(req *request) error {
	form := readPaymentsForm(req.r.URL.Query())
	applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.organization.ID)
	if err != nil {
		return err
	}
	f, wrong := form.Filter(applications)
	if len(wrong) > 0 {
		return req.redirect(req.in("payments") + "?" + form.Query("")) // the page says what is wrong
	}
	detail := map[string]any{}
	for name, value := range map[string]string{
		"application": form.Application, "status": form.Status, "from_day": form.From, "to_day": form.To, "min": form.Min, "max": form.Max,
	} {
		if value != "" {
			detail[name] = value
		}
	}
	if err := d.recordExport(req, view.ActionExportPayments, detail); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(req.r.Context(), exportLimit)
	defer cancel()
	return req.export("payments-"+projections.DayOf(d.config.Now()).String()+".csv", paymentHeads, func(yield func([]string, error) bool) {
		for p, err := range d.config.Late.Payments.Export(ctx, uuid.UUID(req.organization.ID), f) {
			if !yield(paymentCells(d.paymentRow(p, applications)), err) {
				return
			}
		}
	})
}

// formula finds where a spreadsheet would see a formula begin: at the start of the text, and
// behind what a spreadsheet of another language takes for the end of a cell or a line.
var formula = regexp.MustCompile(`(^|[;|\t\r\n])([\pZ\pC]*[=+\-@＝＋－＠])`)

// cell defuses what a spreadsheet would take for a formula: others wrote it.
func cell(text string) string { return formula.ReplaceAllString(text, "$1'$2") }

func cellMoment(t *time.Time) string {
	if t == nil {
		return ""
	}
	return web.Tripoli(*t).Format(time.RFC3339)
}

func cellMoney(m domain.Money) string { return strings.ReplaceAll(m.Figures(), ",", "") }

var paymentHeads = []string{
	"uuid", "reference", "merchant_reference", "application", "status", "paid_late", "amount", "currency", "description",
	"customer", "created_at", "expires_at", "paid_at", "canceled_at", "extra_payments", "refunded",
}

// paymentCells are a payment in the order of the heads of its columns.
func paymentCells(r view.PaymentRow) []string {
	status, late, customer := r.Status, "no", ""
	if r.CustomerID != nil {
		customer = *r.CustomerID
	}
	if r.Overdue {
		status = domain.StatusCanceled
	}
	if r.Late {
		late = "yes"
	}
	return []string{
		r.ID.String(), r.Reference.Capitals(), cell(string(r.MerchantReference)), cell(r.Application), string(status), late,
		cellMoney(r.Amount), string(r.Amount.Currency), cell(r.Description), cell(customer),
		cellMoment(&r.CreatedAt), cellMoment(&r.ExpiresAt), cellMoment(r.SucceededAt), cellMoment(r.CanceledAt), strconv.Itoa(r.Duplicates),
		cellMoney(domain.Money{Minor: r.Refunded, Currency: r.Amount.Currency}),
	}
}
