package people

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
)

// ErrNoSession says that the session is not there, or is not the actor's.
var ErrNoSession error = accounts.NotFound("no such session, or it has ended")

// ActionEndSession is a session that its user ended from another one.
const ActionEndSession accounts.Action = "session.end"

// OpenSession is a place where a user is signed in.
type OpenSession struct {
	ID      uuid.UUID
	BeganAt time.Time
	SeenAt  time.Time // to noteEvery
	Address string    // of the last request that was noted
	Agent   string    // the User-Agent of the browser
	Current bool      // it is the session of the request
}

const (
	// noteEvery is how old SeenAt may be while a session is used.
	noteEvery = 5 * time.Minute
	maxAgent  = 300 // bytes that are kept of a User-Agent
	maxOpen   = 50  // sessions that are listed
)

const (
	noteSessionSQL = `
UPDATE sessions
SET user_uuid = $2, began_at = coalesce(began_at, $3::timestamptz), seen_at = $3::timestamptz,
    address = $4, agent = $5
WHERE token = $1
  AND (user_uuid IS DISTINCT FROM $2 OR seen_at IS NULL OR seen_at < $3::timestamptz - $6::interval)`
	openSessionsSQL = `
SELECT s.uuid, s.began_at, s.seen_at, s.address, s.agent, s.token = $3
FROM sessions s
     JOIN users u ON u.uuid = s.user_uuid AND u.session_epoch = $2
WHERE s.user_uuid = $1
  AND s.expires_at > $4
ORDER BY s.token = $3 DESC, s.seen_at DESC, s.uuid
LIMIT $5`
	endSessionSQL = `DELETE FROM sessions WHERE uuid = $1 AND user_uuid = $2`
)

// storedToken is the hash of a session's token, as scs gives it to the store.
func storedToken(token string) string {
	hash := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(hash[:])
}

// NoteSession stores the user of a session and where it is used. Token is the browser's. It is
// called with each request, and writes where something has changed or SeenAt is old.
func (p *People) NoteSession(ctx context.Context, by accounts.Actor, token, agent string) error {
	agent = plaintext.MakeStorable(agent, "")
	agent = plaintext.MakeStorable(agent[:min(len(agent), maxAgent)], "")
	_, err := p.pool.Exec(ctx, noteSessionSQL, storedToken(token), by.User, time.Now(), by.Address,
		agent, noteEvery)
	if err != nil {
		return fmt.Errorf("note session: %w", err)
	}
	return nil
}

// OpenSessions are the actor's, the current one first and then by the time of their last use.
func (p *People) OpenSessions(ctx context.Context, by accounts.Actor, token string) ([]OpenSession, error) {
	return postgres.List(ctx, p.pool, "list sessions", pgx.RowToStructByPos[OpenSession], openSessionsSQL,
		by.User, by.Epoch, storedToken(token), time.Now(), maxOpen)
}

// EndSession ends one of the actor's sessions, on every server at once. Errors: ErrNoSession,
// ErrSessionEnded.
func (p *People) EndSession(ctx context.Context, by accounts.Actor, id uuid.UUID) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if err := accounts.LockSession(ctx, tx, by); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, endSessionSQL, id, by.User)
		if err == nil && tag.RowsAffected() == 0 {
			err = ErrNoSession
		}
		if err != nil {
			return fmt.Errorf("end session: %w", err)
		}
		return p.recordForUser(ctx, tx, by, by.User, accounts.Entry{Action: ActionEndSession})
	})
}
