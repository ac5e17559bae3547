package eventstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// open starts a store on a database and checks the whole log when the test ends.
func open(t *testing.T, writes *pgxpool.Pool, db *pgtest.DB, o eventstore.Options) *eventstore.Store {
	t.Helper()
	reads := db.Pool(t)
	s := eventstore.New(writes, reads, o)
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
		checkLog(t, reads)
	})
	return s
}

// checkLog checks that the whole log is what the package promises: positions 1..N, and in each
// stream versions 1..n whose positions grow.
func checkLog(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	rows, err := pool.Query(context.Background(),
		`SELECT position, stream_id, version FROM events ORDER BY position`)
	if err != nil {
		t.Errorf("read log: %v", err)
		return
	}
	defer rows.Close()
	versions := make(map[[16]byte]int)
	for next := int64(1); rows.Next(); next++ {
		var position int64
		var stream [16]byte
		var version int
		if err := rows.Scan(&position, &stream, &version); err != nil {
			t.Errorf("read log: %v", err)
			return
		}
		versions[stream]++
		if position != next || version != versions[stream] {
			t.Errorf("log has position %d where %d belongs, version %d of %x where %d belongs",
				position, next, version, stream, versions[stream])
			return
		}
	}
	if err := rows.Err(); err != nil {
		t.Errorf("read log: %v", err)
	}
}

func count(t *testing.T, db *pgtest.DB) int {
	t.Helper()
	var n int
	if err := db.Pool(t).QueryRow(t.Context(), `SELECT count(*) FROM events`).Scan(&n); err != nil {
		t.Fatalf("count events: %v", err)
	}
	return n
}

func event(payload string) eventstore.Event {
	return eventstore.Event{Type: "test.happened", SchemaVersion: 1, Payload: []byte(payload)}
}

func one(stream uuid.UUID, expected int, payload string) eventstore.Append {
	return eventstore.Append{Stream: stream, Expected: expected, Events: []eventstore.Event{event(payload)}}
}

func TestAppendIsReadBackExactly(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	stream := uuid.New()
	payload := `{ "spaces":  "kept", "دفتر": "\u0644" }`
	before := time.Now().Add(-time.Minute)

	got, err := s.Append(t.Context(), eventstore.Append{
		Stream: stream, Events: []eventstore.Event{event(payload),
			{Type: "test.ended", SchemaVersion: 7, Payload: []byte("{}")}},
		Metadata: eventstore.Metadata{Actor: "application:x", RequestID: "r-1", CorrelationID: "c-1",
			CausationID: "e-1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := (eventstore.Appended{Version: 2, Position: 2}); got != want {
		t.Errorf("appended at %+v, want %+v", got, want)
	}
	read, err := s.ReadStream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	for n := range read {
		at := read[n].RecordedAt
		if at.Before(before) || at.After(time.Now().Add(time.Minute)) || at.Location() != time.UTC {
			t.Errorf("recorded at %v", at)
		}
		read[n].RecordedAt = time.Time{}
	}
	metadata := []byte(`{"actor":"application:x","request_id":"r-1",` +
		`"correlation_id":"c-1","causation_id":"e-1"}`)
	want := []eventstore.Recorded{
		{
			Position: 1, Stream: stream, Version: 1, Type: "test.happened", SchemaVersion: 1,
			Payload: []byte(payload), Metadata: metadata,
		},
		{
			Position: 2, Stream: stream, Version: 2, Type: "test.ended", SchemaVersion: 7,
			Payload: []byte("{}"), Metadata: metadata,
		},
	}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("stream (-want +got):\n%s", diff)
	}
}

func TestConflictSaysWhatWasExpectedAndWhatIs(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	stream := uuid.New()
	if _, err := s.Append(t.Context(), one(stream, 0, `1`)); err != nil {
		t.Fatal(err)
	}
	for _, expected := range []int{0, 2, 9} {
		_, err := s.Append(t.Context(), one(stream, expected, `2`))
		var conflict *eventstore.Conflict
		if !errors.As(err, &conflict) {
			t.Fatalf("append at %d: %v, want a conflict", expected, err)
		}
		if want := (eventstore.Conflict{Stream: stream, Expected: expected, Actual: 1}); *conflict != want {
			t.Errorf("conflict %+v, want %+v", *conflict, want)
		}
	}
	if n := count(t, db); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

// Sixty-four writers race for each next version of one stream. Every success is
// an event and every event a success.
func TestOneStreamManyWriters(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	stream := uuid.New()
	var accepted, rejected atomic.Int64
	const writers, rounds = 64, 20
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			expected := 0
			for r := range rounds {
				got, err := s.Append(t.Context(), one(stream, expected, fmt.Sprintf(`{"writer":%d,"round":%d}`, w, r)))
				var conflict *eventstore.Conflict
				switch {
				case err == nil:
					accepted.Add(1)
					expected = got.Version
				case errors.As(err, &conflict):
					rejected.Add(1)
					expected = conflict.Actual
				default:
					t.Errorf("writer %d: %v", w, err)
				}
			}
		})
	}
	wg.Wait()
	n := count(t, db)
	if int64(n) != accepted.Load() || accepted.Load()+rejected.Load() != writers*rounds || rejected.Load() == 0 {
		t.Errorf("%d accepted, %d rejected, %d events of %d requests",
			accepted.Load(), rejected.Load(), n, writers*rounds)
	}
}

