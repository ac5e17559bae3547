package dashboard

import (
	"context"
	"io"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
)

// Row is a row of the table of routes.
type Row struct {
	Method, Path string
	Anybody      bool
	Member       bool
	Fresh        bool
	Needs        accounts.Permission
}

// Rows are the table of routes.
func Rows() []Row {
	var all []Row
	for _, r := range routes() {
		all = append(all, Row{r.method, view.Root + r.path, r.access == anyone, r.access == member,
			r.fresh, r.needs})
	}
	return all
}

// MaxExports is how many files a person may take in an hour.
const MaxExports = maxExports

// Defuse is what files without types have of text that is not ours.
func Defuse(text string) string { return escapeFormula(text) }

// PacedBody is a body that is read at the rate of uploads.
func PacedBody(body io.Reader, control interface{ SetReadDeadline(time.Time) error },
	begun time.Time,
) io.Reader {
	return &pacedBody{ReadCloser: io.NopCloser(body), control: control, begun: begun,
		end: begun.Add(uploadLimit)}
}

// Places are those of a server.
type Places struct{ *slots }

// NewPlaces makes places.
func NewPlaces(inAll, ofEach int, wait time.Duration) Places {
	return Places{newSlots(inAll, ofEach, wait)}
}

// Take takes one.
func (p Places) Take(ctx context.Context, of accounts.OrganizationID) (leave func(), ok bool) {
	return p.take(ctx, of)
}
