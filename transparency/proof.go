package transparency

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
	"daftar/internal/postgres"
)

// ProofFormat is the first field of every proof file.
const ProofFormat = "daftar-proof/1"

// knownCheckpoints is how many of the newest checkpoints a proof file can always be
// checked against.
const knownCheckpoints = 512

// ErrUncovered says that no checkpoint covers the newest event yet. It passes
// within a second while a server runs.
var ErrUncovered = errors.New("no checkpoint covers the events yet")

// Proof is a file that proves the events of one intent to anyone who has the log's
// public key. It has the complete events, including the token of the checkout page.
type Proof struct {
	Format     string          `json:"format"`
	Intent     uuid.UUID       `json:"intent"`
	PublicKey  string          `json:"public_key"`
	Checkpoint string          `json:"checkpoint"`
	PublicURL  string          `json:"public_url"` // prefix of the addresses in State; not proven
	State      json.RawMessage `json:"state"`      // the API's resource, derived from the events
	Events     []ProvenEvent   `json:"events"`
	Older      Older           `json:"consistency"`
}

// ProvenEvent is an event as the log has it, and its place in the tree.
type ProvenEvent struct {
	Position      int64       `json:"position"`
	StreamID      uuid.UUID   `json:"stream_id"`
	Version       int         `json:"version"`
	Type          string      `json:"type"`
	SchemaVersion int         `json:"schema_version"`
	RecordedAt    time.Time   `json:"recorded_at"`
	Payload       string      `json:"payload"`
	Metadata      string      `json:"metadata"`
	Leaf          []byte      `json:"leaf"`
	LeafHash      tlog.Hash   `json:"leaf_hash"`
	Inclusion     []tlog.Hash `json:"inclusion"`
}

// Older has what is needed to check the file against earlier checkpoints: the
// hashes of all consistency proofs from the sizes, each once, by "LEVEL/NUMBER"
// (level 0 are leaves).
type Older struct {
	From   []int64              `json:"from"`
	Hashes map[string]tlog.Hash `json:"hashes"`
}

// Recorded is the event in the log's own form.
func (e ProvenEvent) Recorded() eventstore.Recorded {
	return eventstore.Recorded{
		Position:      e.Position,
		Stream:        e.StreamID,
		Version:       e.Version,
		Type:          e.Type,
		SchemaVersion: e.SchemaVersion,
		Payload:       []byte(e.Payload),
		Metadata:      []byte(e.Metadata),
		RecordedAt:    e.RecordedAt,
	}
}

// Prove makes the proof of a stream's events against the newest checkpoint, without
// State and PublicURL. The file can be checked against the given older
// checkpoints and the newest stored ones. Errors: ErrNoCheckpoint, ErrUncovered, ErrMismatch
// if the log is not what was signed, or the database's.
func Prove(
	ctx context.Context, q postgres.Querier, events []eventstore.Recorded, since ...Checkpoint,
) (*Proof, error) {
	if len(events) == 0 {
		return nil, errors.New("prove nothing: there are no events")
	}
	c, key, err := latestWithKey(ctx, q)
	if err != nil {
		return nil, err
	}
	p := &Proof{Format: ProofFormat, Intent: events[0].Stream, PublicKey: key, Checkpoint: c.Note}
	if last := events[len(events)-1].Position; last > c.Size {
		return nil, fmt.Errorf("%w: position %d, the newest checkpoint ends at %d", ErrUncovered, last, c.Size)
	}
	if err := p.include(ctx, q, events, c.Size); err != nil {
		return nil, err
	}
	if err := p.connect(ctx, q, c, since); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Proof) include(
	ctx context.Context, q postgres.Querier, events []eventstore.Recorded, size int64,
) error {
	for _, e := range events {
		path, err := pathOf(ctx, q, e.Position, size)
		if err != nil {
			return err
		}
		leaf := Leaf(e)
		p.Events = append(p.Events, ProvenEvent{
			Position:      e.Position,
			StreamID:      e.Stream,
			Version:       e.Version,
			Type:          e.Type,
			SchemaVersion: e.SchemaVersion,
			RecordedAt:    e.RecordedAt.UTC(),
			Payload:       string(e.Payload),
			Metadata:      string(e.Metadata),
			Leaf:          leaf,
			LeafHash:      tlog.RecordHash(leaf),
			Inclusion:     path,
		})
	}
	return nil
}

const knownSizesSQL = `
SELECT size
FROM transparency_checkpoints
WHERE size < $1
ORDER BY size DESC
LIMIT $2`

// connect collects the hashes of the consistency proofs from older checkpoints.
func (p *Proof) connect(ctx context.Context, q postgres.Querier, c Checkpoint, since []Checkpoint) error {
	sizes, err := postgres.List(ctx, q, "read sizes of checkpoints", pgx.RowTo[int64],
		knownSizesSQL, c.Size, knownCheckpoints)
	if err != nil {
		return err
	}
	for _, older := range since {
		if older.Size > c.Size {
			return fmt.Errorf("the checkpoint given has %d events, the log's newest %d: %w",
				older.Size, c.Size, ErrMismatch)
		}
		if older.Size > 0 && older.Size < c.Size {
			sizes = append(sizes, older.Size)
		}
	}
	slices.Sort(sizes)
	p.Older = Older{From: slices.Compact(sizes), Hashes: map[string]tlog.Hash{}}
	// First collect which hashes the proofs need, then read all at once.
	needed := map[int64]bool{}
	collect := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		for _, index := range indexes {
			needed[index] = true
		}
		return make([]tlog.Hash, len(indexes)), nil
	})
	for _, size := range p.Older.From {
		if _, err := tlog.ProveTree(c.Size, size, collect); err != nil {
			return fmt.Errorf("prove consistency from %d: %w", size, err)
		}
	}
	indexes := slices.Collect(maps.Keys(needed))
	hashes, err := hashReader(ctx, q).ReadHashes(indexes)
	if err != nil {
		return err
	}
	for n, index := range indexes {
		p.Older.Hashes[coordinates(index)] = hashes[n]
	}
	return nil
}

// coordinates are level and number of a hash in the tree of RFC 6962.
func coordinates(index int64) string {
	level, n := tlog.SplitStoredHashIndex(index)
	return fmt.Sprintf("%d/%d", level, n)
}

// reader reads the file's hashes for tlog.
func (o *Older) reader() tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for n, index := range indexes {
			h, ok := o.Hashes[coordinates(index)]
			if !ok {
				return nil, errNoPath
			}
			hashes[n] = h
		}
		return hashes, nil
	})
}
