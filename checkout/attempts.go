package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/checkout/acquirer"
	"daftar/domain"
	"daftar/internal/web"
)

// stage is where an attempt stands beside what the ledger says of it.
type stage string

const (
	stageBeginning   stage = "beginning"
	stageCode        stage = "code"
	stageBank        stage = "bank"
	stageAsking      stage = "asking"
	stageClosed      stage = "closed"
	stageQuarantined stage = "quarantined"
)

// attempt is a row of checkout_attempts.
type attempt struct {
	ID        domain.AttemptID
	Intent    domain.IntentID
	Acquirer  string
	Method    acquirer.Method
	Stage     stage
	Since     time.Time // of the stage
	Payer     string    // masked
	Language  web.Lang  // of the payer
	SentTo    string    // masked
	Digits    int
	CodeUntil *time.Time
	TriesLeft int
	BankURL   string
	AskAt     *time.Time
	Trouble   string
	CreatedAt time.Time

	CodeSentAt *time.Time // a code was sent, or is being sent
	ResentAt   *time.Time // the acquirer said that it sent a new one
	Codes      int        // handed over since CodesSince
	CodesSince *time.Time
}

const attemptColumns = `
a.attempt, a.intent_uuid, a.acquirer, a.method, a.stage, a.stage_since, a.payer, a.sent_to, a.code_digits,
a.code_until, a.tries_left, a.bank_url, a.ask_at, a.trouble, a.created_at, a.language, a.code_sent_at, a.resent_at,
a.codes, a.codes_since`

func scanAttempt(row pgx.CollectableRow) (attempt, error) {
	var a attempt
	var intent [16]byte
	var language string
	err := row.Scan(&a.ID, &intent, &a.Acquirer, &a.Method, &a.Stage, &a.Since, &a.Payer, &a.SentTo, &a.Digits,
		&a.CodeUntil, &a.TriesLeft, &a.BankURL, &a.AskAt, &a.Trouble, &a.CreatedAt,
		&language, &a.CodeSentAt, &a.ResentAt, &a.Codes, &a.CodesSince)
	a.Intent = intent
	if language == web.English.String() {
		a.Language = web.English
	}
	return a, err
}

// attempts is the table.
type attempts struct{ pool *pgxpool.Pool }

const insertAttemptSQL = `
INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, stage, stage_since, payer, language, ask_at,
                               busy_until, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $10)
ON CONFLICT (attempt) DO NOTHING`

// insert adds a row. One that is there already stays as it is: two pages may both
// find that it was lost.
func (t attempts) insert(ctx context.Context, a attempt) error {
	_, err := t.pool.Exec(ctx, insertAttemptSQL, a.ID, [16]byte(a.Intent), a.Acquirer, a.Method, a.Stage, a.Since,
		a.Payer, a.Language.String(), a.AskAt, a.CreatedAt)
	if err != nil {
		return fmt.Errorf("insert attempt: %w", err)
	}
	return nil
}

const findAttemptSQL = `SELECT ` + attemptColumns + ` FROM checkout_attempts a WHERE a.attempt = $1`

// find returns false where there is no such row.
func (t attempts) find(ctx context.Context, id domain.AttemptID) (attempt, bool, error) {
	return t.one(ctx, "find attempt", findAttemptSQL, id)
}

const renewSQL = `
UPDATE checkout_attempts SET ask_at = $3, busy_until = $3, updated_at = $2
WHERE attempt = $1 AND stage = 'beginning'`

