package dashboard

import (
	"context"
	"io"
	"iter"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/internal/locale"
	"daftar/internal/postgres"
	"daftar/internal/web"
)

const (
	// exportLimit is for a whole export, stallLimit for the client to read a part.
	exportLimit = 30 * time.Minute
	stallLimit  = time.Minute
	exportFlush = 500 // rows
)

// table is the data of an export: rows with a cell for each column.
type table struct {
	name    string // of the file, without the ending
	title   string // of the sheet
	columns []view.Column
	rows    iter.Seq2[[]cell, error]
}

// format is a kind of file for tables.
type format struct {
	ending, mediaType string
	writer            func(w io.Writer, t table, l locale.Lang) (tableWriter, error)
}

// The formats: one for programs, one for people.
var (
	asCSV = format{
		"csv", "text/csv; charset=utf-8; header=present",
		func(w io.Writer, t table, l locale.Lang) (tableWriter, error) { return newCSV(w, t, l), nil },
	}
	asXLSX = format{
		"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		func(w io.Writer, t table, l locale.Lang) (tableWriter, error) { return newWorkbook(w, t, l) },
	}
)

// tableWriter writes a file of rows. Nothing is written before the first row or the end.
type tableWriter interface {
	row([]cell) error
	flush() error // sends what is buffered
	close() error // ends the file
}

// export is a file that is sent while it is being made.
type export struct {
	req     *request
	name    string
	kind    string
	asOf    *time.Time
	control *http.ResponseController
	begun   bool
}

// Write sends a part, with the header before the first. Each part has its own deadline.
func (e *export) Write(part []byte) (int, error) {
	// The server's own deadline is for a page. If it cannot be set, there is none.
	_ = e.control.SetWriteDeadline(time.Now().Add(stallLimit))
	if !e.begun {
		if err := e.req.saveSession(); err != nil {
			return 0, err
		}
		e.begun = true
		h := e.req.w.Header()
		h.Set("Content-Type", e.kind)
		h.Set("Content-Disposition", `attachment; filename="`+e.name+`"`)
		h.Set("Content-Language", e.req.lang.String())
		if e.asOf != nil {
			h.Set("Daftar-As-Of", e.asOf.UTC().Format(time.RFC3339))
		}
		e.req.w.WriteHeader(http.StatusOK)
	}
	return e.req.w.Write(part)
}

// export answers with a file of a table. Nothing is sent before the first rows or
// the end: until then an error is answered with a page. If something fails later, the
// connection is broken, so that no client takes a part for the whole.
func (req *request) export(as format, t table) error {
	e := &export{
		req:     req,
		name:    t.name + "." + as.ending,
		kind:    as.mediaType,
		asOf:    req.d.config.Late.AsOf(),
		control: http.NewResponseController(req.w),
	}
	if req.r.Method == http.MethodHead {
		t.rows = func(func([]cell, error) bool) {} // no data leave, and recordExport has recorded nothing
	}
	out, err := as.writer(e, t, req.lang)
	if err != nil {
		return err
	}
	sent, err := e.send(out, t.rows)
	if err != nil && e.begun {
		req.d.config.Log.Warn().Err(err).Str("request_id", web.RequestID(req.r.Context())).Int("rows", sent).
			Msg("export broken off")
		panic(http.ErrAbortHandler)
	}
	return err
}

// send writes the rows and sends them in parts. It returns their number.
func (e *export) send(out tableWriter, rows iter.Seq2[[]cell, error]) (sent int, err error) {
	for row, failed := range rows {
		if failed != nil {
			return sent, failed
		}
		if err := out.row(row); err != nil {
			return sent, err
		}
		if sent++; sent%exportFlush == 0 {
			if err := out.flush(); err != nil {
				return sent, err
			}
			_ = e.control.Flush() // the next write returns the error
		}
	}
	return sent, out.close()
}

// recordExport records the export in the audit trail before its first byte is sent.
func (d *Dashboard) recordExport(req *request, action accounts.Action, filter map[string]any) error {
	if req.r.Method == http.MethodHead {
		return nil
	}
	return d.recordEntry(req.ctx, req, accounts.Entry{Action: action, Detail: filter}, nil)
}

// recordEntry records what is counted with the exports. also is done in the same transaction; nil: nothing.
func (d *Dashboard) recordEntry(
	ctx context.Context, req *request, entry accounts.Entry, also func(pgx.Tx) error,
) error {
	return d.config.Accounts.Do(ctx, req.by, req.organization.ID, accounts.ExportPayments,
		func(tx pgx.Tx) (accounts.Entry, error) {
			err := d.checkExports(ctx, tx, req)
			if err == nil && also != nil {
				err = also(tx)
			}
			return entry, err
		})
}

// checkExports returns errTooManyExports for a user who may take no more at present.
func (d *Dashboard) checkExports(ctx context.Context, q postgres.Querier, req *request) error {
	recent, err := postgres.Find(ctx, q, "count exports", nil, pgx.RowTo[int], exportsSQL,
		req.organization.ID, req.by.User)
	if err == nil && recent >= maxExports {
		return errTooManyExports
	}
	return err
}

// maxExports is the number of exports that a user may take from an organisation in an hour. Each
// leaves a permanent record, so without a limit exports could fill the audit trail.
const maxExports = 60

// The exports of the last hour are among the latest records, so a limited number is read.
const exportsSQL = `
SELECT count(*)
FROM (SELECT user_uuid, action, at
      FROM audit_records
      WHERE organization_uuid = $1
      ORDER BY position DESC
      LIMIT 1000) r
WHERE user_uuid = $2
  AND action IN ('` + string(view.ActionExportPayments) + `', '` +
	string(view.ActionExportTurnover) + `', '` +
	string(view.ActionExportDecided) + `', '` +
	string(view.ActionReconcile) + `')
  AND at > now() - interval '1 hour'`
