package reconcile_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
	"daftar/reconcile"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// noon is a time in Tripoli.
var noon = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// world is a ledger on a separate database.
type world struct {
	db    *pgtest.DB
	pool  *pgxpool.Pool
	store *eventstore.Store
}

func newWorld(t testing.TB) *world {
	t.Helper()
	db := pgtest.Database(t)
	w := &world{db: db, pool: db.Pool(t)}
	w.store = eventstore.New(w.pool, w.pool, eventstore.Options{Inline: projections.Inline()})
	t.Cleanup(func() {
		if err := w.store.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return w
}

// payment is a payment whose outcome the test records.
type payment struct {
	attempt  domain.AttemptID
	number   string // the provider's
	amount   int64
	at       time.Time
	acquirer string
	app      domain.ApplicationID
	unpaid   bool // the ledger knows of the attempt alone
	failed   bool // and that it failed
}

var serial atomic.Int64

// newPayment is a payment at a time, with a new id and number.
func newPayment(acquirer string, at time.Time) payment {
	random := uuid.New()
	return payment{
		attempt: domain.NewAttemptID(random), number: "P" + random.String()[:12],
		amount: 5000 + serial.Add(1)%97*10, at: at, acquirer: acquirer,
		app: domain.ApplicationID{1},
	}
}

// record writes the events of a payment. The log is in the order of time, so payments must be
// recorded in that order.
func (w *world) record(t testing.TB, p payment) domain.IntentID {
	t.Helper()
	money := domain.Money{Minor: p.amount, Currency: domain.LYD}
	events := []domain.Event{
		domain.Created{
			At: p.at.Add(-time.Minute), CheckoutToken: "token", ExpiresAt: p.at.Add(time.Hour),
			Terms: domain.Terms{
				Application: p.app, MerchantReference: domain.MerchantReference(p.attempt),
				Reference: domain.Reference(p.attempt[:10]), Amount: money, Description: "شاي",
			},
		},
		domain.AttemptStarted{At: p.at.Add(-time.Second), Attempt: p.attempt, Acquirer: p.acquirer,
			Method: "wallet"},
	}
	switch {
	case p.failed:
		events = append(events, domain.AttemptFailed{At: p.at, Attempt: p.attempt, Reason: "declined"})
	case !p.unpaid:
		events = append(events, domain.Succeeded{At: p.at, Attempt: p.attempt, Amount: money,
			ProviderReference: p.number})
	}
	return w.append(t, domain.IntentID(uuid.New()), events...)
}

func (w *world) append(t testing.TB, id domain.IntentID, events ...domain.Event) domain.IntentID {
	t.Helper()
	w.write(t, domain.Blank(id), events...)
	return id
}

func (w *world) write(t testing.TB, i domain.Intent, events ...domain.Event) {
	t.Helper()
	a := eventstore.Append{Stream: uuid.UUID(i.ID), Expected: i.Version}
	for _, e := range events {
		i = domain.Evolve(i, e)
		encoded, err := domain.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		a.Events = append(a.Events, eventstore.Event(encoded))
	}
	a.Row = projections.IntentOf(i)
	if _, err := w.store.Append(t.Context(), a); err != nil {
		t.Fatal(err)
	}
}

// add writes further events.
func (w *world) add(t testing.TB, id domain.IntentID, events ...domain.Event) {
	t.Helper()
	recorded, err := w.store.ReadStream(t.Context(), uuid.UUID(id))
	if err != nil {
		t.Fatal(err)
	}
	before, err := domain.Replay(id, recorded)
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, before, events...)
}

// attempt stores an attempt with a stage, as the checkout does.
func (w *world) attempt(t testing.TB, id domain.IntentID, p payment, stage string) {
	t.Helper()
	_, err := w.pool.Exec(t.Context(), `
		INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, stage, stage_since,
		    payer, created_at, updated_at)
		VALUES ($1, $2, $3, 'wallet', $4, now(),
		    '', now(), now())`, string(p.attempt), [16]byte(id), p.acquirer, stage)
	if err != nil {
		t.Fatal(err)
	}
}

// refund stores a refund that is under way, as the dashboard does.
func (w *world) refund(
	t testing.TB, id domain.IntentID, p payment, amount int64, state string,
) domain.RefundID {
	t.Helper()
	refund := domain.RefundID(uuid.New())
	_, err := w.pool.Exec(t.Context(), `
		WITH o AS (
		    INSERT INTO organizations (uuid, name, created_at)
		    VALUES (gen_random_uuid(), 'متجر', now())
		    RETURNING uuid),
		a AS (
		    INSERT INTO applications (uuid, organization_uuid, name, active, namespace, api_key_hash,
		        api_key_ending, api_key_rolled_at, webhook_secret, webhook_secret_rolled_at, created_at)
		    SELECT $1, uuid, 'shop', true, gen_random_uuid(), sha256(uuid_send($1)),
		        'abcd', now(), '', now(), $8
		    FROM o
		    ON CONFLICT (uuid) DO NOTHING)
		INSERT INTO refunds (uuid, intent_uuid, application_uuid, attempt, acquirer, amount, currency,
		    by_acquirer, state, busy_until, note, requested_at, actor, updated_at, requested_by)
		VALUES ($2, $3, $1, $4, $5, $6, 'LYD',
		    true, $7, now(), 'n', now(), 'operator:o', now(), 'o')`,
		[16]byte(p.app), [16]byte(refund), [16]byte(id), string(p.attempt), p.acquirer, amount, state, noon)
	if err != nil {
		t.Fatal(err)
	}
	return refund
}

// style is the format in which the tests write the statements of a provider.
type style struct {
	header string
	line   func(p payment) string
	// least is the smallest possible difference of its amounts, in dirham.
	least int64
	// unpaid and dollars turn a line into one that was not paid, and one in another currency.
	unpaid  func(line string) string
	dollars func(line string) string
}

var tripoli = time.FixedZone("", 2*60*60)

func replaced(old, with string) func(string) string {
	return func(line string) string { return strings.Replace(line, old, with, 1) }
}

// styled are the acquirers with a style.
var styled = slices.Sorted(maps.Keys(styles))

// styles have the columns of the acquirers' own protocols. Together they cover the differences
// between files.
var styles = map[string]style{
	"moamalat": {
		header: "Status,TransType,AmountTrxn,Currency,RRN,MerchantReference,TransactionId,TxnDateTime", least: 1,
		line: func(p payment) string {
			return fmt.Sprintf("Approved,Sale,%d,LYD,000123,%s,%s,%s", p.amount, p.attempt, p.number,
				p.at.In(tripoli).Format("02/01/06  15:04"))
		},
		unpaid: replaced("Approved", "Declined"), dollars: replaced("LYD", "USD"),
	},
	"plutu": {
		header: "\ufeffinvoice_no;Gateway;transaction_id;amount;Currency;created_at;approved", least: 10,
		line: func(p payment) string {
			amount := domain.Money{Minor: p.amount, Currency: domain.LYD}.Figures()
			return fmt.Sprintf("%s;edfali;%s;%s;LYD;%s;1", p.attempt, p.number, strings.TrimSuffix(amount, "0"),
				p.at.In(tripoli).Format(time.DateTime))
		},
		unpaid:  func(line string) string { return strings.TrimSuffix(line, "1") + "0" },
		dollars: replaced("LYD", "usd"),
	},
	"lypay": {
		header: "internal_merchant_reference\tpaymentReference\tcreditorAmount\tcurrency\ttimestamp\t" +
			"status\ttransactionType",
		least: 1,
		line: func(p payment) string {
			return strings.Join([]string{
				strings.ToUpper(string(p.attempt[:25])), p.number, strconv.FormatInt(p.amount, 10), "lyd",
				strconv.FormatInt(p.at.Unix(), 10), "completed", "P2M",
			}, "\t")
		},
		unpaid: replaced("completed", "acknowledged"), dollars: replaced("lyd", "EUR"),
	},
	"sandbox": {
		header: `"id","reference","amount","currency","taken_at","state"`, least: 1,
		line: func(p payment) string {
			return fmt.Sprintf(`%q,%q,"%d","LYD",%q,"paid"`, p.attempt, p.number, p.amount, p.at.Format(time.RFC3339))
		},
		unpaid: replaced("paid", "declined"), dollars: replaced("LYD", "840"),
	},
}

// file is a statement of these lines.
func (s style) file(lines ...string) string {
	return s.header + "\r\n" + strings.Join(lines, "\r\n") + "\r\n"
}

func profile(t testing.TB, name string) reconcile.Profile {
	t.Helper()
	p, known := reconcile.ProfileOf(name)
	if !known {
		t.Fatalf("no profile %s", name)
	}
	return p
}

// compare compares a file with the ledger.
func (w *world) compare(
	t testing.TB, acquirer, file string, of reconcile.Scope, s reconcile.Span,
) reconcile.Report {
	t.Helper()
	report, err := reconcile.Compare(t.Context(), w.pool, of, strings.NewReader(file),
		reconcile.Options{Profile: profile(t, acquirer), Span: s})
	if err != nil {
		t.Fatal(err)
	}
	checkSum(t, report)
	return report
}

// checkSum checks that the findings add up to the difference of the totals.
func checkSum(t interface{ Errorf(string, ...any) }, r reconcile.Report) {
	var sum int64
	for _, f := range r.Findings {
		if l := f.Line; l != nil && (l.At.IsZero() || r.Span.Has(l.At)) {
			sum += l.Amount
		}
		if f.Entry != nil && f.Kind != reconcile.TwiceInStatement && r.Span.Has(f.Entry.At) {
			sum -= f.Entry.Amount
		}
	}
	if sum != r.Difference() {
		t.Errorf("the totals differ by %d, the findings by %d: %+v", r.Difference(), sum, r)
	}
	found := 0
	for _, g := range r.Groups() {
		sum -= g.Statement.Amount - g.Ledger.Amount
		if found += len(g.Findings); len(g.Findings) != r.Count(g.Kind) {
			t.Errorf("%d in the group of %d %s", len(g.Findings), r.Count(g.Kind), g.Kind)
		}
	}
	if sum != 0 || found != len(r.Findings) {
		t.Errorf("the groups leave out %d, and have %d of %d findings", sum, found, len(r.Findings))
	}
}

// said are the findings of a report as text: kind, line, attempt.
func said(r reconcile.Report) []string {
	var all []string
	for _, f := range r.Findings {
		line, attempt := 0, f.Attempt
		if f.Line != nil {
			line = f.Line.Number
		}
		if f.Entry != nil {
			attempt = f.Entry.Attempt
		}
		all = append(all, fmt.Sprintf("%s %d %s", f.Kind, line, attempt))
	}
	return all
}