// renew puts off the inquiry of an attempt that is about to begin, to its AskAt.
// It returns false if the row has been given up: the attempt must not begin.
func (t attempts) renew(ctx context.Context, a attempt, now time.Time) (bool, error) {
	tag, err := t.pool.Exec(ctx, renewSQL, a.ID, now, a.AskAt)
	if err != nil {
		return false, fmt.Errorf("renew attempt: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// An inquiry may have found out before the answer came that the payment is open,
// so the stage can be there already. ask_at moves only if nobody asked for an
// earlier time since it was read.
const noteBegunSQL = `
UPDATE checkout_attempts
SET stage = $3, stage_since = $2, sent_to = $4, code_digits = $5, code_until = $6, bank_url = $7, updated_at = $2,
    code_sent_at = $10, busy_until = NULL, ask_at = CASE WHEN ask_at = $8 THEN $9 ELSE ask_at END
WHERE attempt = $1 AND stage IN ('beginning', $3)`

// noteBegun writes down what the payer has to do next; read is the row as it was
// before.
func (t attempts) noteBegun(ctx context.Context, read, a attempt) error {
	_, err := t.pool.Exec(ctx, noteBegunSQL, a.ID, a.Since, a.Stage, a.SentTo, a.Digits, a.CodeUntil, a.BankURL,
		read.AskAt, a.AskAt, a.CodeSentAt)
	if err != nil {
		return fmt.Errorf("note begun attempt: %w", err)
	}
	return nil
}

const concludeSQL = `
UPDATE checkout_attempts SET stage = $4, stage_since = $5, ask_at = $6, trouble = $7, busy_until = NULL,
                             updated_at = $8
WHERE attempt = $1 AND stage = $2 AND ask_at = $3`

// conclude changes a row that is still as it was read. Where a hint came in
// since, or somebody else went on with it, nothing changes: the row is asked
// about again, which finds the ledger as it should be.
func (t attempts) conclude(ctx context.Context, read, a attempt, now time.Time) error {
	_, err := t.pool.Exec(ctx, concludeSQL, a.ID, read.Stage, read.AskAt, a.Stage, a.Since, a.AskAt, a.Trouble, now)
	if err != nil {
		return fmt.Errorf("conclude attempt: %w", err)
	}
	return nil
}

// Rows of acquirers that this server does not have are left to one that does.
// Each acquirer's are claimed by themselves: one that hangs keeps no other waiting.
const claimDueSQL = `
UPDATE checkout_attempts a SET ask_at = $2, busy_until = $2, asked_at = $1, asked = a.asked + 1, updated_at = $1
FROM (SELECT attempt FROM checkout_attempts
      WHERE ask_at <= $1 AND acquirer = $3
      ORDER BY ask_at LIMIT $4 FOR UPDATE SKIP LOCKED) due
WHERE a.attempt = due.attempt
RETURNING ` + attemptColumns

// claimDue leases rows of an acquirer whose time has come, the longest waiting
// first.
func (t attempts) claimDue(ctx context.Context, now, until time.Time, name string, limit int) ([]attempt, error) {
	rows, err := t.pool.Query(ctx, claimDueSQL, now, until, name, limit)
	if err != nil {
		return nil, fmt.Errorf("claim due attempts: %w", err)
	}
	due, err := pgx.CollectRows(rows, scanAttempt)
	if err != nil {
		return nil, fmt.Errorf("claim due attempts: %w", err)
	}
	return due, nil
}

// The schedule of a row that nothing was expected of begins anew.
const hintSQL = `
UPDATE checkout_attempts
SET ask_at = $3, updated_at = $3,
    stage_since = CASE WHEN stage IN ('closed', 'quarantined') THEN $3 ELSE stage_since END
WHERE attempt = $1 AND acquirer = $2`

// hint has an attempt asked about now, whatever its stage. It returns false
// where the acquirer has no such attempt.
func (t attempts) hint(ctx context.Context, id domain.AttemptID, name string, now time.Time) (bool, error) {
	tag, err := t.pool.Exec(ctx, hintSQL, id, name, now)
	if err != nil {
		return false, fmt.Errorf("hint at attempt: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

const hurrySQL = `
UPDATE checkout_attempts SET ask_at = $2, updated_at = $2
WHERE attempt = $1 AND ask_at > $2 AND (asked_at IS NULL OR asked_at < $3) AND (busy_until IS NULL OR busy_until < $2)
  AND (stage IN ('beginning', 'bank', 'asking') OR stage = 'code' AND code_until < $2)`

// hurry has an attempt that somebody waits for asked about now, unless it was
// asked about since the given time.
func (t attempts) hurry(ctx context.Context, id domain.AttemptID, now, unlessSince time.Time) (bool, error) {
	tag, err := t.pool.Exec(ctx, hurrySQL, id, now, unlessSince)
	if err != nil {
		return false, fmt.Errorf("hurry attempt: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

const lateNewsSQL = `
SELECT coalesce(bool_or(ask_at IS NOT NULL), false), coalesce(bool_or(stage = 'quarantined'), false)
FROM checkout_attempts WHERE intent_uuid = $1 AND attempt = ANY($2)`

// lateNews says, of attempts of an intent that has ended, whether the acquirer is
// being asked about one, and whether one is set aside for an operator.
func (t attempts) lateNews(ctx context.Context, id domain.IntentID, of []domain.AttemptID) (asking, aside bool, err error) {
	if err := t.pool.QueryRow(ctx, lateNewsSQL, [16]byte(id), of).Scan(&asking, &aside); err != nil {
		return false, false, fmt.Errorf("look for late news: %w", err)
	}
	return asking, aside, nil
}

func (t attempts) one(ctx context.Context, what, sql string, args ...any) (attempt, bool, error) {
	rows, err := t.pool.Query(ctx, sql, args...)
	if err != nil {
		return attempt{}, false, fmt.Errorf("%s: %w", what, err)
	}
	a, err := pgx.CollectExactlyOneRow(rows, scanAttempt)
	if errors.Is(err, pgx.ErrNoRows) {
		return attempt{}, false, nil
	}
	if err != nil {
		return attempt{}, false, fmt.Errorf("%s: %w", what, err)
	}
	return a, true, nil
}
