package people

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"daftar/accounts"
)

// ChallengeLimit is how long a challenge may be answered.
const ChallengeLimit = 5 * time.Minute

// challenge is one that a browser was given: Challenge.Ticket opened.
type challenge struct {
	what  ceremony
	user  accounts.UserID // zero: to sign in
	value string
	until time.Time
}

// challengeOwner is what tickets are sealed for: no other secret has this owner.
var challengeOwner = []byte("passkey challenge")

// maxTicket is longer than any ticket.
const maxTicket = 512

// A ticket is kept by the browser that asked for the challenge, so that asking costs no row:
// anybody may. Answering does (use).
func (p *People) newTicket(what ceremony, user accounts.UserID, value string) (string, error) {
	text := fmt.Sprintf("%s %s %d %s", what, user, p.moment().Add(ChallengeLimit).Unix(), value)
	sealed, err := p.key.Seal(text, challengeOwner)
	if err != nil {
		return "", fmt.Errorf("seal challenge: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(sealed), nil
}

// openTicket is the challenge of a ticket that is for this, and not too old. The error is
// ErrStaleChallenge.
func (p *People) openTicket(ticket string, what ceremony, user accounts.UserID) (challenge, error) {
	if len(ticket) > maxTicket {
		return challenge{}, ErrStaleChallenge
	}
	sealed, err := base64.RawURLEncoding.DecodeString(ticket)
	if err != nil {
		return challenge{}, ErrStaleChallenge
	}
	opened, err := p.key.Open(sealed, challengeOwner)
	if err != nil {
		return challenge{}, ErrStaleChallenge
	}
	var whose, kind string
	var until int64
	var c challenge
	if _, err := fmt.Sscan(opened, &kind, &whose, &until, &c.value); err != nil {
		return challenge{}, ErrStaleChallenge
	}
	c.what, c.user, c.until = what, user, time.Unix(until, 0)
	if kind != string(what) || whose != user.String() || !p.moment().Before(c.until) {
		return challenge{}, ErrStaleChallenge
	}
	return c, nil
}

const (
	useChallengeSQL    = `INSERT INTO passkey_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING`
	sweepChallengesSQL = `DELETE FROM passkey_challenges WHERE expires_at <= $1`
)

// use uses a challenge up, whatever the answer is worth. It commits by itself: a response that
// is refused takes the challenge with it. The error is ErrStaleChallenge.
func (p *People) use(ctx context.Context, c challenge) error {
	sum := accounts.HashOf(c.value)
	tag, err := p.pool.Exec(ctx, useChallengeSQL, sum[:], c.until)
	if err != nil {
		return fmt.Errorf("use challenge: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return ErrStaleChallenge
	}
	return nil
}
