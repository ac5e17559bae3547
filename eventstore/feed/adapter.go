package feed

import (
	"database/sql"
	"errors"
	"fmt"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
)

// topic is the log's name in Watermill.
const topic = "events"

// maxBatchBytes bounds what a group holds in memory; a larger event comes alone.
const maxBatchBytes = 8 << 20

// selectSQL locks the group's offset and reads what comes next as one row. If the offset is one from
// $4 to $5, which the server has in memory with what follows, the row has the offset and no events, unless
// there are released ones.
//
// A server that finds the offset locked gets no row and stands by. The lock sees
// the offset's newest version but the rest of the statement an older snapshot:
// events that the snapshot lacks come with the next poll. Released events are
// locked as well, because the snapshot may still show events that another server has
// just handled; the lock skips a deleted row.
const selectSQL = `
WITH mine AS MATERIALIZED (
    SELECT position
    FROM consumer_offsets
    WHERE consumer_group = $1
      AND (retry_at IS NULL OR retry_at <= clock_timestamp())
    FOR UPDATE SKIP LOCKED
), released AS MATERIALIZED (
    SELECT p.position
    FROM parked_events p
    WHERE p.consumer_group = $1
      AND p.released_at IS NOT NULL
      AND EXISTS (SELECT FROM mine)
    ORDER BY p.position
    LIMIT $2
    FOR UPDATE SKIP LOCKED
), kept AS MATERIALIZED (
    SELECT m.position
    FROM mine m
    WHERE m.position BETWEEN $4 AND $5
      AND NOT EXISTS (SELECT FROM released)
), following AS (
    SELECT e.*
    FROM events e
    WHERE e.position IN (SELECT r.position FROM released r)
    UNION ALL
    (SELECT e.*
     FROM events e
     WHERE e.position > (SELECT m.position FROM mine m)
       AND NOT EXISTS (SELECT FROM released)
       AND NOT EXISTS (SELECT FROM kept)
     ORDER BY e.position
     LIMIT $2)
), sized AS (
    SELECT f.*, sum(octet_length(f.payload) + octet_length(f.metadata)) OVER (ORDER BY f.position)
                - octet_length(f.payload) - octet_length(f.metadata) AS before
    FROM following f
)
SELECT (SELECT position FROM kept),
       EXISTS (SELECT FROM released),
       string_agg(record_send(ROW(position, stream_id, version, type, schema_version, payload,
                                  metadata, recorded_at)),
                  ''::bytea ORDER BY position)
FROM sized
WHERE before < $3 OR before = 0
HAVING count(*) > 0
    OR EXISTS (SELECT FROM kept)`

// ackSQL advances the offset; released events lie before it and do not change it. $3 is the
// reason for which the group halts, or null.
const ackSQL = `
UPDATE consumer_offsets
SET position = greatest(position, $2), updated_at = clock_timestamp(), halted_reason = $3::text,
    retry_at = CASE WHEN $3::text IS NOT NULL THEN clock_timestamp() + make_interval(secs => $4) END
WHERE consumer_group = $1`

const createOffsetSQL = `
INSERT INTO consumer_offsets (consumer_group, position, updated_at)
VALUES ($1, 0, clock_timestamp())
ON CONFLICT DO NOTHING`

const retryHaltedSQL = `
UPDATE consumer_offsets
SET retry_at = clock_timestamp()
WHERE consumer_group = $1
  AND retry_at IS NOT NULL`

var errReadOnly = errors.New("feed: events are appended through the event store")

// adapter presents the log to Watermill as a topic; it is schema adapter and offsets
// adapter in one. It belongs to one group, which has one message in flight at most.
type adapter struct{ g *group }

// InsertQuery refuses: only the event store writes the topic.
func (adapter) InsertQuery(string, message.Messages) (watermillsql.Query, error) {
	return watermillsql.Query{}, errReadOnly
}

// SelectQuery reads the next batch, or only locks the offset if the batch is in
// memory.
func (a adapter) SelectQuery(_, name string, _ watermillsql.OffsetsAdapter) watermillsql.Query {
	limit, from, to := a.g.beginPoll()
	return watermillsql.Query{Query: selectSQL, Args: []any{name, limit, int64(maxBatchBytes), from, to}}
}

// UnmarshalMessage makes one message of a batch. The message only represents the
// events, which the group has.
func (a adapter) UnmarshalMessage(row watermillsql.Scanner) (watermillsql.Row, error) {
	d, err := a.read(row)
	if err != nil {
		return watermillsql.Row{}, err
	}
	a.g.begin(d)
	return watermillsql.Row{Offset: d.last(), Msg: a.g.message(d.events)}, nil
}

var errForgotten = errors.New("feed: events were dropped from memory in the moment they were needed")

// read is the batch that a poll found.
func (a adapter) read(row watermillsql.Scanner) (d delivery, err error) {
	var kept *int64
	var frames []byte
	if err := row.Scan(&kept, &d.released, &frames); err != nil {
		return delivery{}, fmt.Errorf("read batch: %w", err)
	}
	if kept != nil {
		if d.events, d.full = a.g.recent.after(*kept, a.g.limit); len(d.events) == 0 {
			return delivery{}, errForgotten
		}
		a.g.metrics.remembered.WithLabelValues(a.g.Name).Add(float64(len(d.events)))
		return d, nil
	}
	if d.events, err = decodeEvents(frames); err != nil {
		return delivery{}, fmt.Errorf("read batch: %w", err)
	}
	d.full = len(d.events) >= a.g.limit || len(frames) >= maxBatchBytes || d.released
	if !d.released {
		a.g.recent.fill(d.events)
	}
	return d, nil
}

// SchemaInitializingQueries returns none: the migrations create the tables.
func (adapter) SchemaInitializingQueries(string) []watermillsql.Query { return nil }

// SubscribeIsolationLevel returns the level at which a lock sees the newest version of a row.
func (adapter) SubscribeIsolationLevel() sql.IsolationLevel { return sql.LevelReadCommitted }

// AckMessageQuery advances the offset to the last event that was handled, which is not
// the last of the batch if the group halts.
func (a adapter) AckMessageQuery(_ string, _ watermillsql.Row, name string) watermillsql.Query {
	d := a.g.delivery()
	reason := sql.NullString{String: d.halted, Valid: d.halted != ""}
	return watermillsql.Query{Query: ackSQL, Args: []any{name, d.done, reason, a.g.config.HaltRetry.Seconds()}}
}

// ConsumedMessageQuery returns none.
func (adapter) ConsumedMessageQuery(string, watermillsql.Row, string, []byte) watermillsql.Query {
	return watermillsql.Query{}
}

// NextOffsetQuery is part of SelectQuery.
func (adapter) NextOffsetQuery(string, string) watermillsql.Query { return watermillsql.Query{} }

// BeforeSubscribingQueries returns none, see retryingSubscriber.
func (adapter) BeforeSubscribingQueries(string, string) []watermillsql.Query { return nil }
