package ledger

import (
	"errors"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/projections"
)

// Errors of the ledger, beside the domain's refusals. In each case nothing has
// changed.
var (
	// ErrNotFound says that there is no such intent.
	ErrNotFound = errors.New("no such intent")
	// ErrUnsettled says that others kept changing the intent first.
	ErrUnsettled = errors.New("the intent could not be settled in time")
	// ErrStaleCredential says that credentials have changed since the asker's was
	// looked up; it must be looked up again.
	ErrStaleCredential = errors.New("credentials have changed")
)

// IsTransient says whether the same request may succeed in a while: the error is
// about the moment (the database is out of reach or busy, this server is
// stopping, others were faster), not about what was asked.
func IsTransient(err error) bool {
	for _, transient := range []error{
		eventstore.ErrOverloaded, eventstore.ErrUnavailable, eventstore.ErrOutcomeUnknown, eventstore.ErrClosed,
		projections.ErrClosed, ErrUnsettled,
	} {
		if errors.Is(err, transient) {
			return true
		}
	}
	switch postgres.Classify(err) {
	case postgres.Unavailable, postgres.Retryable, postgres.Cancelled:
		return true
	case postgres.None, postgres.BadData, postgres.OutOfDate, postgres.Other:
	}
	return false
}
