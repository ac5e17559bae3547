package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/reconcile"
)

// Limits of a comparison. Lines and payments are in memory, a few hundred bytes each.
const (
	maxStatement   = 32 << 20 // bytes
	maxCompared    = 150_000  // lines of a statement, and payments of the ledger
	maxComparing   = 2        // at a time; others wait
	reconcileLimit = 2 * time.Minute
	maxField       = 200 // bytes of a field beside the file
)

var reconcileRoutes = []route{
	{
		method: http.MethodGet, path: inOrganization + "/reconcile", access: member, needs: accounts.ExportPayments,
		handle: loaded(view.SectionMoney, (*Dashboard).reconcilePage),
	},
	{
		method: http.MethodPost, path: inOrganization + "/reconcile", access: member, needs: accounts.ExportPayments,
		handle: (*Dashboard).reconcile, limit: reconcileLimit, body: maxStatement + maxForm,
	},
}

// playAcquirer takes play money, and only where there is a sandbox.
const playAcquirer = "sandbox"

func (d *Dashboard) reconcilePage(req *request) (view.ReconcilePage, error) {
	var p view.ReconcilePage
	for _, name := range reconcile.Acquirers() {
		if name != playAcquirer || d.config.Sandbox {
			p.Acquirers = append(p.Acquirers, name)
		}
	}
	var err error
	p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.organization.ID)
	return p, err
}

// reconcile compares the statement that comes with the form, while it is read. Nothing of
// it is kept.
func (d *Dashboard) reconcile(req *request) error {
	control, end := http.NewResponseController(req.w), time.Now().Add(reconcileLimit)
	// The server's limits are for a page. Ones that cannot be set are none.
	_, _ = control.SetReadDeadline(end), control.SetWriteDeadline(end.Add(stallLimit))
	page, err := d.reconcilePage(req)
	if err != nil {
		return err
	}
	select {
	case d.comparing <- struct{}{}:
		defer func() { <-d.comparing }()
	case <-req.ctx.Done():
		return fmt.Errorf("wait for other comparisons: %w", req.ctx.Err())
	}
	file, wrong := readStatementForm(req.r, &page.Form)
	options, of, invalid := page.Read()
	if page.FormErrors = slices.Concat(wrong, invalid); len(page.FormErrors) == 0 {
		if err := d.recordExport(req, view.ActionReconcile, page.Form.Detail()); err != nil {
			return err
		}
		options.Limit, options.Longest = maxCompared, view.LongestSpan
		if page.Report, page.FormErrors, err = d.compare(req.ctx, of, file, options); err != nil {
			return err
		}
	}
	if len(page.FormErrors) > 0 {
		// A browser that is still sending would not read the answer.
		_, _ = io.Copy(io.Discard, req.r.Body)
		return req.showInvalid(view.SectionMoney, page)
	}
	return req.show(view.SectionMoney, page)
}

// compare returns what a person can correct as errors of the form.
func (d *Dashboard) compare(ctx context.Context, of reconcile.Scope, file *upload, o reconcile.Options) (*reconcile.Report, view.FormErrors, error) {
	report, err := reconcile.Compare(ctx, d.config.Pool, of, file, o)
	wrong := view.ReconcileErrors(err)
	if file.broken != nil {
		wrong = uploadErrors(file.broken)
	}
	switch {
	case len(wrong) > 0:
		return nil, wrong, nil
	case err != nil:
		return nil, nil, fmt.Errorf("compare statement: %w", err)
	}
	return &report, nil, nil
}

// upload is a file on its way. It remembers why it did not come whole.
type upload struct {
	part   *multipart.Part
	broken error
}

func (u *upload) Read(b []byte) (int, error) {
	n, err := u.part.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		u.broken = err
	}
	return n, err
}

// readStatementForm reads the fields up to the file, which is the last.
func readStatementForm(r *http.Request, into *view.ReconcileForm) (*upload, view.FormErrors) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, view.NoStatement
	}
	fields := map[string]*string{
		"acquirer": &into.Acquirer, "application": &into.Application, "from": &into.From, "to": &into.To, "unit": &into.Unit,
	}
	for {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil, view.NoStatement
		case err != nil:
			return nil, uploadErrors(err)
		case part.FormName() == "file" && part.FileName() == "":
			return nil, view.NoStatement
		case part.FormName() == "file":
			return &upload{part: part}, nil
		}
		value, err := io.ReadAll(io.LimitReader(part, maxField))
		if err != nil {
			return nil, uploadErrors(err)
		}
		if field, known := fields[part.FormName()]; known {
			*field = strings.TrimSpace(strings.ToValidUTF8(string(value), ""))
		}
	}
}

// uploadErrors say why a file did not come whole.
func uploadErrors(err error) view.FormErrors {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return view.LargeStatement
	}
	return view.BrokenStatement
}
