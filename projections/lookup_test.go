package projections_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
)

// halting is a pool on which the queries of Find wait until they are released.
type halting struct {
	queries atomic.Int64
	halted  atomic.Int64
	release chan struct{} // closed to let everything pass
}

func (h *halting) watch(ctx context.Context, sql string) {
	if !strings.Contains(sql, "credential_epoch") {
		return
	}
	h.queries.Add(1)
	h.halted.Add(1)
	defer h.halted.Add(-1)
	select {
	case <-h.release:
	case <-ctx.Done():
	}
}

// halt returns Intents that are busy: two queries are under way, so that all further look-ups wait.
// The answers to the two come on the channel.
func halt(t *testing.T, b *book, id domain.IntentID) (*projections.Intents, *halting, <-chan error) {
	t.Helper()
	h := &halting{release: make(chan struct{})}
	intents := projections.NewIntents(watched(t, b.db.ServiceURL(), h.watch))
	t.Cleanup(intents.Close)
	answers := make(chan error, 2)
	for n := range int64(2) {
		go func() { answers <- exists(t.Context(), intents, id) }()
		pgtest.WaitFor(t, "a query to be under way", func() bool { return h.halted.Load() == n+1 })
	}
	return intents, h, answers
}

// exists is the error of a look-up of an intent that exists.
func exists(ctx context.Context, intents *projections.Intents, id domain.IntentID) error {
	found, err := intents.Find(ctx, id)
	if err == nil && (!found.Exists || found.Intent.ID != id) {
		return fmt.Errorf("found %+v", found)
	}
	return err
}

// Two hundred readers come while the database is busy. They are answered by a few queries, each
// with its own intent, and look-ups of intents that do not exist report that.
func TestReadersShareQueries(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	var there []projections.Intent
	for range 20 {
		there = append(there, b.create(t, b.plain()))
	}
	intents, h, _ := halt(t, b, there[0].ID)
	const readers = 200
	var wg sync.WaitGroup
	for n := range readers {
		wg.Go(func() {
			if n%3 == 0 {
				found, err := intents.Find(t.Context(), domain.IntentID(uuid.New()))
				if err != nil || found.Exists || found.Epoch != 1 || found.Intent.ID != (domain.IntentID{}) {
					t.Errorf("an absent intent is found as %+v, %v", found, err)
				}
				return
			}
			want := projections.Found{Intent: there[n%len(there)], Exists: true, Epoch: 1}
			found, err := intents.Find(t.Context(), want.Intent.ID)
			if diff := cmp.Diff(want, found); diff != "" || err != nil {
				t.Errorf("reader %d, %v (-want +got):\n%s", n, err, diff)
			}
		})
	}
	pgtest.WaitFor(t, "all to have asked", func() bool { return intents.Waiting() == readers })
	close(h.release)
	wg.Wait()
	if n := h.queries.Load(); n < 3 || n > 4 {
		t.Errorf("%d queries, want the two before and one or two for %d readers", n, readers)
	}
}

// Many readers of intents, with concurrent writers of the same ones: each answer is the requested
// intent, and not older than the look-up.
func TestFindBesideWriters(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	intents := projections.NewIntents(b.db.Pool(t))
	defer intents.Close()
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			i, _, err := b.Create(t.Context(), b.plain(), b.namespace, ledger.Origin{Actor: "application:test"})
			if err != nil {
				t.Errorf("create: %v", err)
				return
			}
			for n, c := range []domain.Command{
				nil,
				domain.StartAttempt{Attempt: "a", Acquirer: "sandbox", Method: "wallet"},
				domain.FailAttempt{Attempt: "a"},
			} {
				if c != nil {
					if _, err := b.Execute(t.Context(), i.ID, c, ledger.Origin{Actor: "payer"}); err != nil {
						t.Errorf("execute %T: %v", c, err)
						return
					}
				}
				found, err := intents.Find(t.Context(), i.ID)
				if err != nil || !found.Exists || found.Intent.ID != i.ID || found.Intent.Version != n+1 ||
					found.Intent.MerchantReference != i.MerchantReference {
					t.Errorf("after version %d: %+v, %v", n+1, found, err)
				}
			}
		})
	}
	wg.Wait()
}

