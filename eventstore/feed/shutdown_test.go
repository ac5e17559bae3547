package feed_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres/pgtest"
)

// wantStop fails if the feed does not end in time.
func wantStop(t *testing.T, f running) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- f.stop() }()
	if err := receive(t, "the feed to stop", ended); err != nil {
		t.Errorf("run: %v", err)
	}
}

func TestStopsWhileItWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 1)
	f := w.run(t, feed.Config{Poll: never}, feed.Group{Name: "g", Handle: recordAs("g")})
	w.wantEffects(t, "g", 1)
	wantStop(t, f)
}

// A batch that is under way at the end is rolled back: what its handler has written by then must
// not be committed without the offset.
func TestStopsWhileAHandlerIsBusy(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	for name, busy := range map[string]func(ctx context.Context, tx pgx.Tx) error{
		"in the database": func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `SELECT pg_sleep(3600)`)
			return err
		},
		"until its context ends": func(ctx context.Context, _ pgx.Tx) error {
			<-ctx.Done()
			return nil
		},
		"deaf to its context": func(context.Context, pgx.Tx) error {
			<-release
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.add(t, 10)
			entered := make(chan struct{}, 1)
			f := w.run(t, feed.Config{}, feed.Group{Name: "g",
				Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
					if err := record(ctx, tx, "g", events); err != nil {
						return err
					}
					entered <- struct{}{}
					return busy(ctx, tx)
				}})
			receive(t, "the handler", entered)
			if name == "in the database" {
				pgtest.WaitFor(t, "the handler's statement to run", func() bool {
					return w.count(t, `
						SELECT count(*)
						FROM pg_stat_activity
						WHERE datname = current_database()
						  AND wait_event = 'PgSleep'`) == 1
				})
			}
			wantStop(t, f)
			if n, position := w.effects(t), w.position(t, "g"); n != 0 || position != 0 {
				t.Errorf("%d effects and offset %d after a stop in mid-batch, want none", n, position)
			}
			w.run(t, feed.Config{}, feed.Group{Name: "g", Handle: recordAs("g")})
			w.wantEffects(t, "g", 10)
		})
	}
}

// Not parallel: other tests' goroutines would be taken for leaked ones.
func TestRunLeaksNothing(t *testing.T) {
	w := newWorld(t, nil)
	w.add(t, 10)
	pool := feedPool(t, w.db.ServiceURL())
	before := goleak.IgnoreCurrent()
	f := w.run(t, feed.Config{Pool: pool}, feed.Group{Name: "g", Handle: recordAs("g")})
	w.wantEffects(t, "g", 10)
	f.Wake()
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	pool.Close()
	w.pool.Close()
	w.super.Close()
	goleak.VerifyNone(t, before)
}
