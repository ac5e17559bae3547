package projections

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
	"daftar/internal/postgres"
)

// The states of an intent in the table payments. The two statuses of
// an unpaid one are both open, so that an attempt changes no index.
const (
	stateOpen      = "open"
	stateSucceeded = "succeeded"
	stateCanceled  = "canceled"
)

// Kind is why a person must decide about money that was received.
type Kind string

// The kinds of exceptions.
const (
	KindLate      Kind = "late"      // it came after the intent was canceled
	KindDuplicate Kind = "duplicate" // it came for an intent that was paid already
)

// paymentRow is a row of payments.
type paymentRow struct {
	intent, application     [16]byte
	version                 int32
	state                   string
	attempting              bool
	amount                  int64
	currency, reference     string
	customerKey             *int64 // nil: no customer was named
	createdAt               time.Time
	succeededAt, canceledAt *time.Time
	late                    bool
	duplicates              int32
	refunded                int64
	terms                   string // in order, a blank between them
}

var paymentColumns = postgres.Columns[paymentRow]{
	postgres.Typed("intent_uuid", "uuid", func(r *paymentRow) *[16]byte { return &r.intent }),
	postgres.Typed("application_uuid", "uuid", func(r *paymentRow) *[16]byte { return &r.application }),
	postgres.Typed("version", "int4", func(r *paymentRow) *int32 { return &r.version }),
	postgres.Typed("state", "text", func(r *paymentRow) *string { return &r.state }),
	postgres.Typed("attempting", "bool", func(r *paymentRow) *bool { return &r.attempting }),
	postgres.Typed("amount", "int8", func(r *paymentRow) *int64 { return &r.amount }),
	postgres.Typed("currency", "text", func(r *paymentRow) *string { return &r.currency }),
	postgres.Typed("reference", "text", func(r *paymentRow) *string { return &r.reference }),
	postgres.Typed("customer_key", "int8", func(r *paymentRow) **int64 { return &r.customerKey }),
	postgres.Typed("created_at", "timestamptz", func(r *paymentRow) *time.Time { return &r.createdAt }),
	postgres.Typed("succeeded_at", "timestamptz", func(r *paymentRow) **time.Time { return &r.succeededAt }),
	postgres.Typed("canceled_at", "timestamptz", func(r *paymentRow) **time.Time { return &r.canceledAt }),
	postgres.Typed("late", "bool", func(r *paymentRow) *bool { return &r.late }),
	postgres.Typed("duplicates", "int4", func(r *paymentRow) *int32 { return &r.duplicates }),
	postgres.Typed("refunded", "int8", func(r *paymentRow) *int64 { return &r.refunded }),
	postgres.Typed("terms", "text", func(r *paymentRow) *string { return &r.terms }),
}

// exceptionRow is a row of payment_exceptions.
type exceptionRow struct {
	intent        [16]byte
	version       int32
	application   [16]byte
	kind, attempt string
	amount        int64
	currency      string
	since         time.Time
	closedAt      *time.Time // nil: some of the money has not been refunded
	closedBy      *[16]byte  // the refund that left nothing
}

var exceptionColumns = postgres.Columns[exceptionRow]{
	postgres.Typed("intent_uuid", "uuid", func(r *exceptionRow) *[16]byte { return &r.intent }),
	postgres.Typed("version", "int4", func(r *exceptionRow) *int32 { return &r.version }),
	postgres.Typed("application_uuid", "uuid", func(r *exceptionRow) *[16]byte { return &r.application }),
	postgres.Typed("kind", "text", func(r *exceptionRow) *string { return &r.kind }),
	postgres.Typed("attempt", "text", func(r *exceptionRow) *string { return &r.attempt }),
	postgres.Typed("amount", "int8", func(r *exceptionRow) *int64 { return &r.amount }),
	postgres.Typed("currency", "text", func(r *exceptionRow) *string { return &r.currency }),
	postgres.Typed("since", "timestamptz", func(r *exceptionRow) *time.Time { return &r.since }),
	postgres.Typed("closed_at", "timestamptz", func(r *exceptionRow) **time.Time { return &r.closedAt }),
	postgres.Typed("closed_by", "uuid", func(r *exceptionRow) **[16]byte { return &r.closedBy }),
}

// errGap says that the table lacks events before the present one. Only a rebuild can
// help, so the group halts.
var errGap = errors.New("payments lacks what came before; " +
	"run daftar projections rebuild payments")

// consequence is what an event changes besides the row of its intent. It is zero for most events.
type consequence struct {
	application [16]byte
	exception   *exceptionRow
	money       facts.Money // which way amount went
	amount      domain.Money
	at          time.Time
}

