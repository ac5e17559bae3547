package eventstore

import (
	"context"

	"github.com/google/uuid"

	"daftar/internal/postgres"
)

const readRangeSQL = `
SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE position > $1
  AND position <= $2
ORDER BY position
LIMIT $3`

// ReadRange reads at most limit events after one position up to another, in their order.
// Fewer than limit means that there are no more now.
func (r *Reader) ReadRange(ctx context.Context, after, upTo int64, limit int) ([]Recorded, error) {
	return r.query(ctx, readRangeSQL, after, upTo, limit)
}

// readRangeStartedSQL looks up the first event of each stream, so that it needs
// nothing but the log. As a subquery this is one index lookup per event; for a join
// the planner would choose a scan. PostgreSQL reads no JSON with an escaped NUL.
const readRangeStartedSQL = `
SELECT e.position, e.stream_id, e.version, e.type, e.schema_version, e.payload, e.metadata, e.recorded_at
FROM events e
WHERE e.position > $1
  AND e.position <= $2
  AND (SELECT EXISTS (SELECT FROM unnest($3::text[]) AS w(field) WHERE f.fields->>w.field = ANY($4))
       FROM (SELECT replace(payload, '\u0000', '\ufffd')::json AS fields
             FROM events
             WHERE stream_id = e.stream_id
               AND version = 1 OFFSET 0) f)
ORDER BY e.position`

// ReadRangeStarted reads the events after one position up to another whose streams
// began with an event that has one of the ids in one of the fields of its payload.
// The caller bounds the range: all of it is examined.
func (r *Reader) ReadRangeStarted(
	ctx context.Context, after, upTo int64, fields []string, ids []uuid.UUID,
) ([]Recorded, error) {
	values := make([]string, len(ids))
	for n, id := range ids {
		values[n] = id.String()
	}
	return r.query(ctx, readRangeStartedSQL, after, upTo, fields, values)
}

// Place names an event by its stream and its version there.
type Place struct {
	Stream  uuid.UUID
	Version int
}

// Place is the event's.
func (r Recorded) Place() Place { return Place{r.Stream, r.Version} }

var readPlacesSQL = `
SELECT e.position, e.stream_id, e.version, e.type, e.schema_version, e.payload, e.metadata, e.recorded_at
FROM ` + postgres.KeyRows("$1::uuid[]", "$2::int4[]") + ` AS w(stream_id, version)
JOIN events e USING (stream_id, version)
ORDER BY e.position`

// ReadPlaces reads the events at the given places, in the order of their positions. Places
// that the log does not have are left out.
func (r *Reader) ReadPlaces(ctx context.Context, places []Place) ([]Recorded, error) {
	streams, versions := make([][16]byte, len(places)), make([]int32, len(places))
	for n, p := range places {
		streams[n], versions[n] = p.Stream, int32(p.Version)
	}
	return r.query(ctx, readPlacesSQL, streams, versions)
}
