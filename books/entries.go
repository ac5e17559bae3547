package books

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"daftar/domain"
)

// Account is an account of the books; those of providers are one for each of them.
type Account string

// The accounts. A debit is positive: what providers owe and what the bank has.
const (
	Due         Account = "due"         // by a provider, for what it took
	Sales       Account = "sales"       // of intents that were paid in time
	Late        Account = "late"        // money of canceled intents, owed to customers
	Duplicate   Account = "duplicate"   // money taken twice, owed to customers
	Refunds     Account = "refunds"     // given back of sales
	Fees        Account = "fees"        // kept by a provider
	Bank        Account = "bank"        // what arrived
	Differences Account = "differences" // what neither fees nor payments explain
)

// names are the accounts' full names; the provider's short name follows a colon at the end.
var names = map[Account]string{
	Due:         "assets:due:",
	Bank:        "assets:bank",
	Late:        "liabilities:customers:late",
	Duplicate:   "liabilities:customers:duplicate",
	Sales:       "income:sales",
	Refunds:     "expenses:refunds",
	Fees:        "expenses:fees:",
	Differences: "expenses:differences",
}

// Accounts are all accounts, in the order of a balance.
var Accounts = []Account{Due, Bank, Late, Duplicate, Sales, Refunds, Fees, Differences}

// ByProvider reports whether there is one of the account for each provider.
func (a Account) ByProvider() bool { return strings.HasSuffix(names[a], ":") }

// Name is the account's full name, with the provider's short name where there is one for each.
func (a Account) Name(acquirer string) string {
	name, known := names[a]
	switch {
	case !known:
		panic("books: unknown account " + string(a))
	case a.ByProvider():
		return name + acquirer
	}
	return name
}

// Line is what an entry changes an account by, in dirhams.
type Line struct {
	Account Account
	Amount  int64
}

// Kind is what an entry is about.
type Kind string

// The kinds of entries.
const (
	KindSale       Kind = "sale"
	KindLate       Kind = "late"
	KindDuplicate  Kind = "duplicate"
	KindRefund     Kind = "refund"
	KindSettlement Kind = "settlement"
	KindCorrection Kind = "correction"
)

// Entry is one entry of the journal. Its lines add up to 0; none has the amount 0.
type Entry struct {
	Event    int // the index of its event among those that were given
	Kind     Kind
	Acquirer string
	// Settlement is what the entry is about; zero: a payment or refund of the stream's intent.
	Settlement uuid.UUID
	// Reference is the provider's, or the bank's; empty where there is none.
	Reference string
	// Day is that of the event in Libya.
	Day domain.Day
	// Taken is what Due changes by, by the days on which the money was taken or given back: so what a
	// provider still owes has an age.
	Taken []Taken
	// ValueDate is the bank's; zero: the entry moves nothing there.
	ValueDate domain.Day
	Lines     []Line
}

// Types are the stored names of the events that Entries has to be given of a stream.
func Types() []string {
	return []string{
		domain.TypeAttemptStarted, domain.TypeSucceeded, domain.TypeLateSucceeded,
		domain.TypeDuplicatePayment, domain.TypeRefundRecorded,
		TypeSettlementRecorded, TypeSettlementCorrected,
	}
}

// Entries returns the journal of a stream, of an intent or of a provider account, in the order of its
// events. It takes the stream from its beginning; events that are not of Types may be left out. The
// errors are those of decoding, and of money whose attempt is not in the stream.
func Entries[R domain.Record](stream []R) ([]Entry, error) {
	var all []Entry
	j := journal{acquirers: map[string]string{}, paidInto: map[string]Account{}}
	for n, r := range stream {
		version, name, schema, payload := r.Stored()
		stored := domain.StoredEvent{Type: name, SchemaVersion: schema, Payload: payload}
		e, err := j.entry(stored)
		if err != nil {
			return nil, fmt.Errorf("journal of version %d: %w", version, err)
		}
		if len(e.Lines) > 0 {
			e.Event = n
			all = append(all, e)
		}
	}
	return all, nil
}

// journal is what the entries of an intent depend on.
type journal struct {
	acquirers map[string]string  // by attempt
	paidInto  map[string]Account // by attempt: the other account of its payment
}

// taken are the fields that Entries needs of all events of attempts. Reading these alone takes a third
// of the time of domain.DecodeEvent, and a rebuild reads millions of them.
type taken struct {
	At                time.Time `json:"at"`
	Attempt           string    `json:"attempt"`
	Acquirer          string    `json:"acquirer"`
	Amount            int64     `json:"amount"`
	ProviderReference string    `json:"provider_reference"`
}

