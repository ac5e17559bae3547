package ledger_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/ledger"
	"daftar/projections"
)

// Twenty requests read an overdue intent at once, on two servers. All find that it is canceled;
// there is one event, of the actor ActorExpiry.
func TestManyReadAnOverdueIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	row := w.open(t, 0).create(t, w.plain())
	late := [2]*server{w.open(t, 25*time.Hour), w.open(t, 25*time.Hour)}
	answers := make([]projections.Intent, 20)
	w.rush(t, late, len(answers), func(n int, s *server) {
		var err error
		if answers[n], err = s.Current(t.Context(), row.ID, 1); err != nil {
			t.Errorf("current: %v", err)
		}
	})
	for _, i := range answers {
		if i.Status != domain.StatusCanceled || i.Version != 2 {
			t.Errorf("shown as %s, version %d", i.Status, i.Version)
		}
		if diff := cmp.Diff(answers[0], i); diff != "" {
			t.Errorf("answers differ:\n%s", diff)
		}
	}
	if diff := cmp.Diff([]string{"intent.created", "intent.expired"}, w.types(t, row.ID)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	var actor string
	err := w.pool.QueryRow(t.Context(),
		`SELECT metadata::json->>'actor' FROM events WHERE type = 'intent.expired'`).Scan(&actor)
	if err != nil || actor != ledger.ActorExpiry {
		t.Errorf("actor %q, %v", actor, err)
	}
	// It stays canceled, also for a server whose clock has not reached the expiry.
	if i, err := w.open(t, 0).Current(t.Context(), row.ID, 1); err != nil || i.Status != domain.StatusCanceled {
		t.Errorf("shown afterwards as %s, %v", i.Status, err)
	}
}

