package commands

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/books"
	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/output"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/projections"
	"daftar/reconcile"
)

func (p *program) books() *cobra.Command {
	return cli.Group("books", "Double entry of the money that providers take, for accountants and auditors",
		p.booksBalance(), p.booksJournal(), p.booksExport(), p.booksVerify())
}

// booksFlags are the flags of the commands on books.
type booksFlags struct {
	organization accounts.OrganizationID
	mode         domain.Mode
	from, before time.Time // zero: from the beginning, up to now
}

// openBooks are the books of a tenant over a part of the log.
type openBooks struct {
	*projections.Books

	pool         *pgxpool.Pool
	tenant       domain.Tenant
	applications []uuid.UUID
	after, upTo  int64 // positions
}

// booksCommand is a command on the books of an organisation. The span is named where it can begin late.
func (p *program) booksCommand(use, short string, span bool, do func(context.Context, openBooks) error,
) *cobra.Command {
	f := booksFlags{mode: domain.ModeLive}
	use += " --org U"
	if span {
		use += " [--from T]"
	}
	c := cli.Command(use+" [--at T] [--mode MODE]", short,
		p.onReplica(forAuditors, func(ctx context.Context, s session) error {
			b, err := f.open(ctx, s.pool)
			if err != nil {
				return err
			}
			return do(ctx, b)
		}))
	cli.Flag(c, &f.organization, "org", "`uuid` of the organisation", accounts.ParseOrganizationID)
	cli.Choice(c, &f.mode, "mode", "`live or test` applications' payments (default live)",
		domain.ModeLive, domain.ModeTest)
	cli.Flag(c, &f.before, "at",
		"as the books were at this `time`: RFC 3339, or the end of a day such as 2026-11-20 in Libya", endOf)
	if span {
		cli.Flag(c, &f.from, "from", "only what was recorded from this `time` on: a day, or RFC 3339",
			spanEnd(reconcile.ParseFrom))
	}
	return c
}

// endOf reads the first instant after a day or a time: both are included.
func endOf(text string) (time.Time, error) {
	at, err := spanEnd(reconcile.ParseTo)(text)
	if _, is := domain.ParseDay(text); is != nil {
		at = at.Add(time.Microsecond)
	}
	return at, err
}

const (
	applicationsInSQL = `
SELECT uuid
FROM applications
WHERE organization_uuid = $1
  AND mode = $2
ORDER BY uuid`
	recordedAtSQL = `SELECT recorded_at FROM events WHERE position = $1`
)

func (f booksFlags) open(ctx context.Context, pool *pgxpool.Pool) (b openBooks, err error) {
	b = openBooks{Books: projections.NewBooks(pool), pool: pool, tenant: f.organization.In(f.mode)}
	b.applications, err = postgres.List(ctx, pool, "read applications", pgx.RowTo[uuid.UUID], applicationsInSQL,
		b.tenant.Organization, b.tenant.Mode)
	if err == nil && len(b.applications) == 0 {
		err = fmt.Errorf("organisation %s has no %s application: %w", f.organization, f.mode, ledger.ErrNotFound)
	}
	if err == nil {
		b.upTo, err = eventstore.NewReader(pool).Head(ctx)
	}
	for _, end := range []struct {
		at   time.Time
		into *int64
	}{{f.before, &b.upTo}, {f.from, &b.after}} {
		if err != nil || end.at.IsZero() {
			continue
		}
		*end.into, err = b.PositionAt(ctx, end.at.Add(-time.Microsecond))
	}
	return b, err
}

// booksBalance is what the accounts have.
type booksBalance struct {
	Organization uuid.UUID     `json:"organization" label:"organisation"`
	Mode         domain.Mode   `json:"mode"         label:"mode"`
	Position     int64         `json:"position"     label:"position"`
	RecordedAt   *time.Time    `json:"recorded_at"  label:"recorded"`
	Due          int64         `json:"due"`
	Sum          int64         `json:"sum"`
	Accounts     []bookAccount `json:"accounts"     label:""`
}

// bookAccount is an account with its amount, or what an entry changes it by.
type bookAccount struct {
	Account string `json:"account" label:"account"`
	Amount  int64  `json:"amount"`
	Dinars  string `json:"-"       label:"dinars"`
}

