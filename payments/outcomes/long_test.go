package outcomes_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/payments/outcomes"
)

// Each outcome that is unknown for long is claimed once, also if there are more than one call returns.
func TestClaimLongUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.unknownPayment(5_000)
	const unknown = 1_500
	w.exec(`
		INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, language, payer, created_at, stage,
		    stage_since, trouble, updated_at)
		SELECT 'unknown-' || n, $1, 'plutu', 'adfali', 'ar', '', now(), 'quarantined', now(), '', now()
		FROM generate_series(1, $2::int) n`, [16]byte(o.Intent), unknown)
	taken := map[string]int{}
	take := func(now time.Time) (n int) {
		t.Helper()
		err := pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
			all, err := outcomes.ClaimLongUnknown(t.Context(), tx, now)
			for _, o := range all {
				taken[o.Subject]++
			}
			n = len(all)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	now := time.Now()
	if n := take(now.Add(59 * time.Minute)); n > 0 {
		t.Errorf("%d before the hour was over", n)
	}
	for range 3 {
		take(now.Add(61 * time.Minute))
	}
	for subject, n := range taken {
		if n != 1 {
			t.Errorf("%s was taken %d times", subject, n)
		}
	}
	if len(taken) != unknown+1 {
		t.Errorf("%d of %d were taken", len(taken), unknown+1)
	}
}
