package export

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
)

// noOwner is the token for an unknown organisation or application: the first event of the
// stream does not name it.
const noOwner = "none"

// owner is the organisation and the application of an event.
type owner struct{ organization, application string }

// subject is the subject of an event: consumers filter by organisation, by application,
// and by type, whose parts are separate tokens. The intent is not part of it: NATS would
// need memory for each.
func (o owner) subject(prefix, eventType string) (string, error) {
	if !isSubject(eventType) {
		return "", fmt.Errorf("type %q cannot be part of a subject", eventType)
	}
	return prefix + "." + o.organization + "." + o.application + "." + eventType, nil
}

// isSubject reports whether a text is one or more tokens of a subject.
func isSubject(text string) bool {
	for token := range strings.SplitSeq(text, ".") {
		if token == "" || strings.ContainsFunc(token, func(r rune) bool {
			return r <= ' ' || r > '~' || r == '*' || r == '>'
		}) {
			return false
		}
	}
	return true
}

// An application never moves to another organisation.
const organizationsSQL = `
SELECT uuid, organization_uuid
FROM applications
WHERE uuid = ANY($1)`

// owners finds the owner of each event's stream. The application, or the organisation alone, is a
// field of every stream's first event (docs/events.md).
func owners(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) (map[uuid.UUID]owner, error) {
	all := map[uuid.UUID]owner{}
	var firstEvents []eventstore.Place
	for _, e := range events {
		if _, seen := all[e.Stream]; !seen {
			all[e.Stream] = owner{organization: noOwner, application: noOwner}
			firstEvents = append(firstEvents, eventstore.Place{Stream: e.Stream, Version: 1})
		}
	}
	first, err := eventstore.NewReader(tx).ReadPlaces(ctx, firstEvents)
	if err != nil {
		return nil, fmt.Errorf("read first events of streams: %w", err)
	}
	named := make([]ownerFields, len(first))
	applications := make([][16]byte, len(first))
	for n, e := range first {
		if json.Unmarshal(e.Payload, &named[n]) != nil {
			named[n] = ownerFields{} // the event is exported without an owner
		}
		applications[n] = named[n].Application
	}
	organizations := map[[16]byte][16]byte{} // of applications
	var application, organization [16]byte
	rows, _ := tx.Query(ctx, organizationsSQL, applications) // the rows return its error
	_, err = pgx.ForEachRow(rows, []any{&application, &organization}, func() error {
		organizations[application] = organization
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read organisations of applications: %w", err)
	}
	for n, e := range first {
		of := named[n]
		if of.Organization == uuid.Nil {
			of.Organization = organizations[of.Application]
		}
		all[e.Stream] = owner{orNone(of.Organization), orNone(of.Application)}
	}
	return all, nil
}

// ownerFields are the fields of a first event that say whose the stream is.
type ownerFields struct {
	Application  uuid.UUID `json:"application"`
	Organization uuid.UUID `json:"organization"`
}

func orNone(id uuid.UUID) string {
	if id == uuid.Nil {
		return noOwner
	}
	return id.String()
}
