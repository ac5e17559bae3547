package projections_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/ledger"
	"daftar/projections"
)

// listed walks through the pages of a listing. They may have fewer intents than the limit.
func (d *world) listed(t *testing.T, l projections.Listing) (all []projections.Intent, pages int) {
	t.Helper()
	for range 1000 {
		page, err := d.book.intents.List(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Intents) > l.Limit {
			t.Errorf("%+v: a page of %d", l, len(page.Intents))
		}
		all = append(all, page.Intents...)
		pages++
		if l.Cursor = page.Next; page.Next == "" {
			return all, pages
		}
	}
	t.Fatalf("%+v has no end", l)
	return nil, 0
}

// mustList compares a listing with the states of the intents.
func (d *world) mustList(t *testing.T, when string, l projections.Listing) (pages int) {
	t.Helper()
	want := d.wanted(func(i domain.Intent) bool {
		takes, err := l.Takes(projections.IntentOf(i))
		if err != nil {
			t.Fatal(err)
		}
		return takes
	})
	intents, pages := d.listed(t, l)
	var got []domain.IntentID
	for _, i := range intents {
		got = append(got, i.ID)
		if diff := cmp.Diff(projections.IntentOf(d.intents[i.ID]), i); diff != "" {
			t.Errorf("%s, %+v (-intent +listed):\n%s", when, l, diff)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, %+v (-want +listed):\n%s", when, l, diff)
	}
	return pages
}

// change executes a command and remembers the new state of the intent.
func (d *world) change(t *testing.T, id domain.IntentID, commands ...domain.Command) {
	t.Helper()
	for _, c := range commands {
		state, err := d.Execute(t.Context(), id, c, ledger.Origin{Actor: "payer"})
		if err != nil {
			t.Fatalf("%T: %v", c, err)
		}
		d.intents[id] = state
		if start, is := c.(domain.StartAttempt); is {
			exec(t, d.pool, `
				INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, stage, stage_since,
				                               payer, created_at, updated_at)
				VALUES ($1, $2, 'sandbox', 'wallet', 'code', now(), '', now(), now())`, start.Attempt, id)
		}
	}
}

// until begins an attempt and ends it by commands.
func (d *world) until(t *testing.T, id domain.IntentID, end func(domain.AttemptID) []domain.Command) {
	t.Helper()
	attempt := domain.AttemptID(uuid.NewString())
	d.change(t, id, domain.StartAttempt{Attempt: attempt, Acquirer: "sandbox", Method: "wallet"})
	if commands := end(attempt); commands != nil {
		d.change(t, id, commands...)
		exec(t, d.pool, `UPDATE checkout_attempts SET stage = 'closed' WHERE attempt = $1`, attempt)
	}
}

// crowd fills an application with n intents, three in each minute, of customers a and b, of one
// with an empty name and without a customer, and a second application with a few.
func (d *world) crowd(t *testing.T, n int) (of shop, ids []domain.IntentID) {
	t.Helper()
	of = d.shop(t, uuid.Nil)
	other := d.shop(t, of.organization)
	began := time.Now().Add(-2 * time.Hour).UTC().Truncate(time.Microsecond)
	for k := range n {
		c := d.order(of)
		c.CustomerID = []*string{new("a"), new("b"), new(""), nil}[k/2%4]
		ids = append(ids, d.record(t, of, c, began.Add(time.Duration(k/3)*time.Minute)).ID)
		if k%5 == 0 {
			c = d.order(other)
			c.CustomerID = new("a")
			d.record(t, other, c, began.Add(time.Duration(k/3)*time.Minute))
		}
	}
	return of, ids
}

// live changes the state of some intents.
func (d *world) live(t *testing.T, ids []domain.IntentID) {
	t.Helper()
	for n, id := range ids {
		switch i := d.intents[id]; n % 5 {
		case 0:
			d.until(t, id, func(domain.AttemptID) []domain.Command { return nil })
		case 1:
			d.until(t, id, func(a domain.AttemptID) []domain.Command {
				return []domain.Command{domain.RecordPayment{Attempt: a, Amount: i.Amount, ProviderReference: "p"}}
			})
		case 2:
			d.change(t, id, domain.Expire{Stopped: true})
		case 3:
			d.until(t, id, func(a domain.AttemptID) []domain.Command {
				return []domain.Command{domain.FailAttempt{Attempt: a, Reason: "declined"}}
			})
		}
	}
}

// filters are all combinations of status, customer and time of creation.
func (d *world) filters(of shop, ids []domain.IntentID) (all []projections.Listing) {
	early, late := d.intents[ids[len(ids)/4]].CreatedAt, d.intents[ids[len(ids)/2]].CreatedAt
	for _, status := range append(domain.Statuses(), "") {
		for _, customer := range []*string{nil, new("a"), new(""), new("nobody")} {
			for _, window := range [][2]time.Time{{}, {early, late}, {late, late},
				{late.Add(time.Microsecond), time.Time{}}, {late, early}} {
				all = append(all, projections.Listing{
					Application: of.id, Status: status, Customer: customer, From: window[0], To: window[1], Limit: 4,
				})
			}
		}
	}
	return all
}

// A list has every intent and every present status, however much of the log the dashboard's group
// has handled, by every filter and on every page.
func TestListingReadsItsOwnWrites(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	of, ids := d.crowd(t, 24)
	filters := d.filters(of, ids)
	check := func(when string) {
		t.Helper()
		for _, l := range filters {
			d.mustList(t, when, l)
		}
	}
	check("the group has seen nothing")
	if err := d.deliver(t, d.events(t, 0, 15), false); err != nil {
		t.Fatal(err)
	}
	d.live(t, ids)
	check("the group has seen some, as they were")
	d.feed(t)
	check("the group has seen all")
}

// If the bound is reached, a page ends early and the next one continues.
func TestListingIsBoundedWork(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	of, ids := d.crowd(t, 40)
	d.live(t, ids[:10])
	d.feed(t)
	const looked = 6
	d.book.intents.SetBounds(looked, 1000)
	for _, l := range d.filters(of, ids) {
		pages := d.mustList(t, "with a small bound", l)
		if most := 2 + len(ids)/looked + len(ids)/l.Limit; pages > most {
			t.Errorf("%+v: %d pages, want %d at most", l, pages, most)
		}
	}
}

func TestListingSaysThatTheGroupIsBehind(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	of, ids := d.crowd(t, 4)
	behind := len(d.events(t, 0, 100))
	l := projections.Listing{Application: of.id, Limit: 10}
	for more, want := range map[int]error{-1: projections.ErrBehind, 0: nil} {
		d.book.intents.SetBounds(100, behind+more)
		page, err := d.book.intents.List(t.Context(), l)
		if !errors.Is(err, want) || want == nil && len(page.Intents) != len(ids) {
			t.Errorf("with room for %d of %d events: %d intents, %v, want %v",
				behind+more, behind, len(page.Intents), err, want)
		}
	}
}

func TestListingRefusesWhatIsNoCursor(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	first, _ := d.stock(t)
	newer := d.list(t, first.organization, projections.Filter{}, "", 2)
	newer = d.list(t, first.organization, projections.Filter{}, newer.Older, 2)
	for _, from := range []string{"x", newer.Newer} { // the second has the other direction
		l := projections.Listing{Application: first.id, Cursor: from, Limit: 5}
		if _, err := d.book.intents.List(t.Context(), l); !errors.Is(err, projections.ErrCursor) {
			t.Errorf("%q: %v, want ErrCursor", from, err)
		}
		if _, err := l.Takes(projections.Intent{}); !errors.Is(err, projections.ErrCursor) {
			t.Errorf("taking with %q: %v, want ErrCursor", from, err)
		}
	}
}

// The index has eight bytes of a digest of each customer, which two may share.
func TestListingTellsCustomersOfOneKeyApart(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	of, ids := d.crowd(t, 12)
	d.feed(t)
	exec(t, d.superuser(t), `
		UPDATE payments
		SET customer_key = (SELECT customer_key FROM payments WHERE intent_uuid = $1)
		WHERE application_uuid = $2`, ids[0], of.id)
	for _, limit := range []int{1, 2, 3} {
		ofA := projections.Listing{Application: of.id, Customer: new("a"), Limit: limit}
		d.mustList(t, "customers of one key", ofA)
	}
}

// A new stage of attempts must be one of those from which a list of processing intents is made.
func TestListingKnowsTheStagesOfAttempts(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	allowed := value[[]string](t, d.pool, `
		SELECT array_agg(m[1])
		FROM pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''([a-z]+)''', 'g') m
		WHERE c.conname = 'checkout_attempts_stage_check'`)
	known := append(value[[]string](t, d.pool, fmt.Sprint("SELECT ", projections.OpenStages)), "closed")
	slices.Sort(allowed)
	slices.Sort(known)
	if diff := cmp.Diff(allowed, known); diff != "" {
		t.Errorf("stages (-table +list):\n%s", diff)
	}
}
