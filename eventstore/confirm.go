package eventstore

import (
	"context"
	"fmt"
)

// confirmation makes a batch that wrote nothing wait for the synchronous standbys, if there
// are any. It is true if the batch waited.
//
// A conflict is an answer about the contents of the log: it acknowledges a repeated create,
// and an append whose answer was lost and that finds its own events. But what a primary
// shows may not last. If the wait of a commit for the standbys was canceled, or the primary
// crashed during it and restarted, every session sees events that no standby has, and a
// promotion removes them. And a primary that was replaced without noticing shows outdated
// data. PostgreSQL makes a transaction wait at its commit only if it has written something,
// so this writes a message into the write-ahead log, which nothing reads: everything that
// was in the log before it is then on the standbys as well.
const confirmation = `
    CASE WHEN current_setting('synchronous_standby_names') <> ''
              AND NOT EXISTS (SELECT FROM taken)
         THEN pg_logical_emit_message(true, 'daftar', '') END IS NOT NULL`

const confirmSQL = `
SELECT CASE WHEN current_setting('synchronous_standby_names') <> ''
       THEN pg_logical_emit_message(true, 'daftar', '') END IS NOT NULL`

// Confirm returns when everything that could be read from the log before is on the
// synchronous standbys, if there are any. Callers that acknowledge an event that they found,
// and did not write, need it. The error is ErrUnavailable.
func (s *Store) Confirm(ctx context.Context) error {
	if _, err := s.writes.Exec(ctx, confirmSQL); err != nil {
		return fmt.Errorf("%w: confirm the log: %w", ErrUnavailable, err)
	}
	return nil
}
