package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/internal/output"
	"daftar/internal/postgres"
	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// reconciliation holds the flags of reconcile.
type reconciliation struct {
	reconcile.Options

	file         string
	unit         statements.Unit
	organization accounts.OrganizationID
	application  domain.ApplicationID
}

// standardInput is the file name that means standard input.
const standardInput = "-"

func (p *program) reconcile() *cobra.Command {
	var r reconciliation
	c := cli.Command("reconcile --acquirer A --file F "+
		"[--app U] [--org U] [--from T] [--to T] [--unit U] [--columns C]",
		"Compare a provider's statement with the ledger, to the dirham",
		p.onDatabase(forAuditors, func(ctx context.Context, s session) error { return p.compare(ctx, s.pool, r) }))
	c.Long = `Compare a provider's statement with the ledger, to the dirham.

The statement is a file of comma-separated values or a workbook of Excel (.xlsx);
docs/acquirers.md says which columns are looked for, and how they are read. ` +
		`What is missing on either side is listed, and the exit code is 1 where
anything differs. An account belongs to an application, so a statement usually wants
--app; a statement of the sandbox has those of all applications.

Without --from and --to the span is the days of Libya's time that the statement has
lines of. Payments of which only one side is in the span are named, and are no difference.`
	cli.Flag(c, &r.Profile, "acquirer", "the `acquirer`: "+strings.Join(reconcile.Acquirers(), ", "),
		func(name string) (reconcile.Profile, error) {
			profile, known := reconcile.ProfileOf(name)
			if !known {
				return profile, cli.Misusef("%q is none of %s", name, strings.Join(reconcile.Acquirers(), ", "))
			}
			return profile, nil
		})
	cli.Offer(c, "acquirer", reconcile.Acquirers()...)
	c.Flags().StringVar(&r.file, "file", "", "the statement's `file`; - is standard input")
	cli.Flag(c, &r.application, "app", "only payments of the application with this `uuid`",
		accounts.ParseApplicationID)
	cli.Flag(c, &r.organization, "org",
		"only payments of the applications of the organisation with this `uuid`", accounts.ParseOrganizationID)
	cli.Flag(c, &r.Span.From, "from", "from this `time` on: a day such as 2026-11-20, or RFC 3339",
		spanEnd(reconcile.ParseFrom))
	cli.Flag(c, &r.Span.To, "to", "until this `time`: a day, which is included, or RFC 3339",
		spanEnd(reconcile.ParseTo))
	cli.Choice(c, &r.unit, "unit",
		"what amounts count, `dinars or dirhams` (default: as the provider's API does)",
		statements.Dinars, statements.Dirhams)
	cli.Flag(c, &r.Columns, "columns",
		"`FIELD=NAME,…`: the file's names of its columns; fields are "+
			"reference, provider_reference, amount, credit, debit, narrative, currency, time, status, type, "+
			"fee, settled",
		reconcile.ParseColumns)
	c.MarkFlagsMutuallyExclusive("app", "org")
	return c
}

func spanEnd(parse func(string) (time.Time, error)) func(string) (time.Time, error) {
	return func(text string) (time.Time, error) {
		at, err := parse(text)
		if err != nil {
			return at, cli.Misusef(
				"%q is neither a day such as 2026-11-20 nor a time such as 2026-11-20T12:00:00Z", text)
		}
		return at, nil
	}
}

func (p *program) compare(ctx context.Context, pool *pgxpool.Pool, r reconciliation) error {
	scope, err := scopeOf(ctx, pool, r)
	if err != nil {
		return err
	}
	statement, name := p.Call.In, "standard input"
	if r.file != standardInput {
		file, err := os.Open(r.file)
		if err != nil {
			return cli.Misusef("--file: %v", err)
		}
		defer func() { _ = file.Close() }() // it was only read
		statement, name = file, r.file
	}
	r.Profile.Unit = cmp.Or(r.unit, r.Profile.Unit)
	bar := newProgress(p.Err)
	r.Progress = bar.show
	report, err := reconcile.Compare(ctx, pool, scope, statement, r.Options)
	bar.finish()
	if _, wrong := errors.AsType[*reconcile.StatementError](err); wrong {
		return cli.Misusef("%s: %w", name, err)
	}
	if errors.Is(err, reconcile.ErrSpan) || errors.Is(err, reconcile.ErrTooMany) {
		return cli.Misusef("--from and --to: %w", err)
	}
	if err != nil {
		return err
	}
	if report.AttemptsUnread {
		p.Notef("The rights do not cover checkout_attempts and refunds: " +
			"what is under way is among what the ledger does not have.")
	}
	return cli.ReportedUnless(report.OK(), p.showComparison(report))
}

