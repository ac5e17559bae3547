package projections_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/projections/rebuild"
)

func TestOneRebuildAtATime(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.create(t, b.plain())
	owner, other := b.db.OwnerPool(t), b.db.OwnerPool(t)
	second := errors.New("not tried")
	report, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{Progress: func(rebuild.Step) {
		_, second = model(t, "intents").Rebuild(t.Context(), other, rebuild.Options{})
	}})
	if !errors.Is(second, rebuild.ErrRebuilding) {
		t.Errorf("second rebuild: %v, want ErrRebuilding", second)
	}
	if err != nil || !report.OK {
		t.Errorf("first rebuild: %+v, %v", report, err)
	}
	for _, pool := range []*pgxpool.Pool{other, owner} {
		report, err := model(t, "intents").Rebuild(t.Context(), pool, rebuild.Options{})
		if err != nil || !report.OK {
			t.Errorf("rebuild afterwards: %+v, %v", report, err)
		}
	}
}

// A reader in a long transaction delays the swap, but delays others only for the time of one try:
// then appends continue, and the swap is tried again.
func TestReaderOnlyDelaysARebuild(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.create(t, b.plain())
	owner := b.db.OwnerPool(t)
	old := table(t, owner)
	reader, err := b.db.Pool(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Rollback(context.Background()) }() // its pool would wait for it
	var rows int
	if err := reader.QueryRow(t.Context(), `SELECT count(*) FROM intents`).Scan(&rows); err != nil || rows != 1 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	rebuilt := make(chan error, 1)
	go func() {
		_, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{})
		rebuilt <- err
	}()
	pgtest.WaitFor(t, "the rebuild to wait for the reader", func() bool {
		return value[int](t, owner,
			`SELECT count(*) FROM pg_locks WHERE `+inThisDatabase+` AND relation = $1 AND NOT granted`, old) > 0
	})
	during := b.create(t, b.plain())
	select {
	case err := <-rebuilt:
		t.Errorf("the rebuild did not wait: %v", err)
	default:
	}
	if err := reader.QueryRow(t.Context(), `SELECT count(*) FROM intents`).Scan(&rows); err != nil || rows != 2 {
		t.Errorf("the reader sees %d rows, %v", rows, err)
	}
	if err := reader.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-rebuilt; err != nil {
		t.Errorf("rebuild: %v", err)
	}
	if table(t, owner) == old || !b.find(t, during.ID).Exists {
		t.Error("the table is the old one, or lacks what was written meanwhile")
	}
}

// A rebuild that is canceled, or loses its connection, leaves the table as it was; the next one
// succeeds.
func TestInterruptedRebuild(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	for range 3 {
		b.create(t, b.plain())
	}
	owner := b.db.OwnerPool(t)
	old := table(t, owner)
	proxy := pgtest.Proxy(t, b.db.URL())
	for what, interrupt := range map[string]func(context.CancelFunc){
		"canceled":            func(cancel context.CancelFunc) { cancel() },
		"connections are cut": func(context.CancelFunc) { proxy.Cut() },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		pool := pgtest.Open(t, proxy.URL(), postgres.Options{})
		report, err := model(t, "intents").Rebuild(ctx, pool, rebuild.Options{
			AcceptDrift: true,
			Progress:    func(rebuild.Step) { interrupt(cancel) },
		})
		if err == nil || report.OK {
			t.Errorf("%s: %+v, %v; want an error", what, report, err)
		}
		if table(t, owner) != old {
			t.Errorf("%s: the table was swapped", what)
		}
		cancel()
	}
	b.create(t, b.plain())
	pgtest.WaitFor(t, "the lock of the one that was cut off", func() bool {
		report, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{})
		if err != nil && !errors.Is(err, rebuild.ErrRebuilding) {
			t.Fatalf("rebuild afterwards: %v", err)
		}
		return err == nil && report.OK
	})
	noShadow(t, owner)
}

// The service's rights do not suffice, and nothing is changed.
func TestRebuildNeedsTheOwnersRights(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.create(t, b.plain())
	old := table(t, b.db.OwnerPool(t))
	report, err := model(t, "intents").Rebuild(t.Context(), b.db.Pool(t), rebuild.Options{AcceptDrift: true})
	if err == nil {
		t.Errorf("rebuild as the service: %+v", report)
	}
	if table(t, b.db.OwnerPool(t)) != old {
		t.Error("the table was swapped")
	}
	report, err = model(t, "intents").Rebuild(t.Context(), b.db.OwnerPool(t), rebuild.Options{})
	if err != nil || !report.OK {
		t.Errorf("rebuild as the owner: %+v, %v", report, err)
	}
}
