package projections_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
	"daftar/projections/rebuild"
)

// stored fills the log with the events of intents, without any read model of them.
func (b *book) stored(t *testing.T, intents int) {
	t.Helper()
	exec(t, b.superuser(t), fillSQL, intents, b.app.String(), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), 5,
		time.Second)
}

// A rebuild that is canceled in the middle continues with the remaining chunks, and has the same
// result as one that was not interrupted.
func TestRebuildGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	rebuildInterrupted(t, 300, rebuild.Options{ChunkEvents: 200})
}

// rebuildInterrupted cancels a rebuild after two of its chunks and runs it again.
func rebuildInterrupted(t *testing.T, intents int, o rebuild.Options) {
	t.Helper()
	b := open(t, true)
	b.stored(t, intents)
	owner := b.db.OwnerPool(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	saves := 0
	_, err := model(t, "intents").Rebuild(ctx, watched(t, b.db.URL(), func(_ context.Context, sql string) {
		if strings.Contains(sql, "chunk = $6") {
			if saves++; saves == 4 { // the phase, two chunks, and the one that is lost
				cancel()
			}
		}
	}), o)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("rebuild that is called off: %v", err)
	}
	const copiedSQL = `SELECT uuid || ' ' || xmin FROM intents_r1 ORDER BY uuid`
	// The call ends before the server has noticed that its connection is gone.
	var r *rebuild.Run
	pgtest.WaitFor(t, "the run's session to end", func() bool {
		r = statusOf(t, owner, "intents").Run
		return r == nil || r.State != rebuild.RunRunning
	})
	before := list(t, owner, copiedSQL)
	if r == nil || r.State != rebuild.RunInterrupted || r.Phase != rebuild.PhaseCopying || r.Chunk != 2 ||
		r.Chunks < 4 || len(before) == 0 || r.Percent <= 0 || r.Percent >= 100 {
		t.Fatalf("status of the interrupted run: %+v", r)
	}
	first := int64(-1)
	o.AcceptDrift = true
	o.Progress = func(s rebuild.Step) {
		if first < 0 {
			first = s.Done
			if after := list(t, owner, copiedSQL); !slices.Equal(before, after) {
				t.Errorf("rows when it continues (-before +after):\n%s", cmp.Diff(before, after))
			}
		}
	}
	report, err := model(t, "intents").Rebuild(t.Context(), owner, o)
	if err != nil || !report.OK || report.Events != int64(3*intents) || first <= 0 {
		t.Fatalf("rebuild that continues from %d: OK %v, %d events, %v", first, report.OK, report.Events, err)
	}
	b.checkVerified(t)
	if rows := value[int](t, owner, `SELECT count(*) FROM intents`); rows != intents {
		t.Errorf("%d rows for %d intents", rows, intents)
	}
	noShadow(t, owner)
	if r := statusOf(t, owner, "intents").Run; r != nil {
		t.Errorf("a run is left: %+v", r)
	}
}

