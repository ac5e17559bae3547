package dashboard

import (
	"context"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

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

// export writes a file of comma-separated values while it is made. Nothing is sent
// before the first row or the end: until then an error is answered with a page.
type export struct {
	v       *visit
	name    string
	heads   []string
	out     *csv.Writer
	control *http.ResponseController
	rows    int
	begun   bool
}

func newExport(v *visit, name string, heads ...string) *export {
	e := &export{v: v, name: name, heads: heads, out: csv.NewWriter(v.w), control: http.NewResponseController(v.w)}
	e.out.UseCRLF = true
	return e
}

func (e *export) begin() {
	e.begun = true
	h := e.v.w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", `attachment; filename="`+e.name+`"`)
	// The server's limit is for a page. One that cannot be set is no limit.
	_ = e.control.SetWriteDeadline(time.Now().Add(stallLimit))
	e.v.w.WriteHeader(http.StatusOK)
	_, _ = e.v.w.Write([]byte(byteOrderMark))
	_ = e.out.Write(e.heads) // its error stays, and flush finds it
}

// write adds a row. Errors are of the connection.
func (e *export) write(row ...string) error {
	if !e.begun {
		e.begin()
	}
	if err := e.out.Write(row); err != nil {
		return err
	}
	if e.rows++; e.rows%exportFlush == 0 {
		return e.flush()
	}
	return nil
}

func (e *export) flush() error {
	_ = e.control.SetWriteDeadline(time.Now().Add(stallLimit))
	e.out.Flush()
	if err := e.out.Error(); err != nil {
		return err
	}
	return e.control.Flush()
}

// end ends the file. Where something failed after its beginning the connection is
// broken, so that no client takes a part for the whole.
func (e *export) end(err error) error {
	if err != nil && !e.begun {
		return err
	}
	if err == nil {
		if !e.begun {
			e.begin()
		}
		err = e.flush()
	}
	if err != nil {
		e.v.d.log.Warn().Err(err).Str("request_id", web.RequestID(e.v.r.Context())).Int("rows", e.rows).Msg("export broken off")
		panic(http.ErrAbortHandler)
	}
	return nil
}

// recordExport writes down who takes what, before the first byte of it leaves.
func (d *Dashboard) recordExport(v *visit, action accounts.Action, filter map[string]any) error {
	return d.accounts.Do(v.ctx, v.by, v.organization.ID, accounts.SeePayments, func(pgx.Tx) (accounts.Entry, error) {
		return accounts.Entry{Action: action, Detail: filter}, nil
	})
}

func (d *Dashboard) exportPayments(v *visit) error {
	form := readPaymentsForm(v.r.URL.Query())
	applications, err := d.accounts.Applications(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return err
	}
	f, wrong := form.Filter(applications)
	if len(wrong) > 0 {
		return v.redirect(v.in("payments") + "?" + form.Query("")) // the page says what is wrong
	}
	e := newExport(v, "payments-"+projections.DayOf(d.now()).String()+".csv",
		"uuid", "reference", "merchant_reference", "application", "status", "paid_late", "amount", "currency", "description",
		"customer", "created_at", "expires_at", "paid_at", "canceled_at", "extra_payments")
	if v.r.Method == http.MethodHead {
		return e.end(nil)
	}
	detail := map[string]any{}
	for name, value := range map[string]string{
		"application": form.Application, "status": form.Status, "from_day": form.From, "to_day": form.To, "min": form.Min, "max": form.Max,
	} {
		if value != "" {
			detail[name] = value
		}
	}
	if err := d.recordExport(v, view.ActionExportPayments, detail); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), exportLimit)
	defer cancel()
	for p, err := range d.payments.Export(ctx, uuid.UUID(v.organization.ID), f) {
		if err == nil {
			r := d.paymentRow(p, applications)
			err = e.write(paymentCells(r)...)
		}
		if err != nil {
			return e.end(err)
		}
	}
	return e.end(nil)
}

// cell defuses what a spreadsheet would take for a formula: others wrote it.
func cell(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}

func cellMoment(t *time.Time) string {
	if t == nil {
		return ""
	}
	return web.Tripoli(*t).Format(time.RFC3339)
}

func cellMoney(m domain.Money) string { return strings.ReplaceAll(m.Figures(), ",", "") }

func cellPointer(s *string) string {
	if s == nil {
		return ""
	}
	return cell(*s)
}

// paymentCells are a payment in the order of the heads of its columns.
func paymentCells(r view.PaymentRow) []string {
	status, late := r.Status, "no"
	if r.Overdue {
		status = domain.StatusCanceled
	}
	if r.Late {
		late = "yes"
	}
	return []string{
		r.ID.String(), r.Reference.Capitals(), cell(string(r.MerchantReference)), cell(r.Application), string(status), late,
		cellMoney(r.Amount), string(r.Amount.Currency), cell(r.Description), cellPointer(r.CustomerID),
		cellMoment(&r.CreatedAt), cellMoment(&r.ExpiresAt), cellMoment(r.SucceededAt), cellMoment(r.CanceledAt), strconv.Itoa(r.Duplicates),
	}
}