// String is the account as a line of an entry.
func (a bookAccount) String() string { return fmt.Sprintf("%-36s %s", a.Account, a.Dinars) }

func newBookAccount(name string, amount int64) bookAccount {
	return bookAccount{name, amount, fmt.Sprintf("%16s", dinars(amount))}
}

func (p *program) booksBalance() *cobra.Command {
	c := p.booksCommand("balance", "Print what the accounts of an organisation's books have", false, p.balance)
	c.Long = `Print what the accounts of an organisation's books have: what each provider owes, what
it kept and what came to the bank. Debits are positive. Together all accounts have 0, and
accounts that have 0 are left out. docs/accounting.md explains the accounts.`
	return c
}

func (p *program) balance(ctx context.Context, b openBooks) error {
	found, err := b.Balance(ctx, b.tenant, b.upTo)
	if err != nil {
		return err
	}
	at, err := postgres.Find(ctx, b.pool, "read time of an event", nil, pgx.RowTo[*time.Time],
		recordedAtSQL, b.upTo)
	if err != nil {
		return err
	}
	answer := booksBalance{
		Organization: b.tenant.Organization, Mode: b.tenant.Mode, Position: b.upTo, RecordedAt: at,
		Accounts: []bookAccount{},
	}
	amounts := map[string]int64{}
	for _, a := range found {
		amounts[a.Account.Name(a.Acquirer)] += a.Amount
		answer.Sum += a.Amount
		if a.Account == books.Due {
			answer.Due += a.Amount
		}
	}
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		if amounts[name] != 0 {
			answer.Accounts = append(answer.Accounts, newBookAccount(name, amounts[name]))
		}
	}
	return p.Answer(answer,
		fmt.Sprintf("All providers together owe %s; all accounts together have %s.",
			dinars(answer.Due), dinars(answer.Sum)))
}

// bookEntry is an entry of the journal.
type bookEntry struct {
	Position   int64         `json:"position"    label:"position"  width:"9"`
	RecordedAt time.Time     `json:"recorded_at"`
	Day        domain.Day    `json:"day"         label:"day"`
	Kind       books.Kind    `json:"kind"        label:"kind"      width:"10"`
	Acquirer   string        `json:"acquirer"    label:"provider"  width:"10"`
	ValueDate  *domain.Day   `json:"value_date"  label:"value date" width:"10"`
	Reference  string        `json:"reference"   label:"reference"`
	Intent     *uuid.UUID    `json:"intent"      below:"intent"`
	Settlement *uuid.UUID    `json:"settlement"  below:"settlement"`
	Lines      []bookAccount `json:"lines"       below:""`
}

func (p *program) booksJournal() *cobra.Command {
	c := p.booksCommand("journal", "Print the entries of an organisation's books", true, p.journal)
	c.Long = `Print the entries of an organisation's books, in the order of the log.

With --json each entry is a line of JSON. Amounts there are whole dirhams, and debits are
positive.`
	return c
}

func (p *program) journal(ctx context.Context, b openBooks) error {
	out := bufio.NewWriter(p.Out)
	printer, entries := p.Printer, 0
	printer.Out = out
	err := b.Journal(ctx, b.tenant, b.after, b.upTo, func(e projections.BookEntry) error {
		row := bookEntry{
			Position: e.Position, RecordedAt: e.At.UTC(), Day: domain.DayOf(e.At), Kind: e.Kind, Acquirer: e.Acquirer,
			ValueDate: optional(e.ValueDate), Reference: e.Reference, Settlement: optional(e.Settlement),
		}
		if e.Settlement == uuid.Nil {
			row.Intent = &e.Stream
		}
		for _, l := range e.Lines {
			row.Lines = append(row.Lines, newBookAccount(l.Account.Name(e.Acquirer), l.Amount))
		}
		if entries++; entries == 1 && !p.JSON {
			return printer.Answer([]bookEntry{row})
		}
		return printer.Row(row)
	})
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		p.Notef("%s up to position %s.", count(entries, "entry", "entries"), output.Count(b.upTo))
	}
	return err
}
