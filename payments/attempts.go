package payments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments/attempt"
)

// attempts is the table checkout_attempts. attempt.Next decides what a row becomes, and
// one statement writes it, if the row still has the version that Next has seen.
type attempts struct{ pool *pgxpool.Pool }

// columns are read and written; fields points to their values in an attempt, in the
// same order. The key is first.
const columns = `
    attempt, intent_uuid, acquirer, method, language, payer, created_at, stage, stage_since, sent_to,
    code_digits, code_until, code_sent_at, resent_at, tries_left, codes, codes_since,
    bank_url, presented, memo, ask_at, busy_until, asked, asked_at, trouble, counted_for`

func fields(a *attempt.Attempt) []any {
	return []any{
		&a.ID, (*[16]byte)(&a.Intent), &a.Acquirer, &a.Method, &a.Language, &a.Payer, &a.CreatedAt,
		&a.Stage, &a.Since, &a.SentTo,
		&a.Digits, &a.CodeUntil, &a.CodeSentAt, &a.ResentAt, &a.TriesLeft, &a.Codes, &a.CodesSince,
		&a.BankURL, &a.Presented, &a.Memo, &a.AskAt, &a.BusyUntil, &a.Asked, &a.AskedAt, &a.Trouble, &a.CountedFor,
	}
}

const (
	values = `
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
    $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24, $25, $26`
	insertSQL = `
INSERT INTO checkout_attempts (` + columns + `)
VALUES (` + values + `)
ON CONFLICT (attempt) DO NOTHING
RETURNING version`
	writeSQL = `
UPDATE checkout_attempts
SET (` + columns + `) = (` + values + `)
WHERE attempt = $1
  AND version = $27`
	findSQL = `
SELECT ` + columns + `, version
FROM checkout_attempts
WHERE attempt = $1`
	recentSQL = `
SELECT ` + columns + `, version
FROM checkout_attempts
WHERE acquirer = $1
  AND created_at > $3
  AND (bank_url <> '' OR presented <> '')
  AND EXISTS (SELECT FROM intents WHERE uuid = intent_uuid AND application_uuid = $2 OFFSET 0)
ORDER BY created_at DESC
LIMIT $4`
	lateReportsSQL = `
SELECT coalesce(bool_or(ask_at IS NOT NULL), false), coalesce(bool_or(stage = 'quarantined'), false)
FROM checkout_attempts
WHERE intent_uuid = $1
  AND attempt = ANY($2)`
)

// A reference is the beginning of one id only.
var findByReferenceSQL = `
SELECT ` + columns + `, version
FROM checkout_attempts
WHERE ` + postgres.HasPrefix("attempt", "$2") + `
  AND acquirer = $1`

func scanAttempt(row pgx.CollectableRow) (attempt.Attempt, error) {
	var a attempt.Attempt
	err := row.Scan(append(fields(&a), &a.Version)...)
	return a, err
}

// insert adds an attempt and returns it as the table has it. An existing row stays as it
// is: two pages may both find that the row was lost.
func (t attempts) insert(ctx context.Context, a attempt.Attempt) (attempt.Attempt, error) {
	err := t.pool.QueryRow(ctx, insertSQL, fields(&a)...).Scan(&a.Version)
	if errors.Is(err, pgx.ErrNoRows) {
		return t.find(ctx, a.ID)
	}
	if err != nil {
		return a, fmt.Errorf("insert attempt: %w", err)
	}
	return a, nil
}

// find returns an attempt; the error is ErrNoAttempt where there is none.
func (t attempts) find(ctx context.Context, id domain.AttemptID) (attempt.Attempt, error) {
	return postgres.Find(ctx, t.pool, "find attempt", ErrNoAttempt, scanAttempt, findSQL, id)
}

// findByReference returns the attempt that an acquirer knows under the reference, which
// is its id or the beginning of it; ErrNoAttempt where there is none.
func (t attempts) findByReference(ctx context.Context, name, reference string) (attempt.Attempt, error) {
	return postgres.Find(ctx, t.pool, "find attempt by reference", ErrNoAttempt, scanAttempt,
		findByReferenceSQL, name, reference)
}

// recent returns the attempts of an application that began since then and led the payer to the
// acquirer, maxScheduled at most, the latest first.
func (t attempts) recent(
	ctx context.Context, name string, of domain.ApplicationID, since time.Time,
) ([]attempt.Attempt, error) {
	return postgres.List(ctx, t.pool, "find recent attempts", scanAttempt,
		recentSQL, name, [16]byte(of), since, maxScheduled)
}

// maxApplies bounds how often apply decides again because the attempt was changed
// meanwhile.
const maxApplies = 20

// apply writes what the attempt becomes by the report. It decides on the attempt as
// the caller read it, and again where that is out of date. It returns false where the
// report does not fit the present state. The error is ledger.ErrContention where
// others kept changing the attempt, a LimitReached where the request is one too many.
func (t attempts) apply(
	ctx context.Context, a attempt.Attempt, r attempt.Report, now time.Time,
) (attempt.Attempt, bool, error) {
	for range maxApplies {
		if after, fits := attempt.Next(a, r, now); fits {
			written, err := t.write(ctx, a, after, attempt.UsageOf(r), now)
			if err != nil {
				return a, false, fmt.Errorf("write attempt: %w", err)
			}
			if written {
				after.Version++
				return after, true, nil
			}
		}
		present, err := t.find(ctx, a.ID)
		if errors.Is(err, ErrNoAttempt) || err == nil && present.Version == a.Version {
			return a, false, nil
		}
		if err != nil {
			return a, false, err
		}
		a = present
	}
	return a, false, fmt.Errorf("apply %T to attempt %s: %w", r, a.ID, ledger.ErrContention)
}

// write changes the row if it is still as before, and counts what goes to the acquirer
// with it: both or neither.
func (t attempts) write(
	ctx context.Context, before, after attempt.Attempt, u attempt.Usage, now time.Time,
) (written bool, err error) {
	values := append(fields(&after), before.Version)
	// Usage of more than an hour ago does not count any more.
	late := u.Messages < 0 && now.Sub(before.CreatedAt) >= usageWindow
	if len(before.CountedFor) == 0 || u == (attempt.Usage{}) || late {
		tag, err := t.pool.Exec(ctx, writeSQL, values...)
		return tag.RowsAffected() == 1, err
	}
	return t.writeWithUsage(ctx, values, before.CountedFor, u, now)
}

// lateReports reports whether the acquirer is being asked about one of the attempts of an
// ended intent, and whether one of them is set aside for an operator.
func (t attempts) lateReports(
	ctx context.Context, id domain.IntentID, of []domain.AttemptID,
) (asking, aside bool, err error) {
	if err := t.pool.QueryRow(ctx, lateReportsSQL, [16]byte(id), of).Scan(&asking, &aside); err != nil {
		return false, false, fmt.Errorf("look for late reports: %w", err)
	}
	return asking, aside, nil
}