const applicationSQL = `SELECT uuid FROM applications WHERE uuid = $1`

// scopeOf are the applications whose payments are compared.
func scopeOf(ctx context.Context, pool *pgxpool.Pool, r reconciliation) (reconcile.Scope, error) {
	var wanted uuid.UUID
	sql := applicationSQL
	switch {
	case r.application != domain.ApplicationID{}:
		wanted = uuid.UUID(r.application)
	case r.organization != accounts.OrganizationID{}:
		sql, wanted = applicationsOfSQL, uuid.UUID(r.organization)
	default:
		return reconcile.Everything(), nil
	}
	ids, err := postgres.List(ctx, pool, "read applications", pgx.RowTo[uuid.UUID], sql, wanted)
	if err != nil {
		return reconcile.Scope{}, err
	}
	if len(ids) == 0 {
		return reconcile.Scope{}, fmt.Errorf("applications of %s: %w", wanted, accounts.ErrNotFound)
	}
	applications := make([]domain.ApplicationID, len(ids))
	for n, id := range ids {
		applications[n] = domain.ApplicationID(id)
	}
	return reconcile.Of(applications...), nil
}

type comparison struct {
	Acquirer       string                 `json:"acquirer"        label:"acquirer"`
	From           time.Time              `json:"from"            label:"from"`
	To             time.Time              `json:"to"              label:"until before"`
	OK             bool                   `json:"ok"`
	Statement      reconcile.Total        `json:"statement"`
	Ledger         reconcile.Total        `json:"ledger"`
	InStatement    string                 `json:"-"               label:"statement"`
	InLedger       string                 `json:"-"               label:"ledger"`
	Difference     int64                  `json:"difference"`
	Less           string                 `json:"-"               label:"difference"`
	Matched        int                    `json:"matched"         label:"matched"`
	Unpaid         int                    `json:"unpaid_lines"    label:"unpaid lines"`
	Passed         int                    `json:"lines_passed"    label:"lines of no payment"`
	Elsewhere      int                    `json:"lines_elsewhere" label:"lines elsewhere"`
	Counts         map[reconcile.Kind]int `json:"counts"`
	AttemptsUnread bool                   `json:"attempts_unread"`
	Findings       []discrepancy          `json:"findings"        label:""`
}

// discrepancy is a line, a payment or a pair of them that a person should know of.
type discrepancy struct {
	Kind              reconcile.Kind   `json:"kind"`
	What              string           `json:"-"                  label:"what"`
	Line              *int             `json:"line"               label:"line"`
	At                time.Time        `json:"-"                  label:"at"`
	Stated            string           `json:"-"                  label:"statement"`
	Recorded          string           `json:"-"                  label:"ledger"`
	StatementAt       *time.Time       `json:"statement_time"`
	LedgerAt          *time.Time       `json:"ledger_time"`
	StatementAmount   *int64           `json:"statement_amount"`
	StatementCurrency string           `json:"statement_currency"`
	StatementText     string           `json:"statement_text"` // of an amount in another currency
	LedgerAmount      *int64           `json:"ledger_amount"`
	Reference         string           `json:"reference"          label:"reference"`
	ProviderReference string           `json:"provider_reference" label:"provider's"`
	Attempt           domain.AttemptID `json:"attempt"`
	Intent            *uuid.UUID       `json:"intent"             below:"intent"`
	Event             string           `json:"event"`
	FirstLine         *int             `json:"first_line"`
	Stage             string           `json:"stage"`
	Note              string           `json:"-"                  below:""`
}

var kindWords = map[reconcile.Kind]string{
	reconcile.MissingInStatement: "not in the statement",
	reconcile.MissingInLedger:    "not in the ledger",
	reconcile.AmountDiffers:      "amounts differ",
	reconcile.CurrencyDiffers:    "currencies differ",
	reconcile.SeveralReferences:  "several payments in a line",
	reconcile.TwiceInStatement:   "twice in the statement",
	reconcile.NotYetInLedger:     "not yet in the ledger",
	reconcile.OutsideSpan:        "outside the span",
}

