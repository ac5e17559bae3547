package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/payments/acquirer/statements"
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
	maxField       = 200  // bytes of a field next to the file
	maxColumnName  = 1000 // bytes of the name of a column, as reconcile reads cells
	recordLimit    = 10 * time.Second
	earlierShown   = 10
)

var _ = declare(
	get("/reconcile", member(accounts.ExportPayments), loaded(view.SectionMoney, (*Dashboard).reconcileStart)),
	post("/reconcile", member(accounts.ExportPayments), (*Dashboard).reconcile).upTo(maxStatement+maxForm),
	// It asks for no new sign-in, which would lose the file: it moves no money, and can be withdrawn.
	post("/reconcile/accept", member(accounts.KeepBooks), (*Dashboard).reconcile).upTo(maxStatement+maxForm),
)

// playAcquirer is the acquirer of test applications, and on a developer's machine of live ones, too.
const playAcquirer = "sandbox"

// providers are the acquirers of the page's applications.
func (d *Dashboard) providers(req *request) (names []string) {
	test := req.organization.Mode == domain.ModeTest
	for _, name := range reconcile.Acquirers() {
		if play := name == playAcquirer; play == test || play && d.config.Sandbox {
			names = append(names, name)
		}
	}
	return names
}

func (d *Dashboard) reconcilePage(req *request) (view.ReconcilePage, error) {
	p := view.ReconcilePage{Today: domain.DayOf(d.config.Now()), Acquirers: d.providers(req)}
	var err error
	if p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.tenant()); err != nil {
		return p, err
	}
	p.Earlier, err = d.config.Accounts.Latest(req.ctx, req.by, req.organization.ID, accounts.ExportPayments,
		view.ActionReconcile, earlierShown)
	return p, err
}

// reconcile compares the uploaded statement with the ledger, or asks for its columns first. Of the statement
// only what it shows of unknown outcomes is kept, and the names of columns that were chosen; and what of
// it is accepted.
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
	if file != nil {
		defer func() { _ = file.close() }() // the file has no name: closing deletes it
	}
	if err != nil {
		return fmt.Errorf("receive statement: %w", err)
	}
	options, of, invalid := page.Read(d.config.Now())
	page.FormErrors = slices.Concat(wrong, invalid)
	if file != nil && len(wrong) == 0 {
		if page.Carried, err = carry(file); err != nil {
			return err
		}
	}
	if file == nil || len(wrong) > 0 || len(invalid) > 0 && page.Form.Columns == nil {
		return req.show(view.SectionMoney, page)
	}
	release, free := d.comparing.take(req.ctx, req.organization.ID)
	if !free {
		page.FormErrors = view.BusyServer("file")
		return req.show(view.SectionMoney, page)
	}
	defer release()
	sample, err := d.findColumns(req, page.Form, file, &options)
	if err != nil {
		page.FormErrors = view.ReconcileErrors(err)
		return req.correct(view.SectionMoney, page, fmt.Errorf("look at statement: %w", err))
	}
	if len(invalid) > 0 || sample.Problem != nil || page.Form.Choose != "" {
		page.Sample = &sample
		if sample.Problem != nil && len(invalid) == 0 {
			page.FormErrors = view.ReconcileErrors(sample.Problem)
		}
		return req.show(view.SectionMoney, page)
	}
	return d.compare(req, page, of, options, file)
}

// findColumns decides which columns of a file are read: those of the form, or those that were chosen for the
// acquirer before if the file has them, or those that are known. It returns the beginning of the file.
func (d *Dashboard) findColumns(
	req *request, form view.ReconcileForm, file *received, options *reconcile.Options,
) (reconcile.Sample, error) {
	look := func(columns map[statements.Field]string) (reconcile.Sample, error) {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return reconcile.Sample{}, err
		}
		return reconcile.Look(req.ctx, file, options.Profile, columns)
	}
	if form.Columns != nil {
		return look(form.Columns)
	}
	kept, err := d.config.Settings.StatementFormat(req.ctx, req.by, req.organization.ID, form.Acquirer)
	if err != nil {
		return reconcile.Sample{}, err
	}
	options.Columns = view.ColumnsOf(kept.Columns)
	sample, err := look(options.Columns)
	if err == nil && sample.Problem != nil && options.Columns != nil {
		options.Columns, kept.Unit = nil, "" // it was that of another format
		sample, err = look(nil)
	}
	if form.Unit == "" && kept.Unit != "" {
		options.Profile.Unit = statements.Unit(kept.Unit)
	}
	return sample, err
}

