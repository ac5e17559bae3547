package transparency

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
)

// leafFormat begins every leaf. The bytes of format 1 are frozen: published
// proofs depend on them.
const leafFormat = 1

// leafSize is the capacity for a leaf with a type of usual length, in bytes.
const leafSize = 192

// leaf has the fields of an event that are hashed.
type leaf struct {
	position      int64
	stream        [16]byte
	version       int64
	typ           []byte
	schemaVersion int64
	recordedAt    int64 // microseconds since 1970
	payload       [sha256.Size]byte
	metadata      [sha256.Size]byte
}

func leafOf(e eventstore.Recorded) leaf {
	return leaf{
		position:      e.Position,
		stream:        e.Stream,
		version:       int64(e.Version),
		typ:           []byte(e.Type),
		schemaVersion: int64(e.SchemaVersion),
		recordedAt:    e.RecordedAt.UnixMicro(),
		payload:       sha256.Sum256(e.Payload),
		metadata:      sha256.Sum256(e.Metadata),
	}
}

// append writes the leaf: its format, then each field after its length, numbers
// in network order. docs/transparency.md specifies it to the byte.
func (l *leaf) append(b []byte) []byte {
	b = append(b, leafFormat)
	b = appendNumber(b, l.position)
	b = appendField(b, l.stream[:])
	b = appendNumber(b, l.version)
	b = appendField(b, l.typ)
	b = appendNumber(b, l.schemaVersion)
	b = appendNumber(b, l.recordedAt)
	b = appendField(b, l.payload[:])
	return appendField(b, l.metadata[:])
}

func appendField(b, field []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(field)))
	return append(b, field...)
}

func appendNumber(b []byte, n int64) []byte {
	b = binary.BigEndian.AppendUint32(b, 8)
	return binary.BigEndian.AppendUint64(b, uint64(n))
}

// hash is the leaf's hash in the tree (RFC 6962: SHA-256 over a zero byte and the
// leaf). It works in scratch, which it returns for the next call.
func (l *leaf) hash(scratch []byte) (tlog.Hash, []byte) {
	scratch = l.append(append(scratch[:0], 0))
	return sha256.Sum256(scratch), scratch
}

// hashAt is the hash that the leaf has at another position.
func (l *leaf) hashAt(position int64) tlog.Hash {
	moved := *l
	moved.position = position
	h, _ := moved.hash(make([]byte, 0, leafSize))
	return h
}

// Leaf returns the bytes of an event's leaf in the tree, which has hashes of payload and
// metadata.
func Leaf(e eventstore.Recorded) []byte {
	l := leafOf(e)
	return l.append(make([]byte, 0, leafSize))
}

// leafHashes hashes events whose positions follow the given one.
func leafHashes(after int64, events []eventstore.Recorded) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(events))
	scratch := make([]byte, 0, leafSize)
	for n, e := range events {
		if want := after + int64(n) + 1; e.Position != want {
			return nil, fmt.Errorf("position %d comes where %d should: %w", e.Position, want, ErrMismatch)
		}
		l := leafOf(e)
		hashes[n], scratch = l.hash(scratch)
	}
	return hashes, nil
}
