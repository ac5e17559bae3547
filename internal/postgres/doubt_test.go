package postgres_test

import (
	"testing"

	"daftar/internal/postgres/pgtest"
)

// ANALYZE warns of tables that the user does not own, with the same code as the other warning.
func TestAnalyzeIsNoDoubt(t *testing.T) {
	t.Parallel()
	if _, err := pgtest.EmptyDatabase(t).OwnerPool(t).Exec(t.Context(), `ANALYZE`); err != nil {
		t.Error(err)
	}
}