// Two servers write many streams at once; checkLog finds positions 1..N.
func TestManyStreamsTwoServers(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	servers := []*eventstore.Store{
		open(t, db.Pool(t), db, eventstore.Options{}),
		open(t, db.Pool(t), db, eventstore.Options{}),
	}
	const writers, appends = 64, 30
	var positions sync.Map
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range appends {
				got, err := servers[(w+n)%2].Append(t.Context(), one(uuid.New(), 0, `{}`))
				if err != nil {
					t.Errorf("append: %v", err)
					return
				}
				if _, twice := positions.LoadOrStore(got.Position, w); twice {
					t.Errorf("position %d was given out twice", got.Position)
				}
			}
		})
	}
	wg.Wait()
	if n := count(t, db); n != writers*appends {
		t.Errorf("%d events, want %d", n, writers*appends)
	}
	if batches := servers[0].Stats().Batches; batches == 0 || batches >= writers*appends/2 {
		t.Errorf("%d batches for %d appends: appends that wait share a commit", batches, writers*appends/2)
	}
}

// One request of five hundred is refused by the database itself. It fails alone.
func TestPoisonFailsAlone(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	_, err := db.OwnerPool(t).Exec(t.Context(), `ALTER TABLE events ADD CHECK (payload <> 'poison')`)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, db.Pool(t), db, eventstore.Options{})
	var wg sync.WaitGroup
	var poisoned, accepted atomic.Int64
	for n := range 500 {
		wg.Go(func() {
			payload := fmt.Sprint(n)
			if n == 321 {
				payload = "poison"
			}
			_, err := s.Append(t.Context(), one(uuid.New(), 0, payload))
			switch {
			case err == nil:
				accepted.Add(1)
			case errors.Is(err, eventstore.ErrInvalid):
				poisoned.Add(1)
			default:
				t.Errorf("append %d: %v", n, err)
			}
		})
	}
	wg.Wait()
	if accepted.Load() != 499 || poisoned.Load() != 1 || count(t, db) != 499 {
		t.Errorf("%d accepted, %d refused, %d stored; want 499, 1, 499",
			accepted.Load(), poisoned.Load(), count(t, db))
	}
}

func TestInvalidAppendsAreRefusedBeforeTheyShareABatch(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	for name, a := range map[string]eventstore.Append{
		"no events":        {Stream: uuid.New()},
		"negative version": one(uuid.New(), -1, `1`),
		"NUL":              one(uuid.New(), 0, "a\x00b"),
		"invalid UTF-8":    one(uuid.New(), 0, "a\xff"),
		"no type":          {Stream: uuid.New(), Events: []eventstore.Event{{Payload: []byte(`1`)}}},
		"too many events":  {Stream: uuid.New(), Events: slices.Repeat([]eventstore.Event{event(`1`)}, 513)},
	} {
		if _, err := s.Append(t.Context(), a); !errors.Is(err, eventstore.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	if n := count(t, db); n != 0 {
		t.Errorf("%d events were stored", n)
	}
}

func TestFenceHoldsWhenCredentialsChange(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	a := one(uuid.New(), 0, `1`)
	a.Fence = 1
	if _, err := s.Append(t.Context(), a); err != nil {
		t.Fatalf("append under the present epoch: %v", err)
	}
	if _, err := db.Pool(t).Exec(t.Context(), `UPDATE credential_epoch SET epoch = epoch + 1`); err != nil {
		t.Fatal(err)
	}
	b := one(uuid.New(), 0, `2`)
	b.Fence = 1
	if _, err := s.Append(t.Context(), b); !errors.Is(err, eventstore.ErrFenced) {
		t.Errorf("append under a past epoch: %v, want ErrFenced", err)
	}
	if n := count(t, db); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

func TestTheLogCannotBeRewritten(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); err != nil {
		t.Fatal(err)
	}
	superuser := pgtest.Open(t, db.SuperuserURL(), postgres.Options{})
	for who, pool := range map[string]*pgxpool.Pool{"service": db.Pool(t), "owner": db.OwnerPool(t),
		"superuser": superuser} {
		for _, sql := range []string{
			`UPDATE events SET payload = '2'`,
			`UPDATE events SET payload = payload WHERE false`,
			`DELETE FROM events`,
			`TRUNCATE events`,
			`
				INSERT INTO events
				SELECT *
				FROM events
				ON CONFLICT (position) DO UPDATE
				SET payload = '2'`,
		} {
			if _, err := pool.Exec(t.Context(), sql); err == nil {
				t.Errorf("%s may run %s", who, sql)
			}
		}
	}
	var payload string
	err := db.Pool(t).QueryRow(t.Context(), `SELECT payload FROM events`).Scan(&payload)
	if err != nil || payload != `1` {
		t.Errorf("payload is %q, %v", payload, err)
	}
}
