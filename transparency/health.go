package transparency

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/note"

	"daftar/eventstore"
	"daftar/internal/postgres"
)

// Health is how far the tree and the newest checkpoint are behind the log.
type Health struct {
	Head, Size int64
	// Signed is how many events the newest checkpoint covers, 0 if there is
	// none, and Age how old it is.
	Signed int64
	Age    time.Duration
	// Waiting is how long the oldest event that no checkpoint covers has waited.
	Waiting time.Duration
	// Keys are the public keys with which the checkpoint's signature was checked.
	Keys []string
}

// ErrForged says that the database holds a checkpoint that the log's key has not signed.
// Anyone who has the service's password can insert one; servers skip it.
var ErrForged = errors.New("a stored checkpoint is forged")

const healthSQL = `
SELECT h.head, t.size, coalesce(greatest(clock_timestamp() - e.recorded_at, '0'), '0'),
       clock_timestamp()
FROM (` + eventstore.HeadSQL + `) AS h(head)
CROSS JOIN transparency_tree t
LEFT JOIN events e ON e.position = $1::int8 + 1`

// CheckHealth checks the newest checkpoint: whether one of the keys has signed it (without
// keys: one that the database names), whether the tree still has its root, and
// whether the log contains the newest one of the directory, if dir is not empty. It
// hashes no event that is in the tree; Verify does. Errors: ErrSignature,
// ErrNotCheckpoint, ErrForked, ErrBehind, ErrForged, or the database's and the
// directory's; the Health has what was found until then.
func CheckHealth(ctx context.Context, q postgres.Querier, keys []string, dir string) (Health, error) {
	var h Health
	public, err := PublicKeys(ctx, q)
	if err != nil {
		return h, err
	}
	known, err := storedKeys(ctx, q, keys...)
	if err != nil {
		return h, err
	}
	stored, err := newestSigned(ctx, q, known)
	if err != nil && !errors.Is(err, ErrNoCheckpoint) {
		return h, err
	}
	folder := newDirectory(dir)
	published, err := folder.newest()
	if err != nil {
		return h, err
	}
	h.Signed = stored.Size
	if _, err := postgres.Find(ctx, q, "read size of the tree", errNoTree,
		func(row pgx.CollectableRow) (now time.Time, err error) {
			err = row.Scan(&h.Head, &h.Size, &h.Waiting, &now)
			h.Age = now.Sub(stored.SignedAt)
			return now, err
		}, healthSQL, stored.Size); err != nil {
		return h, err
	}
	if err := folder.check(ctx, q, published, h.Head, keys...); err != nil {
		return h, err
	}
	if h.Keys = keys; len(keys) == 0 {
		h.Keys = public
	} else if wanted, err := Verifiers(keys); err != nil || stored.Size > 0 && stored.signedBy(wanted) != nil {
		return h, cmp.Or(err, stored.signedBy(wanted))
	}
	if stored.Size > h.Size || stored.Size > h.Head {
		return h, fmt.Errorf("%w: it covers %d events, the tree has %d and the log %d",
			ErrBehind, stored.Size, h.Size, h.Head)
	}
	if stored.Size > 0 {
		if err := contains(ctx, q, stored); err != nil {
			return h, err
		}
	}
	return h, checkRows(ctx, q, known)
}

// checkRows returns ErrForged if none of the keys has signed one of the newest stored
// checkpoints.
func checkRows(ctx context.Context, q postgres.Querier, known note.Verifiers) error {
	rows, err := postgres.List(ctx, q, "read checkpoints", scanOne, newestSQL, manyRows)
	if err != nil {
		return err
	}
	for _, c := range rows {
		if err := c.signedBy(known); err != nil {
			return fmt.Errorf("%w: %w", ErrForged, err)
		}
	}
	return nil
}
