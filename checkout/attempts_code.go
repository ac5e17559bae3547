package checkout

import (
	"context"
	"fmt"
	"time"

	"daftar/domain"
)

// How often a payer may have a code tried, and a new one sent.
const (
	codesPerWindow = 5
	codesWindow    = time.Minute
	resendEvery    = 30 * time.Second
)

// The count is decided by the statement that claims, so that it holds for all
// servers together.
const claimCodeSQL = `
UPDATE checkout_attempts a
SET stage = 'asking', stage_since = $2, ask_at = $3, busy_until = $3, updated_at = $2,
    codes = CASE WHEN codes_since > $4 THEN codes + 1 ELSE 1 END,
    codes_since = CASE WHEN codes_since > $4 THEN codes_since ELSE $2 END
WHERE a.attempt = $1 AND a.stage = 'code' AND (codes_since IS NULL OR codes_since <= $4 OR codes < $5)
RETURNING ` + attemptColumns

// claimCode gives one caller the right to hand a code over. If that caller dies,
// the attempt is asked about at the given time. It returns false where the
// attempt does not wait for a code, and where too many were handed over lately.
func (t attempts) claimCode(ctx context.Context, id domain.AttemptID, now, until time.Time) (attempt, bool, error) {
	return t.one(ctx, "claim code", claimCodeSQL, id, now, until, now.Add(-codesWindow), codesPerWindow)
}

// noCodeFor is how long no code is taken: whole seconds, 0 where one is.
func (a attempt) noCodeFor(now time.Time) time.Duration {
	if a.CodesSince == nil || a.Codes < codesPerWindow {
		return 0
	}
	return wholeSeconds(a.CodesSince.Add(codesWindow).Sub(now))
}

// noResendFor is how long no new code is sent: whole seconds, 0 where one is.
func (a attempt) noResendFor(now time.Time) time.Duration {
	if a.CodeSentAt == nil {
		return 0
	}
	return wholeSeconds(a.CodeSentAt.Add(resendEvery).Sub(now))
}

// wholeSeconds rounds up, so that who waits that long is not too early.
func wholeSeconds(d time.Duration) time.Duration {
	return max(0, (d + time.Second - 1).Truncate(time.Second))
}

const claimGiveUpSQL = `
UPDATE checkout_attempts a SET stage = 'asking', stage_since = $3, ask_at = $4, busy_until = $4, updated_at = $3
WHERE a.attempt = $1 AND a.stage = $2
RETURNING ` + attemptColumns

// claimGiveUp gives one caller the right to give the attempt up, as claimCode
// does: while a code is being confirmed nobody has it, and the other way round.
func (t attempts) claimGiveUp(ctx context.Context, a attempt, now, until time.Time) (attempt, bool, error) {
	return t.one(ctx, "claim give-up", claimGiveUpSQL, a.ID, a.Stage, now, until)
}

const releaseSQL = `
UPDATE checkout_attempts
SET stage = $2, stage_since = $3, tries_left = $4, codes = $5, updated_at = $3,
    busy_until = NULL, ask_at = CASE WHEN ask_at = $6 THEN $7 ELSE ask_at END
WHERE attempt = $1 AND stage = 'asking'`

// release ends a claim whose caller has learnt that the payment is still open:
// the payer goes on in the stage of a.
func (t attempts) release(ctx context.Context, read, a attempt) error {
	_, err := t.pool.Exec(ctx, releaseSQL, a.ID, a.Stage, a.Since, a.TriesLeft, a.Codes, read.AskAt, a.AskAt)
	if err != nil {
		return fmt.Errorf("release attempt: %w", err)
	}
	return nil
}

const claimResendSQL = `
UPDATE checkout_attempts a SET code_sent_at = $2, updated_at = $2
WHERE a.attempt = $1 AND a.stage = 'code' AND (a.code_sent_at IS NULL OR a.code_sent_at <= $3)
RETURNING ` + attemptColumns

// claimResend gives one caller the right to have a new code sent. It returns
// false where none is waited for, or one was sent a short while ago.
func (t attempts) claimResend(ctx context.Context, id domain.AttemptID, now time.Time) (attempt, bool, error) {
	return t.one(ctx, "claim resend", claimResendSQL, id, now, now.Add(-resendEvery))
}

const returnResendSQL = `
UPDATE checkout_attempts SET code_sent_at = $3 WHERE attempt = $1 AND code_sent_at = $2`

// returnResend undoes a claim whose request did not come to the acquirer.
func (t attempts) returnResend(ctx context.Context, claimed attempt, before *time.Time) error {
	if _, err := t.pool.Exec(ctx, returnResendSQL, claimed.ID, claimed.CodeSentAt, before); err != nil {
		return fmt.Errorf("return resend: %w", err)
	}
	return nil
}

// A code may be on its way to the acquirer meanwhile; the inquiry after it stays
// when it is.
const noteResentSQL = `
UPDATE checkout_attempts
SET sent_to = $3, code_digits = $4, code_until = $5, resent_at = $2, updated_at = $2,
    ask_at = CASE WHEN stage = 'code' AND ask_at = $6 THEN $7 ELSE ask_at END
WHERE attempt = $1 AND stage IN ('code', 'asking')`

// noteResent writes down what the acquirer says of the new code.
func (t attempts) noteResent(ctx context.Context, read, a attempt) error {
	_, err := t.pool.Exec(ctx, noteResentSQL, a.ID, a.ResentAt, a.SentTo, a.Digits, a.CodeUntil, read.AskAt, a.AskAt)
	if err != nil {
		return fmt.Errorf("note resent code: %w", err)
	}
	return nil
}