// payments are the kinds of payments and what they are paid into, by the stored names of events.
var payments = map[string]struct {
	Kind
	into Account
}{
	domain.TypeSucceeded:        {KindSale, Sales},
	domain.TypeLateSucceeded:    {KindLate, Late},
	domain.TypeDuplicatePayment: {KindDuplicate, Duplicate},
}

func (j journal) entry(s domain.StoredEvent) (Entry, error) {
	if Has(s.Type) {
		return settled(s)
	}
	payment, paid := payments[s.Type]
	if !paid && s.Type != domain.TypeAttemptStarted && s.Type != domain.TypeRefundRecorded {
		return Entry{}, nil
	}
	if s.SchemaVersion != 1 {
		return Entry{}, fmt.Errorf("%s version %d: %w", s.Type, s.SchemaVersion, domain.ErrUnknownEvent)
	}
	var t taken
	if err := json.Unmarshal(s.Payload, &t); err != nil {
		return Entry{}, fmt.Errorf("read %s: %w", s.Type, err)
	}
	if s.Type == domain.TypeAttemptStarted {
		j.acquirers[t.Attempt] = t.Acquirer
		return Entry{}, nil
	}
	acquirer, known := j.acquirers[t.Attempt]
	e := Entry{
		Kind: payment.Kind, Acquirer: acquirer, Reference: t.ProviderReference, Day: domain.DayOf(t.At),
	}
	amount := t.Amount
	if paid {
		j.paidInto[t.Attempt] = payment.into
	} else {
		e.Kind, amount = KindRefund, -t.Amount
	}
	into, paidBefore := j.paidInto[t.Attempt]
	if !known || !paidBefore {
		return Entry{}, fmt.Errorf("%s: attempt %s is not in the stream", s.Type, t.Attempt)
	}
	if into == Sales && !paid {
		into = Refunds
	}
	e.Lines = balanced(Line{Due, amount}, Line{into, -amount})
	e.Taken = []Taken{{e.Day, amount}}
	return e, nil
}

// settled is the entry of an event of a provider account.
func settled(s domain.StoredEvent) (Entry, error) {
	event, err := forms.Decode(s)
	if err != nil {
		return Entry{}, err
	}
	switch e := event.(type) {
	case SettlementRecorded:
		return Entry{
			Kind: KindSettlement, Acquirer: e.Acquirer, Settlement: e.Settlement,
			Day: domain.DayOf(e.At), Taken: negative(e.Taken),
			Reference: e.BankReference, ValueDate: e.ValueDate,
			Lines: Sums{e.Gross, e.Fees, e.Net}.lines(),
		}, nil
	case SettlementCorrected:
		return Entry{
			Kind: KindCorrection, Acquirer: e.Acquirer, Settlement: e.Settlement,
			Day: domain.DayOf(e.At), Taken: e.Taken,
			Reference: e.BankReference, ValueDate: e.ValueDate,
			Lines: Sums{e.Gross - e.GrossBefore, e.Fees - e.FeesBefore, e.Net - e.NetBefore}.lines(),
		}, nil
	case FeeScheduled, DayClosed:
	}
	return Entry{}, nil // neither a contract nor the end of a day moves money
}

func negative(taken []Taken) []Taken {
	all := slices.Clone(taken)
	for n := range all {
		all[n].Amount = -all[n].Amount
	}
	return all
}

// lines are what a settlement of these sums moves.
func (s Sums) lines() []Line {
	return balanced(Line{Bank, s.Net}, Line{Fees, s.Fees}, Line{Due, -s.Gross},
		Line{Differences, s.Gross - s.Fees - s.Net})
}

// balanced leaves out the lines that move nothing. A sum other than 0 is a fault of this package.
func balanced(lines ...Line) []Line {
	sum := int64(0)
	for _, l := range lines {
		sum += l.Amount
	}
	if sum != 0 {
		panic(fmt.Sprintf("books: an entry is out of balance by %d", sum))
	}
	return slices.DeleteFunc(lines, func(l Line) bool { return l.Amount == 0 })
}

// Owner is whose money the events of a stream are about: the application of an intent, or the TenantID of
// a provider account. It takes the first event of the stream.
func Owner[R domain.Record](first R) (uuid.UUID, error) {
	_, name, _, payload := first.Stored()
	var owner struct {
		Application uuid.UUID `json:"application"`
		Key
	}
	if err := json.Unmarshal(payload, &owner); err != nil {
		return uuid.UUID{}, fmt.Errorf("read owner of %s: %w", name, err)
	}
	if Has(name) {
		return TenantID(owner.Tenant()), nil
	}
	return owner.Application, nil
}
