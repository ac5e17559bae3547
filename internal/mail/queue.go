package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/sealing"
)

// Message is a mail to one address: the same as text and as HTML.
type Message struct {
	To, Subject, Text, HTML string
	// Unsubscribe is the address that ends such mails by a POST without a sign-in (RFC 8058); empty: the
	// mail is one that nobody subscribed to.
	Unsubscribe string `json:",omitempty"`
}

// State is how far a mail has come.
type State string

// The states.
const (
	Pending State = "pending"
	Sent    State = "sent" // the server has taken it
	Failed  State = "failed"
)

// Delivery is how a mail stands. The zero value is that there is none.
type Delivery struct {
	State State
	// Error is what the server said last; empty where it said nothing or took it.
	Error string
}

const (
	addSQL      = `INSERT INTO mails (uuid, message, created_at) VALUES ($1, $2, $3)`
	withdrawSQL = `DELETE FROM mails WHERE uuid = ANY ($1) AND state = 'pending'`
)

// Add queues a message under the id of what it is about; each id has one mail at most.
// It is sent once the transaction commits. The error is sealing.ErrNoKey without a key.
func Add(ctx context.Context, tx pgx.Tx, key sealing.Key, id uuid.UUID, m Message, at time.Time) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("queue mail: %w", err)
	}
	sealed, err := key.Seal(string(text), id[:])
	if err == nil {
		_, err = tx.Exec(ctx, addSQL, id, sealed, at)
	}
	if err != nil {
		return fmt.Errorf("queue mail: %w", err)
	}
	return nil
}

// Withdraw deletes mails that wait. A mail that a server is sending may still arrive.
func Withdraw(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
	if _, err := tx.Exec(ctx, withdrawSQL, ids); err != nil {
		return fmt.Errorf("withdraw mail: %w", err)
	}
	return nil
}

// Sealed are the messages that wait, for a new key.
var Sealed = sealing.Column{
	What: "mail",
	Read: `
SELECT uuid::text, uuid_send(uuid), message
FROM mails
WHERE message IS NOT NULL
ORDER BY uuid`,
	Write: `UPDATE mails SET message = $2 WHERE uuid = $1`,
}

// Health is the state of the queue.
type Health struct {
	Waiting int
	Tried   int    // of those, how many have failed at least once
	Failed  int    // in the last day
	Error   string // of the latest failure
}

const healthSQL = `
SELECT count(*) FILTER (WHERE state = 'pending'),
       count(*) FILTER (WHERE state = 'pending' AND error <> ''),
       count(*) FILTER (WHERE state = 'failed'),
       coalesce((array_agg(error ORDER BY coalesce(finished_at, next_attempt_at) DESC)
                 FILTER (WHERE error <> ''))[1], '')
FROM mails
WHERE state = 'pending'
   OR state = 'failed' AND finished_at > $1`

// CheckHealth reads the state of the queue that all servers share.
func CheckHealth(ctx context.Context, q postgres.Querier, now time.Time) (Health, error) {
	return postgres.Find(ctx, q, "look at mails", nil, pgx.RowToStructByPos[Health],
		healthSQL, now.AddDate(0, 0, -1))
}
