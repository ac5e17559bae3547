package export

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"daftar/eventstore"
)

// nobody stands in a subject for an organisation or an application where the
// stream's first event names none.
const nobody = "none"

// owner is whose an event is.
type owner struct{ organization, application string }

// subject is where an event is published: followers choose by organisation, by
// application, and by type, whose parts are tokens of their own. The intent is not
// part of it: a stream with a subject for each would cost NATS memory for each.
func (o owner) subject(prefix, eventType string) (string, error) {
	if !tokens(eventType) {
		return "", fmt.Errorf("type %q cannot be part of a subject", eventType)
	}
	return prefix + "." + o.organization + "." + o.application + "." + eventType, nil
}

// tokens says whether a text is one or more tokens of a subject.
func tokens(text string) bool {
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
	firstEventsSQL   = `SELECT stream_id::text, payload FROM events WHERE version = 1 AND stream_id = ANY($1::uuid[])`
	organizationsSQL = `SELECT uuid::text, organization_uuid::text FROM applications WHERE uuid = ANY($1::uuid[])`
)

// owners finds out whose the events' streams are.
func owners(ctx context.Context, tx *sql.Tx, events []eventstore.Recorded) (map[uuid.UUID]owner, error) {
	applications := map[uuid.UUID]uuid.UUID{} // of streams
	var elsewhere []string
	for _, e := range events {
		if e.Version == 1 {
			applications[e.Stream] = applicationIn(e.Payload)
		}
	}
	for _, e := range events {
		if _, here := applications[e.Stream]; !here {
			applications[e.Stream] = uuid.Nil
			elsewhere = append(elsewhere, e.Stream.String())
		}
	}
	if len(elsewhere) > 0 {
		err := eachPair(ctx, tx, firstEventsSQL, elsewhere, func(stream, payload string) error {
			id, err := uuid.Parse(stream)
			applications[id] = applicationIn([]byte(payload))
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read first events of streams: %w", err)
		}
	}
	organizations := map[string]string{} // of applications
	var wanted []string
	for _, a := range applications {
		if _, seen := organizations[a.String()]; !seen && a != uuid.Nil {
			organizations[a.String()] = nobody
			wanted = append(wanted, a.String())
		}
	}
	if len(wanted) > 0 {
		err := eachPair(ctx, tx, organizationsSQL, wanted, func(application, organization string) error {
			organizations[application] = organization
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read organisations of applications: %w", err)
		}
	}
	all := make(map[uuid.UUID]owner, len(applications))
	for stream, a := range applications {
		all[stream] = owner{organization: nobody, application: nobody}
		if a != uuid.Nil {
			all[stream] = owner{organization: organizations[a.String()], application: a.String()}
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
		return uuid.Nil // it belongs to nobody we know of, and is exported all the same
	}
	return first.Application
}

// eachPair calls do for each row of two texts.
func eachPair(ctx context.Context, tx *sql.Tx, query string, ids []string, do func(first, second string) error) error {
	rows, err := tx.QueryContext(ctx, query, ids)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err has what went wrong
	for rows.Next() {
		var first, second string
		if err := rows.Scan(&first, &second); err != nil {
			return err
		}
		if err := do(first, second); err != nil {
			return err
		}
	}
	return rows.Err()
}
