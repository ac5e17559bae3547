package eventstore_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
)

// withoutBatches makes the database refuse the statement of a batch.
const withoutBatches = `
CREATE FUNCTION refuse_batches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_query() LIKE '%unnest%' THEN
        RAISE EXCEPTION 'a batch';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER no_batches AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION refuse_batches()`

// Events that gathered while another was committed are written directly where they are few, in one
// transaction. One that conflicts gets its own answer, and harms no other.
func TestFewEventsAreWrittenDirectly(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	owner := db.OwnerPool(t)
	if _, err := owner.Exec(t.Context(), withoutBatches); err != nil {
		t.Fatal(err)
	}
	committed, goOn := make(chan int), make(chan struct{})
	s := open(t, db.Pool(t), db, eventstore.Options{OnCommit: func(events []eventstore.Recorded) {
		committed <- len(events)
		<-goOn
	}})
	taken := uuid.New()
	var appends sync.WaitGroup
	appends.Go(func() {
		if _, err := s.Append(t.Context(), one(taken, 0, `"first"`)); err != nil {
			t.Errorf("first append: %v", err)
		}
	})
	<-committed
	for n, stream := range []uuid.UUID{uuid.New(), taken, uuid.New()} {
		appends.Go(func() {
			_, err := s.Append(t.Context(), one(stream, 0, `"together"`))
			if conflict, is := errors.AsType[*eventstore.Conflict](err); stream == taken {
				if !is || conflict.Actual != 1 {
					t.Errorf("append %d: %v, want a conflict with version 1", n, err)
				}
			} else if err != nil {
				t.Errorf("append %d: %v", n, err)
			}
		})
	}
	pgtest.WaitFor(t, "three appends to gather", func() bool { return s.Stats().Waiting == 3 })
	close(goOn)
	if n := <-committed; n != 2 {
		t.Errorf("%d events were committed together, want 2", n)
	}
	appends.Wait()
	checkLog(t, owner)
}

// staleSnapshot gives direct statements the position of the last event again, as if another server had
// committed that event since their snapshot.
const staleSnapshot = `
CREATE FUNCTION be_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_query() LIKE '%pg_try_advisory_xact_lock%' AND NEW.position > 1 THEN
        NEW.position := NEW.position - 1;
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER stale BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION be_stale()`

// What another server commits between the snapshot of a direct statement and its lock costs a second try,
// and nothing else.
func TestDirectStatementWithAStaleSnapshot(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	owner := db.OwnerPool(t)
	if _, err := owner.Exec(t.Context(), staleSnapshot); err != nil {
		t.Fatal(err)
	}
	s := open(t, db.Pool(t), db, eventstore.Options{})
	stream := uuid.New()
	for n := range 3 {
		if a, err := s.Append(t.Context(), one(stream, n, `1`)); err != nil || a.Position != int64(n+1) {
			t.Fatalf("append %d: position %d, %v", n+1, a.Position, err)
		}
	}
	checkLog(t, owner)
}
