//go:build long

package acceptance_test

import (
	"testing"

	"daftar/books/bookstest"
	"daftar/internal/postgres/pgtest"
)

// With a log of 100,000 events the script has the same root and balances, and verify finds a sum that was
// changed. It reads no provider account's stream, which is as long as the log, once for each page of it.
func TestLongBooksOfManyEvents(t *testing.T) {
	t.Parallel()
	k := keepBooks(t, bookstest.Random(11, 100_000))
	k.sameBalances(t, call(t, k.env, "events", "export").out, k.books(t, "export", "--format", "hledger").out)
	pool := k.db.OwnerPool(t)
	pgtest.WaitFor(t, "the sums of the books", func() bool {
		var position int64
		const positionSQL = `SELECT coalesce(max(position), 0) FROM consumer_offsets WHERE consumer_group = 'books'`
		err := pool.QueryRow(t.Context(), positionSQL).Scan(&position)
		return err == nil && position >= int64(len(k.history.Events))
	})
	rowsRead := func() (n int) {
		const readSQL = `SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'events'`
		if err := pool.QueryRow(t.Context(), readSQL).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := rowsRead()
	if r := k.books(t, "verify"); r.code != 0 {
		t.Errorf("verify: exit %d, %s%s", r.code, r.out, r.errors)
	}
	const changeSQL = `UPDATE book_sums SET amount = amount + 1 WHERE account = 'bank'`
	if _, err := pool.Exec(t.Context(), changeSQL); err != nil {
		t.Fatal(err)
	}
	if r := k.books(t, "verify"); r.code != 1 {
		t.Errorf("after a change: exit %d, %s%s", r.code, r.out, r.errors)
	}
	if read, most := rowsRead()-before, 2*4*len(k.history.Events); read > most {
		t.Errorf("verify, called twice, read %d events, at most %d", read, most)
	}
}
