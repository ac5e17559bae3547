package checkout_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer"
)

func TestManyTabsBeginOneAttempt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if s := w.post(path(i)+"/attempts", wallet("0912345678")); s.status != http.StatusSeeOther {
				t.Errorf("status %d, want 303", s.status)
			}
		})
	}
	all.Wait()
	w.wantHistory(i.ID, "created", "attempt_started")
	if got := w.acquirer.begun.Load(); got != 1 {
		t.Errorf("the acquirer was called %d times", got)
	}
	page := w.want(w.visit(path(i)), 200, "otp")
	action := page.action(t)
	for range 20 {
		all.Go(func() {
			if s := w.post(action, code("111111")); s.status != http.StatusSeeOther {
				t.Errorf("status %d, want 303", s.status)
			}
		})
	}
	all.Wait()
	if got := w.acquirer.confirmed.Load(); got != 1 {
		t.Errorf("the code was passed to the acquirer %d times", got)
	}
	w.until(i, "receipt")
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
	if got := len(w.taken()); got != 1 {
		t.Errorf("money was taken %d times", got)
	}
}

// Two servers share the due attempts; each is inquired about once.
func TestServersShareTheInquiries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const n = 12
	for range n {
		w.pendingAtTheBank()
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	other := w.newServer(w.acquirer)
	running.Go(func() { other.Run(ctx) })
	// Far in the past, so that the next one by the schedule is far in the future. An
	// inquiry that is under way is waited for: it would be counted below.
	w.eventually("no inquiry is under way", func() bool {
		w.exec(`
			UPDATE checkout_attempts
			SET asked = 0, stage_since = stage_since - interval '3 hours', ask_at = NULL
			WHERE busy_until IS NULL
			  AND ask_at IS NOT NULL`)
		return value[int](w, `
			SELECT count(*)
			FROM checkout_attempts
			WHERE busy_until IS NOT NULL
			   OR ask_at IS NOT NULL`) == 0
	})
	before := w.acquirer.inquired.Load()
	w.exec(`UPDATE checkout_attempts SET ask_at = stage_since`)
	w.Wake()
	other.Wake()
	w.eventually("all were asked about", func() bool {
		return value[int](w, `
			SELECT count(*)
			FROM checkout_attempts
			WHERE asked = 0
			   OR busy_until IS NOT NULL`) == 0
	})
	cancel()
	running.Wait()
	if got := w.acquirer.inquired.Load() - before; got != n {
		t.Errorf("%d inquiries for %d attempts", got, n)
	}
}

// A row that another server is claiming does not delay the others.
func TestALockedRowIsSkipped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, held := w.pendingAtTheBank()
	_, free := w.pendingAtTheBank()
	w.halt() // no server claims while the test prepares the rows
	w.exec(`UPDATE checkout_attempts SET asked = 0, ask_at = stage_since, busy_until = NULL`)
	tx, err := w.db.OwnerPool(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const lock = `SELECT 1 FROM checkout_attempts WHERE attempt = $1 FOR UPDATE`
	if _, err := tx.Exec(t.Context(), lock, held); err != nil {
		t.Fatal(err)
	}
	w.start(0)
	asked := func(id domain.AttemptID) func() bool {
		return func() bool {
			return value[int](w, `SELECT asked FROM checkout_attempts WHERE attempt = $1`, id) > 0
		}
	}
	w.eventually("the free one is asked about", asked(free))
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.eventually("the held one is asked about", asked(held))
}

// An acquirer that does not answer delays neither the others nor the end of Run.
func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, attempt := w.pendingAtTheBank()
	stuck, ended := make(chan struct{}, 1), make(chan error, 1)
	w.acquirer.failInquire(func(ctx context.Context) error {
		select {
		case stuck <- struct{}{}:
		default:
		}
		<-ctx.Done()
		select {
		case ended <- ctx.Err():
		default:
		}
		return ctx.Err()
	})
	w.due(attempt)
	<-stuck
	w.halt()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the inquiry ended with %v, and not because Run did", err)
	}
	w.acquirer.inquire.Store(nil)
	w.start(0)
}

// Not parallel: the check would see the goroutines of other tests.
func TestNothingIsLeftRunning(t *testing.T) { //nolint:paralleltest // as the comment says
	db := pgtest.Database(t)
	before := goleak.IgnoreCurrent()
	t.Run("life", func(t *testing.T) { //nolint:paralleltest // as above
		w := newWorldOn(t, db, db.Pool(t))
		i := w.create()
		w.want(w.submit(w.atCode(i, "0920000001"), code("111111")), 200, "processing")
		w.until(i, "receipt")
	})
	goleak.VerifyNone(t, before)
}

// A payment is reported while an older answer is still being processed. The hint
// must not be cleared with that answer.
func TestAHintDuringAnInquiryIsNotLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.want(w.submit(w.atCode(i, "0920000004"), code("111111")), 200, "pay")
	if err := w.bank.WaitNotified(t.Context()); err != nil {
		t.Fatal(err)
	}
	attempt := w.lastAttempt(i.ID)
	w.eventually("the hint of the decline was followed", func() bool { return w.row(attempt).AskAt == nil })
	// The notification goes to a server that does not run inquiries, so that no
	// second one is under way before the first ends.
	w.serve(w.newServer(w.acquirer).Handler())
	var once sync.Once
	f := func(ctx context.Context, id acquirer.Ref) (acquirer.Report, error) {
		r, err := w.acquirer.Acquirer.Inquire(ctx, id)
		once.Do(func() {
			w.settle(id.Attempt, "paid")
			err = errors.Join(err, w.bank.WaitNotified(ctx))
		})
		return r, err
	}
	w.acquirer.inquire.Store(&f)
	w.due(attempt)
	w.until(i, "receipt")
}

// A request pauses for so long, after its event was written, that its row was
// closed meanwhile. It must not call the acquirer: no inquiry would follow.
func TestARequestThatSleptDoesNotBegin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`
		CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
		BEGIN
		    UPDATE checkout_attempts
		    SET stage = 'closed', ask_at = NULL
		    WHERE attempt = NEW.payload::json->>'attempt';
		    RETURN NULL;
		END $$`)
	w.exec(`
		CREATE TRIGGER give_up AFTER INSERT ON events FOR EACH ROW
		WHEN (NEW.type = 'intent.attempt_started') EXECUTE FUNCTION give_up()`)
	i := w.create()
	w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "pay")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
	if got := w.acquirer.begun.Load(); got != 0 {
		t.Error("the acquirer was called")
	}
}

func TestAnAdapterThatPanicsHarmsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	begin := func(context.Context, acquirer.Payment) (acquirer.Begun, error) { panic("a broken adapter") }
	w.acquirer.begin.Store(&begin)
	i := w.create()
	w.want(w.post(path(i)+"/attempts", wallet("0912345678")), 500, "unavailable")
	attempt := w.lastAttempt(i.ID)
	w.acquirer.failInquire(func(context.Context) error { panic("a broken adapter") })
	asked := w.acquirer.inquired.Load()
	w.due(attempt)
	w.eventually("it is asked about", func() bool { return w.acquirer.inquired.Load() > asked })
	w.acquirer.begin.Store(nil)
	w.acquirer.inquire.Store(nil)
	w.wantHistory(i.ID, "created", "attempt_started")
	w.later(time.Hour)
	w.until(i, "pay")
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
}
