package sandbox_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"daftar/payments/acquirer"
)

func TestNumber5NotifiesThreeTimes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0920000005")
	if _, ok := w.confirm(p, right).(acquirer.Paid); !ok {
		t.Fatal("the number did not pay")
	}
	var genuine, forged, otherAmount int
	for _, n := range w.notifications() {
		attempt, err := w.adapter.ParseNotification(acquirer.Message{Header: n.header, Body: n.body})
		if errors.Is(err, acquirer.ErrForged) {
			forged++
			continue
		}
		if err != nil || attempt.Reference != string(p.Attempt) {
			t.Fatalf("ParseNotification = %v, %v", attempt, err)
		}
		genuine++
		var body struct{ Amount int64 }
		if err := json.Unmarshal(n.body, &body, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		if body.Amount != p.Money.Minor {
			otherAmount++
		}
	}
	if genuine != 2 || forged != 1 || otherAmount != 1 {
		t.Errorf("%d genuine, %d forged, %d with another amount; want 2, 1, 1", genuine, forged, otherAmount)
	}
	w.wantTaken(1)
	w.wantState(p, acquirer.StatePaid, "") // the inquiry has the right amount, which inquire checks
}

func TestANotificationIsTriedAgain(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		statuses []int
		want     int
	}{
		{"after a fault", []int{500}, 2},
		{"no more often than planned", []int{500, 502, 503, 504}, 3},
		{"not after a refusal", []int{400}, 1},
		{"not after a redirect", []int{302}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.inbox.statuses = tc.statuses
			w.confirm(w.beginWallet("0912345678"), right)
			w.wantNotifications(tc.want)
		})
	}
}

// A receiver that fails gets each misbehaving notification once: number 5 sends three, and only
// the right one is tried until it arrives.
func TestMisbehavingNotificationsAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.inbox.statuses = []int{500, 500, 500}
	w.confirm(w.beginWallet("0920000005"), right)
	w.wantNotifications(4)
}

func TestCloseEndsNotifications(t *testing.T) {
	t.Parallel()
	arrived, over := make(chan struct{}), make(chan struct{})
	stuck := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(arrived)
		<-over
	}))
	t.Cleanup(stuck.Close)
	t.Cleanup(func() { close(over) })
	w := newWorld(t)
	p := w.walletPayment("0912345678")
	p.NotifyURL = stuck.URL
	w.begin(p)
	w.confirm(p, right)
	<-arrived
	if err := w.bank.Close(); err != nil {
		t.Fatal(err)
	}
	atOnce, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.bank.WaitNotified(atOnce); err != nil {
		t.Errorf("a notification outlives the bank: %v", err)
	}
}

func TestAnUnreachableReceiverDelaysNoPayment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.inbox.Close()
	p := w.beginWallet("0912345678")
	w.confirm(p, right)
	w.wantNotifications(0)
	w.wantState(p, acquirer.StatePaid, "")
}

func TestForgedNotificationsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	w.confirm(p, right)
	genuine := w.notifications()[0]
	got, err := w.adapter.ParseNotification(acquirer.Message{Header: genuine.header, Body: genuine.body})
	if err != nil || got.Reference != string(p.Attempt) {
		t.Fatalf("genuine notification: %v, %v", got, err)
	}
	with := func(name string, values ...string) http.Header {
		h := genuine.header.Clone()
		h[http.CanonicalHeaderKey(name)] = values
		return h
	}
	signature, timestamp := genuine.header.Get("Sandbox-Signature"), genuine.header.Get("Sandbox-Timestamp")
	for name, forged := range map[string]pushed{
		"no headers":         {http.Header{}, genuine.body},
		"no signature":       {with("Sandbox-Signature"), genuine.body},
		"empty signature":    {with("Sandbox-Signature", ""), genuine.body},
		"half a signature":   {with("Sandbox-Signature", signature[:32]), genuine.body},
		"two signatures":     {with("Sandbox-Signature", signature, signature), genuine.body},
		"another signature":  {with("Sandbox-Signature", "00"+signature[2:]), genuine.body},
		"no hex":             {with("Sandbox-Signature", "x"+signature[1:]), genuine.body},
		"another time":       {with("Sandbox-Timestamp", timestamp[:len(timestamp)-1]+"9"), genuine.body},
		"another body":       {genuine.header, append([]byte(" "), genuine.body...)},
		"timestamp no digit": {with("Sandbox-Timestamp", "now"), genuine.body},
	} {
		m := acquirer.Message{Header: forged.header, Body: forged.body}
		got, err := w.adapter.ParseNotification(m)
		if !errors.Is(err, acquirer.ErrForged) || got != (acquirer.Notice{}) {
			t.Errorf("%s: %v, %v, want ErrForged", name, got, err)
		}
	}
}

func TestOldNotificationsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.confirm(w.beginWallet("0912345678"), right)
	genuine := w.notifications()[0]
	for _, tc := range []struct {
		after  time.Duration
		forged bool
	}{
		{5 * time.Minute, false},
		{time.Second, true},
		{-10*time.Minute - time.Second, false},
		{-time.Second, true},
	} {
		w.clock.Advance(tc.after)
		_, err := w.adapter.ParseNotification(acquirer.Message{Header: genuine.header, Body: genuine.body})
		if errors.Is(err, acquirer.ErrForged) != tc.forged || (err == nil) == tc.forged {
			t.Errorf("at %v: %v, want forged %t", w.clock.Now(), err, tc.forged)
		}
	}
}

// A message with the right signature that cannot be read is not forged.
func TestAGenuineButUnreadableNotification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, body := range []string{`<html>`, `{"id":"short"}`, `{"id":7}`, `{}`, `{"id":"0123456789/../x"}`} {
		header := httptest.NewRequest(http.MethodPost, "/", nil).Header
		header.Set("Sandbox-Timestamp", "1795204800") // the clock's beginning
		header.Set("Sandbox-Signature", signature(secret, "1795204800", body))
		got, err := w.adapter.ParseNotification(acquirer.Message{Header: header, Body: []byte(body)})
		if err == nil || errors.Is(err, acquirer.ErrForged) || got != (acquirer.Notice{}) {
			t.Errorf("%s: %v, %v, want an error that is not ErrForged", body, got, err)
		}
	}
}
