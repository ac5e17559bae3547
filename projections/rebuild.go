package projections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
)

// ErrRebuilding says that another rebuild of the same read model is under way.
var ErrRebuilding = errors.New("another rebuild of intents is under way")

// rebuildLock is the advisory lock of whoever rebuilds intents.
const rebuildLock int64 = 8_712_000_002

const (
	tryRebuildLockSQL = `SELECT pg_try_advisory_lock($1)`
	unlockRebuildSQL  = `SELECT pg_advisory_unlock($1)`
	// LIKE brings the columns, their comments, storage settings and the index.
	createShadowSQL = `
DROP TABLE IF EXISTS intents_rebuild;
CREATE TABLE intents_rebuild (LIKE intents INCLUDING ALL);
ALTER TABLE intents_rebuild SET (fillfactor = 85)`
	dropShadowSQL = `DROP TABLE IF EXISTS intents_rebuild`
	// The rights on the table and its columns, its comment and its owner are not
	// part of LIKE. Grantee 0 is PUBLIC.
	copyRightsSQL = `
DO $$
DECLARE
    old record;
    g   record;
BEGIN
    SELECT oid, relowner, relacl INTO old FROM pg_class WHERE oid = 'intents'::regclass;
    FOR g IN SELECT a.privilege_type AS privilege, '' AS place, a.grantee, a.is_grantable
             FROM aclexplode(old.relacl) a
             UNION ALL
             SELECT a.privilege_type, format(' (%I)', c.attname), a.grantee, a.is_grantable
             FROM pg_attribute c, aclexplode(c.attacl) a WHERE c.attrelid = old.oid
    LOOP
        CONTINUE WHEN g.grantee = old.relowner;
        EXECUTE format('GRANT %s%s ON intents_rebuild TO %s', g.privilege, g.place,
                       CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END
                       || CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
    END LOOP;
    EXECUTE format('COMMENT ON TABLE intents_rebuild IS %L', obj_description(old.oid));
    EXECUTE format('ALTER TABLE intents_rebuild OWNER TO %I', pg_get_userbyid(old.relowner));
END
$$`
	// A reader in a long transaction would keep the swap, and behind it every
	// writer, waiting.
	limitWaitSQL = `SET LOCAL lock_timeout = '2s'`
	swapSQL      = `
DROP TABLE intents;
ALTER TABLE intents_rebuild RENAME TO intents;
ALTER INDEX intents_rebuild_pkey RENAME TO intents_pkey`
	removeRowsSQL = `DELETE FROM intents_rebuild WHERE uuid = ANY($1)`
)

// maxCatchUps bounds how often the rebuild follows the writers before it stops
// them for the rest, which is then small.
const maxCatchUps = 20

// Rebuild makes the intents table anew from the events, beside the old one, and
// puts it in its place while the service runs; appends wait only for the last
// few events and the exchange. Where the old table differs from the events it is
// kept and the report says where, unless acceptDrift is set. It needs the rights
// of the tables' owner.
func Rebuild(ctx context.Context, pool *pgxpool.Pool, acceptDrift bool, progress Progress) (Report, error) {
	started := time.Now()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("rebuild intents: %w", err)
	}
	defer conn.Release()
	var mine bool
	if err := conn.QueryRow(ctx, tryRebuildLockSQL, rebuildLock).Scan(&mine); err != nil {
		return Report{}, fmt.Errorf("rebuild intents: %w", err)
	}
	if !mine {
		return Report{}, ErrRebuilding
	}
	cleanup := context.WithoutCancel(ctx)
	defer func() {
		// Where the connection is gone, so is the lock, and the next rebuild drops
		// the shadow.
		_, _ = conn.Exec(cleanup, dropShadowSQL)
		_, _ = conn.Exec(cleanup, unlockRebuildSQL, rebuildLock)
	}()
	report, err := rebuild(ctx, pool, conn.Conn(), acceptDrift, progress)
	if err != nil {
		return Report{}, fmt.Errorf("rebuild intents: %w", err)
	}
	report.Seconds = time.Since(started).Seconds()
	return report, nil
}