func statusOf(t *testing.T, pool *pgxpool.Pool, name string) rebuild.Status {
	t.Helper()
	all, err := rebuild.ReadStatus(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	n := slices.IndexFunc(all, func(s rebuild.Status) bool { return s.Name == name })
	return all[n]
}

// The group continues while its tables are rebuilt: each event is in them once.
func TestRebuildBesideItsGroup(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	pool := pgtest.Open(t, d.db.ServiceURL(), postgres.Options{SetServiceRole: true})
	group := projections.DashboardGroup()
	handle, handled := group.Handle, make(chan struct{}, 1)
	group.Handle = func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
		err := handle(ctx, tx, events)
		select {
		case handled <- struct{}{}:
		default:
		}
		return err
	}
	f, err := feed.New(feed.Config{Pool: pool, Log: zerolog.Nop(), Groups: []feed.Group{group}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	wg.Go(func() {
		if err := f.Run(ctx); err != nil {
			t.Errorf("feed: %v", err)
		}
	})
	var written atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := 0; ctx.Err() == nil && !t.Failed(); n++ {
			at := midnight.Add(time.Duration(n) * time.Hour)
			d.late(t, s, at)
			d.twice(t, s, at)
			written.Add(2)
			// The group always has events to handle, and never a long backlog.
			select {
			case <-handled:
			case <-ctx.Done():
			}
		}
	}()
	owner := d.db.OwnerPool(t)
	position := func() int64 {
		return value[int64](t, owner, `SELECT coalesce(max(position), 0) FROM consumer_offsets`)
	}
	for _, name := range []string{"payments", "turnover"} {
		// Once in each phase: a rebuild that waited at every step would never catch up.
		waits := map[rebuild.Phase]bool{rebuild.PhaseIndexing: true, rebuild.PhaseSwapping: true}
		report, err := model(t, name).Rebuild(t.Context(), owner, rebuild.Options{Progress: func(s rebuild.Step) {
			if waits[s.Phase] {
				delete(waits, s.Phase)
				before := position()
				pgtest.WaitFor(t, "the group to continue", func() bool { return position() > before })
			}
		}})
		if err != nil || !report.OK || len(report.Drift) != 0 || report.Events == 0 {
			t.Errorf("rebuild %s with its group running: %+v, %v", name, report, err)
		}
		d.checkModels(t)
	}
	stop()
	<-ended
	d.checkModels(t)
	if n := written.Load(); n == 0 {
		t.Error("nothing was written meanwhile")
	}
}

// Statements that were prepared on the old table work on the new one, at once and on every
// connection, and readers miss nothing.
func TestPreparedStatementsSurviveTheExchange(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	i := b.create(t, b.plain())
	pool := pgtest.Open(t, b.db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 3})
	stop := make(chan struct{})
	var reads atomic.Int64
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				var status string
				err := pool.QueryRow(t.Context(), `SELECT status FROM intents WHERE uuid = $1`, i.ID).Scan(&status)
				if err != nil {
					t.Errorf("read: %v", err)
					return
				}
				reads.Add(1)
			}
		})
	}
	pgtest.WaitFor(t, "generic plans", func() bool { return reads.Load() > 100 || t.Failed() })
	for range 5 {
		report, err := model(t, "intents").Rebuild(t.Context(), b.db.OwnerPool(t), rebuild.Options{})
		if err != nil || report.Pause <= 0 {
			t.Errorf("rebuild: %+v, %v", report, err)
		}
		before := reads.Load()
		pgtest.WaitFor(t, "reads after the swap", func() bool { return reads.Load() > before+10 || t.Failed() })
	}
	close(stop)
	wg.Wait()
}

// secondVersion is a fictitious next version of intents, which has one more column and one of
// another type.
func secondVersion() projections.Model {
	first := projections.Models()[0]
	m := first
	m.Version = 2
	m.Upgrade = `
		ALTER TABLE {intents}
			ADD COLUMN letters integer NOT NULL DEFAULT -1,
			ALTER COLUMN version TYPE bigint`
	m.Tables = slices.Clone(m.Tables)
	m.Tables[0].Columns = append(slices.Clone(m.Tables[0].Columns), "letters")
	m.Rows = func(stream []eventstore.Recorded) ([][]projections.Row, error) {
		rows, err := first.Rows(stream)
		if err != nil {
			return nil, err
		}
		description, _ := rows[0][0][8].(string)
		rows[0][0] = append(rows[0][0], int32(len(description)))
		version := slices.Index(m.Tables[0].Columns, "version")
		rows[0][0][version] = int64(rows[0][0][version].(int32)) //nolint:forcetypeassert // of the column before
		return rows, nil
	}
	return m
}

