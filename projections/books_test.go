package projections_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"daftar/books"
	"daftar/books/bookstest"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
	"daftar/ledger"
	"daftar/projections"
	"daftar/projections/rebuild"
)

// moved is what an event moved, found without package books.
type moved struct {
	tenant   domain.Tenant
	position int64
	acquirer string
	lines    map[books.Account]int64
}

// recount finds what each event moved, by the fold of the domain.
func (b *bookkeepers) recount(t *testing.T) (all []moved) {
	t.Helper()
	intents := map[uuid.UUID]domain.Intent{}
	for _, e := range b.events(t, before, 1_000_000) {
		stored := domain.StoredEvent{Type: e.Type, SchemaVersion: e.SchemaVersion, Payload: e.Payload}
		if !domain.OfIntent(e.Type) {
			decoded, err := books.Decode(e)
			if err != nil {
				t.Fatal(err)
			}
			m := moved{bookstest.KeyIn(decoded).Tenant(), e.Position, bookstest.KeyIn(decoded).Acquirer, nil}
			switch e := decoded.(type) {
			case books.SettlementRecorded:
				m.lines = settledLines(e.Gross, e.Fees, e.Net)
			case books.SettlementCorrected:
				m.lines = settledLines(e.Gross-e.GrossBefore, e.Fees-e.FeesBefore, e.Net-e.NetBefore)
			case books.FeeScheduled, books.DayClosed:
			}
			all = append(all, m)
			continue
		}
		event, err := domain.DecodeEvent(stored)
		if err != nil {
			t.Fatal(err)
		}
		i := domain.Evolve(intents[e.Stream], event)
		intents[e.Stream] = i
		kind, details := facts.Of(event), facts.DetailsOf(event)
		amount, account := details.Amount.Minor, books.Sales
		switch {
		case kind.Money == facts.NoMoney:
			continue
		case details.Attempt != i.PaidBy:
			account = books.Duplicate
		case i.Late:
			account = books.Late
		case kind.Money == facts.Returned:
			account = books.Refunds
		}
		if kind.Money == facts.Returned {
			amount = -amount
		}
		a, _ := i.Attempt(details.Attempt)
		all = append(all, moved{b.tenants[i.Application], e.Position, a.Acquirer,
			map[books.Account]int64{books.Due: amount, account: -amount}})
	}
	return all
}

func settledLines(gross, fees, net int64) map[books.Account]int64 {
	return map[books.Account]int64{
		books.Due: -gross, books.Fees: fees, books.Bank: net, books.Differences: gross - fees - net,
	}
}

// balanceOf adds up what moved up to a position.
func balanceOf(all []moved, tenant domain.Tenant, at int64) []projections.BookBalance {
	type account struct {
		books.Account
		acquirer string
	}
	sums := map[account]int64{}
	for _, m := range all {
		for a, amount := range m.lines {
			if m.tenant == tenant && m.position <= at {
				sums[account{a, m.acquirer}] += amount
			}
		}
	}
	var found []projections.BookBalance
	for a, amount := range sums {
		if amount != 0 {
			found = append(found, projections.BookBalance{Acquirer: a.acquirer, Account: a.Account, Amount: amount})
		}
	}
	slices.SortFunc(found, func(a, b projections.BookBalance) int {
		return strings.Compare(string(a.Account)+" "+a.Acquirer, string(b.Account)+" "+b.Acquirer)
	})
	return found
}

// bookkeepers are shops of three tenants, of which two are one organisation's.
type bookkeepers struct {
	*world

	book    *projections.Books
	shops   []shop
	tenants map[domain.ApplicationID]domain.Tenant
	opened  []domain.Intent
	settled map[books.Key][]uuid.UUID
}

const (
	bucket = 1 << 13     // positions share a row of book_sums
	before = bucket - 40 // events of others come first, so that what follows is in two buckets
)

