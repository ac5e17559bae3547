package expiry_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
)

// It runs first and alone, so that all goroutines are its own.
func TestRunLeavesNoGoroutine(t *testing.T) {
	w := newWorld(t)
	later := w.serve(w.db.ServiceURL(), window)
	w.createMany(20, window)
	before := goleak.IgnoreCurrent()
	stop := w.run(later)
	pgtest.WaitFor(t, "the intents to be canceled", func() bool { return w.canceled() == 20 })
	stop()
	// Connections that the pools opened meanwhile, and their readers, belong to the pools.
	goleak.VerifyNone(t, before,
		goleak.IgnoreAnyFunction("github.com/jackc/pgx/v5/pgxpool.(*Pool).backgroundHealthCheck"),
		goleak.IgnoreAnyFunction("github.com/jackc/pgx/v5/pgconn/internal/bgreader.(*BGReader).bgRead"))
}

func TestDueIntentIsCanceledInTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	due, other := w.create(window), w.create(window+time.Hour)
	// The worker runs when the intent expires.
	s := w.serve(w.db.ServiceURL(), due.ExpiresAt.Sub(w.Now())-300*time.Millisecond)
	w.run(s)
	pgtest.WaitFor(t, "the intent to be canceled", func() bool { return w.canceled() == 1 })

	state, err := w.Load(t.Context(), due.ID)
	if err != nil {
		t.Fatal(err)
	}
	if lag := state.UpdatedAt.Sub(due.ExpiresAt); state.Status != domain.StatusCanceled || lag < 0 ||
		lag > time.Minute {
		t.Errorf("the intent is %s, %v after its expiry", state.Status, lag)
	}
	actors, err := query[string](w, `SELECT metadata::json->>'actor' FROM events WHERE type = 'intent.expired'`)
	if err != nil || !slices.Equal(actors, []string{"system:expiry"}) {
		t.Errorf("expired by %v, %v", actors, err)
	}
	// The worker deletes the timer; the one that is not due stays.
	pgtest.WaitFor(t, "the timer to go", func() bool { return len(w.timers()) == 1 })
	if got, want := w.timers(), []row{{Intent: other.ID, DueAt: other.ExpiresAt}}; !cmp.Equal(got, want) {
		t.Errorf("timers left:\n%s", cmp.Diff(want, got))
	}
	families, err := s.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	lag := named(t, families, "daftar_expiry_lag_seconds").GetMetric()[0].GetHistogram()
	if lag.GetSampleCount() != 1 || lag.GetSampleSum() <= 0 || lag.GetSampleSum() > 60 {
		t.Errorf("lag: %d observed, %v s in all", lag.GetSampleCount(), lag.GetSampleSum())
	}
	w.feed() // the event of a timer that is gone already
	if n := s.outcomes(t, "expired"); n != 1 {
		t.Errorf("%d counted as expired", n)
	}
}

func TestManyDueAtOnce(t *testing.T) {
	t.Parallel()
	manyDueAtOnce(t, 6*smallBatch, smallBatch)
}

// manyDueAtOnce returns how long n intents took to expire; batch 0 is the worker's own.
func manyDueAtOnce(t *testing.T, n, batch int) time.Duration {
	t.Helper()
	w := newWorld(t)
	w.createMany(n, window)
	if got := w.count(`SELECT count(*) FROM expiry_timers`); got != n {
		t.Fatalf("%d timers for %d intents", got, n)
	}
	// While a transaction may still see the dead rows, their index entries stay.
	report, err := w.pool.BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = report.Rollback(context.Background()) }()
	if _, err := report.Exec(t.Context(), `SELECT FROM expiry_timers LIMIT 1`); err != nil {
		t.Fatal(err)
	}
	s := w.serve(w.db.ServiceURL(), window)
	if batch > 0 {
		s.worker.SetBatch(batch)
	}
	start := time.Now()
	w.run(s)
	pgtest.WaitFor(t, "all intents to expire", func() bool { return s.outcomes(t, "expired") == n })
	took := time.Since(start)
	pgtest.WaitFor(t, "the last timers to go", func() bool {
		return w.count(`SELECT count(*) FROM expiry_timers`) == 0
	})
	if canceled, events := w.canceled(), w.count(`SELECT count(*) FROM events`); canceled != n || events != 2*n {
		t.Errorf("%d canceled, %d events", canceled, events)
	}
	return took
}

func TestPaymentsRaceTheExpiry(t *testing.T) {
	t.Parallel()
	const n = 200
	w := newWorld(t)
	expires := w.createMany(n, window)
	ids, err := query[domain.IntentID](w, `SELECT uuid FROM intents`)
	if err != nil {
		t.Fatal(err)
	}
	s := w.serve(w.db.ServiceURL(), expires.Sub(w.Now())-100*time.Millisecond)
	w.run(s)
	var next atomic.Int64
	var payers sync.WaitGroup
	for range 8 {
		payers.Go(func() {
			for k := next.Add(1) - 1; k < n; k = next.Add(1) - 1 {
				attempt := domain.AttemptID(uuid.NewString())
				id, origin := ids[k], ledger.Origin{Actor: "payer"}
				_, err := s.Execute(t.Context(), id,
					domain.StartAttempt{Attempt: attempt, Acquirer: "sandbox", Method: "wallet"}, origin)
				if errors.Is(err, domain.RefusedExpired) {
					continue
				}
				if err != nil {
					t.Errorf("start: %v", err)
					return
				}
				money := domain.Money{Minor: 5000, Currency: domain.LYD}
				_, err = s.Execute(t.Context(), id, domain.RecordPayment{Attempt: attempt, Amount: money}, origin)
				if err != nil {
					t.Errorf("pay: %v", err)
					return
				}
			}
		})
	}
	payers.Wait()
	pgtest.WaitFor(t, "every intent to be closed", func() bool {
		return w.count(`SELECT count(*) FROM intents WHERE status IN ('succeeded', 'canceled')`) == n
	})
	w.feed()
	if left := w.timers(); len(left) != 0 {
		t.Errorf("%d timers left", len(left))
	}
	created, started := domain.TypeCreated, domain.TypeAttemptStarted
	paid, expired := domain.TypeSucceeded, domain.TypeExpired
	seen := map[bool]int{}
	for _, id := range ids {
		history := w.history(id)
		inTime := slices.Equal(history, []string{created, started, paid})
		tooLate := slices.Equal(history, []string{created, expired})
		if !inTime && !tooLate {
			t.Errorf("history: %v", history)
		}
		seen[inTime]++
	}
	t.Logf("%d paid, %d canceled", seen[true], seen[false])
}

func TestOpenAttemptIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fails, pays := w.create(window), w.create(window)
	failing, paying := w.start(fails.ID), w.start(pays.ID)
	w.feed()
	s := w.serve(w.db.ServiceURL(), window)
	for look, pause := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second} {
		earliest := s.Now().Truncate(time.Microsecond)
		w.exec(`UPDATE expiry_timers SET due_at = $1`, earliest)
		// One round at a time: a running worker may claim the timers before they are set.
		if err := s.worker.Round(t.Context()); err != nil {
			t.Fatal(err)
		}
		latest := s.Now()
		for _, timer := range w.timers() {
			if timer.Looks != look+1 || timer.Busy {
				t.Errorf("look %d: the timer is %+v", look+1, timer)
			}
			if timer.DueAt.Before(earliest.Add(pause)) || timer.DueAt.After(latest.Add(pause+time.Second)) {
				t.Errorf("look %d: the next is at %v, want %v after the look, which was from %v to %v", look+1,
					timer.DueAt, pause, earliest, latest)
			}
		}
	}
	if n := w.count(`SELECT count(*) FROM events WHERE type = 'intent.expired'`); n != 0 {
		t.Errorf("%d intents expired with an open attempt", n)
	}
	// The checkout closes them.
	w.executeAt(s, fails.ID, domain.FailAttempt{Attempt: failing, Reason: "declined"})
	w.executeAt(s, pays.ID, domain.RecordPayment{Attempt: paying, Amount: pays.Amount})
	w.feed()
	if left := w.timers(); len(left) != 0 {
		t.Errorf("timers of closed intents: %v", left)
	}
	want := []string{domain.TypeCreated, domain.TypeAttemptStarted, domain.TypeAttemptFailed, domain.TypeExpired}
	if got := w.history(fails.ID); !slices.Equal(got, want) {
		t.Errorf("the failed one: %v", got)
	}
	want = []string{domain.TypeCreated, domain.TypeAttemptStarted, domain.TypeSucceeded}
	if got := w.history(pays.ID); !slices.Equal(got, want) {
		t.Errorf("the paid one: %v", got)
	}
}

// A reader has canceled the intent first, and the group has not read the event yet.
func TestClosedIntentsOnlyLoseTheirTimers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.serve(w.db.ServiceURL(), window)
	canceled, paid := w.create(window), w.create(window)
	attempt := w.start(paid.ID)
	w.execute(paid.ID, domain.RecordPayment{Attempt: attempt, Amount: paid.Amount})
	if _, err := s.Current(t.Context(), canceled.ID, 0); err != nil {
		t.Fatal(err)
	}
	events := w.count(`SELECT count(*) FROM events`)
	w.run(s)
	pgtest.WaitFor(t, "the timers to go", func() bool { return len(w.timers()) == 0 })
	if now := w.count(`SELECT count(*) FROM events`); now != events {
		t.Errorf("%d new events", now-events)
	}
	if n := s.outcomes(t, "settled"); n != 2 {
		t.Errorf("%d counted as settled", n)
	}
}

func TestClockSetBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create(window)
	w.exec(`UPDATE expiry_timers SET due_at = due_at - interval '1 hour'`)
	w.run(w.server)
	pgtest.WaitFor(t, "the timer to be rescheduled", func() bool { return w.outcomes(t, "early") == 1 })
	pgtest.WaitFor(t, "the lease to end", func() bool { return !w.timers()[0].Busy })
	if off := w.timers()[0].DueAt.Sub(i.ExpiresAt); off < 0 || off > time.Second {
		t.Errorf("due %v after the expiry", off)
	}
	if got := w.history(i.ID); !slices.Equal(got, []string{domain.TypeCreated}) {
		t.Errorf("history: %v", got)
	}
}

// The timer of an intent that cannot be read is postponed, for longer each time; it delays no
// other.
func TestUnreadableIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.serve(w.db.ServiceURL(), window)
	w.exec(`INSERT INTO expiry_timers (intent_uuid, due_at) VALUES ($1, 'epoch')`, uuid.New())
	w.create(window)
	start := s.Now()
	w.run(s)
	pgtest.WaitFor(t, "the good one", func() bool { return w.canceled() == 1 })
	pgtest.WaitFor(t, "the bad one", func() bool {
		left := w.timers()
		return len(left) == 1 && !left[0].Busy && left[0].Looks > 0 &&
			left[0].DueAt.Sub(start) >= 5*time.Second
	})
	if s.outcomes(t, "failed") == 0 || !strings.Contains(s.log.String(), "cannot be expired") {
		t.Errorf("the log lacks the error: %s", s.log)
	}
}

func (w *world) firstAttempt(id domain.IntentID) domain.AttemptID {
	w.t.Helper()
	state, err := w.Load(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return state.Attempts[0].ID
}
