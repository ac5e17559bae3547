package checker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/books"
	"daftar/domain"
	"daftar/facts"
)

// ledger is the log as the checker read it.
type ledger struct {
	now     time.Time     // the database's clock after the log was read
	ahead   time.Duration // of the database's clock to ours
	streams map[uuid.UUID]*stream
	booked  []booked // the events of provider accounts, which are in no stream of these
	events  int64
	last    int64    // position
	strange []string // events that cannot be decoded, and are not parked
	parked  int64    // the first position that was left out; 0: none
}

// stream is the events of one intent.
type stream struct {
	id      uuid.UUID
	events  []event
	created created
	state   domain.Intent // the fold
	problem string        // why the fold stopped before the end of the stream
}

// event is the part of an event that the checker keeps.
type event struct {
	kind     string
	position int64
	version  int32
	recorded time.Time
	at       time.Time     // in its payload
	status   domain.Status // of the intent after it
	payload  payload
}

// payload is the part of an event's payload that the checker uses, decoded without the codec.
type payload struct {
	At       time.Time `json:"at"`
	Attempt  string    `json:"attempt"`
	Acquirer string    `json:"acquirer"`
	Amount   int64     `json:"amount"`
	Currency string    `json:"currency"`
}

// created is a payload of intent.created, decoded without the codec.
type created struct {
	At                time.Time       `json:"at"`
	Application       uuid.UUID       `json:"application"`
	MerchantReference string          `json:"merchant_reference"`
	Reference         string          `json:"reference"`
	CheckoutToken     string          `json:"checkout_token"`
	Amount            int64           `json:"amount"`
	Currency          string          `json:"currency"`
	Description       string          `json:"description"`
	CustomerID        *string         `json:"customer_external_id"`
	ReturnURL         *string         `json:"return_url"`
	Metadata          json.RawMessage `json:"metadata"`
	ExpiresAt         time.Time       `json:"expires_at"`
}

func (c created) path(id uuid.UUID) string { return "/pay/" + id.String() + "/" + c.CheckoutToken }

// paying are the events that record money; success are those that make an intent succeed.
var (
	paying  = []string{"intent.succeeded", "intent.late_succeeded", "intent.duplicate_payment"}
	success = paying[:2]
)

const (
	readLedgerSQL = `
SELECT position, stream_id, version, type, schema_version, payload, recorded_at
FROM events
WHERE stream_id NOT IN (SELECT stream_id FROM events WHERE position = ANY ($1))
ORDER BY position`
	nowSQL = `SELECT clock_timestamp()`
)

// record is a row of events.
type record struct {
	position int64
	stream   [16]byte
	version  int32
	kind     string
	schema   int32
	payload  []byte
	recorded time.Time
}