// shownOfKind is how many findings of a kind people are shown.
const shownOfKind = 25

func (p *program) showComparison(r reconcile.Report) error {
	total := func(t reconcile.Total) string {
		sum := domain.Money{Minor: t.Amount, Currency: domain.LYD}
		return count(t.Count, "payment", "payments") + ", " + sum.String()
	}
	c := comparison{
		Acquirer: r.Acquirer, From: r.Span.From.UTC(), To: r.Span.To.UTC(), OK: r.OK(),
		Statement: r.Statement, InStatement: total(r.Statement),
		Ledger: r.Ledger, InLedger: total(r.Ledger),
		Difference: r.Difference(),
		Less:       domain.Money{Minor: r.Difference(), Currency: domain.LYD}.String(),
		Matched:    r.Matched, Unpaid: r.Unpaid, Passed: r.Skipped, Elsewhere: r.OutOfSpan,
		Counts: map[reconcile.Kind]int{}, AttemptsUnread: r.AttemptsUnread, Findings: []discrepancy{},
	}
	for _, f := range r.Findings {
		c.Counts[f.Kind]++
		if p.JSON || c.Counts[f.Kind] <= shownOfKind {
			c.Findings = append(c.Findings, newDiscrepancy(f))
		}
	}
	var sentences []string
	for _, k := range reconcile.Kinds {
		if more := c.Counts[k] - shownOfKind; more > 0 {
			sentences = append(sentences,
				fmt.Sprintf("And %s more %s; --json lists all.", output.Count(int64(more)), kindWords[k]))
		}
	}
	if c.OK {
		sentences = append(sentences, "The statement and the ledger agree.")
	}
	return p.Answer(c, sentences...)
}

func newDiscrepancy(f reconcile.Finding) discrepancy {
	out := discrepancy{
		Kind: f.Kind, What: kindWords[f.Kind],
		Attempt: f.Attempt, Intent: optional(uuid.UUID(f.Intent)),
		FirstLine: optional(f.First), Stage: f.Stage, Note: noteOn(f),
	}
	if e := f.Entry; e != nil {
		out.At, out.LedgerAt, out.LedgerAmount, out.Event = e.At, optional(e.At.UTC()), &e.Amount, e.Event
		out.Recorded = dinars(e.Amount)
		out.Attempt, out.Intent = e.Attempt, optional(uuid.UUID(e.Intent))
		out.Reference, out.ProviderReference = string(e.Attempt), e.ProviderReference
	}
	if l := f.Line; l != nil {
		out.Line, out.At, out.StatementAt, out.StatementCurrency = &l.Number, l.At, optional(l.At.UTC()), l.Currency
		out.Reference, out.ProviderReference = l.Reference, l.ProviderReference
		if l.Stated != "" {
			out.Stated, out.StatementText = l.Stated+" "+l.Currency, l.Stated
		} else {
			out.Stated = dinars(l.Amount)
			out.StatementAmount = &l.Amount
		}
	}
	return out
}

// noteOn says what may be done about a finding.
func noteOn(f reconcile.Finding) string {
	switch {
	case f.Kind == reconcile.TwiceInStatement:
		return fmt.Sprintf("line %d is about the same payment", f.First)
	case f.Alike != nil:
		return fmt.Sprintf("the file may have lost the zeros of %s, of attempt %s",
			f.Alike.ProviderReference, f.Alike.Attempt)
	case f.Kind == reconcile.NotYetInLedger && f.Line.Amount < 0:
		return "a refund is under way: daftar refunds list"
	case f.Kind == reconcile.NotYetInLedger && f.Stage == "quarantined":
		return "set aside for an operator: daftar attempts list"
	case f.Kind == reconcile.NotYetInLedger:
		return fmt.Sprintf("the attempt is open; the next inquiry may settle it: daftar attempts ask %s", f.Attempt)
	case f.Kind == reconcile.MissingInLedger && f.Stage != "":
		return fmt.Sprintf("the ledger says that the attempt failed: daftar attempts ask %s", f.Attempt)
	case f.Kind == reconcile.OutsideSpan:
		return "the ledger has it at " + f.Entry.At.UTC().Format(time.RFC3339)
	}
	return ""
}
