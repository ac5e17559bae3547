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

// challenge is what a Challenge.Ticket contains.
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

// newTicket seals a challenge for the browser that requested it to keep. So a request, which
// anyone can send, costs no row; an answer does (useChallenge).
func (p *People) newTicket(what ceremony, user accounts.UserID, value string) (string, error) {
	text := fmt.Sprintf("%s %s %d %s", what, user, p.moment().Add(ChallengeLimit).Unix(), value)
	sealed, err := p.key.Seal(text, challengeOwner)
	if err != nil {
		return "", fmt.Errorf("seal challenge: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(sealed), nil
}

// openTicket is the challenge of a ticket that is for this ceremony and user, and not too old.
// The error is ErrStaleChallenge.
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
	useChallengeSQL = `
INSERT INTO passkey_challenges (hash, expires_at)
VALUES ($1, $2)
ON CONFLICT (hash) DO NOTHING`
	sweepChallengesSQL = `DELETE FROM passkey_challenges WHERE expires_at <= $1`
)

// useChallenge marks a challenge as answered, whether the answer is right or not. It commits by itself,
// so that a refused response uses the challenge up too. The error is ErrStaleChallenge.
func (p *People) useChallenge(ctx context.Context, c challenge) error {
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