// Readers read an intent without pause while it expires. A read that began at or after that
// instant does not show it as payable.
func TestAnOverdueIntentIsNeverShownAsPayable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.plain()
	until := time.Now().Add(domain.MinExpiry + time.Minute)
	c.ExpiresAt = &until
	row := w.open(t, 0).create(t, c)
	// The clocks are set, to shortly before the expiry, only when the servers are connected.
	servers := []*server{w.open(t, 0), w.open(t, 0)}
	for _, s := range servers {
		if _, err := s.Current(t.Context(), row.ID, 1); err != nil {
			t.Fatal(err)
		}
	}
	ahead := time.Until(row.ExpiresAt) - 2*time.Second
	for _, s := range servers {
		s.store.Clock().Offset = ahead
	}
	var before atomic.Int64
	var wg sync.WaitGroup
	for n := range 8 {
		s := servers[n%2]
		wg.Go(func() {
			for after := 0; after < 5; {
				began := s.Now()
				var i projections.Intent
				var err error
				if n < 4 {
					i, err = s.Current(t.Context(), row.ID, 1)
				} else {
					i, _, err = s.Create(t.Context(), c, w.namespace, merchant)
				}
				switch {
				case err != nil:
					t.Errorf("read: %v", err)
					return
				case began.Before(row.ExpiresAt) && i.Status == domain.StatusRequiresPaymentMethod:
					before.Add(1)
				case !began.Before(row.ExpiresAt) && i.Status != domain.StatusCanceled:
					t.Errorf("%v after its expiry it is shown as %s", began.Sub(row.ExpiresAt), i.Status)
				}
				if !began.Before(row.ExpiresAt) {
					after++
				}
			}
		})
	}
	wg.Wait()
	if before.Load() == 0 {
		t.Error("no read before the expiry: the test shows nothing")
	}
	if diff := cmp.Diff([]string{"intent.created", "intent.expired"}, w.types(t, row.ID)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// After a reader has found the intent overdue, an attempt begins on a server with a slow clock.
// The reader gets the state after that.
func TestChangedWhileRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slow := w.open(t, 0)
	row := slow.create(t, w.plain())
	var once sync.Once
	pool := w.traced(t, func() {
		once.Do(func() { slow.execute(t, row.ID, domain.StartAttempt{Attempt: "a"}) })
	})
	late := w.serve(t, w.db.Pool(t), pool, 25*time.Hour)
	i, err := late.Current(t.Context(), row.ID, 1)
	if err != nil || i.Status != domain.StatusProcessing || i.Version != 2 {
		t.Errorf("shown as %s, version %d, %v", i.Status, i.Version, err)
	}
	if diff := cmp.Diff([]string{"intent.created", "intent.attempt_started"}, w.types(t, row.ID)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// An attempt that was open at the expiry ends first, and decides what happens to the intent.
func TestAfterTheEnd(t *testing.T) {
	t.Parallel()
	const (
		processing = domain.StatusProcessing
		canceled   = domain.StatusCanceled
		succeeded  = domain.StatusSucceeded
	)
	type after struct {
		command domain.Command
		refused domain.Refusal
		status  domain.Status
	}
	pay := domain.RecordPayment{
		Attempt: "a", Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, ProviderReference: "p",
	}
	for _, row := range []struct {
		rule   string
		before []domain.Command
		shown  domain.Status // by Current, before the commands of after
		after  []after
		events []string // from the end on
		late   bool
	}{
		{
			"nothing was tried", nil, canceled,
			[]after{{domain.StartAttempt{Attempt: "b"}, domain.RefusedExpired, canceled},
				{domain.Expire{}, "", canceled}},
			[]string{"intent.expired"}, false,
		},
		{
			"an open attempt is paid", []domain.Command{domain.StartAttempt{Attempt: "a"}}, processing,
			[]after{{domain.Expire{}, domain.RefusedAttemptOpen, processing}, {pay, "", succeeded}},
			[]string{"intent.succeeded"}, false,
		},
		{
			"an open attempt fails", []domain.Command{domain.StartAttempt{Attempt: "a"}}, processing,
			[]after{{domain.FailAttempt{Attempt: "a"}, "", canceled}},
			[]string{"intent.attempt_failed", "intent.expired"}, false,
		},
		{
			"a failed attempt turns out to be paid",
			[]domain.Command{domain.StartAttempt{Attempt: "a"}, domain.FailAttempt{Attempt: "a"}}, canceled,
			[]after{{pay, "", succeeded}, {pay, "", succeeded}},
			[]string{"intent.expired", "intent.late_succeeded"}, true,
		},
	} {
		for _, read := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, read %t", row.rule, read), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				s, late := w.open(t, 0), w.open(t, 25*time.Hour)
				id := s.create(t, w.plain()).ID
				for _, c := range row.before {
					s.execute(t, id, c)
				}
				if read {
					if i, err := late.Current(t.Context(), id, 0); err != nil || i.Status != row.shown {
						t.Errorf("%s: shown as %s, %v; want %s", row.rule, i.Status, err, row.shown)
					}
				}
				for _, a := range row.after {
					state, err := late.Execute(t.Context(), id, a.command, ledger.Origin{Actor: "payer"})
					if a.refused == "" && err != nil || a.refused != "" && !errors.Is(err, a.refused) {
						t.Errorf("%s, %T: %v, want %q", row.rule, a.command, err, a.refused)
					}
					if err == nil && state.Status != a.status {
						t.Errorf("%s, %T: %s, want %s", row.rule, a.command, state.Status, a.status)
					}
					if i, err := late.Current(t.Context(), id, 0); err != nil || i.Status != a.status {
						t.Errorf("%s, after %T: shown as %s, %v; want %s", row.rule, a.command, i.Status, err, a.status)
					}
				}
				types := w.types(t, id)
				if diff := cmp.Diff(row.events, types[1+len(row.before):]); diff != "" {
					t.Errorf("%s, events (-want +got):\n%s", row.rule, diff)
				}
				if state, err := late.Load(t.Context(), id); err != nil || state.Late != row.late {
					t.Errorf("%s: late is %v, %v", row.rule, state.Late, err)
				}
			})
		}
	}
}

// A server with a slow clock writes after one with a fast clock; times in the history do not
// go back (CheckLedger checks that).
func TestClocksThatDiffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fast, slow := w.open(t, 10*time.Minute), w.open(t, -10*time.Minute)
	row := fast.create(t, w.plain())
	state := slow.execute(t, row.ID, domain.StartAttempt{Attempt: "a"})
	if !state.UpdatedAt.Equal(row.CreatedAt) {
		t.Errorf("updated at %v, created at %v", state.UpdatedAt, row.CreatedAt)
	}
	state = fast.execute(t, row.ID, domain.FailAttempt{Attempt: "a"})
	if !state.UpdatedAt.After(row.CreatedAt) {
		t.Errorf("updated at %v, created at %v", state.UpdatedAt, row.CreatedAt)
	}
	// The database's clock counts, not the machine's: an append has corrected it.
	var database time.Time
	if err := w.pool.QueryRow(t.Context(), `SELECT clock_timestamp()`).Scan(&database); err != nil {
		t.Fatal(err)
	}
	if off := fast.Now().Sub(database) - 10*time.Minute; off < -time.Minute || off > time.Minute {
		t.Errorf("the clock is off by %v", off)
	}
}
