package transparency

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
)

// Checkpoint is what a signed note says: the events at positions 1 to Size have
// this root.
type Checkpoint struct {
	Origin string
	Size   int64
	Root   tlog.Hash
	Note   string // exactly as signed
}

// Errors of checkpoints.
var (
	// ErrNoCheckpoint says that none has been signed yet.
	ErrNoCheckpoint = errors.New("no checkpoint has been signed yet")
	// ErrNotCheckpoint is returned for text that is no checkpoint.
	ErrNotCheckpoint = errors.New("not a checkpoint")
	// ErrSignature says that none of the keys has signed a checkpoint.
	ErrSignature = errors.New("the signature does not hold")
)

// sign makes the checkpoint of a tree: a note of three lines, as c2sp.org/tlog-checkpoint
// has it.
func (k Key) sign(size int64, root tlog.Hash) (Checkpoint, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n", k.Origin(), size, root)
	signed, err := note.Sign(&note.Note{Text: text}, k.signer)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("sign checkpoint: %w", err)
	}
	return Checkpoint{Origin: k.Origin(), Size: size, Root: root, Note: string(signed)}, nil
}

// ParseCheckpoint reads a signed note without looking at its signatures. The
// error wraps ErrNotCheckpoint.
func ParseCheckpoint(text string) (Checkpoint, error) {
	body, _, signed := strings.Cut(text, "\n\n")
	lines := strings.Split(body, "\n")
	if !signed || len(lines) < 3 || lines[0] == "" {
		return Checkpoint{}, fmt.Errorf("%w: it has no origin, size, root and signature", ErrNotCheckpoint)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != lines[1] {
		return Checkpoint{}, fmt.Errorf("%w: %q is no size", ErrNotCheckpoint, lines[1])
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return Checkpoint{}, fmt.Errorf("%w: %q is no root", ErrNotCheckpoint, lines[2])
	}
	return Checkpoint{Origin: lines[0], Size: size, Root: tlog.Hash(root), Note: text}, nil
}

// OpenCheckpoint reads a signed note that one of the keys has signed under the
// log's name. Errors wrap ErrNotCheckpoint or ErrSignature.
func OpenCheckpoint(text string, keys note.Verifiers) (Checkpoint, error) {
	c, err := ParseCheckpoint(text)
	if err != nil {
		return Checkpoint{}, err
	}
	opened, err := note.Open([]byte(text), keys)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint of size %d: %w: %w", c.Size, ErrSignature, err)
	}
	for _, s := range opened.Sigs {
		if s.Name == c.Origin {
			return c, nil
		}
	}
	return Checkpoint{}, fmt.Errorf("checkpoint of size %d: %w: it is of %s, signed by another name", c.Size, ErrSignature, c.Origin)
}

const (
	latestSQL = `SELECT size, root, note, signed_at FROM transparency_checkpoints ORDER BY size DESC LIMIT 1`
	afterSQL  = `SELECT size, root, note, signed_at FROM transparency_checkpoints WHERE size > $1 AND size <= $2 ORDER BY size LIMIT $3`
)

type storedCheckpoint struct {
	Size     int64
	Root     []byte
	Note     string
	SignedAt time.Time
}

// Latest is the newest checkpoint. The error is ErrNoCheckpoint or the database's.
func Latest(ctx context.Context, q eventstore.Querier) (Checkpoint, error) {
	c, _, err := latest(ctx, q)
	return c, err
}

func latest(ctx context.Context, q eventstore.Querier) (Checkpoint, time.Time, error) {
	var s storedCheckpoint
	err := q.QueryRow(ctx, latestSQL).Scan(&s.Size, &s.Root, &s.Note, &s.SignedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return Checkpoint{}, time.Time{}, ErrNoCheckpoint
	}
	if err != nil {
		return Checkpoint{}, time.Time{}, fmt.Errorf("read checkpoint: %w", err)
	}
	return s.checkpoint(), s.SignedAt, nil
}

func (s storedCheckpoint) checkpoint() Checkpoint {
	origin, _, _ := strings.Cut(s.Note, "\n")
	return Checkpoint{Origin: origin, Size: s.Size, Root: tlog.Hash(s.Root), Note: s.Note}
}

// checkpointsAfter are stored checkpoints with sizes above one up to another, the
// smallest first.
func checkpointsAfter(ctx context.Context, q eventstore.Querier, after, upTo int64, limit int) ([]Checkpoint, error) {
	rows, err := q.Query(ctx, afterSQL, after, upTo, limit)
	if err != nil {
		return nil, fmt.Errorf("read checkpoints: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Checkpoint, error) {
		s, err := pgx.RowToStructByPos[storedCheckpoint](row)
		if err != nil {
			return Checkpoint{}, err
		}
		return s.checkpoint(), nil
	})
	if err != nil {
		return nil, fmt.Errorf("read checkpoints: %w", err)
	}
	return all, nil
}
