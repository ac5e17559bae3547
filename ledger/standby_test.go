package ledger_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// After a promotion a server is still connected to the old primary and gets a repeated create.
// The intent exists there and may not exist on the new primary, so the create is not
// acknowledged: neither where an append finds the intent nor where the window of expires_at has
// passed.
func TestOldPrimaryAcknowledgesNoRepeatedCreate(t *testing.T) {
	t.Parallel()
	r := pgtest.NewReplicated(t, nil)
	url := r.Primary.URL(r.Database, pgtest.Service)
	pool := pgtest.Open(t, url, postgres.Options{SetServiceRole: true, NeverCancel: true})
	w := &world{pool: pool, app: domain.ApplicationID(uuid.New()), namespace: domain.Namespace(uuid.New())}
	s := w.serve(t, pool, pool, 0)
	again := w.plain()
	s.create(t, again)
	past := again
	at := time.Now().Add(-time.Hour)
	past.ExpiresAt = &at
	if _, created, err := s.Create(t.Context(), past, w.namespace, merchant); created || err != nil {
		t.Fatalf("repeated before the promotion: created %v, %v", created, err)
	}
	r.Promote(t)
	admin := pgtest.Open(t, r.Primary.URL(r.Database, "postgres"), postgres.Options{})
	for name, c := range map[string]domain.Create{"as it was": again, "after its window": past} {
		ctx, cancel := context.WithCancel(t.Context())
		answer := make(chan error, 1)
		go func() { _, _, err := s.Create(ctx, c, w.namespace, merchant); answer <- err }()
		var session int
		pgtest.WaitFor(t, "the answer to wait for the standby", func() bool {
			return admin.QueryRow(t.Context(),
				`SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`).Scan(&session) == nil
		})
		cancel()
		if err := <-answer; err == nil {
			t.Errorf("repeated %s: acknowledged by the old primary", name)
		}
		if _, err := admin.Exec(t.Context(), `SELECT pg_terminate_backend($1)`, session); err != nil {
			t.Fatal(err)
		}
		pgtest.WaitFor(t, "its session to end", func() bool {
			var n int
			err := admin.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE pid = $1`,
				session).Scan(&n)
			return err == nil && n == 0
		})
	}
}
