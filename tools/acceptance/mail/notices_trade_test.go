package mail_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/notices"
	"daftar/projections"
)

// What mails in English call several of a kind.
var several = map[notices.Kind]string{
	notices.Paid: "Payments received", notices.Late: "Payments received late", notices.Duplicate: "Paid twice",
	notices.RefundFailed: "Refunds that failed", notices.UnknownPayment: "Payments unknown for an hour",
}

// decisionKinds are what a member is told who wants decisions, and paymentKinds one who wants each payment.
var (
	decisionKinds = []notices.Kind{notices.Late, notices.Duplicate, notices.RefundFailed, notices.UnknownPayment}
	paymentKinds  = []notices.Kind{notices.Paid, notices.Late, notices.Duplicate}
)

// method is a way to pay, and how mails name it.
type method struct{ acquirer, name, words string }

var methods = []method{
	{"plutu", "adfali", "Adfali · Plutu"}, {"plutu", "sadad", "Sadad · Plutu"},
	{"moamalat", "moamalat", "Bank card with Moamalat"}, {"lypay", "lypay", "LYPay"},
}

// total is how many there are, and the sum in dirhams.
type total struct{ Count, Minor int64 }

func (t total) plus(o total) total { return total{t.Count + o.Count, t.Minor + o.Minor} }

// tally is what happened, or was told: by the words for the kind and the method.
type tally map[string]total

func (t tally) add(what string, one total) { t[what] = t[what].plus(one) }

// of is the part of some kinds.
func (t tally) of(kinds []notices.Kind) tally {
	part := tally{}
	for what, n := range t {
		for _, k := range kinds {
			if what == several[k] || strings.HasPrefix(what, several[k]+" · ") {
				part.add(what, n)
			}
		}
	}
	return part
}

// told is what mails tell of it: of what needs a decision, how often it happened.
func (t tally) told() tally {
	all := tally{}
	for what, n := range t {
		for kind, words := range several {
			switch {
			case what != words && !strings.HasPrefix(what, words+" · "):
			case kind == notices.Paid:
				all.add(what, n)
			default:
				all.add(words, total{Count: n.Count})
			}
		}
	}
	return all
}

// sum is all of some kinds.
func (t tally) sum(kinds ...notices.Kind) (all total) {
	for _, n := range t.of(kinds) {
		all = all.plus(n)
	}
	return all
}

// canary begins what only the merchant and the payer know, number is the payer's.
const (
	canary = "canary"
	number = "0914445678"
	masked = "091•••5678"
)

// trade is what happens to an application's money.
type trade struct {
	*news
	application domain.ApplicationID
	random      *rand.Rand
	spaces      domain.Namespace
	sold        int
	happened    tally
	givenBack   total
	streams     []*stream
	attempts    [][]any // rows of checkout_attempts
}

func (n *news) trade(of domain.ApplicationID, seed uint64) *trade {
	return &trade{
		news: n, application: of, random: rand.New(rand.NewPCG(seed, 1)),
		spaces: domain.Namespace(uuid.New()), happened: tally{},
	}
}

// stream is an intent that is being written.
type stream struct {
	domain.Intent

	t      *trade
	events []eventstore.Event
}

// intent begins a payment of a random amount.
func (t *trade) intent(at time.Time) *stream {
	t.sold++
	var reference [7]byte
	for i := range reference {
		reference[i] = byte(t.random.Uint32())
	}
	customer, back := canary+"-customer", "https://shop.example/"+canary
	c := domain.Create{CheckoutToken: domain.NewCheckoutToken(uuid.New()), Terms: domain.Terms{
		Application: t.application, Reference: domain.NewReference(reference),
		MerchantReference: domain.MerchantReference(fmt.Sprint(canary, "-order-", t.sold)),
		Amount:            domain.Money{Minor: 1000 + t.random.Int64N(250_000), Currency: domain.LYD},
		Description:       canary + "-description of " + number, CustomerID: &customer, ReturnURL: &back,
		Metadata: domain.Metadata{{Key: canary + "-key", Value: canary + "-name " + number}},
	}}
	s := &stream{Intent: domain.Blank(t.spaces.IntentID(c.MerchantReference)), t: t}
	s.do(at, c)
	t.streams = append(t.streams, s)
	return s
}

func (s *stream) do(at time.Time, c domain.Command) {
	s.t.t.Helper()
	events, err := domain.Decide(s.Intent, c, at)
	if err != nil || len(events) == 0 {
		s.t.t.Fatalf("%T at %s: %d events, %v", c, at, len(events), err)
	}
	for _, e := range events {
		s.Intent = domain.Evolve(s.Intent, e)
		encoded, err := domain.EncodeEvent(e)
		if err != nil {
			s.t.t.Fatal(err)
		}
		s.events = append(s.events, eventstore.Event(encoded))
	}
}

