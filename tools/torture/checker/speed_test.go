package checker_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"daftar/domain"
	"daftar/eventstore/feed"
	"daftar/httpapi"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
	"daftar/projections/rebuild"
	"daftar/tools/torture/checker"
	"daftar/tools/torture/history"
	"daftar/transparency"
)

// made is an invented run: its log, its read models and its record are written in bulk, so
// that even a long run is made quickly.
type made struct {
	*world
	super    *pgxpool.Pool
	run      *history.Run
	hook     *standardwebhooks.Webhook
	events   [][]any
	rows     [][]any
	position int64
	// The first intent was created at began, into after the start of the run.
	began time.Time
	into  time.Duration
}

// The checker accepts an invented run.
func TestAnInventedRunIsChecked(t *testing.T) {
	t.Parallel()
	checkInvented(t, 90)
}

// checkInvented checks a run with the given number of events and logs how long that takes.
func checkInvented(t *testing.T, events int) {
	t.Helper()
	m := invent(t, events/3)
	owner := pgtest.Open(t, m.db.URL(), postgres.Options{MaxConns: 6})
	began := time.Now()
	verdicts, err := checker.Check(t.Context(), owner, m.run, checker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	t.Logf("%d events and %d requests checked in %v",
		m.position, len(m.run.Requests), took.Round(time.Millisecond))
	for _, v := range verdicts {
		if !v.OK {
			t.Errorf("%s %s: looked at %d: %s", v.ID, v.Name, v.Looked, v.Detail)
		}
	}
	began = time.Now()
	if _, err := checker.Continuous(t.Context(), owner); err != nil {
		t.Error(err)
	}
	t.Logf("the newest events in %v", time.Since(began).Round(time.Millisecond))
}

func invent(t *testing.T, intents int) *made {
	t.Helper()
	w := &world{t: t, db: pgtest.Database(t), recorder: history.NewRecorder(1)}
	var err error
	if w.log, err = os.Create(filepath.Join(t.TempDir(), "server.log")); err != nil {
		t.Fatal(err)
	}
	w.pool = pgtest.Open(t, w.db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 7})
	m := &made{world: w, super: pgtest.Open(t, w.db.SuperuserURL(), postgres.Options{MaxConns: 6})}
	m.owner()
	m.began, m.into = time.Now().UTC().Truncate(time.Microsecond), m.recorder.Now()
	for n := range intents {
		m.live(n)
		if len(m.events) >= 30_000 || n == intents-1 {
			m.flush()
		}
	}
	for n := range 20 {
		m.recorder.Sample(history.Sample{
			Server: "A", Process: 1, At: time.Duration(n) * time.Second, RSS: 1 << 26, FDs: 20, Goroutines: 20,
		})
	}
	m.run = m.recorder.Run()
	m.run.Logs = []string{w.log.Name()}
	if _, err := w.log.WriteString(strings.Repeat("a line without a secret\n", intents)); err != nil {
		t.Fatal(err)
	}
	m.follow()
	return m
}

// owner makes the merchant.
func (m *made) owner() {
	m.t.Helper()
	m.start()
	for _, end := range slices.Backward(m.ends) {
		end() // the service was needed only to make merchants
	}
	var err error
	if m.hook, err = standardwebhooks.NewWebhook(m.shops[0].WebhookSecret); err != nil {
		m.t.Fatal(err)
	}
}

// live invents one intent that is created, read and paid.
func (m *made) live(n int) {
	m.t.Helper()
	s := m.shops[0]
	reference := fmt.Sprintf("order-%d", n)
	id := s.space.IntentID(domain.MerchantReference(reference))
	at := m.began.Add(time.Duration(n) * time.Microsecond)
	asked := m.into + time.Duration(n)*time.Microsecond
	money := domain.Money{Minor: 5000, Currency: domain.LYD}
	state := domain.Blank(id)
	shown := func(e domain.Event) []byte {
		stored, err := domain.EncodeEvent(e)
		if err != nil {
			m.t.Fatal(err)
		}
		state = domain.Evolve(state, e)
		m.position++
		m.events = append(m.events, []any{
			m.position, [16]byte(id), state.Version, stored.Type, stored.SchemaVersion, string(stored.Payload),
			`{"actor":"torture"}`, e.OccurredAt(),
		})
		m.deliver(state, stored.Type, e.OccurredAt())
		resource, err := httpapi.MarshalIntent(projections.IntentOf(state), "https://pay.example")
		if err != nil {
			m.t.Fatal(err)
		}
		return fmt.Appendf(nil, `{"data":%s}`, resource)
	}
	q := history.Request{
		Client: n % 50, Application: s.UUID, Reference: reference, Intent: id.String(),
		Began: asked, Ended: asked + time.Millisecond,
	}
	create := q
	create.Kind, create.Status = history.Create, 201
	create.Sent = fmt.Appendf(nil,
		`{"merchant_reference":%q,"amount":5000,"currency":"LYD","description":"قهوة"}`, reference)
	create.Answer = shown(domain.Created{
		At:            at,
		CheckoutToken: domain.NewCheckoutToken([16]byte{byte(n), byte(n >> 8)}),
		ExpiresAt:     at.Add(24 * time.Hour),
		Terms: domain.Terms{
			Application: domain.ApplicationID(s.UUID), MerchantReference: domain.MerchantReference(reference),
			Reference: domain.NewReference([7]byte{byte(n), byte(n >> 8), byte(n >> 16)}),
			Amount:    money, Description: "قهوة",
		},
	})
	m.recorder.Request(create)
	attempt := domain.AttemptID(strings.ReplaceAll(id.String(), "-", "")[:26])
	shown(domain.AttemptStarted{
		At: at.Add(time.Microsecond), Attempt: attempt, Acquirer: "sandbox", Method: "wallet",
	})
	q.Kind, q.Status = history.Read, 200
	q.Answer = shown(domain.Succeeded{At: at.Add(2 * time.Microsecond), Attempt: attempt, Amount: money})
	q.Began, q.Ended = q.Began+2*time.Millisecond, q.Ended+2*time.Millisecond
	m.recorder.Request(q)
	m.bank = append(m.bank, history.Taken{Intent: id.String(), Amount: money.Minor, Currency: "LYD"})
}

