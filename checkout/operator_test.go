package checkout_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/payments"
	"daftar/payments/acquirer"
)

const clerk = "operator:salma"

func (w *world) operations() *payments.Operations { return payments.NewOperations(w.pool, w.ledger) }

func (w *world) settleByHand(id domain.AttemptID, v payments.Verdict) payments.Settled {
	w.t.Helper()
	s, err := w.operations().Settle(w.t.Context(), id, v,
		payments.Evidence{Actor: clerk, Note: "the bank's statement of 20 November"})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// note is the actor, the correlation id and the note of an intent's last event.
func (w *world) note(id domain.IntentID) string {
	w.t.Helper()
	return value[string](w, `
		SELECT concat_ws(' ', metadata::json->>'actor', metadata::json->>'correlation_id',
		                 metadata::json->>'note')
		FROM events
		WHERE stream_id = $1
		ORDER BY version DESC
		LIMIT 1`, [16]byte(id))
}

func TestAnOperatorSettlesAnUnknownAttempt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.failInquire(func(context.Context) error { return errLost })
	i, attempt := w.pendingAtTheBank()
	j, other := w.pendingAtTheBank()
	w.settle(attempt, "paid")
	w.settle(other, "declined")
	// A later notification would cause an inquiry about a closed attempt.
	if err := w.bank.WaitNotified(t.Context()); err != nil {
		t.Fatal(err)
	}

	got := w.settleByHand(attempt, payments.VerdictPaid)
	want := payments.Settled{
		Attempt: attempt, Intent: i.ID, Verdict: payments.VerdictPaid, Status: domain.StatusSucceeded,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w.want(w.visit(path(i)), 200, "receipt")
	if got, want := w.note(i.ID), clerk+" "+string(attempt)+" the bank's statement of 20 November"; got != want {
		t.Errorf("the event says %q, want %q", got, want)
	}
	want.Already = true
	if diff := cmp.Diff(want, w.settleByHand(attempt, payments.VerdictPaid)); diff != "" {
		t.Errorf("settled again (-want +got):\n%s", diff)
	}
	_, err := w.operations().Settle(t.Context(), attempt, payments.VerdictFailed,
		payments.Evidence{Actor: clerk, Note: "a mistake"})
	if !errors.Is(err, payments.ErrAttemptPaid) {
		t.Errorf("a paid attempt settled as failed: %v", err)
	}
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")

	got = w.settleByHand(other, payments.VerdictFailed)
	if got.Status != domain.StatusRequiresPaymentMethod || got.Late || got.Duplicate {
		t.Errorf("settled as %+v", got)
	}
	if got := w.load(j.ID).Attempts[0].Reason; got != string(acquirer.SettledByOperator) {
		t.Errorf("reason %q", got)
	}
	contains(t, w.want(w.visit(path(j)), 200, "pay"), "راجع")
	for _, id := range []domain.AttemptID{attempt, other} {
		if r := w.row(id); r.Stage != "closed" || r.AskAt != nil {
			t.Errorf("row %+v, want closed and not asked about", r)
		}
	}
	w.acquirer.inquire.Store(nil)
}

func TestSettledAsDuplicateOrLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	declined := func() (domain.Intent, domain.AttemptID) {
		i := w.create()
		w.want(w.submit(w.atCode(i, "0920000004"), code("111111")), 200, "pay")
		attempt := w.lastAttempt(i.ID)
		if err := w.bank.WaitNotified(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.eventually("the decline was checked", func() bool {
			r := w.row(attempt)
			return r.Stage == "closed" && r.AskAt == nil
		})
		return i, attempt
	}
	paid, first := declined()
	w.want(w.submit(w.atCode(paid, "0912345678"), code("111111")), 200, "receipt")
	late, second := declined()
	w.acquirer.failInquire(func(context.Context) error { return errLost })
	w.settle(first, "paid")
	w.settle(second, "paid")
	got := w.settleByHand(first, payments.VerdictPaid)
	if !got.Duplicate || got.Late || got.Status != domain.StatusSucceeded {
		t.Errorf("a second payment: %+v", got)
	}
	w.later(25 * time.Hour)
	got = w.settleByHand(second, payments.VerdictPaid)
	if got.Duplicate || !got.Late || got.Status != domain.StatusSucceeded {
		t.Errorf("a late payment: %+v", got)
	}
	w.wantHistory(late.ID, "created", "attempt_started", "attempt_failed", "expired", "late_succeeded")
	w.acquirer.inquire.Store(nil)
}

func TestWhatCannotBeSettled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	never := w.insertCrashed(i, "wallet", time.Second, false)
	const unknown = domain.AttemptID("0123456789abcdefghjkmnpqrs")
	for name, id := range map[string]domain.AttemptID{"unknown": unknown, "never began": never} {
		_, err := w.operations().Settle(t.Context(), id, payments.VerdictPaid,
			payments.Evidence{Actor: clerk, Note: "a note"})
		if !errors.Is(err, payments.ErrNoAttempt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.operations().Ask(t.Context(), unknown); !errors.Is(err, payments.ErrNoAttempt) {
		t.Errorf("ask: %v", err)
	}
	w.wantHistory(i.ID, "created")
}

func TestTheDeskListsOpenDecisions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, unknown := w.pendingAtTheBank()
	j := w.create()
	w.atCode(j, "0912345678")
	k := w.create()
	w.want(w.submit(w.atCode(k, "0912345678"), code("111111")), 200, "receipt")
	closed := w.lastAttempt(k.ID)
	w.wantStage(closed, "closed")
	w.exec(`
		UPDATE checkout_attempts
		SET stage = 'quarantined', stage_since = stage_since - interval '1 hour', ask_at = NULL,
		    trouble = 'another amount'
		WHERE attempt = $1`, closed)
	ids := func(states ...string) []domain.AttemptID {
		t.Helper()
		listed, err := w.operations().List(t.Context(), states...)
		if err != nil {
			t.Fatal(err)
		}
		got := []domain.AttemptID{}
		for _, l := range listed {
			got = append(got, l.ID)
		}
		return got
	}
	for states, want := range map[string][]domain.AttemptID{
		"":                           {closed, unknown},
		payments.AttemptsUnknown:     {unknown},
		payments.AttemptsQuarantined: {closed},
		payments.AttemptsOpen:        {w.lastAttempt(j.ID)},
		payments.AttemptsClosed:      {},
	} {
		if diff := cmp.Diff(want, ids(strings.Fields(states)...)); diff != "" {
			t.Errorf("state %q (-want +got):\n%s", states, diff)
		}
	}
	listed, err := w.operations().List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l := listed[1]
	if l.Intent != i.ID || l.Amount != i.Amount || l.Acquirer != "sandbox" || l.Method != "wallet" ||
		l.Payer != "092•••0003" || l.State != "unknown" || l.Stage != "asking" ||
		l.AskAt == nil || l.StartedAt.IsZero() || l.Since.IsZero() {
		t.Errorf("listed %+v", l)
	}
	if listed[0].Trouble != "another amount" || listed[0].AskAt != nil {
		t.Errorf("listed %+v", listed[0])
	}
	if err := w.operations().Ask(t.Context(), closed); err != nil {
		t.Fatal(err)
	}
	w.wantStage(closed, "closed") // the acquirer was asked, and the ledger has it
}

func TestNotesAreForAuditors(t *testing.T) {
	t.Parallel()
	for note, want := range map[string]string{
		"statement 4711": "statement 4711",
		"رأيت كشف الحساب، الزبون ٠٩١٢٣٤٥٦٧٨":   "رأيت كشف الحساب، الزبون 091•••5678",
		"called (091) 234-5678 twice":          "called (091•••5678 twice",
		"on 09.12.2026 1000 were taken":        "on 09.12.2026 1000 were taken",
		"called 091 234 5678 twice":            "called 091•••5678 twice",
		"called +218-91-2345678.":              "called 091•••5678.",
		"+218912345678, 0923456789":            "091•••5678, 092•••6789",
		"0912345678 2026-11-20 0 0923456789 9": "091•••5678 2026-11-20 0 092•••6789 9",
		"reference 1091234567890 seen":         "reference 1091234567890 seen",
		"45750 dirhams on 2026-11-20":          "45750 dirhams on 2026-11-20",
		strings.Repeat("ن", 500):               strings.Repeat("ن", 500),
	} {
		if got, err := payments.CheckNote(note); err != nil || got != want {
			t.Errorf("%q is kept as %q (%v), want %q", note, got, err, want)
		}
	}
	for name, note := range map[string]string{
		"empty": "", "blank": "  ", "two lines": "a\nb", "too long": strings.Repeat("ن", 501), "no text": "a\xff",
	} {
		if got, err := payments.CheckNote(note); err == nil {
			t.Errorf("%s: kept as %q", name, got)
		}
	}
}