func openBookkeepers(t *testing.T) *bookkeepers {
	t.Helper()
	d := openWorldOf(t, open(t, true))
	exec(t, d.superuser(t), fillSQL, int(before), uuid.NewString(), midnight.AddDate(0, -1, 0), 0, time.Second)
	if _, err := model(t, "intents").Rebuild(t.Context(), d.db.OwnerPool(t),
		rebuild.Options{AcceptDrift: true}); err != nil {
		t.Fatal(err)
	}
	first := d.shop(t, uuid.Nil)
	b := &bookkeepers{
		world: d, book: projections.NewBooks(d.pool), tenants: map[domain.ApplicationID]domain.Tenant{},
		settled: map[books.Key][]uuid.UUID{},
		shops: []shop{
			first, d.shop(t, first.organization), d.shopIn(t, first.organization, domain.ModeTest),
			d.shop(t, uuid.Nil),
		},
	}
	for n, s := range b.shops {
		mode := domain.ModeLive
		if n == 2 {
			mode = domain.ModeTest
		}
		b.tenants[s.id] = domain.Tenant{Organization: s.organization, Mode: mode}
	}
	return b
}

// act does something at random: begins an intent, continues one, or records something of a provider.
func (b *bookkeepers) act(t *testing.T, r *rapid.T, at time.Time) {
	acquirers := rapid.SampledFrom([]string{"sandbox", "plutu", "moamalat"})
	s := rapid.SampledFrom(b.shops).Draw(r, "shop")
	switch rapid.IntRange(0, 9).Draw(r, "what") {
	case 0, 1, 2:
		c := b.order(s)
		expires := at.Add(6 * time.Minute)
		c.ExpiresAt = &expires
		b.opened = append(b.opened, b.record(t, s, c, at, step{domain.StartAttempt{
			Attempt: "a", Acquirer: acquirers.Draw(r, "acquirer"), Method: "wallet"}, at}))
	case 3:
		b.ofProvider(t, r, books.KeyOf(b.tenants[s.id], acquirers.Draw(r, "acquirer")))
	default:
		if len(b.opened) == 0 {
			return
		}
		n := rapid.IntRange(0, len(b.opened)-1).Draw(r, "intent")
		i := b.opened[n]
		c := domain.Create{Terms: i.Terms}
		id := rapid.SampledFrom([]domain.AttemptID{"a", "b", "c"}).Draw(r, "attempt")
		back := rapid.Int64Range(1, i.Amount.Minor).Draw(r, "back")
		b.opened[n] = b.carry(t, i, rapid.SampledFrom([][]step{
			{failed(at, id)}, {failed(at, id), expired(at)}, {paid(at, id, c)}, {paid(at, id, c)},
			{step{domain.StartAttempt{Attempt: id, Acquirer: acquirers.Draw(r, "acquirer"), Method: "card"}, at}},
			{refunded(at, id, rapid.Byte().Draw(r, "refund"), back)},
		}).Draw(r, "steps"))
	}
}

// ofProvider records or corrects a settlement, or a fee, of an account at a provider, or closes a day.
func (b *bookkeepers) ofProvider(t *testing.T, r *rapid.T, k books.Key) {
	fees, net := rapid.Int64Range(-9, 99).Draw(r, "fees"), rapid.Int64Range(-999, 9999).Draw(r, "net")
	gross := rapid.Int64Range(1, 9999).Draw(r, "gross")
	taken := domain.DayOf(midnight).Add(-rapid.IntRange(0, 2).Draw(r, "days"))
	var c books.Command = books.RecordStatement{Settlements: []books.NewSettlement{{
		ID: uuid.New(), ValueDate: domain.DayOf(midnight), Fees: fees, Net: net,
		Taken:  []books.Taken{{On: taken, Amount: gross}},
		Shares: []books.Share{{Intent: uuid.New(), Attempt: "a", Amount: gross}},
	}}}
	switch known := b.settled[k]; {
	case rapid.Bool().Draw(r, "day"):
		k.Acquirer, c = "", books.CloseDay{Day: taken, Returned: gross}
	case rapid.Bool().Draw(r, "fee"):
		c = books.ScheduleFee{Method: "card", From: domain.DayOf(midnight), Rate: 150, Minimum: fees + 9}
	case len(known) > 0 && rapid.Bool().Draw(r, "correct"):
		c = books.CorrectSettlement{
			ID: rapid.SampledFrom(known).Draw(r, "settlement"), ValueDate: domain.DayOf(midnight),
			Fees: fees, Net: net, Withdraw: rapid.Bool().Draw(r, "withdraw"),
		}
	}
	// What is withdrawn or closed is refused.
	events, _ := b.Book(t.Context(), k, c, ledger.Origin{Actor: "user:test"})
	for _, e := range events {
		if e, is := e.(books.SettlementRecorded); is {
			b.settled[k] = append(b.settled[k], e.Settlement)
		}
	}
}

