package payments

import (
	"context"
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

// Rows are locked in the order of their keys: otherwise two requests could deadlock. Where
// the limit is exceeded, the caller rolls back, so no row stays above it.
var (
	countUsageSQL = `
INSERT INTO checkout_usage AS u (subject, kind, used_at, last_at)
SELECT s, $2, ARRAY[$3::timestamptz], $3
FROM unnest($1::bytea[]) AS s
ORDER BY s
ON CONFLICT (subject, kind) DO UPDATE
SET last_at = $3,
    used_at = ARRAY(
        SELECT t
        FROM unnest(u.used_at) AS t
        WHERE t > $3::timestamptz - $4::interval
        ORDER BY t
    ) || $3::timestamptz`
	// The oldest time is removed, so the others count at least as long as the one given back. A row
	// without any is deleted: most belong to payments that were paid at once.
	giveBackUsageSQL = `
WITH locked AS MATERIALIZED (
    SELECT u.subject, u.kind
    FROM ` + postgres.KeyRows("$1::bytea[]") + ` AS w(subject)
    JOIN checkout_usage u ON u.subject = w.subject AND u.kind = $2
    ORDER BY u.subject
    FOR UPDATE OF u
)
UPDATE checkout_usage u
SET used_at = u.used_at[2:]
FROM locked
WHERE u.subject = locked.subject
  AND u.kind = locked.kind`
	forgetUsageSQL = `
DELETE FROM checkout_usage u
USING ` + postgres.KeyRows("$1::bytea[]") + ` AS w(subject)
WHERE u.subject = w.subject
  AND u.kind = $2
  AND cardinality(u.used_at) = 0`
	// A subject has exceeded its limit while as many times as its limit are younger than an hour, next
	// to those that are being counted ($6).
	exceededUsageSQL = `
SELECT max(until), coalesce(bool_and(place = 1), false)
FROM (
    SELECT k.place,
           (ARRAY(
               SELECT t
               FROM unnest(u.used_at) AS t
               WHERE t > $4::timestamptz - $5::interval
               ORDER BY t DESC
           ))[k.most + $6] + $5::interval
    FROM unnest($1::bytea[], $2::int[]) WITH ORDINALITY AS k (subject, most, place)
    CROSS JOIN LATERAL (
        SELECT used_at
        FROM checkout_usage
        WHERE subject = k.subject
          AND kind = $3
        OFFSET 0
    ) u
) AS f (place, until)
WHERE until IS NOT NULL`
	sweepUsageSQL = `DELETE FROM checkout_usage WHERE last_at < $1`
)

// exceeded is a subject that has used up its limit.
type exceeded struct {
	Until  *time.Time // nil: no limit is exceeded
	Number bool       // the number alone
}

// checkUsage returns a LimitReached where a limit is reached, not including the requests that
// are being counted.
func checkUsage(
	ctx context.Context, q postgres.Querier, subjects [][]byte, of usageKind, now time.Time, counted int,
) error {
	f, err := postgres.Find(ctx, q, "look at usage", nil, pgx.RowToStructByPos[exceeded],
		exceededUsageSQL, subjects, limits[of][:len(subjects)], of, now, usageWindow, counted)
	if err != nil || f.Until == nil {
		return err
	}
	return LimitReached{Until: *f.Until, Number: f.Number}
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
	return subjects, checkUsage(ctx, e.attempts.pool, subjects, messages, e.ledger.Now(), 0)
}

// countUsage counts what goes to the acquirer, or gives it back, in the transaction
// that claims the attempt. The error is a LimitReached where it is too much.
func countUsage(ctx context.Context, tx pgx.Tx, subjects [][]byte, u attempt.Usage, now time.Time) error {
	for _, part := range []struct {
		of usageKind
		n  int
	}{{messages, u.Messages}, {codes, u.Codes}} {
		var err error
		switch {
		case part.n > 0:
			_, err = tx.Exec(ctx, countUsageSQL, subjects, part.of, now, usageWindow)
			if err == nil {
				err = checkUsage(ctx, tx, subjects, part.of, now, part.n)
			}
		case part.n < 0:
			var both pgx.Batch
			both.Queue(giveBackUsageSQL, subjects, part.of)
			both.Queue(forgetUsageSQL, subjects, part.of)
			err = tx.SendBatch(ctx, &both).Close()
		}
		if err != nil {
			return fmt.Errorf("count usage: %w", err)
		}
	}
	return nil
}

// sweepEvery is how often usage that no longer counts is deleted.
const sweepEvery = 10 * time.Minute

func (e *Engine) sweepUsage(ctx context.Context) error {
	_, err := e.attempts.pool.Exec(ctx, sweepUsageSQL, e.ledger.Now().Add(-usageWindow))
	return err
}
