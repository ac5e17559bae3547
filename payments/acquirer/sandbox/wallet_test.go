package sandbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox/bank"
)

const (
	right   = "111111"
	decline = "000000"
)

func TestAWalletPaysWithTheRightCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, phone := range []string{"0912345678", "+218912345678", "00218 91-234-5678", "0962345678"} {
		p := w.walletPayment(phone)
		sent, ok := w.begin(p).(acquirer.CodeSent)
		if !ok || sent.Digits != 6 || sent.ValidFor != 5*time.Minute {
			t.Fatalf("Begin(%s) = %+v, want a code of 6 digits for 5 minutes", phone, sent)
		}
		end := phone[len(phone)-4:]
		if sent.SentTo != "091•••"+end && sent.SentTo != "096•••"+end {
			t.Errorf("the code went to %q: not masked", sent.SentTo)
		}
		w.wantState(p, acquirer.StatePending, "")
		paid, ok := w.confirm(p, right).(acquirer.Paid)
		if !ok || paid.Money != p.Money || paid.ProviderReference == "" {
			t.Errorf("Confirm(%s) = %+v, want paid %v with a reference", phone, paid, p.Money)
		}
		if r := w.inquire(p); r.State != acquirer.StatePaid || r.ProviderReference != paid.ProviderReference {
			t.Errorf("inquiry = %+v, want paid under %s", r, paid.ProviderReference)
		}
	}
	w.wantTaken(4)
	w.wantNotifications(4)
}

func TestOtherNumbersAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, phone := range []string{
		"", "0972345678", "0902345678", "091234567", "09123456789", "0212345678", "09123456x8", "+21821234567",
	} {
		p := w.walletPayment(phone)
		want := acquirer.BeginDeclined{Reason: acquirer.PhoneRefused}
		if diff := cmp.Diff(acquirer.Begun(want), w.begin(p)); diff != "" {
			t.Errorf("Begin(%q) (-want +got):\n%s", phone, diff)
		}
		w.wantState(p, acquirer.StateNotFound, "")
	}
}

func TestACodeCanDecline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	want := acquirer.Declined{Reason: acquirer.GenericDecline}
	for range 2 { // the second time it is declined already, whatever the code
		if diff := cmp.Diff(acquirer.Confirmed(want), w.confirm(p, decline)); diff != "" {
			t.Fatalf("Confirm (-want +got):\n%s", diff)
		}
	}
	if diff := cmp.Diff(acquirer.Confirmed(want), w.confirm(p, right)); diff != "" {
		t.Errorf("Confirm after a decline (-want +got):\n%s", diff)
	}
	w.wantState(p, acquirer.StateDeclined, acquirer.GenericDecline)
	w.wantTaken(0)
	w.wantNotifications(1)
}

// A thousand more numbers act like each special number.
func TestMoreSpecialNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for phone, want := range map[string]acquirer.Confirmed{
		"0920000004":    acquirer.Declined{Reason: acquirer.InsufficientFunds},
		"0960000004":    acquirer.Declined{Reason: acquirer.InsufficientFunds},
		"+218960009994": acquirer.Declined{Reason: acquirer.InsufficientFunds},
		"0960001234":    acquirer.Declined{Reason: acquirer.InsufficientFunds},
		"0960000000":    nil,
		"0960010004":    nil,
		"0920001004":    nil,
		"0920000009":    nil,
	} {
		got := w.confirm(w.beginWallet(phone), right)
		if _, paid := got.(acquirer.Paid); paid != (want == nil) || want != nil && !cmp.Equal(want, got) {
			t.Errorf("%s: %+v, want %+v", phone, got, want)
		}
	}
}

func TestFiveWrongCodesLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	for i, code := range []acquirer.Code{"123456", "", "11111", "1111111"} {
		want := acquirer.Confirmed(acquirer.WrongCode{TriesLeft: 4 - i})
		if diff := cmp.Diff(want, w.confirm(p, code)); diff != "" {
			t.Errorf("wrong code %d (-want +got):\n%s", i+1, diff)
		}
		w.wantState(p, acquirer.StatePending, "")
	}
	locked := acquirer.Confirmed(acquirer.Declined{Reason: acquirer.CodeLocked})
	for _, code := range []acquirer.Code{"222222", right} {
		if diff := cmp.Diff(locked, w.confirm(p, code)); diff != "" {
			t.Errorf("Confirm(%s) after five wrong codes (-want +got):\n%s", code, diff)
		}
	}
	w.wantState(p, acquirer.StateDeclined, acquirer.CodeLocked)
	w.wantTaken(0)
	w.wantNotifications(1)
}

func TestARightCodeAfterFourWrongOnesPays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	for range 4 {
		w.confirm(p, "222222")
	}
	if _, ok := w.confirm(p, right).(acquirer.Paid); !ok {
		t.Error("the fifth and right code did not pay")
	}
}

func TestACodeExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	w.clock.Advance(5*time.Minute - time.Nanosecond)
	w.wantState(p, acquirer.StatePending, "")
	w.clock.Advance(time.Nanosecond)
	w.wantState(p, acquirer.StateDeclined, acquirer.CodeExpired)
	want := acquirer.Confirmed(acquirer.Declined{Reason: acquirer.CodeExpired})
	if diff := cmp.Diff(want, w.confirm(p, right)); diff != "" {
		t.Errorf("Confirm of an expired code (-want +got):\n%s", diff)
	}
	w.wantTaken(0)
}

func TestPayingTwiceTakesMoneyOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	first := w.confirm(p, right)
	for _, code := range []acquirer.Code{right, decline, "222222"} {
		if diff := cmp.Diff(first, w.confirm(p, code)); diff != "" {
			t.Errorf("Confirm(%s) of a paid payment (-first +again):\n%s", code, diff)
		}
	}
	w.wantTaken(1)
	w.wantNotifications(1)
}

func TestBeginAgainOpensNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	w.confirm(p, "222222")
	w.begin(p)
	// The tries are those of the first payment: it is the same one.
	wrong := acquirer.Confirmed(acquirer.WrongCode{TriesLeft: 3})
	if diff := cmp.Diff(wrong, w.confirm(p, "222222")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w.confirm(p, right)
	w.begin(p)
	w.wantTaken(1)

	other := p
	other.Money.Minor++
	if begun, err := w.adapter.Begin(t.Context(), other); err == nil || errors.Is(err, acquirer.ErrNotSent) {
		t.Errorf("Begin of another amount under the same attempt = %v, %v, want an unknown outcome", begun, err)
	}

	declined := w.beginWallet("0912345678")
	w.confirm(declined, decline)
	want := acquirer.Begun(acquirer.BeginDeclined{Reason: acquirer.GenericDecline})
	if diff := cmp.Diff(want, w.begin(declined)); diff != "" {
		t.Errorf("Begin of a declined payment (-want +got):\n%s", diff)
	}
}

// wantUnknown confirms with the right code and checks that nothing was learnt.
func (w *world) wantUnknown(p acquirer.Payment) {
	w.t.Helper()
	confirmed, err := w.adapter.Confirm(w.t.Context(), ref(p.Attempt), right)
	if err == nil || errors.Is(err, acquirer.ErrNotSent) {
		w.t.Fatalf("Confirm = %v, %v, want an unknown outcome", confirmed, err)
	}
}

func TestNumber1TakesTheMoneyAndTimesOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0920000001")
	if _, ok := w.confirm(p, "222222").(acquirer.WrongCode); !ok {
		t.Error("a wrong code is wrong for this number too")
	}
	w.wantUnknown(p)
	w.wantTaken(1)
	w.wantState(p, acquirer.StatePending, "")
	w.settle(p, "declined", 409)
	if _, err := w.adapter.Confirm(t.Context(), ref(p.Attempt), right); !errors.Is(err, acquirer.ErrUndecided) {
		t.Errorf("second Confirm: %v, want undecided", err)
	}
	w.clock.Advance(3*time.Second - time.Nanosecond)
	w.wantState(p, acquirer.StatePending, "")
	w.clock.Advance(time.Nanosecond)
	w.wantState(p, acquirer.StatePaid, "")
	w.wantTaken(1)
	w.wantNotifications(0)
}

