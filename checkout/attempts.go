package checkout

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/checkout/attempt"
	"daftar/domain"
	"daftar/ledger"
)

// attempts is the table checkout_attempts. What a row becomes is decided by
// attempt.Next and written by one statement, on the condition that the row is still
// at the version that was decided on.
type attempts struct{ pool *pgxpool.Pool }

// columns are those that are read and written, and fields where they stand in an
// attempt, in the same order. The key is first.
const columns = `attempt, intent_uuid, acquirer, method, language, payer, created_at, stage, stage_since, sent_to, code_digits,
code_until, code_sent_at, resent_at, tries_left, codes, codes_since, bank_url, ask_at, busy_until, asked, asked_at, trouble`

func fields(a *attempt.Attempt) []any {
	return []any{
		&a.ID, (*[16]byte)(&a.Intent), &a.Acquirer, &a.Method, &a.Language, &a.Payer, &a.CreatedAt, &a.Stage, &a.Since, &a.SentTo,
		&a.Digits, &a.CodeUntil, &a.CodeSentAt, &a.ResentAt, &a.TriesLeft, &a.Codes, &a.CodesSince, &a.BankURL, &a.AskAt,
		&a.BusyUntil, &a.Asked, &a.AskedAt, &a.Trouble,
	}
}

var (
	placeholders = func() string {
		all := make([]string, strings.Count(columns, ",")+1)
		for n := range all {
			all[n] = fmt.Sprintf("$%d", n+1)
		}
		return strings.Join(all, ", ")
	}()
	// The last two parameters are the time of the change and the version.
	insertSQL = fmt.Sprintf(`INSERT INTO checkout_attempts (%s, updated_at) VALUES (%s, $%d)
ON CONFLICT (attempt) DO NOTHING RETURNING version`, columns, placeholders, strings.Count(columns, ",")+2)
	writeSQL = fmt.Sprintf(`UPDATE checkout_attempts SET (%s, updated_at) = (%s, $%d) WHERE attempt = $1 AND version = $%d`,
		columns, placeholders, strings.Count(columns, ",")+2, strings.Count(columns, ",")+3)
)

const (
	findSQL = `SELECT ` + columns + `, version FROM checkout_attempts WHERE attempt = $1`
	// Attempts of acquirers that this server does not have are left to one that does.
	isDueSQL = `SELECT EXISTS (SELECT FROM checkout_attempts WHERE ask_at <= $1 AND acquirer = $2)`
	dueSQL   = `SELECT ` + columns + `, version FROM checkout_attempts WHERE ask_at <= $1 AND acquirer = $2
ORDER BY ask_at LIMIT $3 FOR UPDATE SKIP LOCKED`
	lateNewsSQL = `
SELECT coalesce(bool_or(ask_at IS NOT NULL), false), coalesce(bool_or(stage = 'quarantined'), false)
FROM checkout_attempts WHERE intent_uuid = $1 AND attempt = ANY($2)`
)

func scanAttempt(row pgx.CollectableRow) (attempt.Attempt, error) {
	var a attempt.Attempt
	err := row.Scan(append(fields(&a), &a.Version)...)
	return a, err
}

// insert adds an attempt and returns it as it stands in the table. One that is
// there already stays as it is: two pages may both find that it was lost.
func (t attempts) insert(ctx context.Context, a attempt.Attempt, now time.Time) (attempt.Attempt, error) {
	err := t.pool.QueryRow(ctx, insertSQL, append(fields(&a), now)...).Scan(&a.Version)
	if errors.Is(err, pgx.ErrNoRows) {
		there, _, err := t.find(ctx, a.ID)
		return there, err
	}
	if err != nil {
		return a, fmt.Errorf("insert attempt: %w", err)
	}
	return a, nil
}

// find returns false where there is no such attempt.
func (t attempts) find(ctx context.Context, id domain.AttemptID) (attempt.Attempt, bool, error) {
	rows, err := t.pool.Query(ctx, findSQL, id)
	if err != nil {
		return attempt.Attempt{}, false, fmt.Errorf("find attempt: %w", err)
	}
	a, err := pgx.CollectExactlyOneRow(rows, scanAttempt)
	if errors.Is(err, pgx.ErrNoRows) {
		return attempt.Attempt{}, false, nil
	}
	if err != nil {
		return attempt.Attempt{}, false, fmt.Errorf("find attempt: %w", err)
	}
	return a, true, nil
}

// maxApplies bounds how often a report is decided on anew: each time somebody else
// has changed the attempt.
const maxApplies = 20

// apply writes what the attempt becomes by the report. It decides on the attempt as
// the caller read it, and anew where that is out of date. It returns false where the
// report has no place in the present state. The error is ledger.ErrContention where
// others kept changing the attempt.
func (t attempts) apply(ctx context.Context, a attempt.Attempt, r attempt.Report, now time.Time) (attempt.Attempt, bool, error) {
	for range maxApplies {
		if after, fits := attempt.Next(a, r, now); fits {
			tag, err := t.pool.Exec(ctx, writeSQL, append(fields(&after), now, a.Version)...)
			if err != nil {
				return a, false, fmt.Errorf("write attempt: %w", err)
			}
			if tag.RowsAffected() == 1 {
				after.Version++
				return after, true, nil
			}
		}
		present, found, err := t.find(ctx, a.ID)
		if err != nil || !found || present.Version == a.Version {
			return a, false, err
		}
		a = present
	}
	return a, false, fmt.Errorf("apply %T to attempt %s: %w", r, a.ID, ledger.ErrContention)
}

// claimDue claims attempts of an acquirer whose time has come, the longest waiting
// first. Each acquirer's are claimed by themselves: one that hangs keeps no other
// waiting. Most of the time none is due, which one cheap statement finds out.
func (t attempts) claimDue(ctx context.Context, now, until time.Time, name string, limit int) ([]attempt.Attempt, error) {
	var due bool
	if err := t.pool.QueryRow(ctx, isDueSQL, now, name).Scan(&due); err != nil || !due {
		return nil, wrapUnlessNil("look for due attempts", err)
	}
	var all []attempt.Attempt
	err := pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, dueSQL, now, name, limit)
		if err != nil {
			return err
		}
		if all, err = pgx.CollectRows(rows, scanAttempt); err != nil {
			return err
		}
		var batch pgx.Batch
		for n, a := range all {
			after, _ := attempt.Next(a, attempt.Inquire{Until: until}, now) // the statement has found those that are due
			batch.Queue(writeSQL, append(fields(&after), now, a.Version)...)
			after.Version++
			all[n] = after
		}
		return tx.SendBatch(ctx, &batch).Close()
	})
	return all, wrapUnlessNil("claim due attempts", err)
}

func wrapUnlessNil(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// lateNews says, of attempts of an intent that has ended, whether the acquirer is
// being asked about one, and whether one is set aside for an operator.
func (t attempts) lateNews(ctx context.Context, id domain.IntentID, of []domain.AttemptID) (asking, aside bool, err error) {
	if err := t.pool.QueryRow(ctx, lateNewsSQL, [16]byte(id), of).Scan(&asking, &aside); err != nil {
		return false, false, fmt.Errorf("look for late news: %w", err)
	}
	return asking, aside, nil
}
