package eventstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"daftar/internal/postgres"
)

// ErrRefused says that the database does not write, but reads as always.
var ErrRefused = errors.New("the database writes no events")

// refusal is why the database last refused to write.
type refusal struct {
	reason string
	at     time.Time // by the database's clock, or later by up to one round trip
}

// noteOutcome remembers what an attempt to write shows about the database.
func (s *Store) noteOutcome(events int64, err error) {
	if reason := postgres.RefusedWrite(err); reason != "" {
		s.refused.Store(&refusal{reason, s.clock.WallTime()})
	} else if events > 0 && s.refused.Load() != nil {
		s.refused.Store(nil)
	}
}

// An event of any server that is younger than the refusal proves that the database writes again.
const writableSQL = `
SELECT current_setting('transaction_read_only') = 'on',
       coalesce((SELECT recorded_at > $1 FROM events ORDER BY position DESC LIMIT 1), false)`

// CheckWritable returns an error that wraps ErrRefused and states the cause while the database
// does not write: it is read-only, or the last append failed because of a full disk or another
// cause in the database, and no server has written an event since. The check writes nothing.
// If the database does not answer, the last append decides.
func (s *Store) CheckWritable(ctx context.Context) error {
	last := s.refused.Load()
	since := time.Time{}
	if last != nil {
		since = last.at
	}
	var readOnly, wrote bool
	err := s.q.QueryRow(ctx, writableSQL, since).Scan(&readOnly, &wrote)
	switch {
	case err == nil && readOnly:
		return fmt.Errorf("%w: it is read-only (default_transaction_read_only, or a standby)", ErrRefused)
	case last == nil:
		return nil
	case err == nil && wrote:
		s.refused.CompareAndSwap(last, nil)
		return nil
	}
	return fmt.Errorf("%w since %s: %s", ErrRefused, last.at.Format(time.RFC3339), last.reason)
}