func TestNumber2TimesOutWithoutTakingMoney(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0920000002")
	w.wantState(p, acquirer.StatePending, "")
	w.wantUnknown(p)
	w.wantState(p, acquirer.StateDeclined, acquirer.TimedOut)
	w.wantTaken(0)
	w.wantNotifications(0)
}

func TestNumber3StaysPendingUntilSettled(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[string]struct {
		state  acquirer.State
		reason acquirer.Reason
		taken  int
	}{
		"paid":     {acquirer.StatePaid, "", 1},
		"declined": {acquirer.StateDeclined, acquirer.GenericDecline, 0},
	} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.beginWallet("0920000003")
			for range 2 {
				c, err := w.adapter.Confirm(t.Context(), ref(p.Attempt), right)
				if !errors.Is(err, acquirer.ErrUndecided) {
					t.Errorf("Confirm = %v, %v, want undecided", c, err)
				}
			}
			c, err := w.adapter.Confirm(t.Context(), ref(p.Attempt), decline)
			if !errors.Is(err, acquirer.ErrUndecided) {
				t.Errorf("a second code decides: %v, %v", c, err)
			}
			w.clock.Advance(1000 * time.Hour)
			w.wantState(p, acquirer.StatePending, "")
			w.wantTaken(0)
			w.settle(p, outcome, 200)
			w.wantState(p, want.state, want.reason)
			w.wantTaken(want.taken)
			w.wantNotifications(1)
		})
	}
}

func TestNumber4IsDeclinedAndCanStillBePaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0920000004")
	want := acquirer.Confirmed(acquirer.Declined{Reason: acquirer.InsufficientFunds})
	if diff := cmp.Diff(want, w.confirm(p, right)); diff != "" {
		t.Errorf("Confirm (-want +got):\n%s", diff)
	}
	w.settle(p, "declined", 200) // as it is: nothing happens
	w.wantState(p, acquirer.StateDeclined, acquirer.InsufficientFunds)
	w.wantNotifications(1)

	w.clock.Advance(26 * time.Hour)
	w.settle(p, "paid", 200)
	w.wantState(p, acquirer.StatePaid, "")
	w.settle(p, "paid", 200)
	w.settle(p, "declined", 409)
	w.wantTaken(1)
	w.wantNotifications(2)
	if at := w.ledger()[0].TakenAt; !at.Equal(w.clock.Now()) {
		t.Errorf("taken at %v, want %v", at, w.clock.Now())
	}
}

func TestASilentNumberIsReleasedByItsClientAndByClose(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *bank.Config) { c.HoldLimit = time.Hour })
	leaving, staying := w.beginWallet("0920000001"), w.beginWallet("0920000001")
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	ended := make(chan error, 2)
	confirm := func(ctx context.Context, id domain.AttemptID) {
		_, err := w.adapter.Confirm(ctx, ref(id), right)
		ended <- err
	}
	go confirm(ctx, leaving.Attempt)
	go confirm(t.Context(), staying.Attempt)
	w.eventually("both payments are taken", func() bool { return len(w.ledger()) == 2 })

	leave()
	if err := <-ended; !errors.Is(err, context.Canceled) || errors.Is(err, acquirer.ErrNotSent) {
		t.Errorf("Confirm of a client that left: %v, want an unknown outcome", err)
	}
	w.eventually("the bank ends the request", func() bool { return w.active.Load() == 1 })
	if err := w.bank.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || errors.Is(err, acquirer.ErrNotSent) || isTimeout(err) {
		t.Errorf("Confirm when the bank closes: %v, want an unknown outcome", err)
	}
}

// eventually waits until the condition holds, for a minute at most.
func (w *world) eventually(what string, holds func() bool) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			w.t.Fatalf("never: %s", what)
		}
	}
}
