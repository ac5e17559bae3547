package bookstest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"daftar/books"
	"daftar/books/export"
	"daftar/domain"
	"daftar/eventstore"
)

// Start is when each history begins.
var Start = time.Date(2026, 9, 1, 7, 0, 0, 0, time.UTC)

// History is a log with an organisation's money in it, in the order of positions.
type History struct {
	Tenant       domain.Tenant
	Applications []uuid.UUID
	Events       []eventstore.Recorded
}

// Acquirers are the providers of every history.
var Acquirers = []string{"moamalat", "plutu", "sandbox"}

// references are providers' and banks', also those of somebody who wants to add a line to a journal.
var references = []string{
	"", "612300000001", "RRN-7/15 b", "حوالة 17", "a\n2026-01-01 forged\n  assets:bank  1 LYD", "; x: y",
	"\"q\\", "=1+1", "[2020-01-01]", "date:2020-01-01, date2:x", "x  1.000 LYD", "a,b\r\nc", "{}",
	"\u202ereversed", "%41", ":tag:", "(code)", "\t", "@", "-5",
}

// Random is the history of a seed, with n events or some more.
func Random(seed uint64, n int) History {
	m := newMaker(seed)
	for len(m.Events) < n {
		m.at = m.at.Add(time.Duration(m.IntN(int(20 * time.Minute))))
		switch {
		case m.IntN(12) == 0:
			m.account()
		case len(m.intents) == 0 || m.IntN(8) == 0:
			m.create()
		default:
			m.intent(m.IntN(len(m.intents)))
		}
	}
	for n := range m.intents {
		m.end(&m.intents[n])
	}
	return m.History
}

// Journal is that of the history, as package books makes it of whole streams.
func (h History) Journal() []export.Entry {
	var all []export.Entry
	for id, stream := range eventstore.ByStream(h.Events) {
		entries, err := books.Entries(stream)
		must(err)
		for _, e := range entries {
			of := stream[e.Event]
			all = append(all, export.Entry{Entry: e, Position: of.Position, At: of.RecordedAt, Stream: id})
		}
	}
	slices.SortFunc(all, func(a, b export.Entry) int { return cmp.Compare(a.Position, b.Position) })
	return all
}

// Balances are what the accounts of a journal have, by their full names, without those that have 0.
func Balances(journal []export.Entry) map[string]int64 {
	all := map[string]int64{}
	for _, e := range journal {
		for _, l := range e.Lines {
			name := l.Account.Name(e.Acquirer)
			if all[name] += l.Amount; all[name] == 0 {
				delete(all, name)
			}
		}
	}
	return all
}

// maker is a history under way.
type maker struct {
	*rand.Rand
	History
	source   *rand.ChaCha8
	at       time.Time
	intents  []domain.Intent // some of those that go on
	accounts map[string]*books.ProviderAccount
	shares   map[string][]books.Share // that no settlement was tried for, by provider
	known    []settlement
	serial   int
}

type settlement struct {
	acquirer string
	id       uuid.UUID
}

func newMaker(seed uint64) *maker {
	source := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)})
	m := &maker{
		Rand: rand.New(source), source: source, at: Start, //nolint:gosec // a seed's history is always the same
		accounts: map[string]*books.ProviderAccount{}, shares: map[string][]books.Share{},
	}
	m.Tenant = domain.Tenant{Organization: m.id(), Mode: domain.ModeLive}
	m.Applications = []uuid.UUID{m.id(), m.id()}
	for _, a := range Acquirers {
		account := books.Blank(books.KeyOf(m.Tenant, a))
		m.accounts[a] = &account
	}
	return m
}

func (m *maker) id() uuid.UUID {
	id, err := uuid.NewRandomFromReader(m.source)
	must(err)
	return id
}

func must(err error) {
	if err != nil {
		panic("bookstest: " + err.Error())
	}
}

func (m *maker) store(stream uuid.UUID, version int, e domain.StoredEvent) {
	m.Events = append(m.Events, eventstore.Recorded{
		Position: int64(len(m.Events) + 1), Stream: stream, Version: version, Type: e.Type,
		SchemaVersion: e.SchemaVersion, Payload: e.Payload, Metadata: []byte(`{"actor":"system"}`),
		RecordedAt: m.at.Truncate(time.Microsecond),
	})
}

