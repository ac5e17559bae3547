package eventstore

import "github.com/jackc/pgx/v5"

// With few clients at a time, most batches are a single event. Its statement does what that
// of a batch does, in half the time: nothing is unnested, joined or sorted.

func appendOneSQL(inline *Inline) string {
	if inline == nil {
		return appendOne + reportOne
	}
	return appendOne + inline.withOneQuery(ownParametersOfOne) + reportOne
}

// ownParametersOfOne is how many parameters appendOne has.
const ownParametersOfOne = 8

const (
	appendOne = `
WITH moment AS MATERIALIZED (
    SELECT coalesce((SELECT position FROM events ORDER BY position DESC LIMIT 1), 0) AS head,
           (SELECT epoch FROM credential_epoch) AS epoch,
           coalesce((SELECT version
                     FROM events
                     WHERE stream_id = $1::uuid
                     ORDER BY version DESC
                     LIMIT 1), 0) AS actual,
           clock_timestamp() AS now
), taken AS MATERIALIZED (
    SELECT m.head, m.now
    FROM moment m
    WHERE m.actual = $2::int4
      AND ($3::int8 = 0 OR $3::int8 = m.epoch)
      AND m.head >= $8::int8
), written AS (
    INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
    SELECT t.head + 1, $1::uuid, $2::int4 + 1, $5::text, $6::int4, $7::text, $4::text, t.now
    FROM taken t
    RETURNING 1
)`
	reportOne = `
SELECT m.head, m.now, m.actual, (SELECT count(*) FROM written),` + confirmation + `
FROM moment m`
)

// isOne reports whether a batch is a single event.
func isOne(requests []*request) bool { return len(requests) == 1 && len(requests[0].Events) == 1 }

func (s *Store) argumentsOfOne(r *request, known int64) []any {
	e := r.Events[0]
	all := []any{
		[16]byte(r.Stream), int32(r.Expected), r.Fence, r.metadata,
		e.Type, int32(e.SchemaVersion), notNull(e.Payload), known,
	}
	if s.inline == nil {
		return all
	}
	return append(all, r.Row.Arguments()...)
}

// scanOne reads the report of a single event.
func (v *batchResult) scanOne(row pgx.Row) error {
	v.actual = make([]int32, 1)
	err := row.Scan(&v.head, &v.at, &v.actual[0], &v.events, &v.confirmed)
	if v.events == 1 {
		v.taken = []int64{1}
	}
	return err
}
