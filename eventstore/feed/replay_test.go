package feed_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// After a dump is restored into a new cluster, where transaction ids start again, a group continues
// where it was: with events old and new.
func TestGroupsGoOnAfterRestore(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, pgtest.NewInstalledCluster(t, nil).DB(t, "dumped"), nil)
	w.add(t, 30, poisonAt(30, 7)...)
	fail := func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
		if slices.ContainsFunc(events, func(e eventstore.Recorded) bool { return e.Type == "test.poison" }) {
			return errTest
		}
		return record(ctx, tx, "g", events)
	}
	old := w.run(t, feed.Config{}, feed.Group{Name: "g", Handle: fail})
	w.wantEffects(t, "g", 30, 7)
	if err := old.stop(); err != nil {
		t.Fatal(err)
	}
	w.add(t, 20) // not handled at the time of the dump

	fresh := pgtest.NewInstalledCluster(t, nil)
	fresh.Database(t, "roles") // makes the roles, which a dump of a database lacks
	if err := fresh.EnsureDatabase(t.Context(), "restored", pgtest.Owner); err != nil {
		t.Fatal(err)
	}
	bin, err := pgcluster.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(t.TempDir(), "dump")
	for _, args := range [][]string{
		{"pg_dump", "--format=custom", "--file=" + dump, w.db.SuperuserURL()},
		{"pg_restore", "--exit-on-error", "--dbname=" + fresh.URL("restored", "postgres"), dump},
	} {
		out, err := exec.CommandContext(t.Context(), filepath.Join(bin, args[0]), args[1:]...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", args[0], err, out)
		}
	}

	url := fresh.URL("restored", pgtest.Service)
	pool := pgtest.Open(t, url, postgres.Options{SetServiceRole: true})
	store := eventstore.New(pool, pool, eventstore.Options{})
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	start(t, feed.Config{Pool: feedPool(t, url), Groups: []feed.Group{{Name: "g", Handle: recordAs("g")}}})
	_, err = store.Append(t.Context(),
		eventstore.Append{Stream: uuid.New(), Events: []eventstore.Event{{Type: "test.new", SchemaVersion: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := feed.Release(t.Context(), pool, "g", 7); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "old, new and released events", func() bool {
		lags, err := feed.Lags(t.Context(), pool)
		return err == nil && len(lags) == 1 && lags[0].Position == 51 && lags[0].Parked == 0
	})
	checkEffects(t, pool, "g", 51)
}
