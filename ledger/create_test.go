package ledger_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/ledger"
	"daftar/projections"
)

// A repeated create returns the intent that exists, in any state, and changes
// nothing: the other fields of the repeated request are ignored.
func TestCreateAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	c := w.plain()
	customer, to, until := "c-1", "https://shop.example/", s.Now().Add(time.Hour)
	different := domain.Create{ExpiresAt: &until, Terms: domain.Terms{
		Application: w.app, MerchantReference: c.MerchantReference,
		Amount: domain.Money{Minor: 7000, Currency: domain.LYD}, Description: "شاي",
		CustomerID: &customer, ReturnURL: &to, Metadata: domain.Metadata{{Key: "a", Value: "b"}},
	}}
	row := s.create(t, c)
	if row.ID != w.namespace.IntentID(c.MerchantReference) || row.Version != 1 ||
		row.Status != domain.StatusRequiresPaymentMethod {
		t.Errorf("created %+v", row)
	}
	for n, next := range []domain.Command{
		nil,
		domain.StartAttempt{Attempt: "a", Acquirer: "sandbox", Method: "wallet"},
		domain.FailAttempt{Attempt: "a", Reason: "declined"},
		domain.StartAttempt{Attempt: "b", Acquirer: "sandbox", Method: "wallet"},
		domain.RecordPayment{Attempt: "b", Amount: c.Amount, ProviderReference: "p"},
	} {
		if next != nil {
			row = projections.IntentOf(s.execute(t, row.ID, next))
		}
		for what, again := range map[string]domain.Create{"the same": c, "other fields": different} {
			got, created, err := s.Create(t.Context(), again, w.namespace, merchant)
			if err != nil || created {
				t.Errorf("%s in state %s: created %v, %v", what, row.Status, created, err)
			}
			if diff := cmp.Diff(row, got); diff != "" {
				t.Errorf("%s in state %s (-row +answered):\n%s", what, row.Status, diff)
			}
		}
		if events := w.count(t); events != n+1 {
			t.Errorf("%d events, want %d", events, n+1)
		}
	}
}

// Merchant references are compared byte for byte, within one application.
func TestReferencesAreComparedByteForByte(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	seen := make(map[domain.IntentID]bool)
	other := domain.Namespace(uuid.New())
	for _, reference := range []domain.MerchantReference{"a", "A", "a ", "é", "e\u0301"} {
		for _, n := range []domain.Namespace{w.namespace, other} {
			c := w.plain()
			c.MerchantReference = reference
			i, created, err := s.Create(t.Context(), c, n, merchant)
			if err != nil || !created || seen[i.ID] || i.MerchantReference != reference {
				t.Errorf("%q: %+v, created %v, %v", reference, i, created, err)
			}
			seen[i.ID] = true
		}
	}
}

// Fifty requests on two servers create the same reference at once. One of them creates the
// intent, and all get the same one.
func TestManyCreateOneReference(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	servers := [2]*server{w.open(t, 0), w.open(t, 0)}
	for range 4 {
		c := w.plain()
		var created atomic.Int64
		answers := make([]projections.Intent, 50)
		w.rush(t, servers, len(answers), func(n int, s *server) {
			mine := c
			mine.Amount.Minor += int64(n)
			i, isNew, err := s.Create(t.Context(), mine, w.namespace, merchant)
			if err != nil {
				t.Errorf("create %d: %v", n, err)
			}
			if isNew {
				created.Add(1)
				if i.Amount != mine.Amount {
					t.Errorf("the request that created it sent %v and got %v", mine.Amount, i.Amount)
				}
			}
			answers[n] = i
		})
		if created.Load() != 1 {
			t.Errorf("%d requests created it", created.Load())
		}
		for n := range answers {
			if diff := cmp.Diff(answers[0], answers[n]); diff != "" {
				t.Errorf("answers 0 and %d differ:\n%s", n, diff)
			}
		}
	}
	if n := w.count(t); n != 4 {
		t.Errorf("%d events, want 4", n)
	}
}

// The window of expires_at is checked for a new intent only.
func TestWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	existing := w.plain()
	row := s.create(t, existing)
	for what, ahead := range map[string]time.Duration{
		"past": -time.Hour, "now": 0, "too soon": domain.MinExpiry, "too late": domain.MaxExpiry + time.Minute,
	} {
		until := s.Now().Add(ahead)
		again, fresh := existing, w.plain()
		again.ExpiresAt, fresh.ExpiresAt = &until, &until
		i, created, err := s.Create(t.Context(), fresh, w.namespace, merchant)
		if !errors.Is(err, domain.RefusedWindow) || created || i.Version != 0 {
			t.Errorf("%s, new: %+v, created %v, %v; want RefusedWindow", what, i, created, err)
		}
		i, created, err = s.Create(t.Context(), again, w.namespace, merchant)
		if err != nil || created {
			t.Errorf("%s, again: created %v, %v", what, created, err)
		}
		if diff := cmp.Diff(row, i); diff != "" {
			t.Errorf("%s, again (-row +answered):\n%s", what, diff)
		}
	}
	for _, ahead := range []time.Duration{domain.MinExpiry + time.Minute, domain.MaxExpiry - time.Minute} {
		c := w.plain()
		until := s.Now().Add(ahead)
		c.ExpiresAt = &until
		if i := s.create(t, c); !i.ExpiresAt.Equal(until.Truncate(time.Microsecond)) {
			t.Errorf("expires at %v, want %v", i.ExpiresAt, until)
		}
	}
	if n := w.count(t); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
}

