package transparency

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// Health is how far the tree and what was signed about it are behind the log.
type Health struct {
	Head, Size int64
	// Signed is how many events the newest checkpoint covers, 0 where there is
	// none, and Age how old that is.
	Signed int64
	Age    time.Duration
	// Waiting is how long the oldest event that no checkpoint covers has waited.
	Waiting time.Duration
	// Keys are those that the checkpoint's signature was checked with.
	Keys []string
}

const healthSQL = `
SELECT coalesce(c.size, 0), coalesce(c.root, ''), coalesce(c.note, ''), coalesce(c.signed_at, 'epoch'), h.head, t.size,
       coalesce(clock_timestamp() - c.signed_at, '0'), coalesce(greatest(clock_timestamp() - e.recorded_at, '0'), '0')
FROM (SELECT coalesce(max(position), 0) AS head FROM events) h
CROSS JOIN transparency_tree t
LEFT JOIN (` + latestSQL + `) c ON true
LEFT JOIN events e ON e.position = coalesce(c.size, 0) + 1`

// CheckHealth checks the newest checkpoint: whether one of the keys has signed it
// (none given: those that the database names), and whether the tree still has its
// root. It hashes no event; Verify does. Errors: ErrSignature, ErrNotCheckpoint,
// ErrForked, ErrBehind, or the database's; the Health is what was found until then.
func CheckHealth(ctx context.Context, q postgres.Querier, keys []string) (Health, error) {
	var h Health
	stored, err := postgres.Find(ctx, q, "read checkpoint", errNoTree, func(row pgx.CollectableRow) (Checkpoint, error) {
		return scanCheckpoint(row, &h.Head, &h.Size, &h.Age, &h.Waiting)
	}, healthSQL)
	if err != nil {
		return h, err
	}
	h.Signed = stored.Size
	if stored.Size == 0 {
		return h, nil
	}
	if h.Keys = keys; len(keys) == 0 {
		if h.Keys, err = PublicKeys(ctx, q); err != nil {
			return h, err
		}
	}
	known, err := verifiers(h.Keys)
	if err != nil {
		return h, err
	}
	c, err := OpenCheckpoint(stored.Note, known)
	if err != nil {
		return h, err
	}
	if c.Size != stored.Size || c.Size > h.Size || c.Size > h.Head {
		return h, fmt.Errorf("%w: it covers %d events, the tree has %d and the log %d", ErrBehind, c.Size, h.Size, h.Head)
	}
	return h, checkRoot(ctx, q, c)
}
