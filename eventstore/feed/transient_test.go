package feed_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres/pgtest"
)

// An error that is marked Transient is not caused by an event, whatever the policy and however long
// it lasts: the whole batch is retried, not parts of it.
func TestTransientBlamesNoEvent(t *testing.T) {
	t.Parallel()
	for name, policy := range map[string]feed.Policy{"park": feed.Park, "halt": feed.Halt} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.add(t, 40)
			var calls, parts atomic.Int64
			var up atomic.Bool
			r := w.run(t, feed.Config{Poll: never}, feed.Group{Name: "g", OnFailure: policy,
				Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
					calls.Add(1)
					if len(events) != 40 {
						parts.Add(1)
					}
					if err := record(ctx, tx, "g", events); err != nil || up.Load() {
						return err
					}
					return feed.Transient(errors.New("out of reach"))
				},
			})
			pgtest.WaitFor(t, "some tries", func() bool { return calls.Load() >= 4 })
			if l := w.lag(t, "g"); l.Position != 0 || l.Parked != 0 || l.Halted != "" || w.effects(t) != 0 {
				t.Errorf("meanwhile: %+v", l)
			}
			up.Store(true)
			r.Wake()
			w.wantEffects(t, "g", 40)
			if parts.Load() != 0 {
				t.Errorf("%d calls got a part of the batch", parts.Load())
			}
		})
	}
	if feed.Transient(nil) != nil {
		t.Error("no error is one")
	}
	inner := errors.New("inner")
	if err := feed.Transient(inner); !errors.Is(err, inner) || !strings.Contains(err.Error(), "inner") {
		t.Errorf("the error is hidden: %v", err)
	}
}

// A group that was removed is forgotten, with its parked events, and starts from the beginning if
// it is added again.
func TestForget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 5)
	failing := feed.Group{Name: "g", Handle: func(context.Context, pgx.Tx, []eventstore.Recorded) error {
		return errors.New("no")
	}}
	first := w.run(t, feed.Config{}, failing)
	pgtest.WaitFor(t, "parked events", func() bool { return w.lag(t, "g").Parked == 5 })
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	if err := feed.Forget(t.Context(), w.pool, "g"); err != nil {
		t.Fatal(err)
	}
	parked, err := feed.ListParked(t.Context(), w.pool)
	if err != nil || len(parked) != 0 || w.position(t, "g") != -1 {
		t.Errorf("left of it: %v, position %d (%v)", parked, w.position(t, "g"), err)
	}
	if err := feed.Forget(t.Context(), w.pool, "g"); !errors.Is(err, feed.ErrNoGroup) {
		t.Errorf("forgotten twice: %v", err)
	}
	w.run(t, feed.Config{}, feed.Group{Name: "g", Handle: recordAs("g")})
	w.wantEffects(t, "g", 5)
}