// A create within the window races with requests for the same reference outside of it. Each
// of those is either refused, because the intent did not exist yet, or gets the intent.
func TestWindowWithAConcurrentCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	servers := []*server{w.open(t, 0), w.open(t, 0)}
	past := time.Now().Add(-time.Hour)
	for range 5 {
		inside := w.plain()
		outside := inside
		outside.ExpiresAt = &past
		var wg sync.WaitGroup
		var row projections.Intent
		shown := make([]projections.Intent, 16)
		for n := range shown {
			wg.Go(func() {
				i, created, err := servers[n%2].Create(t.Context(), outside, w.namespace, merchant)
				if created || err != nil && !errors.Is(err, domain.RefusedWindow) {
					t.Errorf("outside: created %v, %v", created, err)
				}
				if err == nil {
					shown[n] = i
				}
			})
		}
		wg.Go(func() { row = servers[0].create(t, inside) })
		wg.Wait()
		for _, i := range shown {
			if diff := cmp.Diff(row, i); i.Version != 0 && diff != "" {
				t.Errorf("shown (-row +shown):\n%s", diff)
			}
		}
	}
}

// Other refusals do not depend on whether the intent exists, and write nothing.
func TestMalformedCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	existing := w.plain()
	s.create(t, existing)
	for _, c := range []domain.Create{existing, w.plain()} {
		c.Amount.Minor = domain.MinAmount - 1
		i, created, err := s.Create(t.Context(), c, w.namespace, merchant)
		if !errors.Is(err, domain.RefusedMalformed) || created {
			t.Errorf("%+v, created %v, %v; want RefusedMalformed", i, created, err)
		}
	}
	if n := w.count(t); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

// A credential that was authenticated under an earlier epoch can neither write nor read.
func TestFence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.open(t, 0)
	existing := w.plain()
	row, created, err := s.Create(t.Context(), existing, w.namespace,
		ledger.Origin{Actor: "application:test", Epoch: 1})
	if err != nil || !created {
		t.Fatalf("create under the current epoch: %v, %v", created, err)
	}
	if _, err := s.Current(t.Context(), row.ID, 1); err != nil {
		t.Errorf("read under the current epoch: %v", err)
	}
	epoch := w.changeCredentials(t)
	stale := ledger.Origin{Actor: "application:test", Epoch: epoch - 1}
	past := time.Now().Add(-time.Hour)
	fresh, outside := w.plain(), w.plain()
	outside.ExpiresAt = &past
	repeated := existing
	repeated.ExpiresAt = &past
	for what, c := range map[string]domain.Create{
		"new": fresh, "again": existing, "outside the window": outside,
		"again outside the window": repeated,
	} {
		i, created, err := s.Create(t.Context(), c, w.namespace, stale)
		if !errors.Is(err, ledger.ErrStaleCredential) || created || i.Version != 0 {
			t.Errorf("create, %s: %+v, %v, %v; want ErrStaleCredential", what, i, created, err)
		}
	}
	for what, id := range map[string]domain.IntentID{"existing": row.ID, "absent": domain.IntentID(uuid.New())} {
		i, err := s.Current(t.Context(), id, stale.Epoch)
		if !errors.Is(err, ledger.ErrStaleCredential) || i.Version != 0 {
			t.Errorf("current, %s: %+v, %v; want ErrStaleCredential", what, i, err)
		}
	}
	_, err = s.Execute(t.Context(), row.ID, domain.StartAttempt{Attempt: "a"}, stale)
	if !errors.Is(err, ledger.ErrStaleCredential) {
		t.Errorf("execute: %v, want ErrStaleCredential", err)
	}
	// A stale credential does not even cancel an overdue intent.
	late := w.open(t, 48*time.Hour)
	if _, err := late.Current(t.Context(), row.ID, stale.Epoch); !errors.Is(err, ledger.ErrStaleCredential) {
		t.Errorf("current, overdue: %v, want ErrStaleCredential", err)
	}
	if n := w.count(t); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
	// The same credential is valid under the new epoch.
	got, created, err := s.Create(t.Context(), existing, w.namespace,
		ledger.Origin{Actor: "application:test", Epoch: epoch})
	if err != nil || created || got.ID != row.ID {
		t.Errorf("create under the new epoch: %v, %v", created, err)
	}
}
