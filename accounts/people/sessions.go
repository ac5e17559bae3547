package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/internal/worker"
)

// Sessions keeps the sessions of scs in the database, so that every server knows
// them. With scs.SessionManager.HashTokenInStore it sees hashes only. Times are
// the machine's, as scs's are.
type Sessions struct {
	pool   *pgxpool.Pool
	commit string // insertSessionSQL or updateSessionSQL
}

var _ scs.CtxStore = Sessions{}

// Sessions is the store of sessions that began with an earlier request: committing
// one that has ended fails with ErrSessionEnded, so that a request under way cannot
// undo a sign-out. Run removes sessions that have ended.
func (p *People) Sessions() Sessions { return Sessions{p.pool, updateSessionSQL} }

// NewSessions is the same store for sessions that begin: CommitCtx inserts them.
func (p *People) NewSessions() Sessions { return Sessions{p.pool, insertSessionSQL} }

const (
	findSessionSQL   = `SELECT data FROM sessions WHERE token = $1 AND expires_at > $2`
	insertSessionSQL = `INSERT INTO sessions (token, data, expires_at) VALUES ($1, $2, $3)`
	updateSessionSQL = `UPDATE sessions SET data = $2, expires_at = $3 WHERE token = $1`
	deleteSessionSQL = `DELETE FROM sessions WHERE token = $1`
)

// sessionLimit bounds the reading and the writing of a session: a request's context
// has no deadline.
const sessionLimit = 5 * time.Second

// FindCtx returns the data of a session that has not ended.
func (s Sessions) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, sessionLimit)
	defer cancel()
	var data []byte
	err := s.pool.QueryRow(ctx, findSessionSQL, token, time.Now()).Scan(&data)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("find session: %w", err)
	}
	return data, true, nil
}

// CommitCtx keeps the data of a session until it ends.
func (s Sessions) CommitCtx(ctx context.Context, token string, data []byte, end time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, sessionLimit)
	defer cancel()
	tag, err := s.pool.Exec(ctx, s.commit, token, data, end)
	if err == nil && tag.RowsAffected() == 0 {
		err = accounts.ErrSessionEnded
	}
	if err != nil {
		return fmt.Errorf("keep session: %w", err)
	}
	return nil
}

// DeleteCtx ends a session; one that is not there has ended already.
func (s Sessions) DeleteCtx(ctx context.Context, token string) error {
	ctx, cancel := context.WithTimeout(ctx, sessionLimit)
	defer cancel()
	if _, err := s.pool.Exec(ctx, deleteSessionSQL, token); err != nil {
		return fmt.Errorf("delete session: %w", err)
	}
	return nil
}

// Find is FindCtx; scs requires it and does not call it.
func (s Sessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx; scs requires it and does not call it.
func (s Sessions) Commit(token string, data []byte, end time.Time) error {
	return s.CommitCtx(context.Background(), token, data, end)
}

// Delete is DeleteCtx; scs requires it and does not call it.
func (s Sessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

// sweepEndedEvery is how often ended sessions are removed.
const sweepEndedEvery = 10 * time.Minute

const (
	sweepSessionsSQL = `DELETE FROM sessions WHERE expires_at <= $1`
	// The link of a mail that has not been sent by now no longer works.
	sweepResetsSQL = `
WITH ended AS (DELETE FROM password_resets
               WHERE expires_at <= $1
               RETURNING uuid)
DELETE FROM mails m
USING ended
WHERE m.uuid = ended.uuid
  AND m.state = 'pending'`
	sweepSignUpsSQL = `
WITH ended AS (DELETE FROM sign_ups
               WHERE expires_at <= $1
               RETURNING uuid)
DELETE FROM mails m
USING ended
WHERE m.uuid = ended.uuid
  AND m.state = 'pending'`
)

// Run regularly removes what has ended, until ctx does.
func (p *People) Run(ctx context.Context) {
	for worker.Sleep(ctx, sweepEndedEvery) {
		if err := p.Sweep(ctx); err != nil && ctx.Err() == nil {
			p.log.Warn().Err(err).Msg("ended sessions not removed")
		}
	}
}

// Sweep removes sessions, password resets, sign-ups and challenges that have ended.
func (p *People) Sweep(ctx context.Context) error {
	if _, err := p.pool.Exec(ctx, sweepSessionsSQL, time.Now()); err != nil {
		return fmt.Errorf("remove sessions: %w", err)
	}
	if _, err := p.pool.Exec(ctx, sweepChallengesSQL, p.moment()); err != nil {
		return fmt.Errorf("remove challenges: %w", err)
	}
	if _, err := p.pool.Exec(ctx, sweepResetsSQL, p.moment()); err != nil {
		return fmt.Errorf("remove password resets: %w", err)
	}
	if _, err := p.pool.Exec(ctx, sweepSignUpsSQL, p.moment()); err != nil {
		return fmt.Errorf("remove sign-ups: %w", err)
	}
	return nil
}
