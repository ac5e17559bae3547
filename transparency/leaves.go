package transparency

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/postgres"
)

// chunkSize is how many events are read and hashed at once: whole tiles.
const chunkSize = 128 * tileWidth

// postgresEpoch is 2000-01-01, from which timestamptz counts, in microseconds
// since 1970.
const postgresEpoch = 946_684_800_000_000

// leafRange has the hashes of consecutive events.
type leafRange struct {
	after   int64        // the position before the first
	hashes  []byte       // as in tiles
	stopped *Discrepancy // why there are fewer than requested; nil: there are as many
}

const leafRangeSQL = `
SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE position > $1
  AND position <= $2
ORDER BY position`

// allBinary requests the columns in the binary format, from which a leaf is made; text is the
// same in both formats.
var allBinary = pgx.QueryResultFormats{1, 1, 1, 1, 1, 1, 1, 1}

// readLeaves hashes the events after one position up to another. It stops
// at a position that is missing or exists twice. The bytes are used as the
// database sends them, because this is most of the work of a verification.
func readLeaves(ctx context.Context, q postgres.Querier, after, upTo int64) (leafRange, error) {
	rows, err := q.Query(ctx, leafRangeSQL, allBinary, after, upTo)
	if err != nil {
		return leafRange{}, fmt.Errorf("read events: %w", err)
	}
	defer rows.Close()
	r := leafRange{after: after, hashes: make([]byte, 0, (upTo-after)*tlog.HashSize)}
	scratch := make([]byte, 0, leafSize)
	var h tlog.Hash
	next := after + 1
	for rows.Next() {
		l, err := leafOfRow(rows.RawValues())
		if err != nil {
			return leafRange{}, err
		}
		if l.position != next {
			r.stopped = discrepancy(next, KindRemoved,
				"there is no event at this position; the next is at %d", l.position)
			if l.position < next {
				r.stopped = discrepancy(l.position, KindInserted, "there is more than one event at this position")
			}
			return r, nil
		}
		h, scratch = l.hash(scratch)
		r.hashes = append(r.hashes, h[:]...)
		next++
	}
	if err := rows.Err(); err != nil {
		return leafRange{}, fmt.Errorf("read events: %w", err)
	}
	if next <= upTo {
		r.stopped = discrepancy(next, KindRemoved, "the log ends before it, and the tree does not")
	}
	return r, nil
}

func leafOfRow(raw [][]byte) (leaf, error) {
	for n, size := range [...]int{8, 16, 4, -1, 4, -1, -1, 8} {
		if raw[n] == nil || (size >= 0 && len(raw[n]) != size) {
			return leaf{}, fmt.Errorf("read events: column %d has %d bytes, want %d", n+1, len(raw[n]), size)
		}
	}
	return leaf{
		position:      int64(binary.BigEndian.Uint64(raw[0])),
		stream:        [16]byte(raw[1]),
		version:       int64(int32(binary.BigEndian.Uint32(raw[2]))),
		typ:           raw[3],
		schemaVersion: int64(int32(binary.BigEndian.Uint32(raw[4]))),
		payload:       sha256.Sum256(raw[5]),
		metadata:      sha256.Sum256(raw[6]),
		recordedAt:    int64(binary.BigEndian.Uint64(raw[7])) + postgresEpoch,
	}, nil
}
