package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/projections"
)

const (
	// maxEntries is how many entries of the journal a page has at most, defaultEntries where the request
	// has no limit.
	maxEntries, defaultEntries = 1000, 100
	// maxLookedThrough is through how many events a request looks for entries: a page may be shorter than
	// its limit, or empty, and the next one goes on.
	maxLookedThrough = 200_000
)

// bookQuery is the query of a request for the books.
type bookQuery struct {
	at, from, to time.Time
	after        int64
	limit        int
}

var (
	balanceParameters = []parameter[bookQuery]{
		{"at", func(v *validator, q *bookQuery, name, text string) { q.at = v.queryInstant(name, text) }},
	}
	journalParameters = []parameter[bookQuery]{
		{"cursor", func(v *validator, q *bookQuery, name, text string) {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil || n < 1 {
				v.add(name, "The cursor must be the next_cursor of an earlier answer.")
			}
			q.after = n
		}},
		{"limit", func(v *validator, q *bookQuery, name, text string) {
			q.limit = v.limit(name, text, maxEntries)
		}},
		{"from", func(v *validator, q *bookQuery, name, text string) { q.from = v.queryInstant(name, text) }},
		{"to", func(v *validator, q *bookQuery, name, text string) { q.to = v.queryInstant(name, text) }},
	}
)

// bookBalance is GET /books/balance.
func (a *api) bookBalance(_ http.ResponseWriter, r *http.Request) (operation, error) {
	return a.ofBooks(r, balanceParameters, func(
		ctx context.Context, of domain.Tenant, q bookQuery,
	) (answer, error) {
		at, err := a.Books.PositionAt(ctx, q.at)
		if err != nil {
			return answer{}, err
		}
		balance, err := a.Books.Balance(ctx, of, at)
		if err != nil {
			return answer{}, err
		}
		body := data[bookBalances]{bookBalances{at, of.Mode, domain.LYD, make([]bookBalance, len(balance))}}
		for n, b := range balance {
			body.Data.Accounts[n] = bookBalance{b.Account.Name(b.Acquirer), b.Acquirer, b.Amount}
		}
		return answerWith(http.StatusOK, nil, body)
	})
}

// bookJournal is GET /books/journal.
func (a *api) bookJournal(_ http.ResponseWriter, r *http.Request) (operation, error) {
	return a.ofBooks(r, journalParameters, func(
		ctx context.Context, of domain.Tenant, q bookQuery,
	) (answer, error) {
		upTo, err := a.Books.PositionAt(ctx, q.to)
		if err == nil && !q.from.IsZero() {
			var before int64
			before, err = a.Books.PositionAt(ctx, q.from.Add(-time.Microsecond))
			q.after = max(q.after, before)
		}
		if err != nil {
			return answer{}, err
		}
		return a.journalPage(ctx, of, q.after, upTo, q.limit)
	})
}

// errFull ends a page of the journal.
var errFull = errors.New("the page is full")

func (a *api) journalPage(
	ctx context.Context, of domain.Tenant, after, upTo int64, limit int,
) (answer, error) {
	end := min(upTo, after+maxLookedThrough)
	page := bookEntries{Data: []bookEntry{}}
	err := a.Books.Journal(ctx, of, after, end, func(e projections.BookEntry) error {
		if len(page.Data) == limit {
			return errFull
		}
		page.Data = append(page.Data, bookEntryOf(e))
		return nil
	})
	switch {
	case errors.Is(err, errFull):
		end = page.Data[limit-1].Position
	case err != nil:
		return answer{}, err
	}
	if end < upTo {
		next := strconv.FormatInt(end, 10)
		page.NextCursor = &next
	}
	return answerWith(http.StatusOK, nil, page)
}

// ofBooks reads a query, and answers of the books of the tenant whose application asks.
func (a *api) ofBooks(r *http.Request, parameters []parameter[bookQuery],
	do func(context.Context, domain.Tenant, bookQuery) (answer, error),
) (operation, error) {
	q := bookQuery{at: a.Now(), to: a.Now(), limit: defaultEntries}
	if err := readQuery(r.URL.RawQuery, &q, parameters); err != nil {
		return nil, err
	}
	return func(ctx context.Context, c accounts.Credential) (answer, error) {
		if err := a.Accounts.Confirm(ctx, c); err != nil {
			return answer{}, err
		}
		application, err := a.Accounts.Application(ctx, c.Application)
		if err != nil {
			return answer{}, err
		}
		return do(ctx, c.Organization.In(application.Mode), q)
	}, nil
}

// bookBalances are the accounts of the books as the API shows them.
type bookBalances struct {
	Position int64           `json:"position"` // of the last event that is in them
	Mode     domain.Mode     `json:"mode"`
	Currency domain.Currency `json:"currency"`
	Accounts []bookBalance   `json:"accounts"`
}

type bookBalance struct {
	Account  string `json:"account"`
	Acquirer string `json:"acquirer"`
	Balance  int64  `json:"balance"` // a debit is positive
}

// bookEntries is a page of the journal.
type bookEntries struct {
	Data       []bookEntry `json:"data"`
	NextCursor *string     `json:"next_cursor"`
}

type bookEntry struct {
	Position      int64          `json:"position"`
	RecordedAt    locale.Instant `json:"recorded_at"`
	Kind          books.Kind     `json:"kind"`
	Acquirer      string         `json:"acquirer"`
	PaymentIntent *uuid.UUID     `json:"payment_intent"`
	Settlement    *uuid.UUID     `json:"settlement"`
	Reference     string         `json:"reference"`
	ValueDate     *domain.Day    `json:"value_date"`
	Lines         []bookLine     `json:"lines"`
}

type bookLine struct {
	Account string `json:"account"`
	Amount  int64  `json:"amount"`
}

func bookEntryOf(e projections.BookEntry) bookEntry {
	shown := bookEntry{
		Position: e.Position, RecordedAt: locale.Instant(e.At), Kind: e.Kind, Acquirer: e.Acquirer,
		Reference: e.Reference, Lines: make([]bookLine, len(e.Lines)),
	}
	if e.Settlement == uuid.Nil {
		shown.PaymentIntent = &e.Stream
	} else {
		shown.Settlement = &e.Settlement
	}
	if !e.ValueDate.IsZero() {
		shown.ValueDate = &e.ValueDate
	}
	for n, l := range e.Lines {
		shown.Lines[n] = bookLine{l.Account.Name(e.Acquirer), l.Amount}
	}
	return shown
}
