package eventstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// An asynchronous standby is promoted that lacks the last commit. A running server writes nothing
// to that log, alone or in a batch, until the missing events are restored.
func TestNothingIsWrittenToALogThatLostCommits(t *testing.T) {
	t.Parallel()
	r, s, _ := replicated(t)
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `"kept"`)); err != nil {
		t.Fatal(err)
	}
	if err := r.Primary.Set(t.Context(), map[string]string{"synchronous_standby_names": ""}); err != nil {
		t.Fatal(err)
	}
	r.Standby.Kill()
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `"lost"`)); err != nil {
		t.Fatal(err)
	}
	r.Primary.Kill()
	if err := r.Standby.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Promote(t)

	several := eventstore.Append{
		Stream: uuid.New(), Metadata: eventstore.Metadata{Actor: "test"},
		Events: []eventstore.Event{one(uuid.New(), 0, `1`).Events[0], one(uuid.New(), 0, `2`).Events[0]},
	}
	for name, a := range map[string]eventstore.Append{"one": one(uuid.New(), 0, `"new"`), "a batch": several} {
		pgtest.WaitFor(t, "the new primary to be written to: "+name, func() bool {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := s.Append(ctx, a)
			if err == nil {
				t.Fatalf("%s was written", name)
			}
			return errors.Is(err, eventstore.ErrUnavailable) &&
				strings.Contains(err.Error(), "ends at position 1, and this server has seen 2")
		})
	}
	pool := pgtest.Open(t, r.URL(pgtest.Service), postgres.Options{SetServiceRole: true})
	restored := eventstore.New(pool, pool, eventstore.Options{})
	if _, err := restored.Append(t.Context(), one(uuid.New(), 0, `"lost"`)); err != nil {
		t.Fatal(err)
	}
	if err := restored.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if got, err := s.Append(t.Context(), several); err != nil || got.Position != 4 {
		t.Errorf("after it was restored: %+v, %v", got, err)
	}
}
