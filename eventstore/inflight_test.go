package eventstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
)

// A caller whose deadline passes while its append is being written gets ErrOutcomeUnknown, not a
// failure. The server is not asked to cancel the write, also if it waits long for its turn: the
// event is written.
func TestTimeUpInFlightIsUnknown(t *testing.T) {
	t.Parallel()
	s, proxy, db := throughProxy(t)
	// A single event would be written directly, which waits for no lock. The first batch of a connection
	// prepares the statement.
	two := func(stream uuid.UUID) eventstore.Append {
		a := one(stream, 0, `1`)
		a.Events = append(a.Events, event(`2`))
		return a
	}
	if _, err := s.Append(t.Context(), two(uuid.New())); err != nil {
		t.Fatal(err)
	}
	another, err := db.Pool(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = another.Rollback(context.Background()) }() // or its pool never closes after a failure
	if _, err := another.Exec(t.Context(), lockSQL, appendLock); err != nil {
		t.Fatal(err)
	}
	proxy.Stall()
	stream := uuid.New()
	timeUp(t, s, two(stream))
	proxy.Pass()
	// On a busy machine the store retries before the first request has arrived: then both wait.
	pool := db.Pool(t)
	pgtest.WaitFor(t, "the append to wait for the lock", func() bool { return waitingForLock(t, pool) > 0 })
	if err := another.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "the append to be written", func() bool {
		read, err := s.ReadStream(t.Context(), stream)
		return err == nil && len(read) == 2
	})
}

// The same of an event that is written directly.
func TestTimeUpWhileWrittenDirectlyIsUnknown(t *testing.T) {
	t.Parallel()
	s, proxy, _ := throughProxy(t)
	stream := uuid.New()
	proxy.Stall()
	timeUp(t, s, one(stream, 0, `1`))
	proxy.Pass()
	pgtest.WaitFor(t, "the append to be written", func() bool {
		read, err := s.ReadStream(t.Context(), stream)
		return err == nil && len(read) == 1
	})
}

// timeUp appends with a deadline that passes before the answer comes.
func timeUp(t *testing.T, s *eventstore.Store, a eventstore.Append) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := s.Append(ctx, a); !errors.Is(err, eventstore.ErrOutcomeUnknown) {
		t.Errorf("append: %v, want ErrOutcomeUnknown", err)
	}
}

// A caller whose context is canceled while a batch with its append is being written gets the same
// answer at once.
func TestCanceledInFlightIsUnknown(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	release := hold(t, db, s)
	stream := uuid.New()
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error, 1)
	go func() { _, err := s.Append(ctx, one(stream, 0, `1`)); errs <- err }()
	pgtest.WaitFor(t, "the append to wait", func() bool { return s.Stats().Waiting == 1 })

	// This waits for the lock next, and gets it before the batch.
	next, err := db.Pool(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	locked := make(chan error, 1)
	go func() { _, err := next.Exec(t.Context(), lockSQL, appendLock); locked <- err }()
	waitForLock(t, db, 2)
	release()
	if err := <-locked; err != nil {
		t.Fatal(err)
	}
	waitForLock(t, db, 1)
	cancel()
	if err := <-errs; !errors.Is(err, eventstore.ErrOutcomeUnknown) {
		t.Errorf("append: %v, want ErrOutcomeUnknown", err)
	}
	if err := next.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "the append to be written", func() bool {
		read, err := s.ReadStream(t.Context(), stream)
		return err == nil && len(read) == 1
	})
}

// An event needs no payload, neither alone nor among others.
func TestEventWithoutPayload(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	stream, bare := uuid.New(), eventstore.Event{Type: "test.happened", SchemaVersion: 1}
	for _, events := range [][]eventstore.Event{{bare}, {bare, bare}} {
		a := eventstore.Append{Stream: stream, Expected: len(events) - 1, Events: events}
		if _, err := s.Append(t.Context(), a); err != nil {
			t.Fatalf("%d events: %v", len(events), err)
		}
	}
	read, err := s.ReadStream(t.Context(), stream)
	if err != nil || len(read) != 3 || len(read[0].Payload)+len(read[2].Payload) != 0 {
		t.Errorf("read %v, %v", read, err)
	}
}
