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
		all = append(all, Row{
			Method:  r.method,
			Path:    view.Root + r.path,
			Anybody: r.access == anyone,
			Member:  r.access == member,
			Fresh:   r.fresh,
			Needs:   r.needs,
		})
	}
	return all
}

// MaxExports is the number of files that a user may export in an hour.
const MaxExports = maxExports

// EscapeFormula is escapeFormula.
func EscapeFormula(text string) string { return escapeFormula(text) }

// PacedBody is a body that must arrive at the rate of uploads.
func PacedBody(
	body io.Reader, control interface{ SetReadDeadline(time.Time) error }, begun time.Time,
) io.Reader {
	return &pacedBody{
		ReadCloser: io.NopCloser(body),
		control:    control,
		begun:      begun,
		end:        begun.Add(uploadLimit),
	}
}

// Slots are the slots of a server.
type Slots struct{ *slots }

// NewSlots makes slots.
func NewSlots(inAll, ofEach int, wait time.Duration) Slots {
	return Slots{newSlots(inAll, ofEach, wait)}
}

// Take takes a slot.
func (s Slots) Take(ctx context.Context, of accounts.OrganizationID) (release func(), ok bool) {
	return s.take(ctx, of)
}
