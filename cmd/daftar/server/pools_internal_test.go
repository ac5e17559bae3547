package server

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/cmd/daftar/config"
	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A plan that is made while the log has a page, and PostgreSQL knows that, must not read all of the log for
// ever: 20,000 events later the first creates of a new installation took 16 ms each.
func TestPlansOfASmallLogFitALargeOne(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	for _, statement := range []string{`
		INSERT INTO events
		SELECT n, gen_random_uuid(), 1, 'test.happened', 1, '{}', '{}', now()
		FROM generate_series(1, 9) n`,
		`ANALYZE events`,
	} {
		if _, err := db.OwnerPool(t).Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	p, err := openPools(t.Context(), config.Config{DatabaseURL: db.ServiceURL()}, 1, zerolog.Nop())
	t.Cleanup(p.close)
	if err != nil {
		t.Fatal(err)
	}
	for name, pool := range map[string]*pgxpool.Pool{
		"append": p.writes, "paying": p.paying, "work": p.work, "feed": p.following,
	} {
		for _, query := range []string{eventstore.HeadSQL, `
			SELECT version
			FROM events
			WHERE stream_id = '4be0643f-1d98-573b-97cd-ca98a65347dd'
			ORDER BY version DESC
			LIMIT 1`} {
			var plan string
			if err := pool.QueryRow(t.Context(), `EXPLAIN (FORMAT json) `+query).Scan(&plan); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Aggregate") {
				t.Errorf("pool %s reads the whole log:\n%s", name, plan)
			}
		}
	}
}
