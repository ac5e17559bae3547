package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
	"daftar/projections"
)

// Transient errors differ from permanent ones.
func TestTransientErrors(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		err       error
		transient bool
	}{
		{eventstore.ErrOverloaded, true},
		{eventstore.ErrUnavailable, true},
		{eventstore.ErrOutcomeUnknown, true},
		{eventstore.ErrClosed, true},
		{projections.ErrClosed, true},
		{ledger.ErrContention, true},
		{context.DeadlineExceeded, true},
		{io.ErrUnexpectedEOF, true},
		{&pgconn.PgError{Code: "57P01"}, true},  // the server is stopping
		{&pgconn.PgError{Code: "40001"}, true},  // serialization failure
		{&pgconn.PgError{Code: "22021"}, false}, // bad data
		{&pgconn.PgError{Code: "42P01"}, false}, // no such table
		{eventstore.ErrInvalid, false},
		{ledger.ErrNotFound, false},
		{ledger.ErrStaleCredential, false},
		{domain.RefusedMalformed, false},
		{errors.New("anything else"), false},
		{nil, false},
	} {
		if err := fmt.Errorf("do something: %w", row.err); ledger.IsTransient(err) != row.transient {
			t.Errorf("%v: transient is %v", row.err, !row.transient)
		}
	}
}