// The epoch of an answer is between the one before the look-up and the one after the answer,
// whether the intent exists or not.
func TestFindSeesTheEpochOfItsMoment(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	i := b.create(t, b.plain())
	owner := b.db.OwnerPool(t)
	var begun, ended atomic.Int64 // epochs that may be and that must be
	begun.Store(1)
	ended.Store(1)
	stop := make(chan struct{})
	var answers atomic.Int64
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				id := i.ID
				if n%2 == 0 {
					id = domain.IntentID(uuid.New())
				}
				least := ended.Load()
				found, err := b.intents.Find(t.Context(), id)
				most := begun.Load()
				if err != nil || found.Exists != (n%2 == 1) || found.Epoch < least || found.Epoch > most {
					t.Errorf("found %v with epoch %d, %v; want %d to %d", found.Exists, found.Epoch, err, least, most)
				}
				answers.Add(1)
			}
		})
	}
	for n := range int64(30) {
		begun.Store(n + 2)
		exec(t, owner, `UPDATE credential_epoch SET epoch = epoch + 1`)
		ended.Store(n + 2)
		before := answers.Load()
		pgtest.WaitFor(t, "answers", func() bool { return answers.Load() > before+20 })
	}
	close(stop)
	wg.Wait()
}

// A caller that is canceled returns at once; others that share its query are answered.
func TestFindOfACanceledCaller(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	i := b.create(t, b.plain())
	intents, h, _ := halt(t, b, i.ID)
	ctx, cancel := context.WithCancel(t.Context())
	leaving, staying := make(chan error, 4), make(chan error, 4)
	for range 4 {
		go func() { leaving <- exists(ctx, intents, i.ID) }()
		go func() { staying <- exists(t.Context(), intents, i.ID) }()
	}
	pgtest.WaitFor(t, "all to have asked", func() bool { return intents.Waiting() == 8 })
	cancel()
	for range 4 {
		if err := <-leaving; !errors.Is(err, context.Canceled) {
			t.Errorf("the caller that left: %v", err)
		}
	}
	close(h.release)
	for range 4 {
		if err := <-staying; err != nil {
			t.Errorf("a caller that stayed: %v", err)
		}
	}
}

// After Close nobody waits for ever: neither callers whose query is under way, nor those that wait
// for a query, nor later ones.
func TestClose(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	i := b.create(t, b.plain())
	intents, h, underWay := halt(t, b, i.ID)
	answers := make(chan error, 50)
	for range cap(answers) {
		go func() { answers <- exists(t.Context(), intents, i.ID) }()
	}
	pgtest.WaitFor(t, "the others to have asked", func() bool { return intents.Waiting() == cap(answers) })
	closed := make(chan struct{})
	for range 2 { // closing twice is allowed
		go func() { intents.Close(); closed <- struct{}{} }()
	}
	close(h.release)
	<-closed
	<-closed
	for range 2 {
		if err := <-underWay; err != nil && !errors.Is(err, projections.ErrClosed) {
			t.Errorf("find whose query was under way: %v", err)
		}
	}
	for range cap(answers) {
		if err := <-answers; err != nil && !errors.Is(err, projections.ErrClosed) {
			t.Errorf("find while closing: %v", err)
		}
	}
	for range 10 {
		if _, err := intents.Find(t.Context(), i.ID); !errors.Is(err, projections.ErrClosed) {
			t.Errorf("find after close: %v, want ErrClosed", err)
		}
	}
	intents.Close()
}

// An outage has its own kind of error, never "not found", and it ends.
func TestFindInAnOutage(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	i := b.create(t, b.plain())
	proxy := pgtest.Proxy(t, b.db.ServiceURL())
	intents := projections.NewIntents(pgtest.Open(t, proxy.URL(), postgres.Options{}))
	t.Cleanup(intents.Close)
	proxy.Refuse()
	if found, err := intents.Find(t.Context(), i.ID); postgres.Classify(err) != postgres.Unavailable {
		t.Errorf("find in an outage: %+v, %v", found, err)
	}
	proxy.Pass()
	pgtest.WaitFor(t, "the database to be reached again", func() bool {
		found, err := intents.Find(t.Context(), i.ID)
		return err == nil && found.Exists
	})
	proxy.Stall()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if found, err := intents.Find(ctx, i.ID); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("find in silence: %+v, %v", found, err)
	}
	proxy.Pass()
	if found, err := intents.Find(t.Context(), i.ID); err != nil || !found.Exists {
		t.Errorf("find after the silence: %+v, %v", found, err)
	}
}

// Readers at the same time, like the requests of a busy API.
func BenchmarkFind(b *testing.B) {
	book := open(b, false)
	var ids []domain.IntentID
	for range 100 {
		ids = append(ids, book.create(b, book.plain()).ID)
	}
	for _, readers := range []int{1, 64} {
		b.Run(fmt.Sprintf("%d readers", readers), func(b *testing.B) {
			var begun atomic.Int64
			var wg sync.WaitGroup
			b.ReportAllocs()
			b.ResetTimer()
			for range readers {
				wg.Go(func() {
					for n := begun.Add(1); n <= int64(b.N); n = begun.Add(1) {
						if err := exists(b.Context(), book.intents, ids[n%int64(len(ids))]); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
		})
	}
}
