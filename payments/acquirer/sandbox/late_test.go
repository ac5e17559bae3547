package sandbox_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox/bank"
)

func TestNumber6IsDeclinedAndPaidAfterAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *bank.Config) { c.LateAfter = time.Millisecond })
	p := w.beginWallet("0920000006")
	want := acquirer.Confirmed(acquirer.Declined{Reason: acquirer.InsufficientFunds})
	if diff := cmp.Diff(want, w.confirm(p, right)); diff != "" {
		t.Errorf("Confirm (-want +got):\n%s", diff)
	}
	w.untilTaken(1)
	w.wantNotifications(2)
	w.wantState(p, acquirer.StatePaid, "")
	other := w.beginWallet("0920000006")
	w.confirm(other, decline)
	w.wantState(other, acquirer.StateDeclined, acquirer.GenericDecline)
}

// A payment that control settles before its time is paid once.
func TestNumber6IsNotPaidTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *bank.Config) { c.LateAfter = 50 * time.Millisecond })
	p, next := w.beginWallet("0920000006"), w.beginWallet("0960001236")
	w.confirm(p, right)
	w.settle(p, "paid", 200)
	w.confirm(next, right) // its time comes after that of the first
	w.untilTaken(2)
	w.wantNotifications(4)
}
