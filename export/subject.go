package export

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"daftar/eventstore"
)

// noOwner is the token for an organisation or an application that the stream's
// first event does not name.
const noOwner = "none"

// owner is the organisation and the application of an event.
type owner struct{ organization, application string }

// subject is where an event is published: consumers filter by organisation, by
// application, and by type, whose parts are tokens of their own. The intent is not
// part of it: a stream with a subject for each would cost NATS memory for each.
func (o owner) subject(prefix, eventType string) (string, error) {
	if !isSubject(eventType) {
		return "", fmt.Errorf("type %q cannot be part of a subject", eventType)
	}
	return prefix + "." + o.organization + "." + o.application + "." + eventType, nil
}

// isSubject says whether a text is one or more tokens of a subject.
func isSubject(text string) bool {
	for token := range strings.SplitSeq(text, ".") {
		if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' || r == '*' || r == '>' }) {
			return false
		}
	}
	return true
}

// The application is a field of every stream's first event (docs/events.md). An
// application never moves to another organisation.
const (
	firstEventsSQL   = `SELECT stream_id, payload FROM events WHERE version = 1 AND stream_id = ANY($1::uuid[])`
	organizationsSQL = `SELECT uuid::text, organization_uuid::text FROM applications WHERE uuid = ANY($1::uuid[])`
)

// owners finds the owner of each event's stream.
func owners(ctx context.Context, tx *sql.Tx, events []eventstore.Recorded) (map[uuid.UUID]owner, error) {
	streams := make([]string, len(events))
	for n, e := range events {
		streams[n] = e.Stream.String()
	}
	slices.Sort(streams)
	applications := map[uuid.UUID]uuid.UUID{} // of streams
	var stream uuid.UUID
	var payload []byte
	err := forEachRow(ctx, tx, []any{&stream, &payload}, func() { applications[stream] = applicationIn(payload) },
		firstEventsSQL, slices.Compact(streams))
	if err != nil {
		return nil, fmt.Errorf("read first events of streams: %w", err)
	}
	organizations := map[string]string{} // of applications
	var application, organization string
	err = forEachRow(ctx, tx, []any{&application, &organization}, func() { organizations[application] = organization },
		organizationsSQL, slices.Collect(maps.Values(applications)))
	if err != nil {
		return nil, fmt.Errorf("read organisations of applications: %w", err)
	}
	all := make(map[uuid.UUID]owner, len(applications))
	for _, e := range events {
		all[e.Stream] = owner{organization: noOwner, application: noOwner}
		if a := applications[e.Stream]; a != uuid.Nil {
			all[e.Stream] = owner{organization: cmp.Or(organizations[a.String()], noOwner), application: a.String()}
		}
	}
	return all, nil
}

// applicationIn is the application that a first event names, or uuid.Nil.
func applicationIn(payload []byte) uuid.UUID {
	var first struct {
		Application uuid.UUID `json:"application"`
	}
	if json.Unmarshal(payload, &first) != nil {
		return uuid.Nil // it has no owner that we know, and is exported all the same
	}
	return first.Application
}

// forEachRow scans each row of a query and calls f.
func forEachRow(ctx context.Context, tx *sql.Tx, scans []any, f func(), query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err has what went wrong
	for rows.Next() {
		if err := rows.Scan(scans...); err != nil {
			return err
		}
		f()
	}
	return rows.Err()
}
