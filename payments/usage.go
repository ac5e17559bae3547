package payments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/web"
	"daftar/payments/attempt"
)

// usageWindow is the time in which the limits below hold, wherever it begins.
const usageWindow = time.Hour

// usageKind is what is counted.
type usageKind string

// The kinds; the names are stored.
const (
	messages usageKind = "message" // a text message with a code
	codes    usageKind = "code"    // a code that is handed over
)

// How much goes to acquirers within any hour.
//
// For a number: a payer who mistypes or loses a message needs two or three. Ten codes an hour
// find one of a million in 11 years on average, and every five of them cost a message.
// For an intent: two numbers up to their limit, so that one link disturbs few people.
// For a network: a thousand payers of a mobile operator may share one address. Usage of
// attempts that pay is given back, so these are for payments that fail: 600 are a third of 1,800.
const (
	MessagesOfANumber  = 6
	CodesOfANumber     = 10
	MessagesOfAnIntent = 12
	CodesOfAnIntent    = 20
	MessagesOfANetwork = 600
	CodesOfANetwork    = 1200
)

// limits are those of each kind for a number, an intent and the networks of web.Networks, in
// the order of checkMessages.
var limits = map[usageKind][]int{
	messages: limitsOf(MessagesOfANumber, MessagesOfAnIntent, MessagesOfANetwork),
	codes:    limitsOf(CodesOfANumber, CodesOfAnIntent, CodesOfANetwork),
}

func limitsOf(number, intent, network int) []int {
	all := []int{number, intent}
	for _, times := range web.Allowances {
		all = append(all, network*times)
	}
	return all
}

// LimitReached is the error of a request that was not sent to the acquirer because of too
// many within the last hour.
type LimitReached struct {
	Until  time.Time
	Number bool // by the number alone: another one may be used
}

func (l LimitReached) Error() string {
	return "too many messages or codes until " + l.Until.Format(time.RFC3339)
}

// Usage is counted and given back by statements that change the attempt, too. The rows of usage are locked
// first, in the order of their keys: otherwise two requests could deadlock. Where the attempt has changed,
// nothing is given back, and mostly nothing is locked; but what was counted must be rolled back then, and
// where a limit is exceeded, so no row stays above it.
var (
	// Times are in order, and of whole minutes: equal ones take almost no space, so that a row of a network
	// that is near its limit stays small. Otherwise each change would compress all of it again.
	countUsageSQL = `
WITH counted AS (
    INSERT INTO checkout_usage AS u (subject, kind, used_at, last_at)
    SELECT s, $29, ARRAY[$30::timestamptz], $30
    FROM unnest($28::bytea[]) AS s
    WHERE EXISTS (SELECT FROM checkout_attempts WHERE attempt = $1 AND version = $27)
    ORDER BY s
    ON CONFLICT (subject, kind) DO UPDATE
    SET last_at = $30,
        used_at = u.used_at[1 + width_bucket($31::timestamptz - $32::interval, u.used_at):]
            || $30::timestamptz
    RETURNING subject, used_at
), written AS (` + writeSQL + `
      AND (SELECT count(*) FROM counted) > 0
    RETURNING attempt
)
SELECT max(until), coalesce(bool_and(place = 1), false), EXISTS (SELECT FROM written)
FROM (
    SELECT k.place, c.used_at[cardinality(c.used_at) - k.most] + $32
    FROM unnest($28, $33::int[]) WITH ORDINALITY AS k (subject, most, place)
    JOIN counted c ON c.subject = k.subject
) AS f (place, until)
WHERE until IS NOT NULL`
	// The oldest time is removed, so the others count at least as long as the one given back. A row
	// without any is deleted: most belong to payments that were paid at once.
	giveBackUsageSQL = `
WITH locked AS MATERIALIZED (
    SELECT u.subject, u.kind, u.used_at[2:] AS used_at
    FROM ` + postgres.KeyRows("$28::bytea[]") + ` AS w(subject)
    JOIN checkout_usage u ON u.subject = w.subject AND u.kind = ANY($29)
    WHERE EXISTS (SELECT FROM checkout_attempts WHERE attempt = $1 AND version = $27)
    ORDER BY u.kind DESC, u.subject
    FOR UPDATE OF u
), written AS (` + writeSQL + `
      AND (SELECT count(*) FROM locked) >= 0
    RETURNING attempt
), given_back AS (
    UPDATE checkout_usage u
    SET used_at = l.used_at
    FROM locked l, written
    WHERE u.subject = l.subject
      AND u.kind = l.kind
      AND l.used_at <> '{}'
), forgotten AS (
    DELETE FROM checkout_usage u
    USING locked l, written
    WHERE u.subject = l.subject
      AND u.kind = l.kind
      AND l.used_at = '{}'
)
SELECT attempt
FROM written`
	// A subject has exceeded its limit while as many times as its limit are younger than an hour.
	exceededUsageSQL = `
SELECT max(until), coalesce(bool_and(place = 1), false), false
FROM (
    SELECT k.place, u.used_at[cardinality(u.used_at) - k.most + 1] + $5::interval
    FROM unnest($1::bytea[], $2::int[]) WITH ORDINALITY AS k (subject, most, place)
    CROSS JOIN LATERAL (
        SELECT used_at
        FROM checkout_usage
        WHERE subject = k.subject
          AND kind = $3
        OFFSET 0
    ) u
) AS f (place, until)
WHERE until > $4::timestamptz`
	sweepUsageSQL = `DELETE FROM checkout_usage WHERE last_at < $1`
)

