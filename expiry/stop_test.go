package expiry_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres/pgtest"
)

// After a merchant has stopped the checkouts of an application, its open intents are
// canceled long before they expire, also where a timer is written late. An intent that is
// being paid waits for the acquirer, and is canceled if the attempt fails.
func TestStoppedCheckoutsAreCanceled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	a, operator := accounts.New(w.pool, accounts.Options{SecretKey: key}), accounts.Operator("test")
	org, err := a.CreateOrganization(t.Context(), operator, "Shop")
	if err != nil {
		t.Fatal(err)
	}
	shop, err := a.CreateApplication(t.Context(), operator, org.ID, accounts.Draft{Name: "Web"})
	if err != nil {
		t.Fatal(err)
	}
	other := w.create(window) // of another application
	w.app = shop.ID
	w.create(window)
	paying, paid := w.create(window), w.create(window)
	failing, succeeding := w.start(paying.ID), w.start(paid.ID)
	late := w.createUnseen(window)
	if err := a.StopCheckouts(t.Context(), operator, org.ID, shop.ID); err != nil {
		t.Fatal(err)
	}
	s := w.serve(w.db.ServiceURL(), 0)
	w.run(s)
	pgtest.WaitFor(t, "the one that waits to be canceled", func() bool { return w.canceled() == 1 })
	w.feed()
	pgtest.WaitFor(t, "the one whose timer came late", func() bool { return w.canceled() == 2 })
	pgtest.WaitFor(t, "a look at those that are being paid", func() bool {
		return w.count(`SELECT count(*) FROM expiry_timers WHERE stopped AND looks > 0`) == 2
	})
	w.execute(paying.ID, domain.FailAttempt{Attempt: failing, Reason: "declined"})
	w.execute(paid.ID, domain.RecordPayment{Attempt: succeeding, Amount: paid.Amount})
	w.exec(`UPDATE expiry_timers SET due_at = $1 WHERE stopped`, s.Now())
	pgtest.WaitFor(t, "the one whose attempt failed", func() bool { return w.canceled() == 3 })
	pgtest.WaitFor(t, "the timers to go", func() bool { return len(w.timers()) == 1 })
	if left := w.timers(); left[0].Intent != other.ID || !left[0].DueAt.Equal(other.ExpiresAt) {
		t.Errorf("left are %+v", left)
	}
	want := []string{domain.TypeCreated, domain.TypeExpired}
	if got := w.history(late.ID); !slices.Equal(got, want) {
		t.Errorf("history %v", got)
	}
	if n := w.count(`SELECT count(*) FROM events WHERE type = 'intent.expired' AND schema_version = 2`); n != 3 {
		t.Errorf("%d events have the reason that the checkout was stopped", n)
	}
	state, err := w.Load(t.Context(), late.ID)
	if err != nil || state.Status != domain.StatusCanceled || !state.UpdatedAt.Before(late.ExpiresAt) {
		t.Errorf("%+v, %v", state, err)
	}
}
