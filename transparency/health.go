package transparency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
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
SELECT h.head, t.size, coalesce(c.size, 0), coalesce(c.root, ''), coalesce(c.note, ''),
       coalesce(extract(epoch FROM clock_timestamp() - c.signed_at), 0)::float8,
       coalesce(greatest(0, extract(epoch FROM clock_timestamp() - e.recorded_at)), 0)::float8
FROM (SELECT coalesce(max(position), 0) AS head FROM events) h
CROSS JOIN transparency_tree t
LEFT JOIN (SELECT size, root, note, signed_at FROM transparency_checkpoints ORDER BY size DESC LIMIT 1) c ON true
LEFT JOIN events e ON e.position = coalesce(c.size, 0) + 1`

// CheckHealth checks the newest checkpoint: whether one of the keys has signed it
// (none given: those that the database names), and whether the tree still has its
// root. It hashes no event; Verify does. Errors: ErrSignature, ErrNotCheckpoint,
// ErrForked, ErrBehind, or the database's; the Health is what was found until then.
func CheckHealth(ctx context.Context, q eventstore.Querier, keys []string) (Health, error) {
	var h Health
	var stored storedCheckpoint
	var age, waiting float64
	err := q.QueryRow(ctx, healthSQL).Scan(&h.Head, &h.Size, &stored.Size, &stored.Root, &stored.Note, &age, &waiting)
	if errors.Is(err, pgx.ErrNoRows) {
		return h, fmt.Errorf("transparency_tree has no row: %w", ErrMismatch)
	}
	if err != nil {
		return h, fmt.Errorf("read checkpoint: %w", err)
	}
	h.Signed, h.Age, h.Waiting = stored.Size, seconds(age), seconds(waiting)
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
	root, err := rootAt(ctx, q, c.Size)
	if err != nil {
		return h, err
	}
	if root != c.Root {
		return h, fmt.Errorf("%w: at size %d its root is %s, signed was %s", ErrForked, c.Size, root, c.Root)
	}
	return h, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
