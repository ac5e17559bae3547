package eventstore

import (
	"context"
	"fmt"
)

// confirmation has a batch that wrote nothing wait for the standbys all the same, where
// there are synchronous ones. It is true where it did.
//
// A conflict is an answer on what the log holds: a repeated create is acknowledged by it,
// and so is an append whose answer was lost and that finds its own events. But what a
// primary shows need not last. Where the wait of a commit for the standbys was canceled,
// or the primary has crashed in it and started again, everybody sees what no standby has,
// and a promotion takes it back; and a primary that was replaced without knowing shows what
// is long out of date. PostgreSQL lets a transaction wait at its commit only if it has
// written something, so this writes a message into the write-ahead log, which nobody reads:
// what was in the log before it is then on the standbys as well.
const confirmation = `
    CASE WHEN current_setting('synchronous_standby_names') <> '' AND NOT EXISTS (SELECT FROM taken)
         THEN pg_logical_emit_message(true, 'daftar', '') END IS NOT NULL`

const confirmSQL = `
SELECT CASE WHEN current_setting('synchronous_standby_names') <> '' THEN pg_logical_emit_message(true, 'daftar', '') END IS NOT NULL`

// Confirm returns when everything that could be read from the log before is on the
// synchronous standbys, where there are any. Whoever acknowledges what was only found, and
// not just written, needs it. Its error is ErrUnavailable.
func (s *Store) Confirm(ctx context.Context) error {
	if _, err := s.writes.Exec(ctx, confirmSQL); err != nil {
		return fmt.Errorf("%w: confirm the log: %w", ErrUnavailable, err)
	}
	return nil
}
