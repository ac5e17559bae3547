package projections

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"daftar/domain"
	"daftar/eventstore"
)

// What becomes of an intent, as the table payments knows it.
const (
	stateOpen      = "open"
	stateSucceeded = "succeeded"
	stateCanceled  = "canceled"
)

// Kind is why somebody must decide about money that came.
type Kind string

// The kinds of exceptions.
const (
	KindLate      Kind = "late"      // it came after the intent was canceled
	KindDuplicate Kind = "duplicate" // it came for an intent that was paid already
)

// entry is a row of payments.
type entry struct {
	intent      [16]byte
	application [16]byte
	version     int
	state       string
	attempting  bool
	amount      int64
	currency    string
	reference   string
	customerKey *int64 // nil: no customer was named
	createdAt   time.Time
	succeededAt *time.Time
	canceledAt  *time.Time
	late        bool
	duplicates  int
}

// exception is a row of payment_exceptions.
type exception struct {
	intent      [16]byte
	version     int
	application [16]byte
	kind        Kind
	attempt     string
	amount      int64
	currency    string
	since       time.Time
}

// errGap says that the table lacks what came before an event. Only a rebuild can
// help, so the group halts.
var errGap = errors.New("payments does not hold what came before; daftar projections rebuild payments makes it anew")

// apply changes the entry as the event says, and returns the exception that the
// event makes, if it makes one. An event that the entry shows already changes
// nothing.
func (e *entry) apply(r eventstore.Recorded) (*exception, error) {
	if r.Version <= e.version {
		return nil, nil
	}
	if r.Version != e.version+1 {
		return nil, fmt.Errorf("position %d: version %d of intent %s follows %d: %w", r.Position, r.Version, r.Stream, e.version, errGap)
	}
	decoded, err := Decode(r)
	if err != nil {
		return nil, err
	}
	e.version = r.Version
	switch event := decoded.(type) {
	case domain.Created:
		*e = entry{
			intent: r.Stream, application: event.Application, version: r.Version, state: stateOpen,
			amount: event.Amount.Minor, currency: string(event.Amount.Currency), reference: string(event.Reference),
			customerKey: customerKeyOf(event.Application, event.CustomerID), createdAt: event.At,
		}
		return nil, nil
	case domain.AttemptStarted:
		e.attempting = true
		return nil, nil
	case domain.AttemptFailed:
		e.attempting = false
		return nil, nil
	case domain.Succeeded:
		e.state, e.attempting, e.succeededAt = stateSucceeded, false, &event.At
		return nil, nil
	case domain.Expired:
		e.state, e.attempting, e.canceledAt = stateCanceled, false, &event.At
		return nil, nil
	case domain.LateSucceeded:
		e.state, e.attempting, e.succeededAt, e.late = stateSucceeded, false, &event.At, true
		return e.exception(KindLate, event.Attempt, event.Amount, event.At), nil
	case domain.DuplicatePayment:
		e.duplicates++
		return e.exception(KindDuplicate, event.Attempt, event.Amount, event.At), nil
	}
	panic("projections: event outside the sealed set")
}

// customerKeyOf stands for a customer of an application in the index. It is a
// digest, so that nobody can choose names that fall together with another's.
func customerKeyOf(application domain.ApplicationID, customer *string) *int64 {
	if customer == nil {
		return nil
	}
	digest := sha256.Sum256(append(application[:], *customer...))
	key := int64(binary.BigEndian.Uint64(digest[:]))
	return &key
}

func (e *entry) exception(kind Kind, attempt domain.AttemptID, amount domain.Money, at time.Time) *exception {
	return &exception{
		intent: e.intent, version: e.version, application: e.application, kind: kind, attempt: string(attempt),
		amount: amount.Minor, currency: string(amount.Currency), since: at,
	}
}