func (m *maker) create() {
	const most = 12
	if len(m.intents) == most {
		m.end(&m.intents[0])
		m.intents = slices.Delete(m.intents, 0, 1)
	}
	i := m.order(domain.MinAmount+m.Int64N(500_000), domain.MinExpiry+time.Duration(1+m.IntN(int(12*time.Hour))))
	m.intents = append(m.intents, i)
}

// order creates an intent of an amount that may be paid for some time.
func (m *maker) order(amount int64, payable time.Duration) domain.Intent {
	m.serial++
	random := m.id()
	i, expires := domain.Blank(domain.IntentID(random)), m.at.Add(payable)
	terms := domain.Terms{
		Application:       domain.ApplicationID(m.Applications[m.IntN(2)]),
		MerchantReference: domain.MerchantReference(fmt.Sprintf("order-%d", m.serial)),
		Amount:            domain.Money{Minor: amount, Currency: domain.LYD},
		Description:       "قهوة", Reference: domain.NewReference([7]byte(random[:7])),
	}
	m.decide(&i, domain.Create{Terms: terms, CheckoutToken: "token", ExpiresAt: &expires})
	return i
}

func (m *maker) intent(n int) {
	i := &m.intents[n]
	var of domain.AttemptID
	if len(i.Attempts) > 0 {
		of = i.Attempts[m.IntN(len(i.Attempts))].ID
	}
	switch what := m.IntN(20); {
	case what < 6:
		m.decide(i, domain.StartAttempt{
			Attempt: domain.AttemptID(m.id().String()), Acquirer: Acquirers[m.IntN(3)], Method: "card",
		})
	case what < 12:
		m.decide(i, domain.RecordPayment{
			Attempt: of, Amount: i.Amount, ProviderReference: m.reference(), AfterExpiry: m.IntN(2) == 0,
		})
	case what < 16:
		m.decide(i, domain.FailAttempt{Attempt: of, Reason: "declined"})
	case what < 19:
		m.decide(i, domain.RecordRefund{
			Refund: domain.RefundID(m.id()), Attempt: of, ProviderReference: m.reference(),
			Amount:   domain.Money{Minor: 1 + m.Int64N(i.Amount.Minor), Currency: domain.LYD},
			Evidence: domain.EvidencePerson,
		})
	default:
		m.decide(i, domain.Expire{Stopped: m.IntN(2) == 0})
	}
}

// end leaves nothing of an intent to a server, which would expire it.
func (m *maker) end(i *domain.Intent) {
	if open, is := i.OpenAttempt(); is {
		m.decide(i, domain.FailAttempt{Attempt: open.ID, Reason: "declined"})
	}
	m.decide(i, domain.Expire{Stopped: true})
}

func (m *maker) reference() string { return references[m.IntN(len(references))] }

// decide carries a command out, unless it is refused.
func (m *maker) decide(i *domain.Intent, c domain.Command) {
	events, _ := domain.Decide(*i, c, m.at)
	for _, e := range events {
		*i = domain.Evolve(*i, e)
		stored, err := domain.EncodeEvent(e)
		must(err)
		m.store(uuid.UUID(i.ID), i.Version, stored)
		m.share(*i, e)
	}
}

// share keeps what a settlement may cover.
func (m *maker) share(i domain.Intent, e domain.Event) {
	s := books.Share{Intent: uuid.UUID(i.ID)}
	switch e := e.(type) {
	case domain.Succeeded:
		s.Attempt, s.Amount = e.Attempt, e.Amount.Minor
	case domain.LateSucceeded:
		s.Attempt, s.Amount = e.Attempt, e.Amount.Minor
	case domain.DuplicatePayment:
		s.Attempt, s.Amount = e.Attempt, e.Amount.Minor
	case domain.RefundRecorded:
		s.Attempt, s.Amount, s.Refund = e.Attempt, -e.Amount.Minor, new(uuid.UUID(e.Refund))
	case domain.Created, domain.AttemptStarted, domain.AttemptFailed, domain.Expired, domain.RefundFailed:
		return
	}
	attempt, _ := i.Attempt(s.Attempt)
	m.shares[attempt.Acquirer] = append(m.shares[attempt.Acquirer], s)
}
