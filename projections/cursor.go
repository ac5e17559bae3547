package projections

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// ErrCursor says that a text is no cursor of a list.
var ErrCursor = errors.New("not a cursor")

// key is the place of a payment in a list: by creation, then by uuid.
type key struct {
	at time.Time
	id [16]byte
}

// before reports whether the key is older than another.
func (k key) before(other key) bool {
	if !k.at.Equal(other.at) {
		return k.at.Before(other.at)
	}
	return bytes.Compare(k.id[:], other.id[:]) < 0
}

// including is the key after which the payment at k is still found.
func (k key) including(d direction) key {
	if d == older {
		return key{at: k.at.Add(time.Microsecond)}
	}
	return key{at: k.at.Add(-time.Microsecond), id: uuid.Max}
}

// The ends of every list. No payment is there.
var (
	oldest = key{at: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)}
	newest = key{at: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), id: uuid.Max}
)

type direction byte

const (
	older direction = 'o'
	newer direction = 'n'
)

func opposite(d direction) direction {
	if d == older {
		return newer
	}
	return older
}

// cursor is where a page begins: after the key, in the direction.
type cursor struct {
	direction
	key
}

// bounds are the keys, both excluded, between which a list continues from the cursor: of what was
// created at from or later, and before to. A zero time is no limit.
func (c cursor) bounds(from, to time.Time) (low, high key) {
	low, high = oldest, newest
	if !from.IsZero() {
		low = key{at: from} // nobody has the nil uuid
	}
	if !to.IsZero() {
		high = key{at: to}
	}
	if c.direction == older && c.before(high) {
		high = c.key
	}
	if c.direction == newer && low.before(c.key) {
		low = c.key
	}
	return low, high
}

const cursorBytes = 1 + 8 + 16

func (c cursor) String() string {
	b := make([]byte, 0, cursorBytes)
	b = append(b, byte(c.direction))
	b = binary.BigEndian.AppendUint64(b, uint64(c.at.UnixMicro()))
	b = append(b, c.id[:]...)
	return base64.RawURLEncoding.EncodeToString(b)
}

// parseCursor reads what String wrote; an empty text is the newest end.
func parseCursor(text string) (cursor, error) {
	if text == "" {
		return cursor{older, newest}, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) != cursorBytes {
		return cursor{}, fmt.Errorf("read cursor: %w", ErrCursor)
	}
	c := cursor{direction: direction(b[0])}
	c.at = time.UnixMicro(int64(binary.BigEndian.Uint64(b[1:9]))).UTC()
	copy(c.id[:], b[9:])
	if (c.direction != older && c.direction != newer) || c.before(oldest) || newest.before(c.key) {
		return cursor{}, fmt.Errorf("read cursor: %w", ErrCursor)
	}
	return c, nil
}