// A next version of the schema is built next to the old one and replaces it; the common columns are
// compared; programs of the old version continue to write; a program of the old version does not
// switch back.
func TestRebuildSwitchesToANewVersion(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	i := b.create(t, b.plain())
	owner, next := b.db.OwnerPool(t), readModel{secondVersion()}
	if s := statusOf(t, owner, "intents"); s.TableVersion != 1 || s.Version != 1 {
		t.Errorf("before: table %d, program %d", s.TableVersion, s.Version)
	}
	exec(t, b.superuser(t), `UPDATE intents SET amount = 1`)
	report, err := next.Rebuild(t.Context(), owner, rebuild.Options{})
	if err != nil || report.OK || len(report.Drift) != 1 || report.Drift[0].Field != "amount" {
		t.Errorf("what both have is compared: %+v, %v", report, err)
	}
	_, err = model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{})
	if !errors.Is(err, rebuild.ErrRestart) {
		t.Errorf("a half-done run of another version: %v, want ErrRestart", err)
	}
	report, err = next.Rebuild(t.Context(), owner, rebuild.Options{AcceptDrift: true})
	if err != nil || !report.OK {
		t.Fatalf("rebuild: %+v, %v", report, err)
	}
	letters := value[int](t, owner, `SELECT letters FROM intents WHERE uuid = $1`, i.ID)
	if letters != len(i.Description) {
		t.Errorf("the new column is %d", letters)
	}
	if s := statusOf(t, owner, "intents"); s.TableVersion != 2 || s.Version != 1 {
		t.Errorf("after: table %d, program %d", s.TableVersion, s.Version)
	}
	b.create(t, b.plain()) // by the old program
	_, err = model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{})
	if !errors.Is(err, rebuild.ErrNewerTable) {
		t.Errorf("rebuild by the program of before: %v, want ErrNewerTable", err)
	}
	report, err = next.Rebuild(t.Context(), owner, rebuild.Options{AcceptDrift: true})
	if err != nil || !report.OK {
		t.Errorf("rebuild for the rows of before: %+v, %v", report, err)
	}
	if rows := value[int](t, owner, `SELECT count(*) FROM intents WHERE letters < 0`); rows != 0 {
		t.Errorf("%d rows lack the new column", rows)
	}
	// The test ends with a verification by the old program, which knows one type.
	exec(t, b.superuser(t), `ALTER TABLE intents ALTER COLUMN version TYPE integer`)
}

// A run that began before the tables changed would undo the change.
func TestHalfDoneRunOfOtherTables(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.create(t, b.plain())
	owner := b.db.OwnerPool(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancelEarly := rebuild.Options{Progress: func(rebuild.Step) { cancel() }}
	if _, err := model(t, "intents").Rebuild(ctx, owner, cancelEarly); err == nil {
		t.Fatal("it was not canceled")
	}
	awaitCutOff(t, owner)
	exec(t, owner, `CREATE INDEX intents_by_status ON intents (status) WHERE status <> 'succeeded'`)
	_, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{})
	if !errors.Is(err, rebuild.ErrRestart) {
		t.Errorf("rebuild after a migration: %v, want ErrRestart", err)
	}
	report, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{Restart: true})
	if err != nil || !report.OK {
		t.Errorf("rebuild from the beginning: %+v, %v", report, err)
	}
	want := []string{
		"CREATE INDEX intents_by_status ON public.intents USING btree (status) WHERE (status <> 'succeeded'::text)",
		"CREATE UNIQUE INDEX intents_pkey ON public.intents USING btree (uuid)",
	}
	diff := cmp.Diff(want,
		list(t, owner, `
			SELECT indexdef
			FROM pg_indexes
			WHERE tablename = 'intents'
			ORDER BY 1`))
	if diff != "" {
		t.Errorf("indexes (-want +got):\n%s", diff)
	}
	noShadow(t, owner)

	exec(t, owner, `CREATE VIEW sums AS SELECT sum(amount) FROM intents`)
	_, err = model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{})
	if err == nil || !strings.Contains(err.Error(), "sums") {
		t.Errorf("rebuild under a view: %v, want its name", err)
	}
	noShadow(t, owner)
}
