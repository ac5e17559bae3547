package checkout_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/ledger"
	"daftar/payments/acquirer"
)

var errLost = errors.New("the answer was lost")

// loseAnswers calls the acquirer and loses its answer.
func (m *faultyAcquirer) loseAnswers(begin, confirm bool) {
	if begin {
		f := func(ctx context.Context, p acquirer.Payment) (acquirer.Begun, error) {
			m.begin.Store(nil)
			_, err := m.Acquirer.Begin(ctx, p)
			return nil, errors.Join(errLost, err)
		}
		m.begin.Store(&f)
	}
	if confirm {
		f := func(ctx context.Context, id acquirer.Ref, code acquirer.Code) (acquirer.Confirmed, error) {
			m.confirm.Store(nil)
			_, err := m.Acquirer.Confirm(ctx, id, code)
			return nil, errors.Join(errLost, err)
		}
		m.confirm.Store(&f)
	}
}

// failBegin makes Begin fail without calling the acquirer.
func (m *faultyAcquirer) failBegin(err error) {
	f := func(context.Context, acquirer.Payment) (acquirer.Begun, error) { return nil, err }
	m.begin.Store(&f)
}

// failInquire makes Inquire fail without calling the acquirer.
func (m *faultyAcquirer) failInquire(as func(context.Context) error) {
	f := func(ctx context.Context, _ acquirer.Ref) (acquirer.Report, error) {
		return acquirer.Report{}, as(ctx)
	}
	m.inquire.Store(&f)
}

// insertCrashed writes the row of an attempt as a server that crashed that long ago left it.
func (w *world) insertCrashed(i domain.Intent, method string, ago time.Duration,
	recorded bool,
) domain.AttemptID {
	w.t.Helper()
	id := domain.NewAttemptID(uuid.New())
	if recorded {
		_, err := w.ledger.Execute(w.t.Context(), i.ID, domain.StartAttempt{
			Attempt: id, Acquirer: "sandbox", Method: method, Payer: "091•••5678",
		}, ledger.Origin{Actor: "payer"})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	began := w.ledger.Now().Add(-ago)
	w.exec(`
		INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, stage, stage_since, payer, ask_at,
		                               created_at, updated_at)
		VALUES ($1, $2, 'sandbox', $3, 'beginning', $4, '091•••5678', $4, $4, $4)`,
		id, [16]byte(i.ID), method, began)
	w.Wake()
	return id
}

func TestACrashBeforeTheEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	old := w.insertCrashed(i, "wallet", 2*time.Minute, false)
	young := w.insertCrashed(i, "wallet", time.Second, false)
	w.eventually("the row is closed", func() bool { return w.row(old).Stage == "closed" })
	w.eventually("the young row waits", func() bool {
		at := w.row(young).AskAt
		return at != nil && at.After(w.ledger.Now())
	})
	w.wantStage(young, "beginning")
	w.want(w.visit(path(i)), 200, "pay")
	w.wantHistory(i.ID, "created")
	if got := w.acquirer.inquired.Load(); got != 0 {
		t.Errorf("the acquirer was asked %d times about attempts that never began", got)
	}
}

func TestACrashBetweenTheEventAndTheCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, method := range []string{"wallet", "card"} {
		i, j := w.create(), w.create()
		old := w.insertCrashed(i, method, 2*time.Minute, true)
		young := w.insertCrashed(j, method, time.Second, true)
		contains(t, w.until(i, "pay"), "تعذّر الوصول إلى جهة الدفع.")
		w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
		w.eventually("the row is closed", func() bool { return w.row(old).Stage == "closed" })

		w.eventually("the young one was asked about", func() bool {
			at := w.row(young).AskAt
			return at.After(w.ledger.Now())
		})
		w.want(w.visit(path(j)), 200, "processing")
		w.wantHistory(j.ID, "created", "attempt_started")
	}
}

// The acquirer opened the payment and its answer, or the server, was lost.
func TestACrashAfterTheCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.loseAnswers(true, false)
	i := w.create()
	w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "processing")
	page := w.until(i, "otp")
	contains(t, page, "091•••5678")
	w.want(w.submit(page, code("111111")), 200, "receipt")

	w.acquirer.loseAnswers(true, false)
	j := w.create()
	w.want(w.submit(w.visit(path(j)), card()), 200, "processing")
	attempt := w.lastAttempt(j.ID)
	w.due(attempt)
	w.eventually("the bank's page is known", func() bool { return w.row(attempt).Stage == "bank" })
	w.press(w.visit(path(j)), "pay")
	w.until(j, "receipt")
}

func TestACrashAfterTheCodeWasPassedOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.loseAnswers(false, true)
	i := w.create()
	w.submit(w.atCode(i, "0912345678"), code("111111"))
	w.until(i, "receipt")
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

func TestACrashBetweenTheClaimAndTheCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	page := w.atCode(i, "0912345678")
	attempt := w.lastAttempt(i.ID)
	w.exec(`UPDATE checkout_attempts SET stage = 'asking', ask_at = stage_since WHERE attempt = $1`, attempt)
	w.want(w.submit(page, code("111111")), 200, "processing")
	if got := w.acquirer.confirmed.Load(); got != 0 {
		t.Errorf("a code was passed to the acquirer although another request had claimed the attempt")
	}
	w.later(6 * time.Minute)
	w.until(i, "pay")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
}

func TestACrashBeforeTheRowWasClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for typed, state := range map[string]string{"111111": "receipt", "000000": "pay"} {
		i := w.create()
		w.want(w.submit(w.atCode(i, "0912345678"), code(typed)), 200, state)
		attempt, events := w.lastAttempt(i.ID), w.history(i.ID)
		w.exec(`UPDATE checkout_attempts SET stage = 'asking', ask_at = stage_since WHERE attempt = $1`, attempt)
		w.Wake()
		w.eventually("the row is closed", func() bool { return w.row(attempt).Stage == "closed" })
		w.wantHistory(i.ID, events...)
	}
}

func TestAnAttemptThatWasNotSentFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.failBegin(fmt.Errorf("dial: %w", acquirer.ErrNotSent))
	i := w.create()
	page := w.want(w.submit(w.visit(path(i)+"?lang=en"), wallet("0912345678")), 200, "pay")
	contains(t, page, "The payment provider could not be reached.", "No money was taken.")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
	w.acquirer.begin.Store(nil)
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
}

// An error other than ErrNotSent keeps the attempt open until the
// acquirer has reported for a minute that it does not know the payment.
func TestAnAttemptThatMayHaveBeenSentWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.failBegin(errLost)
	i := w.create()
	w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "processing")
	attempt, asked := w.lastAttempt(i.ID), w.acquirer.inquired.Load()
	w.due(attempt)
	w.eventually("it is asked about", func() bool { return w.acquirer.inquired.Load() > asked })
	w.want(w.visit(path(i)), 200, "processing")
	w.wantHistory(i.ID, "created", "attempt_started")
	w.later(time.Minute)
	w.until(i, "pay")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
}

func TestACodeThatWasNotSentCanBeTypedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	page := w.atCode(i, "0912345678")
	f := func(context.Context, acquirer.Ref, acquirer.Code) (acquirer.Confirmed, error) {
		return nil, acquirer.ErrNotSent
	}
	w.acquirer.confirm.Store(&f)
	failed := w.want(w.submit(page, code("111111")), 503, "unavailable")
	if failed.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	w.acquirer.confirm.Store(nil)
	w.want(w.submit(w.want(w.visit(path(i)), 200, "otp"), code("111111")), 200, "receipt")
}

// A report with another amount, currency or reference does not change the intent.
func TestAMismatchIsSetAside(t *testing.T) {
	t.Parallel()
	for name, twist := range map[string]func(*acquirer.Report){
		"amount":    func(r *acquirer.Report) { r.Money.Minor++ },
		"currency":  func(r *acquirer.Report) { r.Money.Currency = "USD" },
		"reference": func(r *acquirer.Report) { r.Reference = "0123456789abcdefghjkmnpqrs" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			f := func(ctx context.Context, id acquirer.Ref) (acquirer.Report, error) {
				r, err := w.acquirer.Acquirer.Inquire(ctx, id)
				twist(&r)
				return r, err
			}
			w.acquirer.inquire.Store(&f)
			i := w.create()
			w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "processing")
			attempt := w.lastAttempt(i.ID)
			if err := w.bank.WaitNotified(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.eventually("it is set aside", func() bool {
				r := w.row(attempt)
				return r.Stage == "quarantined" && r.AskAt == nil
			})
			if w.row(attempt).Trouble == "" {
				t.Error("the row has no reason")
			}
			asked := w.acquirer.inquired.Load()
			for range 3 {
				w.want(w.visit(path(i)), 200, "processing")
			}
			if w.row(attempt).AskAt != nil || w.acquirer.inquired.Load() != asked {
				t.Error("it is inquired about before an operator requests that")
			}
			w.wantHistory(i.ID, "created", "attempt_started")

			w.acquirer.inquire.Store(nil)
			w.due(attempt) // as when an operator requests an inquiry
			w.until(i, "receipt")
		})
	}
}

// The acquirer's answer to the code is not enough: the inquiry decides.
func TestAPaymentCountsWhenAnInquirySaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.failInquire(func(context.Context) error { return errLost })
	i := w.create()
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "processing")
	w.wantHistory(i.ID, "created", "attempt_started")
	w.acquirer.inquire.Store(nil)
	w.until(i, "receipt")

	f := func(context.Context, acquirer.Ref, acquirer.Code) (acquirer.Confirmed, error) {
		return acquirer.Paid{Money: domain.Money{Minor: 1_000, Currency: domain.LYD}, ProviderReference: "SB1"}, nil
	}
	w.acquirer.confirm.Store(&f)
	j := w.create()
	w.want(w.submit(w.atCode(j, "0912345678"), code("111111")), 200, "processing")
	w.wantStage(w.lastAttempt(j.ID), "quarantined")
	w.wantHistory(j.ID, "created", "attempt_started")
}

// Without inquiry, the acquirer's answer to the code decides; an operator settles what stays unknown.
func TestAnAcquirerWithoutInquiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.setCapability(func(c *capability) { c.Inquiry = false })
	w.acquirer.failInquire(func(context.Context) error { t.Error("it was asked"); return errLost })
	i := w.create()
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")

	w.acquirer.loseAnswers(false, true)
	j := w.create()
	w.want(w.submit(w.atCode(j, "0912345678"), code("000000")), 200, "processing")
	w.eventually("it is set aside", func() bool { return w.row(w.lastAttempt(j.ID)).Stage == "quarantined" })
}
