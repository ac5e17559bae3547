package eventstore_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
)

const typeOfOthers = "other.happened"

// other asks for events of a stream that the inline read model is not about.
func other(stream uuid.UUID, expected, events int) eventstore.Append {
	a := eventstore.Append{Stream: stream, Expected: expected, NotShown: true}
	for n := range events {
		a.Events = append(a.Events, eventstore.Event{
			Type: typeOfOthers, SchemaVersion: 1, Payload: fmt.Append(nil, n),
		})
	}
	return a
}

// shown asks for the creation of an intent.
func shown(t *testing.T) eventstore.Append {
	t.Helper()
	i := domain.Blank(domain.IntentID(uuid.New()))
	decided, err := domain.Decide(i, domain.Create{CheckoutToken: "secret", Terms: domain.Terms{
		Application: domain.ApplicationID{1}, MerchantReference: domain.MerchantReference(i.ID.String()),
		Reference: "7k3qx0m2td", Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "tea",
	}}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	stored, err := domain.EncodeEvent(decided[0])
	if err != nil {
		t.Fatal(err)
	}
	return eventstore.Append{
		Stream: uuid.UUID(i.ID), Events: []eventstore.Event{eventstore.Event(stored)},
		Row: projections.IntentOf(domain.Evolve(i, decided[0])),
	}
}

// batches are what a store has committed, each with how many intents and how many others it has.
type batches struct {
	mu  sync.Mutex
	all [][2]int
}

func (b *batches) add(committed []eventstore.Recorded) {
	var has [2]int
	streams := map[uuid.UUID]bool{}
	for _, e := range committed {
		switch {
		case e.Type != typeOfOthers:
			has[0]++
		case !streams[e.Stream]:
			streams[e.Stream] = true
			has[1]++
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, has)
}

// wantRows checks the table of intents.
func wantRows(t *testing.T, db *pgtest.DB, want int) {
	t.Helper()
	var rows, known int
	err := db.Pool(t).QueryRow(t.Context(), `
		SELECT count(*), count(*) FILTER (WHERE EXISTS (
		           SELECT FROM events e WHERE e.stream_id = i.uuid AND e.type = 'intent.created'))
		FROM intents i`).Scan(&rows, &known)
	if err != nil || rows != want || known != want {
		t.Errorf("%d rows, %d of them of intents, %v; want %d", rows, known, err, want)
	}
}

// An append that is not shown shares no batch, wherever it is in the queue. Those around it do.
func TestNotShownSharesNoBatch(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	var b batches
	s := open(t, db.Pool(t), db, eventstore.Options{Inline: projections.Inline(), OnCommit: b.add})
	account := uuid.New()
	release := holdWith(t, db, s, other(uuid.New(), 0, 1))
	var wg sync.WaitGroup
	queue := []eventstore.Append{
		other(account, 0, 2), shown(t), shown(t), other(uuid.New(), 0, 3), other(uuid.New(), 0, 1), shown(t),
		other(account, 2, 1), other(account, 0, 1), shown(t),
	}
	var conflicts atomic.Int64
	for n, a := range queue {
		wg.Go(func() {
			got, err := s.Append(t.Context(), a)
			if c, is := errors.AsType[*eventstore.Conflict](err); is && n == 7 && c.Actual == 3 {
				conflicts.Add(1)
				return
			}
			if err != nil || got.Version != a.Expected+len(a.Events) {
				t.Errorf("append %d: %+v, %v", n, got, err)
			}
		})
		pgtest.WaitFor(t, "it to wait", func() bool { return s.Stats().Waiting == n+1 })
	}
	release()
	wg.Wait()
	if err := s.Close(t.Context()); err != nil { // the hooks have been called
		t.Fatal(err)
	}
	want := [][2]int{{0, 1}, {0, 1}, {2, 0}, {0, 1}, {0, 1}, {1, 0}, {0, 1}, {1, 0}}
	if diff := cmp.Diff(want, b.all); diff != "" || conflicts.Load() != 1 {
		t.Errorf("%d conflicts, batches (-want +got):\n%s", conflicts.Load(), diff)
	}
	wantRows(t, db, 4)
}

// Two servers append to many intents and to a few accounts at once, several events at a time.
func TestNotShownAmongMany(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	var b batches
	o := eventstore.Options{Inline: projections.Inline(), OnCommit: b.add}
	servers := []*eventstore.Store{open(t, db.Pool(t), db, o), open(t, db.Pool(t), db, o)}
	accounts := []uuid.UUID{uuid.New(), uuid.New(), uuid.New()}
	const writers, appends, each = 24, 12, 3
	var accepted, conflicts atomic.Int64
	var wg sync.WaitGroup
	for w := range writers {
		intents := make([]eventstore.Append, appends)
		for n := range intents {
			intents[n] = shown(t)
		}
		wg.Go(func() {
			for n, a := range intents {
				if _, err := servers[(w+n)%2].Append(t.Context(), a); err != nil {
					t.Errorf("intent: %v", err)
				}
			}
		})
		wg.Go(func() {
			expected := 0
			for n := range appends {
				a := other(accounts[w%len(accounts)], expected, each)
				got, err := servers[(w+n)%2].Append(t.Context(), a)
				c, conflict := errors.AsType[*eventstore.Conflict](err)
				switch {
				case err == nil && got.Version == expected+each:
					accepted.Add(1)
					expected = got.Version
				case conflict:
					conflicts.Add(1)
					expected = c.Actual
				default:
					t.Errorf("account: %+v, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
	for _, s := range servers {
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := int64(count(t, db)), writers*appends+each*accepted.Load(); got != want ||
		accepted.Load()+conflicts.Load() != writers*appends || conflicts.Load() == 0 {
		t.Errorf("%d events, want %d: %d accepted, %d conflicts", got, want, accepted.Load(), conflicts.Load())
	}
	for _, has := range b.all {
		if has[1] > 1 || has[1] == 1 && has[0] > 0 {
			t.Errorf("a batch of %d intents and %d appends that are not shown", has[0], has[1])
		}
	}
	wantRows(t, db, writers*appends)
}

// The answer, or the request, of an append that is not shown is lost. It is written once.
func TestLostAppendThatIsNotShown(t *testing.T) {
	t.Parallel()
	type proxy = *pgtest.ProxyServer
	for name, cut := range map[string]func(proxy) <-chan struct{}{
		"committed, answer lost": func(p proxy) <-chan struct{} { return p.LoseReply(pgtest.IsSync) },
		"request lost":           func(p proxy) <-chan struct{} { return p.LoseRequest(pgtest.IsSync) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.Database(t)
			proxy := pgtest.Proxy(t, db.ServiceURL())
			pool := pgtest.Open(t, proxy.URL(), postgres.Options{MaxConns: 2, NeverCancel: true})
			s := open(t, pool, db, eventstore.Options{Inline: projections.Inline()})
			account := uuid.New()
			for _, warm := range []eventstore.Append{shown(t), other(account, 0, 1)} {
				if _, err := s.Append(t.Context(), warm); err != nil {
					t.Fatal(err)
				}
			}
			happened := cut(proxy)
			got, err := s.Append(t.Context(), other(account, 1, 3))
			if err != nil || got.Version != 4 || got.Position != 5 {
				t.Errorf("append: %+v, %v", got, err)
			}
			select {
			case <-happened:
			default:
				t.Fatal("the connection was not cut: the test shows nothing")
			}
			if _, err := s.Append(t.Context(), other(account, 1, 3)); !isConflict(err, 4) {
				t.Errorf("the same append again: %v, want a conflict", err)
			}
			if _, err := s.Append(t.Context(), shown(t)); err != nil {
				t.Error(err)
			}
			if n := count(t, db); n != 6 {
				t.Errorf("%d events, want 6", n)
			}
			wantRows(t, db, 2)
		})
	}
}

func isConflict(err error, actual int) bool {
	c, is := errors.AsType[*eventstore.Conflict](err)
	return is && c.Actual == actual
}

// A store with an inline read model does not append to an intent without its row.
func TestAppendWithoutARow(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{Inline: projections.Inline()})
	a := shown(t)
	a.Row = nil
	if _, err := s.Append(t.Context(), a); !errors.Is(err, eventstore.ErrInvalid) {
		t.Errorf("append: %v, want ErrInvalid", err)
	}
	// The epoch holds for accounts, too.
	fenced := other(uuid.New(), 0, 1)
	fenced.Fence = 7
	if _, err := s.Append(t.Context(), fenced); !errors.Is(err, eventstore.ErrFenced) {
		t.Errorf("append under another epoch: %v, want ErrFenced", err)
	}
	if n := count(t, db); n != 0 {
		t.Errorf("%d events, want none", n)
	}
}