// attempt begins one; where its outcome stays unknown, the acquirer cannot be asked.
func (s *stream) attempt(at time.Time, unknown bool) (domain.AttemptID, method) {
	m, id := methods[s.t.random.IntN(len(methods))], domain.NewAttemptID(uuid.New())
	s.do(at, domain.StartAttempt{Attempt: id, Acquirer: m.acquirer, Method: m.name, Payer: masked})
	stage, trouble := "closed", ""
	if unknown {
		stage, trouble = "quarantined", `{"kind":"unaskable"}`
	}
	s.t.attempts = append(s.t.attempts, []any{
		string(id), [16]byte(s.ID), m.acquirer, m.name, stage, at, masked, trouble, at, at,
	})
	return id, m
}

func (s *stream) failed(at time.Time) (domain.AttemptID, method) {
	id, m := s.attempt(at.Add(-time.Minute), false)
	s.do(at, domain.FailAttempt{Attempt: id, Reason: "declined"})
	return id, m
}

func (s *stream) pay(at time.Time, k notices.Kind, id domain.AttemptID, m method) {
	s.do(at, domain.RecordPayment{Attempt: id, Amount: s.Amount, ProviderReference: canary + "-" + string(id)})
	s.t.happened.add(several[k]+" · "+m.words, total{1, s.Amount.Minor})
}

// paid is a payment in time.
func (t *trade) paid(at time.Time) (*stream, domain.AttemptID) {
	s := t.intent(at.Add(-2 * time.Minute))
	id, m := s.attempt(at.Add(-time.Minute), false)
	s.pay(at, notices.Paid, id, m)
	return s, id
}

// late is a payment of an intent that was canceled before.
func (t *trade) late(at time.Time) {
	s := t.intent(at.Add(-25 * time.Hour))
	id, m := s.failed(at.Add(-24 * time.Hour))
	s.pay(at, notices.Late, id, m)
}

// twice is a payment by an attempt that had failed, of an intent that is paid. It counts as one.
func (t *trade) twice(at time.Time) {
	s := t.intent(at.Add(-5 * time.Minute))
	first, m := s.failed(at.Add(-2 * time.Minute))
	second, other := s.attempt(at.Add(-time.Minute), false)
	s.pay(at, notices.Paid, second, other)
	s.pay(at, notices.Duplicate, first, m)
}

// refund gives a part of a payment back, or fails to.
func (t *trade) refund(at time.Time, fails bool) {
	s, id := t.paid(at)
	part := domain.Money{Minor: 1 + t.random.Int64N(s.Amount.Minor), Currency: domain.LYD}
	if fails {
		s.do(at, domain.RecordRefundFailure{
			Refund: domain.RefundID(uuid.New()), Attempt: id, Amount: part, Reason: "refused",
		})
		t.happened.add(several[notices.RefundFailed], total{1, part.Minor})
		return
	}
	s.do(at, domain.RecordRefund{
		Refund: domain.RefundID(uuid.New()), Attempt: id, Amount: part, Evidence: domain.EvidencePerson,
	})
	t.givenBack = t.givenBack.plus(total{1, part.Minor})
}

// unknown is an attempt that neither pays nor fails.
func (t *trade) unknown(at time.Time) {
	s := t.intent(at.Add(-time.Minute))
	s.attempt(at, true)
	t.happened.add(several[notices.UnknownPayment], total{1, s.Amount.Minor})
}

// between makes a number of payments within a span. About 1 % are late, and some come twice.
func (t *trade) between(from, to time.Time, payments int) {
	for range payments {
		at := from.Add(time.Duration(t.random.Int64N(int64(to.Sub(from)))))
		switch n := t.sold; {
		case n%100 == 37:
			t.late(at)
		case n%200 == 71:
			t.twice(at)
		case n%500 == 99:
			t.refund(at, true)
		case n%500 == 299:
			t.refund(at, false)
		default:
			t.paid(at)
		}
	}
}

// write stores what was made: the attempts first, as the checkout does.
func (t *trade) write() {
	t.t.Helper()
	_, err := t.pool.CopyFrom(t.t.Context(), pgx.Identifier{"checkout_attempts"}, []string{
		"attempt", "intent_uuid", "acquirer", "method", "stage", "stage_since", "payer", "trouble",
		"created_at", "updated_at",
	}, pgx.CopyFromRows(t.attempts))
	if err != nil {
		t.t.Fatal(err)
	}
	var writing sync.WaitGroup
	const atOnce = 32
	for first := range atOnce {
		writing.Go(func() {
			for i := first; i < len(t.streams); i += atOnce {
				s := t.streams[i]
				_, err := t.store.Append(t.t.Context(), eventstore.Append{
					Stream: uuid.UUID(s.ID), Events: s.events, Row: projections.IntentOf(s.Intent),
					Metadata: eventstore.Metadata{Actor: "acquirer:" + canary, Note: canary},
				})
				if err != nil {
					t.t.Errorf("append: %v", err)
				}
			}
		})
	}
	writing.Wait()
	t.streams, t.attempts = nil, nil
}
