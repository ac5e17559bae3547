package books

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
)

// ProviderAccount is what is on record of an account at a provider.
type ProviderAccount struct {
	Key
	Version int // of its stream; 0: nothing is on record

	settlements map[uuid.UUID]Settlement
	statements  map[string]uuid.UUID      // by SHA-256, a settlement that is not withdrawn
	covered     map[uuid.UUID]uuid.UUID   // by Share.id, the settlement
	fees        map[string][]FeeScheduled // by method, in the order of their recording
	days        map[domain.Day]DayClosed
	last        time.Time
}

// Settlement is a settlement as the last event has it.
type Settlement struct {
	Sums
	ValueDate     domain.Day
	BankReference string
	SHA256        string
	Withdrawn     bool
	Taken         []Taken
}

// id identifies what a share is of.
func (s Share) id() uuid.UUID {
	of := "payment " + string(s.Attempt)
	if s.Refund != nil {
		of = "refund " + s.Refund.String()
	}
	return domain.NameBased(s.Intent, of)
}

// Blank is the account before its first event.
func Blank(k Key) ProviderAccount {
	return ProviderAccount{
		Key: k, settlements: map[uuid.UUID]Settlement{}, statements: map[string]uuid.UUID{},
		covered: map[uuid.UUID]uuid.UUID{}, fees: map[string][]FeeScheduled{},
		days: map[domain.Day]DayClosed{},
	}
}

// Replay folds the events of a stream. The error is domain.ErrUnknownEvent, or says that a version is
// missing.
func Replay[R domain.Record](k Key, stream []R) (ProviderAccount, error) {
	a := Blank(k)
	for _, r := range stream {
		if version, _, _, _ := r.Stored(); version != a.Version+1 {
			return a, fmt.Errorf("replay account %s: version %d follows %d", k.Acquirer, version, a.Version)
		}
		e, err := Decode(r)
		if err != nil {
			return a, fmt.Errorf("replay account %s: %w", k.Acquirer, err)
		}
		a.Evolve(e)
	}
	return a, nil
}

// Evolve adds an event. It refuses none.
func (a *ProviderAccount) Evolve(e Event) {
	a.Version++
	switch e := e.(type) {
	case SettlementRecorded:
		a.last = e.At
		a.settlements[e.Settlement] = Settlement{
			Sums{e.Gross, e.Fees, e.Net}, e.ValueDate, e.BankReference, e.SHA256, false, e.Taken,
		}
		if e.SHA256 != "" {
			a.statements[e.SHA256] = e.Settlement
		}
		for _, s := range e.Shares {
			a.covered[s.id()] = e.Settlement
		}
	case SettlementCorrected:
		a.last = e.At
		s := a.settlements[e.Settlement]
		s.Sums, s.ValueDate, s.BankReference = Sums{e.Gross, e.Fees, e.Net}, e.ValueDate, e.BankReference
		s.Withdrawn = e.Withdrawn
		a.settlements[e.Settlement] = s
		if e.Withdrawn {
			a.release(e.Settlement, s.SHA256)
		}
	case FeeScheduled:
		a.last = e.At
		a.fees[e.Method] = append(a.fees[e.Method], e)
	case DayClosed:
		a.last = e.At
		a.days[e.Day] = e
	}
}

// release opens the shares of a settlement, and its statement where no other settlement is of it.
func (a *ProviderAccount) release(id uuid.UUID, statement string) {
	for share, of := range a.covered {
		if of == id {
			delete(a.covered, share)
		}
	}
	delete(a.statements, statement)
	for other, s := range a.settlements {
		if s.SHA256 == statement && !s.Withdrawn && statement != "" {
			a.statements[statement] = other
		}
	}
}

// Settlement finds a settlement.
func (a *ProviderAccount) Settlement(id uuid.UUID) (s Settlement, found bool) {
	s, found = a.settlements[id]
	return s, found
}

// Covers reports whether a settlement that is not withdrawn covers the payment or refund.
func (a *ProviderAccount) Covers(s Share) bool { _, is := a.covered[s.id()]; return is }

// Accepted reports whether a settlement that is not withdrawn is of the file with this SHA-256.
func (a *ProviderAccount) Accepted(sha256 string) bool { _, is := a.statements[sha256]; return is }

// ExpectedFee is the fee of a payment on a day by the contract on record, rounded to the nearest dirham,
// half a dirham up. False: none is on record.
func (a *ProviderAccount) ExpectedFee(method string, on domain.Day, amount int64) (fee int64, known bool) {
	f, known := a.fee(method, on)
	const whole = 10_000 // hundredths of a percent
	return max((amount*f.Rate+whole/2)/whole, f.Minimum), known
}

// fee is what holds on a day. Of several that begin before it, or on it, it is the one with the latest
// first day, and of several with one first day the last recorded.
func (a *ProviderAccount) fee(method string, on domain.Day) (holds FeeScheduled, known bool) {
	for _, f := range slices.Backward(a.fees[method]) {
		if !on.Before(f.From) && (!known || holds.From.Before(f.From)) {
			holds, known = f, true
		}
	}
	return holds, known
}
