package projections

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
)

// shape is a read model as a rebuild knows it: which tables it has, and how
// streams become their rows.
type shape struct {
	name  string
	group string // of the feed, that keeps it; empty: it is written with the events
	// version is that of the schema that this program makes. A larger one than the
	// tables have is built beside them and switched to; alter makes of a copy of
	// the old tables the new ones.
	version int
	alter   string
	tables  []table
	begin   func() folding
}

// table is one of a read model's tables and what identifies a row in it.
type table struct {
	name string
	key  []string // the first is the stream, where rows belong to one
}

// folding turns streams into rows, on its way to the tables of a rebuild. It
// knows streams and rows, and leaves transactions to whoever calls.
type folding interface {
	// add takes in a whole stream.
	add(stream []eventstore.Recorded) error
	// move takes in a stream of which the tables hold the first events already.
	move(stream []eventstore.Recorded, held int) error
	// write puts what was taken in into the tables, forgets it, and says how many
	// rows it was.
	write(ctx context.Context, tx pgx.Tx, at placing) (int64, error)
	// settle comes after the last add and before the indexes.
	settle(ctx context.Context, tx pgx.Tx, at placing) error
	// compare says where the live tables differ from the new ones, both being at
	// the same position.
	compare(ctx context.Context, tx pgx.Tx, at placing, position int64) ([]Drift, error)
	// check holds the new tables to what must be true of any at that position.
	check(ctx context.Context, tx pgx.Tx, at placing, position int64) error
}

// placing says under which name a table of the read model is found.
type placing func(table string) string

// live are the tables that are served.
func live(table string) string { return table }

// on fills in the tables that a statement names in braces.
func on(sql string, at placing) string {
	for {
		_, rest, found := strings.Cut(sql, "{")
		if !found {
			return sql
		}
		name, _, _ := strings.Cut(rest, "}")
		sql = strings.ReplaceAll(sql, "{"+name+"}", pgx.Identifier{at(name)}.Sanitize())
	}
}

// differing are the streams of which the live table and the new one have
// different rows, at most as many as a report lists. Columns that only one of
// them has are left out: they are what a new version adds.
func differing(ctx context.Context, tx pgx.Tx, t table, at placing) ([]uuid.UUID, error) {
	columns, err := commonColumns(ctx, tx, t.name, at(t.name))
	if err != nil {
		return nil, err
	}
	same := make([]string, len(t.key))
	for n, key := range t.key {
		same[n] = fmt.Sprintf("o.%s = n.%s", key, key)
	}
	// json has no equality; its text is what was written. Null is as good as absent.
	values := func(of string) string {
		list := make([]string, len(columns))
		for n, c := range columns {
			name := of + "." + pgx.Identifier{c.name}.Sanitize()
			if c.value == "json" {
				name = "coalesce(" + name + "::text, 'null')"
			}
			list[n] = name
		}
		return strings.Join(list, ", ")
	}
	sql := fmt.Sprintf(`
SELECT DISTINCT coalesce(o.%s, n.%s) AS stream FROM %s o FULL JOIN %s n ON %s
WHERE o.%s IS NULL OR n.%s IS NULL OR (%s) IS DISTINCT FROM (%s) ORDER BY stream LIMIT $1`,
		t.key[0], t.key[0], t.name, pgx.Identifier{at(t.name)}.Sanitize(), strings.Join(same, " AND "),
		t.key[0], t.key[0], values("o"), values("n"))
	rows, err := tx.Query(ctx, sql, maxDrift)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", t.name, err)
	}
	ids, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (uuid.UUID, error) {
		var id [16]byte
		err := row.Scan(&id)
		return id, err
	})
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", t.name, err)
	}
	return ids, nil
}

const commonColumnsSQL = `
SELECT a.attname, format_type(a.atttypid, NULL) FROM pg_attribute a
WHERE a.attrelid = $1::text::regclass AND a.attnum > 0 AND NOT a.attisdropped
  AND EXISTS (SELECT FROM pg_attribute b WHERE b.attrelid = $2::text::regclass AND b.attname = a.attname
              AND b.atttypid = a.atttypid AND NOT b.attisdropped)
ORDER BY a.attnum`

func commonColumns(ctx context.Context, tx pgx.Tx, one, other string) ([]column, error) {
	rows, err := tx.Query(ctx, commonColumnsSQL, one, other)
	if err != nil {
		return nil, fmt.Errorf("list columns of %s: %w", one, err)
	}
	columns, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c column, err error) {
		return c, row.Scan(&c.name, &c.value)
	})
	if err != nil {
		return nil, fmt.Errorf("list columns of %s: %w", one, err)
	}
	return columns, nil
}

const streamsUpToSQL = `
SELECT position, stream_id, version, type, schema_version, payload
FROM events WHERE stream_id = ANY($1) AND position <= $2 ORDER BY stream_id, version`

// streamsUpTo reads streams as they were at a position, in the order of their ids.
func streamsUpTo(ctx context.Context, tx pgx.Tx, ids []uuid.UUID, position int64) ([]eventstore.Recorded, error) {
	rows, err := tx.Query(ctx, streamsUpToSQL, plannedAnew, bytesOf(ids), position)
	if err != nil {
		return nil, fmt.Errorf("read streams: %w", err)
	}
	events, err := pgx.CollectRows(rows, scanEvent)
	if err != nil {
		return nil, fmt.Errorf("read streams: %w", err)
	}
	return events, nil
}

// scanEvent reads what Decode needs of an event.
func scanEvent(row pgx.CollectableRow) (eventstore.Recorded, error) {
	var e eventstore.Recorded
	var stream [16]byte
	err := row.Scan(&e.Position, &stream, &e.Version, &e.Type, &e.SchemaVersion, &e.Payload)
	e.Stream = stream
	return e, err
}

func bytesOf(ids []uuid.UUID) [][16]byte {
	all := make([][16]byte, len(ids))
	for n, id := range ids {
		all[n] = id
	}
	return all
}

// checkCounts holds a table with a row per stream to the log: a row for each
// stream, and as many versions as there are positions, so that no event is
// missing or counted twice.
func checkCounts(ctx context.Context, tx pgx.Tx, sql string, position int64) error {
	var rows, versions, streams int64
	if err := tx.QueryRow(ctx, sql).Scan(&rows, &versions); err != nil {
		return fmt.Errorf("count rows: %w", err)
	}
	if err := tx.QueryRow(ctx, countStreamsSQL, position).Scan(&streams); err != nil {
		return fmt.Errorf("count streams: %w", err)
	}
	if rows != streams || versions != position {
		return fmt.Errorf("%w: %d rows of %d events; the log has %d intents and %d events", errShadow, rows, versions, streams, position)
	}
	return nil
}

const countStreamsSQL = `SELECT count(*) FROM events WHERE version = 1 AND position <= $1`
