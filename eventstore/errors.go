package eventstore

import (
	"errors"
	"fmt"

	"github.com/google/uuid"
)

// Errors of an append. All but ErrOutcomeUnknown mean that nothing was written.
var (
	// ErrFenced says that the credential epoch has moved on.
	ErrFenced = errors.New("credential epoch has moved on")
	// ErrOverloaded says that too many appends are waiting.
	ErrOverloaded = errors.New("too many appends are waiting")
	// ErrClosed says that the store takes no more appends.
	ErrClosed = errors.New("event store is closed")
	// ErrInvalid says that the append itself is bad and will never be taken.
	ErrInvalid = errors.New("invalid append")
	// ErrUnavailable says that the database could not be reached or could not
	// write.
	ErrUnavailable = errors.New("event store is unavailable")
	// ErrOutcomeUnknown says that the append may or may not have been written.
	ErrOutcomeUnknown = errors.New("outcome of the append is unknown")
)

// Conflict says that a stream was not at the version that an append expected.
type Conflict struct {
	Stream   uuid.UUID
	Expected int
	Actual   int
}

func (c *Conflict) Error() string {
	return fmt.Sprintf("stream %s is at version %d, not %d", c.Stream, c.Actual, c.Expected)
}