func rebuild(ctx context.Context, pool *pgxpool.Pool, conn *pgx.Conn, acceptDrift bool, progress Progress) (Report, error) {
	if _, err := conn.Exec(ctx, createShadowSQL); err != nil {
		return Report{}, err
	}
	var report Report
	var seen int64
	err := pgx.BeginTxFunc(ctx, pool, snapshot, func(tx pgx.Tx) error {
		var err error
		if seen, err = eventstore.NewReader(tx).Head(ctx); err != nil {
			return err
		}
		report, err = compare(ctx, tx, func(rows []Intent) error { return copyRows(ctx, conn, rows) }, progress)
		return err
	})
	if err != nil {
		return Report{}, err
	}
	if !report.OK && !acceptDrift {
		return report, nil
	}
	report.OK = true
	for range maxCatchUps {
		before := seen
		if seen, err = catchUp(ctx, conn, seen); err != nil {
			return Report{}, err
		}
		if seen-before < chunk {
			break
		}
	}
	return report, swap(ctx, conn, seen)
}

// catchUp brings the shadow from one position to the head of the log, by
// replaying the streams that have changed since, and returns the head.
func catchUp(ctx context.Context, conn *pgx.Conn, from int64) (int64, error) {
	reader := eventstore.NewReader(conn)
	head, err := reader.Head(ctx)
	if err != nil {
		return from, err
	}
	changed, err := reader.ChangedStreams(ctx, from, head)
	if err != nil {
		return from, err
	}
	rows := make([]Intent, len(changed))
	ids := make([][16]byte, len(changed))
	for n, id := range changed {
		events, err := reader.ReadStream(ctx, id)
		if err != nil {
			return from, err
		}
		i, err := Replay(domain.IntentID(id), events)
		if err != nil {
			return from, err
		}
		rows[n], ids[n] = IntentOf(i), id
	}
	if _, err := conn.Exec(ctx, removeRowsSQL, ids); err != nil {
		return from, fmt.Errorf("catch up: %w", err)
	}
	return head, copyRows(ctx, conn, rows)
}

// swap puts the shadow in the table's place. It is tried again where a reader
// holds the old table for too long.
func swap(ctx context.Context, conn *pgx.Conn, seen int64) error {
	const tries = 30
	for try := 1; ; try++ {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, limitWaitSQL); err != nil {
				return err
			}
			if err := eventstore.LockAppends(ctx, tx); err != nil {
				return err
			}
			if _, err := catchUp(ctx, conn, seen); err != nil {
				return err
			}
			for _, sql := range []string{copyRightsSQL, swapSQL} {
				if _, err := tx.Exec(ctx, sql); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			return nil
		}
		if postgres.Classify(err) != postgres.Retryable || try == tries {
			return fmt.Errorf("put the new table in place: %w", err)
		}
	}
}

var shadowTable = pgx.Identifier{"intents_rebuild"}

var shadowColumns = []string{
	"uuid", "application_uuid", "version", "reference", "merchant_reference", "amount", "currency", "status",
	"description", "customer", "return_url", "metadata", "expires_at", "checkout_url", "created_at", "updated_at",
}

func copyRows(ctx context.Context, conn *pgx.Conn, rows []Intent) error {
	_, err := conn.CopyFrom(ctx, shadowTable, shadowColumns, pgx.CopyFromSlice(len(rows), func(n int) ([]any, error) {
		i := rows[n]
		return []any{
			[16]byte(i.ID), [16]byte(i.Application), int32(i.Version), string(i.Reference), string(i.MerchantReference),
			i.Amount.Minor, string(i.Amount.Currency), string(i.Status), i.Description, []byte(i.customerJSON()),
			i.ReturnURL, i.metadataText(), i.ExpiresAt, i.CheckoutPath, i.CreatedAt, i.UpdatedAt,
		}, nil
	}))
	if err != nil {
		return fmt.Errorf("copy rows: %w", err)
	}
	return nil
}
