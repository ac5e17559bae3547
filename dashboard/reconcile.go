package dashboard

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/outcomes"
	"daftar/reconcile"
)

// Limits of a comparison. Lines and payments are in memory, a few hundred bytes each.
const (
	maxStatement   = 32 << 20 // bytes
	maxCompared    = 150_000  // lines of a statement, and payments of the ledger
	comparedInAll  = 2        // at a time; others wait
	comparedOfEach = 1        // of an organisation
	reconcileLimit = time.Minute
	maxField       = 200 // bytes of a field next to the file
)

var _ = declare(
	get("/reconcile", member(accounts.ExportPayments), loaded(view.SectionMoney, (*Dashboard).reconcilePage)),
	post("/reconcile", member(accounts.ExportPayments), (*Dashboard).reconcile).upTo(maxStatement+maxForm),
)

// playAcquirer is the acquirer of test applications, and on a developer's machine of live ones, too.
const playAcquirer = "sandbox"

func (d *Dashboard) reconcilePage(req *request) (view.ReconcilePage, error) {
	var p view.ReconcilePage
	test := req.organization.Mode == domain.ModeTest
	for _, name := range reconcile.Acquirers() {
		if play := name == playAcquirer; play == test || play && d.config.Sandbox {
			p.Acquirers = append(p.Acquirers, name)
		}
	}
	var err error
	p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
	return p, err
}

// reconcile compares the uploaded statement with the ledger. Of the statement only what it shows of unknown
// outcomes is kept.
func (d *Dashboard) reconcile(req *request) error {
	page, err := d.reconcilePage(req)
	if err != nil {
		return err
	}
	var file *received
	end, wrong, err := d.upload(req, slotLimit+reconcileLimit,
		func(slot bool) (wrong view.FormErrors, err error) {
			file, wrong, err = d.readStatementForm(req.r, &page.Form, slot)
			return wrong, err
		})
	defer end()
	if err != nil {
		return fmt.Errorf("receive statement: %w", err)
	}
	if file != nil {
		defer func() { _ = file.close() }() // the file has no name: closing deletes it
	}
	options, of, invalid := page.Read(d.config.Now())
	if page.FormErrors = slices.Concat(wrong, invalid); len(page.FormErrors) > 0 {
		return req.show(view.SectionMoney, page)
	}
	release, free := d.comparing.take(req.ctx, req.organization.ID)
	if !free {
		page.FormErrors = view.BusyServer("file")
		return req.show(view.SectionMoney, page)
	}
	defer release()
	if err := d.recordExport(req, view.ActionReconcile, page.Form.Detail()); err != nil {
		return err
	}
	options.Limit, options.Longest = maxCompared, view.LongestSpan
	report, err := reconcile.Compare(req.ctx, d.config.Pool, of, file.Reader, options)
	if err != nil {
		page.FormErrors = view.ReconcileErrors(err)
		return req.correct(view.SectionMoney, page, fmt.Errorf("compare statement: %w", err))
	}
	page.Report = &report
	if page.Proven, err = d.keepProofs(req, report.Proofs); err != nil {
		return err
	}
	return req.show(view.SectionMoney, page)
}

// keepProofs keeps what a statement shows of unknown outcomes, if the user may settle them. It returns how
// many there are.
func (d *Dashboard) keepProofs(req *request, found []reconcile.Proof) (int, error) {
	if !req.role.Allows(accounts.SettleOutcomes) {
		return 0, nil
	}
	all := make([]outcomes.Proof, len(found))
	for n, f := range found {
		p := outcomes.Proof{Key: outcomes.KeyOfPayment(f.Attempt), Verdict: outcomes.Failed}
		if f.Refund != (domain.RefundID{}) {
			p.Key = outcomes.KeyOfRefund(f.Refund)
		}
		if f.Moved {
			p.Verdict = p.Kind.Moved()
		}
		if f.Line != nil {
			p.Line, p.ProviderReference, p.Amount = f.Line.Number, f.Line.ProviderReference, f.Line.Amount
		}
		if f.Line != nil && !f.Line.At.IsZero() {
			p.At = &f.Line.At
		}
		all[n] = p
	}
	return d.config.Outcomes.Keep(req.ctx, req.by, req.tenant(), all)
}

// readStatementForm reads the fields up to the file, which is the last, and the file if there is a slot.
func (d *Dashboard) readStatementForm(
	r *http.Request, into *view.ReconcileForm, slot bool,
) (*received, view.FormErrors, error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, statementErrors(err), nil
	}
	fields := map[string]*string{
		"acquirer": &into.Acquirer, "application": &into.Application, "from": &into.From, "to": &into.To,
		"unit": &into.Unit,
	}
	for {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil, view.NoStatement, nil
		case err != nil:
			return nil, statementErrors(err), nil
		case part.FormName() == "file" && part.FileName() == "":
			return nil, view.NoStatement, nil
		case part.FormName() == "file" && !slot:
			return nil, view.BusyUploads("file"), nil
		case part.FormName() == "file":
			file, broken, err := receive(part, d.config.Log)
			return file, statementErrors(broken), err
		}
		value, err := io.ReadAll(io.LimitReader(part, maxField))
		if err != nil {
			return nil, statementErrors(err), nil
		}
		if field, known := fields[part.FormName()]; known {
			*field = strings.TrimSpace(strings.ToValidUTF8(string(value), ""))
		}
	}
}

// statementErrors are the form's errors for a file that did not arrive completely.
func statementErrors(err error) view.FormErrors {
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case err == nil:
		return nil
	case large:
		return view.LargeStatement
	case errors.Is(err, http.ErrNotMultipart), errors.Is(err, http.ErrMissingBoundary):
		return view.NoStatement
	case errors.Is(err, os.ErrDeadlineExceeded):
		return view.SlowUpload("file")
	}
	return view.BrokenStatement
}