// deliver records the delivery and its arrival.
func (m *made) deliver(i domain.Intent, kind string, at time.Time) {
	m.t.Helper()
	s := m.shops[0]
	event := map[string]string{
		domain.TypeCreated: "created", domain.TypeAttemptStarted: "processing", domain.TypeSucceeded: "succeeded",
	}[kind]
	id := uuid.NewSHA1(uuid.UUID(i.ID), []byte(strconv.Itoa(i.Version)))
	m.rows = append(m.rows, []any{
		[16]byte(id), [16]byte(s.UUID), "payment_intent." + event, [16]byte(i.ID), i.Version,
		string(i.Reference), string(i.MerchantReference), at, "delivered", 1, 1, 200,
	})
	body := fmt.Appendf(nil, `{"type":"payment_intent.%s","timestamp":%q,`+
		`"data":{"uuid":%q,"reference":%q,"merchant_reference":%q,"sequence":%d}}`,
		event, at.Format(time.RFC3339Nano), i.ID, i.Reference, i.MerchantReference, i.Version)
	now := time.Now()
	signature, err := m.hook.Sign("evt_"+id.String(), now, body)
	if err != nil {
		m.t.Fatal(err)
	}
	m.recorder.Delivery(history.Delivery{
		Sink: "ok", Application: s.UUID, Arrived: m.recorder.Now(), ID: "evt_" + id.String(),
		Timestamp: strconv.FormatInt(now.Unix(), 10), Signature: signature, Body: body, Answered: 200,
	})
}

func (m *made) flush() {
	m.t.Helper()
	for table, rows := range map[string]struct {
		columns []string
		rows    [][]any
	}{
		"events": {[]string{
			"position", "stream_id", "version", "type", "schema_version", "payload", "metadata", "recorded_at",
		}, m.events},
		"webhook_deliveries": {[]string{
			"uuid", "application_uuid", "event", "intent_uuid", "sequence",
			"reference", "merchant_reference", "occurred_at", "state", "step", "attempts", "last_status",
		}, m.rows},
	} {
		source := pgx.CopyFromRows(rows.rows)
		if _, err := m.super.CopyFrom(m.t.Context(), pgx.Identifier{table}, rows.columns, source); err != nil {
			m.t.Fatal(err)
		}
	}
	m.events, m.rows = nil, nil
}

const (
	moveGroupsSQL = `
INSERT INTO consumer_offsets (consumer_group, position, updated_at)
SELECT g, (SELECT max(position) FROM events), now()
FROM unnest(ARRAY['webhooks', 'expiry', 'dashboard', 'books']) AS g
ON CONFLICT (consumer_group)
DO UPDATE SET position = excluded.position`
	signedSQL = `
SELECT coalesce((SELECT max(size) FROM transparency_checkpoints), 0) = (SELECT max(position) FROM events)`
)

// follow brings the read models and the tree up to the end of the log.
func (m *made) follow() {
	m.t.Helper()
	m.run.Bank = m.bank
	for _, statement := range []string{moveGroupsSQL, `ANALYZE`} {
		if _, err := m.super.Exec(m.t.Context(), statement); err != nil {
			m.t.Fatal(err)
		}
	}
	owner := pgtest.Open(m.t, m.db.URL(), postgres.Options{MaxConns: 4})
	for _, model := range projections.Models() {
		report, err := rebuild.Replace(m.t.Context(), owner, model, rebuild.Options{AcceptDrift: true})
		if err != nil || !report.OK {
			m.t.Fatalf("rebuild: %+v, %v", report, err)
		}
	}
	following, err := feed.New(feed.Config{
		Pool: m.pool, Groups: []feed.Group{transparency.Group()}, Log: zerolog.Nop(),
	})
	if err != nil {
		m.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(m.t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if err := following.Run(ctx); err != nil {
			m.t.Errorf("follow the log: %v", err)
		}
	})
	notary := m.notary(zerolog.Nop())
	all.Go(func() { notary.Run(ctx) })
	pgtest.WaitFor(m.t, "the tree", func() bool {
		var signed bool
		err := m.pool.QueryRow(m.t.Context(), signedSQL).Scan(&signed)
		return err == nil && signed
	})
	stop()
	all.Wait()
}
