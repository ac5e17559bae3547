package transparency

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/postgres"
)

// Checkpoint is what a signed note says: the events at positions 1 to Size have
// this root.
type Checkpoint struct {
	Origin string
	Size   int64
	Root   tlog.Hash
	Note   string // exactly as signed
	// SignedAt is known only for checkpoints that the database has.
	SignedAt time.Time
}

// ErrNoCheckpoint says that none has been signed yet.
var ErrNoCheckpoint = errors.New("no checkpoint has been signed yet")

// sign makes the checkpoint of a tree: a note of three lines, as specified in
// c2sp.org/tlog-checkpoint.
func (k Key) sign(size int64, root tlog.Hash) (Checkpoint, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n", k.Origin(), size, root)
	signed, err := note.Sign(&note.Note{Text: text}, k.signer)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("sign checkpoint: %w", err)
	}
	return Checkpoint{Origin: k.Origin(), Size: size, Root: root, Note: string(signed)}, nil
}

// signedBy returns an error if none of the keys has signed the size and root of a stored
// checkpoint: ErrSignature or ErrNotCheckpoint.
func (c Checkpoint) signedBy(keys note.Verifiers) error {
	signed, err := OpenCheckpoint(c.Note, keys)
	if err == nil && (signed.Size != c.Size || signed.Root != c.Root) {
		err = fmt.Errorf("checkpoint of size %d: %w: its note is of another tree", c.Size, ErrSignature)
	}
	return err
}

const (
	newestSQL = `
SELECT size, root, note, signed_at
FROM transparency_checkpoints
ORDER BY size DESC
LIMIT $1`
	afterSQL = `
SELECT size, root, note, signed_at
FROM transparency_checkpoints
WHERE size > $1
  AND size <= $2
ORDER BY size
LIMIT $3`
)

// scanOne reads the columns of these statements.
func scanOne(row pgx.CollectableRow) (Checkpoint, error) {
	var c Checkpoint
	var root []byte
	if err := row.Scan(&c.Size, &root, &c.Note, &c.SignedAt); err != nil {
		return Checkpoint{}, err
	}
	copy(c.Root[:], root)
	c.Origin, _, _ = strings.Cut(c.Note, "\n")
	return c, nil
}

// Latest is the newest checkpoint that was signed with one of the keys that the database
// names. The error is ErrNoCheckpoint or the database's.
func Latest(ctx context.Context, q postgres.Querier) (Checkpoint, error) {
	keys, err := storedKeys(ctx, q)
	if err != nil {
		return Checkpoint{}, err
	}
	return newestSigned(ctx, q, keys)
}

// newest is the newest stored checkpoint that the key has signed; if it has signed none of the
// newest rows, the newest that another of the log's keys has signed.
func (k Key) newest(ctx context.Context, q postgres.Querier) (Checkpoint, error) {
	c, err := newestSigned(ctx, q, k.own)
	if errors.Is(err, ErrNoCheckpoint) {
		c, err = Latest(ctx, q)
	}
	return c, err
}

// manyRows is how many of the newest rows are searched for one with a good signature.
const manyRows = 1000

// newestSigned is the newest stored checkpoint that one of the keys has signed. Rows
// without such a signature, which anyone who has the service's password can insert, are
// skipped: they must not stop anything.
func newestSigned(ctx context.Context, q postgres.Querier, keys note.Verifiers) (Checkpoint, error) {
	for _, limit := range []int{1, manyRows} {
		rows, err := postgres.List(ctx, q, "read checkpoint", scanOne, newestSQL, limit)
		if err != nil {
			return Checkpoint{}, err
		}
		for _, c := range rows {
			if c.signedBy(keys) == nil {
				return c, nil
			}
		}
		if len(rows) < limit {
			break
		}
	}
	return Checkpoint{}, ErrNoCheckpoint
}

// checkpointsAfter are stored checkpoints with sizes above one up to another, the
// smallest first.
func checkpointsAfter(
	ctx context.Context, q postgres.Querier, after, upTo int64, limit int,
) ([]Checkpoint, error) {
	return postgres.List(ctx, q, "read checkpoints", scanOne, afterSQL, after, upTo, limit)
}