// apply changes the row by an event, and returns what else the event changes. An event
// that was applied already changes nothing. domain.Evolve decides what the event means for the
// intent; the row adds when it happened.
func (p *paymentRow) apply(r eventstore.Recorded) (c consequence, err error) {
	if r.Version <= int(p.version) {
		return c, nil
	}
	if r.Version != int(p.version)+1 {
		return c, fmt.Errorf("position %d: version %d of intent %s follows %d: %w",
			r.Position, r.Version, r.Stream, p.version, errGap)
	}
	event, err := domain.Decode(r)
	if err != nil {
		return c, fmt.Errorf("position %d: %w", r.Position, err)
	}
	before := domain.Intent{ID: p.intent, Version: int(p.version), Status: p.status(), Late: p.late}
	after := domain.Evolve(before, event)
	if !before.Exists() {
		p.intent, p.application, p.createdAt = r.Stream, after.Application, after.CreatedAt
		p.amount, p.currency = after.Amount.Minor, string(after.Amount.Currency)
		p.reference, p.customerKey = string(after.Reference), customerKeyOf(after.Application, after.CustomerID)
	}
	p.version, p.late = int32(after.Version), after.Late
	kind := facts.Of(event)
	details := kind.Details(event)
	p.terms = addTerms(p.terms, termsIn(p.application, event, details))
	p.state, p.attempting = stateOf(after.Status), after.Status == domain.StatusProcessing
	if before.Status != after.Status {
		switch p.state {
		case stateSucceeded:
			p.succeededAt = &after.UpdatedAt
		case stateCanceled:
			p.canceledAt = &after.UpdatedAt
		}
	}
	c = consequence{
		application: p.application, money: kind.Money, amount: details.Amount, at: event.OccurredAt(),
	}
	switch kind.Money {
	case facts.NoMoney:
	case facts.Received:
		if kind.Late {
			c.exception = p.exception(KindLate, details.Attempt, c)
		}
	case facts.ReceivedAgain:
		p.duplicates++
		c.exception = p.exception(KindDuplicate, details.Attempt, c)
	case facts.Returned:
		p.refunded += details.Amount.Minor
	}
	return c, nil
}

func stateOf(s domain.Status) string {
	switch s {
	case domain.StatusSucceeded:
		return stateSucceeded
	case domain.StatusCanceled:
		return stateCanceled
	default:
		return stateOpen
	}
}

// status is the status from which stateOf made the state.
func (p *paymentRow) status() domain.Status {
	switch {
	case p.version == 0:
		return ""
	case p.state == stateSucceeded:
		return domain.StatusSucceeded
	case p.state == stateCanceled:
		return domain.StatusCanceled
	case p.attempting:
		return domain.StatusProcessing
	}
	return domain.StatusRequiresPaymentMethod
}

// customerKeyOf is the key of a customer of an application in the index. It is a
// digest, so that nobody can choose a name that has the key of another.
func customerKeyOf(application domain.ApplicationID, customer *string) *int64 {
	if customer == nil {
		return nil
	}
	digest := sha256.Sum256(append(application[:], *customer...))
	key := int64(binary.BigEndian.Uint64(digest[:]))
	return &key
}

func (p *paymentRow) exception(kind Kind, of domain.AttemptID, c consequence) *exceptionRow {
	return &exceptionRow{
		intent:      p.intent,
		version:     p.version,
		application: p.application,
		kind:        string(kind),
		attempt:     string(of),
		amount:      c.amount.Minor,
		currency:    string(c.amount.Currency),
		since:       c.at,
	}
}

// replayPayment is the row of a whole stream, with the consequences that concern money.
func replayPayment(stream []eventstore.Recorded) (p paymentRow, all []consequence, err error) {
	for _, r := range stream {
		c, err := p.apply(r)
		if err != nil {
			return paymentRow{}, nil, err
		}
		if c.money != facts.NoMoney {
			all = append(all, c)
		}
	}
	return p, all, nil
}

// paymentsModel is where to find an intent, and the money that a person must
// decide about.
var paymentsModel = Model{
	Name: "payments", Group: DashboardGroupName, Version: 1, Only: domain.OfIntent,
	Tables: []Table{
		{Name: "payments", Columns: paymentColumns.Names(), Key: 1, Title: "state"},
		{Name: "payment_exceptions", Columns: exceptionColumns.Names(), Key: 2, Title: "kind"},
	},
	Counts: `
SELECT (SELECT (count(*), coalesce(sum(version), 0), count(*) FILTER (WHERE refunded > 0),
                (SELECT count(*) FROM {payment_exceptions}))::text
        FROM {payments}),
       (SELECT (count(*) FILTER (WHERE version = 1), count(*),
                count(DISTINCT stream_id) FILTER (WHERE type = '` + domain.TypeRefundRecorded + `'),
                count(*) FILTER (WHERE type IN ('` + domain.TypeLateSucceeded + `', '` +
		domain.TypeDuplicatePayment + `')))::text
        FROM events
        WHERE position <= $1
          AND ` + ofIntents + `)`,
	Rows: paymentsRows,
}

func paymentsRows(stream []eventstore.Recorded) ([][]Row, error) {
	p, exceptions, err := replayExceptions(stream)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for n := range exceptions {
		rows = append(rows, exceptionColumns.Values(&exceptions[n]))
	}
	return [][]Row{{paymentColumns.Values(&p)}, rows}, nil
}

// replayExceptions returns the payment and the exceptions of a whole stream. An exception of
// which nothing is left to refund is closed by the refund that left nothing.
func replayExceptions(stream []eventstore.Recorded) (p paymentRow, exceptions []exceptionRow, err error) {
	p, consequences, err := replayPayment(stream)
	if err != nil {
		return paymentRow{}, nil, err
	}
	for _, c := range consequences {
		if c.exception != nil {
			exceptions = append(exceptions, *c.exception)
		}
	}
	if len(exceptions) == 0 || p.refunded == 0 {
		return p, exceptions, nil
	}
	after, err := domain.Replay(p.intent, stream)
	if err != nil {
		return paymentRow{}, nil, err
	}
	for n := range exceptions {
		exceptions[n].close(after)
	}
	return p, exceptions, nil
}

// close closes the exception if nothing of its attempt's money is left.
func (x *exceptionRow) close(i domain.Intent) {
	of := domain.AttemptID(x.attempt)
	if i.Refundable(of).Minor > 0 {
		return
	}
	for _, r := range i.Refunds {
		if r.Attempt == of {
			x.closedAt, x.closedBy = &r.At, (*[16]byte)(&r.ID)
		}
	}
}