// readLedger reads the log in the order of its positions and folds each stream.
func readLedger(ctx context.Context, pool *pgxpool.Pool, parked []int64) (*ledger, error) {
	if parked == nil {
		parked = []int64{}
	}
	l := &ledger{streams: map[uuid.UUID]*stream{}}
	if len(parked) > 0 {
		l.parked = slices.Min(parked)
	}
	rows, err := pool.Query(ctx, readLedgerSQL, parked)
	if err != nil {
		return nil, fmt.Errorf("read log: %w", err)
	}
	var r record
	_, err = pgx.ForEachRow(rows, []any{
		&r.position, &r.stream, &r.version, &r.kind, &r.schema, &r.payload, &r.recorded,
	}, func() error {
		l.add(r)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read log: %w", err)
	}
	if err := pool.QueryRow(ctx, nowSQL).Scan(&l.now); err != nil {
		return nil, fmt.Errorf("read the database's clock: %w", err)
	}
	l.ahead = time.Until(l.now)
	return l, nil
}

func (l *ledger) add(r record) {
	l.events++
	l.last = r.position
	if books.Has(r.kind) {
		l.addBooked(r)
	}
	if !domain.OfIntent(r.kind) {
		return
	}
	s := l.streams[r.stream]
	if s == nil {
		s = &stream{id: r.stream, state: domain.Blank(domain.IntentID(r.stream))}
		l.streams[r.stream] = s
	}
	e := event{kind: r.kind, position: r.position, version: r.version, recorded: r.recorded}
	if err := e.read(r, s); err != nil {
		l.strange = append(l.strange, fmt.Sprintf("position %d: %v", r.position, err))
	}
	s.step(&e, r)
	s.events = append(s.events, e)
}

func (e *event) read(r record, s *stream) error {
	if r.kind == domain.TypeCreated && len(s.events) == 0 {
		err := json.Unmarshal(r.payload, &s.created)
		e.at = s.created.At
		return err
	}
	err := json.Unmarshal(r.payload, &e.payload)
	e.at = e.payload.At
	return err
}

// transitions is the specification's table: the status after an event, by the status in
// which the event may happen. An event that is not here may happen in any status and does
// not change it.
var transitions = map[string]map[domain.Status]domain.Status{
	domain.TypeCreated:        {"": domain.StatusRequiresPaymentMethod},
	domain.TypeAttemptStarted: {domain.StatusRequiresPaymentMethod: domain.StatusProcessing},
	domain.TypeAttemptFailed:  {domain.StatusProcessing: domain.StatusRequiresPaymentMethod},
	domain.TypeSucceeded: {
		domain.StatusProcessing:            domain.StatusSucceeded,
		domain.StatusRequiresPaymentMethod: domain.StatusSucceeded,
	},
	domain.TypeExpired:          {domain.StatusRequiresPaymentMethod: domain.StatusCanceled},
	domain.TypeLateSucceeded:    {domain.StatusCanceled: domain.StatusSucceeded},
	domain.TypeDuplicatePayment: {domain.StatusSucceeded: domain.StatusSucceeded},
	domain.TypeRefundRecorded:   {domain.StatusSucceeded: domain.StatusSucceeded},
	domain.TypeRefundFailed:     {domain.StatusSucceeded: domain.StatusSucceeded},
}

// step folds one event with the domain and checks the result against the table.
func (s *stream) step(e *event, r record) {
	if s.problem != "" {
		return
	}
	stored := domain.StoredEvent{Type: r.kind, SchemaVersion: int(r.schema), Payload: r.payload}
	decoded, err := domain.DecodeEvent(stored)
	if err != nil {
		s.problem = fmt.Sprintf("position %d: %v", r.position, err)
		return
	}
	before := s.state
	s.state = domain.Evolve(before, decoded)
	e.status = s.state.Status
	if why := illegal(before, s.state, r.kind, decoded.OccurredAt(), e.payload); why != "" {
		s.problem = fmt.Sprintf("position %d: %s", r.position, why)
	}
}

// illegal returns why an event may not happen in a state; empty: it may.
func illegal(before, after domain.Intent, kind string, at time.Time, event payload) string {
	to, allowed := transitions[kind][before.Status]
	if k, known := facts.Named(kind); known && k.Leaves == "" && transitions[kind] == nil {
		to, allowed = before.Status, before.Exists()
	}
	_, open := before.OpenAttempt()
	overdue := !at.Before(before.ExpiresAt)
	switch {
	case !allowed:
		return fmt.Sprintf("%s in state %q", kind, before.Status)
	case to != after.Status:
		return fmt.Sprintf("%s leads from %q to %q", kind, before.Status, after.Status)
	case at.Before(before.UpdatedAt):
		return kind + " is older than the event before it"
	case kind == domain.TypeAttemptStarted && (open || overdue):
		return fmt.Sprintf("an attempt begins (another is open: %t, the time is over: %t)", open, overdue)
	case kind == domain.TypeExpired && (open || !overdue):
		return fmt.Sprintf("expired (an attempt is open: %t, the time is over: %t)", open, overdue)
	case kind == domain.TypeSucceeded && before.Status == domain.StatusRequiresPaymentMethod && overdue:
		return "succeeded, not late, after the end of its time"
	case slices.Contains(paying, kind):
		return unpaidBefore(before, event)
	case kind == domain.TypeAttemptFailed:
		a, known := before.Attempt(domain.AttemptID(event.Attempt))
		if !known || a.State != domain.AttemptStateOpen {
			return fmt.Sprintf("attempt %q fails and is not open", event.Attempt)
		}
	case kind == domain.TypeRefundRecorded:
		left := before.Refundable(domain.AttemptID(event.Attempt))
		if event.Amount <= 0 || event.Amount > left.Minor {
			return fmt.Sprintf("%d go back of attempt %q, of which %d are left",
				event.Amount, event.Attempt, left.Minor)
		}
	}
	return ""
}

// unpaidBefore checks a payment against its attempt and the amount of the intent.
func unpaidBefore(before domain.Intent, event payload) string {
	a, known := before.Attempt(domain.AttemptID(event.Attempt))
	switch {
	case !known:
		return fmt.Sprintf("money of the unknown attempt %q", event.Attempt)
	case a.State == domain.AttemptStatePaid:
		return fmt.Sprintf("attempt %q pays twice", event.Attempt)
	case event.Amount != before.Amount.Minor || event.Currency != string(before.Amount.Currency):
		return fmt.Sprintf("%s paid where %s is due", money(event.Amount, event.Currency), before.Amount)
	}
	return ""
}

// owner is the application that owns an intent; the zero uuid if the log lacks the intent.
func (l *ledger) owner(id uuid.UUID) uuid.UUID {
	if s := l.streams[id]; s != nil {
		return s.created.Application
	}
	return uuid.UUID{}
}
