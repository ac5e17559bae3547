package ledger

import (
	"errors"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/projections"
)

// Errors of the ledger, in addition to the domain's refusals. With each, nothing has
// changed.
var (
	// ErrNotFound says that there is no such intent.
	ErrNotFound = errors.New("no such intent")
	// ErrContention says that the intent kept changing: every append was a conflict.
	ErrContention = errors.New("the intent kept changing: too many conflicts")
	// ErrStaleCredential says that credentials have changed since the caller's was
	// read: authenticate again.
	ErrStaleCredential = errors.New("credentials have changed")
)

// IsTransient reports whether the same request may succeed later: its cause is the
// state of the service (the database is unavailable or busy, this server stops,
// other changes came first) and not the request.
func IsTransient(err error) bool {
	for _, transient := range []error{
		eventstore.ErrOverloaded, eventstore.ErrUnavailable, eventstore.ErrOutcomeUnknown,
		eventstore.ErrClosed, projections.ErrClosed, ErrContention,
	} {
		if errors.Is(err, transient) {
			return true
		}
	}
	switch postgres.Classify(err) {
	case postgres.Unavailable, postgres.Retryable, postgres.Canceled:
		return true
	case postgres.None, postgres.BadData, postgres.OutOfDate, postgres.Other:
	}
	return false
}