// compare answers with what a comparison found, as a page or a file. The record has the result: without it
// there is no answer.
func (d *Dashboard) compare(
	req *request, page view.ReconcilePage, of reconcile.Scope, options reconcile.Options, file *received,
) error {
	if err := d.checkExports(req.ctx, d.config.Pool, req); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	options.Limit, options.Longest = maxCompared, view.LongestSpan
	report, failed := reconcile.Compare(req.ctx, d.config.Pool, of, file, options)
	entry := accounts.Entry{Action: view.ActionReconcile, Detail: page.Form.Detail(), Outcome: accounts.Failed}
	if failed == nil {
		entry.Outcome = accounts.Done
		maps.Copy(entry.Detail, view.Result(report))
	}
	// One that was broken off is recorded, too, or it would not be counted.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(req.ctx), recordLimit)
	defer cancel()
	chosen := page.Form.Columns != nil || page.Form.Unit != ""
	err := d.recordEntry(ctx, req, entry, func(tx pgx.Tx) error {
		if entry.Outcome == accounts.Failed || !chosen {
			return nil
		}
		return settings.KeepStatementFormat(ctx, tx, req.organization.ID, page.Form.Acquirer,
			settings.StatementFormat{Unit: page.Form.Unit, Columns: view.StoredColumns(options.Columns)})
	})
	switch {
	case failed != nil && err == nil:
		page.FormErrors = view.ReconcileErrors(failed)
		if page.Form.Columns != nil { // what was chosen stays
			if sample, err := d.findColumns(req, page.Form, file, &options); err == nil {
				page.Sample = &sample
			}
		}
		return req.correct(view.SectionMoney, page, fmt.Errorf("compare statement: %w", failed))
	case err != nil:
		return err
	}
	if page.Form.As != "" {
		return req.export(asXLSX, differences(req.lang, &report))
	}
	page.Report = &report
	if req.role.Allows(accounts.KeepBooks) {
		if err := d.lay(req, &page, file); err != nil {
			return err
		}
	}
	if strings.HasSuffix(req.r.URL.Path, "/accept") {
		return d.accept(req, page)
	}
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

// readStatementForm reads the fields, and the file if there is a slot: the one that was chosen, or the one
// that the page carried. The caller closes it in every case.
func (d *Dashboard) readStatementForm(
	r *http.Request, into *view.ReconcileForm, slot bool,
) (file *received, wrong view.FormErrors, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, statementErrors(err), nil
	}
	fields := map[string]*string{
		"acquirer": &into.Acquirer, "application": &into.Application, "from": &into.From, "to": &into.To,
		"unit": &into.Unit, "choose": &into.Choose, "as": &into.As, "shown": &into.Shown,
		"file_name": &into.FileName, "day": &into.Terms.Day, "fees": &into.Terms.Fees, "net": &into.Terms.Net,
		"bank": &into.Terms.Bank,
	}
	for {
		part, err := parts.NextPart()
		name := ""
		if err == nil {
			name = part.FormName()
		}
		isFile := name == "file" && part.FileName() != "" || name == "carried"
		var content io.Reader = part
		if name == "carried" {
			content = uncarried(part)
		}
		switch {
		case errors.Is(err, io.EOF) && file == nil:
			return nil, view.NoStatement, nil
		case errors.Is(err, io.EOF):
			return file, nil, nil
		case err != nil:
			return file, statementErrors(err), nil
		case isFile && !slot:
			return file, view.BusyUploads("file"), nil
		case isFile:
			next, broken, err := receive(content, d.config.Log)
			if file != nil { // another one was chosen than that of the page
				_ = file.close()
			}
			if file = next; broken != nil || err != nil {
				return file, statementErrors(broken), err
			}
			if name == "file" {
				into.FileName = part.FileName()
			}
			continue
		}
		value, err := io.ReadAll(io.LimitReader(part, maxColumnName))
		if err != nil {
			return file, statementErrors(err), nil
		}
		text := strings.TrimSpace(strings.ToValidUTF8(string(value), ""))
		if field, is := view.ColumnField(name); is {
			if into.Columns == nil {
				into.Columns = map[statements.Field]string{}
			}
			into.Columns[field] = plaintext.MakeStorable(text, "")
		} else if field, known := fields[name]; known {
			*field = strings.ToValidUTF8(text[:min(len(text), maxField)], "")
		}
	}
}

// statementErrors are the form's errors for a file that did not arrive completely.
func statementErrors(err error) view.FormErrors {
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case err == nil:
		return nil
	case large, errors.Is(err, errLargeUnpacked):
		return view.LargeStatement
	case errors.Is(err, http.ErrNotMultipart), errors.Is(err, http.ErrMissingBoundary):
		return view.NoStatement
	case errors.Is(err, os.ErrDeadlineExceeded):
		return view.SlowUpload("file")
	}
	return view.BrokenStatement
}
