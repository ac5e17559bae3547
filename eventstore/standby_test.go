package eventstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// replicated opens a store on a primary that has a synchronous standby, with a server's connection
// settings, and a pool of the superuser.
func replicated(t *testing.T) (*pgtest.Replicated, *eventstore.Store, *pgxpool.Pool) {
	t.Helper()
	r := pgtest.NewReplicated(t, nil)
	pool := pgtest.Open(t, r.URL(pgtest.Service), postgres.Options{SetServiceRole: true, NeverCancel: true})
	s := eventstore.New(pool, pool, eventstore.Options{})
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return r, s, pgtest.Open(t, r.Primary.URL(r.Database, "postgres"), postgres.Options{})
}

// awaitCommit returns when a commit of another session than those waits for the standby, and
// returns that session.
func awaitCommit(t *testing.T, admin *pgxpool.Pool, than ...int) (session int) {
	t.Helper()
	pgtest.WaitFor(t, "a commit to wait for the standby", func() bool {
		return admin.QueryRow(t.Context(),
			`SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid <> ALL ($1)`,
			append([]int{}, than...)).Scan(&session) == nil
	})
	return session
}

// The wait of a commit for the standby is canceled, or its session ended, so that only the log of
// the primary has the events. The append is not acknowledged then, nor is an append that finds the
// events there, until the standby has them.
func TestNothingIsAcknowledgedThatTheStandbyLacks(t *testing.T) {
	t.Parallel()
	r, s, admin := replicated(t)
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `"warm"`)); err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]string{
		"canceled": `SELECT pg_cancel_backend($1)`,
		"ended":    `SELECT pg_terminate_backend($1)`,
	} {
		if err := r.Standby.Pause(); err != nil {
			t.Fatal(err)
		}
		stream := uuid.New()
		answers := make(chan error, 2)
		go func() { _, err := s.Append(context.Background(), one(stream, 0, `1`)); answers <- err }()
		first := awaitCommit(t, admin)
		if _, err := admin.Exec(t.Context(), end, first); err != nil {
			t.Fatal(err)
		}
		// The store writes again, finds its events, and still waits for the standby.
		second := awaitCommit(t, admin, first)
		if there, err := s.ReadStream(t.Context(), stream); err != nil || len(there) != 1 {
			t.Fatalf("%s: %d events, %v: the commit was not canceled, and the test shows nothing",
				name, len(there), err)
		}
		pool := pgtest.Open(t, r.URL(pgtest.Service), postgres.Options{SetServiceRole: true, NeverCancel: true})
		other := eventstore.New(pool, pool, eventstore.Options{})
		go func() { _, err := other.Append(context.Background(), one(stream, 0, `2`)); answers <- err }()
		pgtest.WaitFor(t, "the other append to wait for the lock", func() bool {
			var n int
			err := admin.QueryRow(t.Context(),
				`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`).Scan(&n)
			return err == nil && n == 1
		})
		if again := awaitCommit(t, admin); again != second || len(answers) != 0 {
			t.Errorf("%s: %d answers before the standby has confirmed anything", name, len(answers))
		}
		if err := r.Standby.Resume(); err != nil {
			t.Fatal(err)
		}
		var conflict *eventstore.Conflict
		one, two := <-answers, <-answers
		if errors.Join(one, two) == nil || (one != nil) == (two != nil) ||
			!errors.As(errors.Join(one, two), &conflict) {
			t.Errorf("%s: answers %v and %v, want a success and a conflict", name, one, two)
		}
		if err := other.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// A server still uses the old primary after a promotion that it has not noticed. No append is
// acknowledged there, and no conflict reported either: the stream may have other events on the new
// primary, or none.
func TestOldPrimaryAcknowledgesNothing(t *testing.T) {
	t.Parallel()
	r := pgtest.NewReplicated(t, nil)
	pool := pgtest.Open(t, r.Primary.URL(r.Database, pgtest.Service),
		postgres.Options{SetServiceRole: true, NeverCancel: true})
	known := uuid.New()
	before := eventstore.New(pool, pool, eventstore.Options{})
	if _, err := before.Append(t.Context(), one(known, 0, `1`)); err != nil {
		t.Fatal(err)
	}
	if err := before.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Promote(t)
	admin := pgtest.Open(t, r.Primary.URL(r.Database, "postgres"), postgres.Options{})
	var ended []int
	for name, stream := range map[string]uuid.UUID{"known": known, "new": uuid.New()} {
		s := eventstore.New(pool, pool, eventstore.Options{})
		// As a request of the server: written alone, with a wait until its deadline.
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		answer := make(chan error, 1)
		go func() { _, err := s.Append(ctx, one(stream, 0, `2`)); answer <- err }()
		session := awaitCommit(t, admin, ended...)
		ended = append(ended, session)
		if err := <-answer; !errors.Is(err, eventstore.ErrOutcomeUnknown) {
			t.Errorf("append to a stream that is %s: %v, want ErrOutcomeUnknown", name, err)
		}
		cancel()
		// It would wait, and keep the lock, for as long as the old primary lives.
		if _, err := admin.Exec(t.Context(), `SELECT pg_terminate_backend($1)`, session); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := eventstore.New(pool, pool, eventstore.Options{})
	answer := make(chan error, 1)
	go func() { answer <- s.Confirm(ctx) }()
	awaitCommit(t, admin, ended...)
	cancel()
	if err := <-answer; !errors.Is(err, eventstore.ErrUnavailable) {
		t.Errorf("the log is confirmed: %v, want ErrUnavailable", err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