// usageResult is what a statement finds out about the subjects of an attempt.
type usageResult struct {
	Until   *time.Time // when fewer count again; nil: no limit is exceeded
	Number  bool       // the limit of the number alone
	Written bool       // the attempt
}

// findUsage runs one of the statements above. The error is a LimitReached where a limit is exceeded.
func findUsage(ctx context.Context, q postgres.Querier, sql string, args ...any) (written bool, err error) {
	f, err := postgres.Find(ctx, q, "count usage", nil, pgx.RowToStructByPos[usageResult], sql, args...)
	if err == nil && f.Until != nil {
		err = LimitReached{Until: *f.Until, Number: f.Number}
	}
	return f.Written, err
}

// checkMessages returns the keyed hashes of the subjects that an attempt counts for. The error
// is a LimitReached where no message may be sent. It counts nothing: the claim does, and would
// refuse too, but only after the attempt is in the ledger.
func (e *Engine) checkMessages(
	ctx context.Context, number string, intent domain.IntentID, networks []string,
) ([][]byte, error) {
	names := []string{"number " + number, "intent " + intent.String()}
	for _, network := range networks {
		names = append(names, "network "+network)
	}
	var subjects [][]byte
	for _, name := range names {
		subject, err := e.usageKey.Digest(name)
		if err != nil {
			return nil, fmt.Errorf("conceal what an attempt counts for: %w", err)
		}
		subjects = append(subjects, subject)
	}
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	_, err := findUsage(ctx, e.attempts.pool, exceededUsageSQL,
		subjects, limits[messages][:len(subjects)], messages, e.ledger.Now(), usageWindow)
	return subjects, err
}

// errOutOfDate rolls back the usage that was counted for a change that is not made.
var errOutOfDate = errors.New("the attempt was changed meanwhile")

// writeWithUsage changes an attempt by the values of writeSQL if it is still as before, and counts what
// goes to the acquirer with it, or gives it back: both or neither. The error is a LimitReached where it is
// too much.
func (t attempts) writeWithUsage(
	ctx context.Context, values []any, subjects [][]byte, u attempt.Usage, now time.Time,
) (written bool, err error) {
	var of []usageKind
	if u.Messages != 0 {
		of = append(of, messages)
	}
	if u.Codes != 0 {
		of = append(of, codes)
	}
	if u.Messages < 0 || u.Codes < 0 {
		tag, err := t.pool.Exec(ctx, giveBackUsageSQL, append(values, subjects, of)...)
		return tag.RowsAffected() == 1, err
	}
	err = pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		// Rounded up, so that it counts for an hour at least.
		written, err = findUsage(ctx, tx, countUsageSQL, append(values, subjects, of[0],
			now.Truncate(time.Minute).Add(time.Minute), now, usageWindow, limits[of[0]][:len(subjects)])...)
		if err == nil && !written {
			return errOutOfDate
		}
		return err
	})
	if errors.Is(err, errOutOfDate) {
		return false, nil
	}
	return err == nil, err
}

// sweepEvery is how often usage that no longer counts is deleted.
const sweepEvery = 10 * time.Minute

func (e *Engine) sweepUsage(ctx context.Context) error {
	_, err := e.attempts.pool.Exec(ctx, sweepUsageSQL, e.ledger.Now().Add(-usageWindow))
	return err
}