// For any history, and wherever the group is, balances and journals at every position are what the events
// say, also across the end of a bucket; the sums are those of a rebuild.
func TestBooksAreWhatTheEventsSay(t *testing.T) {
	t.Parallel()
	b := openBookkeepers(t)
	at := midnight
	rapid.Check(t, func(r *rapid.T) {
		for range rapid.IntRange(5, 30).Draw(r, "actions") {
			at = at.Add(time.Minute)
			b.act(t, r, at)
		}
		if events := b.events(t, b.position, 1000); len(events) > 0 && rapid.Bool().Draw(r, "group works") {
			events = events[:rapid.IntRange(1, len(events)).Draw(r, "handled")]
			for _, dies := range []bool{true, false} { // what it wrote before it died counts once
				if err := b.deliver(t, events, dies); err != nil {
					r.Fatal(err)
				}
			}
		}
		all, last := b.recount(t), value[int64](t, b.pool, eventstore.HeadSQL)
		tenant := rapid.SampledFrom(slices.Collect(maps.Values(b.tenants))).Draw(r, "tenant")
		for range 5 {
			b.check(t, all, tenant, rapid.Int64Range(before-20, last+2).Draw(r, "at"))
		}
	})
	if n := len(b.settled); n == 0 {
		t.Error("nothing was settled")
	}
	all := b.recount(t)
	for _, tenant := range slices.Compact(slices.Collect(maps.Values(b.tenants))) {
		for position := int64(before - 5); position <= min(all[len(all)-1].position, bucket+150); position++ {
			b.check(t, all, tenant, position)
		}
	}
	b.feed(t)
	if report, err := model(t, "books").Verify(t.Context(), b.pool, quiet); err != nil || !report.OK {
		t.Errorf("verify: %+v, %v", report, err)
	}
	made := rowsOfBooks(t, b)
	if report, err := model(t, "books").Rebuild(t.Context(), b.db.OwnerPool(t), rebuild.Options{}); err != nil ||
		!report.OK {
		t.Fatalf("rebuild: %+v, %v", report, err)
	}
	if diff := cmp.Diff(made, rowsOfBooks(t, b)); diff != "" {
		t.Errorf("sums (-the group's +a rebuild's):\n%s", diff)
	}
}

func rowsOfBooks(t *testing.T, b *bookkeepers) []string {
	t.Helper()
	return list(t, b.pool, `SELECT s::text FROM book_sums s WHERE amount <> 0 ORDER BY 1`)
}

// check compares the balance at a position, and the journal up to it, with a recount.
func (b *bookkeepers) check(t *testing.T, all []moved, tenant domain.Tenant, at int64) {
	t.Helper()
	got, err := b.book.Balance(t.Context(), tenant, at)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(balanceOf(all, tenant, at), got); diff != "" {
		t.Fatalf("balance at %d (-recount +found):\n%s", at, diff)
	}
	after := at - at%97
	var want, found []string
	for _, m := range all {
		maps.DeleteFunc(m.lines, func(_ books.Account, amount int64) bool { return amount == 0 })
		if m.tenant == tenant && m.position > after && m.position <= at && len(m.lines) > 0 {
			want = append(want, fmt.Sprint(m.position, m.acquirer, m.lines))
		}
	}
	err = b.book.Journal(t.Context(), tenant, after, at, func(e projections.BookEntry) error {
		lines := map[books.Account]int64{}
		for _, l := range e.Lines {
			lines[l.Account] = l.Amount
		}
		found = append(found, fmt.Sprint(e.Position, e.Acquirer, lines))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Fatalf("journal of %d to %d (-recount +found):\n%s", after, at, diff)
	}
}
