package projections

import (
	"time"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Filter says which intents a list has. The zero Filter takes all of the
// organisation's.
type Filter struct {
	Application *domain.ApplicationID // nil: all
	Status      domain.Status         // empty: any
	Late        bool                  // only those paid after they were canceled
	From, To    domain.Day            // of the creation, both included; zero: without limit
	MinAmount   *int64                // in minor units, included; nil: without limit
	MaxAmount   *int64

	text     textQuery
	customer *string // nil: any
}

// states are the states of payments with the filter's status, and whether an attempt
// may be open.
func (f Filter) states() (states []string, attempting []bool) {
	if f.Late && f.Status == "" {
		f.Status = domain.StatusSucceeded
	}
	switch f.Status {
	case "":
		return []string{stateOpen, stateSucceeded, stateCanceled}, []bool{false, true}
	case domain.StatusRequiresPaymentMethod:
		return []string{stateOpen}, []bool{false}
	case domain.StatusProcessing:
		return []string{stateOpen}, []bool{true}
	case domain.StatusSucceeded:
		return []string{stateSucceeded}, []bool{false, true}
	case domain.StatusCanceled:
		return []string{stateCanceled}, []bool{false, true}
	}
	return nil, nil
}

// args are the parameters $1 to $11 of statements that select payments by inReach and fits: which
// rows are read, at most so many of each application and state, and which of them are taken.
func (f Filter) args(applications []domain.ApplicationID, low, high key, rows int) []any {
	states, attempting := f.states()
	return []any{
		// A plan for any arguments does not take the limits into account.
		postgres.PlanEachTime, applications, states, low.at, low.id, high.at, high.id, f.Late, rows,
		f.MinAmount, f.MaxAmount, attempting,
	}
}

// created are the times between which the filter takes payments, the second one excluded.
func (f Filter) created() (from, to time.Time) {
	if !f.From.IsZero() {
		from = f.From.Start()
	}
	if !f.To.IsZero() {
		to = f.To.Add(1).Start()
	}
	return from, to
}

// sparse reports whether many payments do not fit the filter of those that are read for it.
func (f Filter) sparse() bool {
	_, attempting := f.states()
	return f.MinAmount != nil || f.MaxAmount != nil || !f.text.empty() || len(attempting) == 1
}

// narrow reports whether the filter leaves out payments of an application whatever their status.
func (f Filter) narrow() bool {
	return !f.From.IsZero() || !f.To.IsZero() || f.MinAmount != nil || f.MaxAmount != nil
}

// takes reports whether a payment fits the filter apart from its status.
func (f Filter) takes(p Payment) bool {
	low, high := cursor{older, newest}.bounds(f.created())
	at := keyOf(p.Intent)
	return (f.Application == nil || *f.Application == p.Application) &&
		low.before(at) && at.before(high) &&
		(f.MinAmount == nil || p.Amount.Minor >= *f.MinAmount) &&
		(f.MaxAmount == nil || p.Amount.Minor <= *f.MaxAmount)
}

func (f Filter) takesStatus(p Payment) bool { return f.shows(p.Intent) && (!f.Late || p.Late) }

// shows reports whether an intent has the filter's status, which may have changed since the
// dashboard group handled its events, and its customer: two customers may have the same key.
func (f Filter) shows(i Intent) bool {
	return (f.Status == "" || f.Status == i.Status) &&
		(f.customer == nil || i.CustomerID != nil && *i.CustomerID == *f.customer)
}
