package accounts

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/web"
)

// Failures are counted in the database, for all servers, against the account and
// against the network. After the free ones, each doubles the delay. No user is
// locked out: the delay is bounded, an hour without failures resets it, and the
// user's own network is counted separately (see guessed).
const (
	freeForAccount = 5
	freeForNetwork = 20 // many people can share one
	firstDelay     = time.Second
	longestDelay   = 15 * time.Minute
	quietTime      = time.Hour
)

// Throttled says that there were too many attempts. Nothing was tried.
type Throttled struct {
	RetryAfter time.Duration
	recorded   bool // this delay is in the audit trail already
}

func (t Throttled) Error() string {
	return fmt.Sprintf("too many attempts: try again in %s", t.RetryAfter.Round(time.Second))
}

// throttled is what failures are counted against.
type throttled struct {
	name string
	free int
}

func (t throttled) hash() hash { return hashOf(t.name) }

func ofNetwork(address string) throttled {
	return throttled{"network\x00" + web.NetworkOf(address), freeForNetwork}
}

func delayAfter(failures, free int) time.Duration {
	if failures < free {
		return 0
	}
	if doublings := failures - free; doublings < 10 {
		return min(firstDelay<<doublings, longestDelay)
	}
	return longestDelay
}

// turn is an attempt that was allowed, and counted as a failure until forgive.
type turn struct {
	guessed, network hash
}

// The first statement makes sure that there is a row, and locks it.
const (
	lockFailuresSQL = `
INSERT INTO sign_in_failures AS f (key, failures, last_at, blocked_until) VALUES ($1, 0, $2, $2)
ON CONFLICT (key) DO UPDATE SET failures = f.failures
RETURNING failures, last_at, blocked_until, recorded_for IS NOT DISTINCT FROM blocked_until`
	countFailureSQL  = `UPDATE sign_in_failures SET failures = $2, last_at = $3, blocked_until = $4 WHERE key = $1`
	markRecordedSQL  = `UPDATE sign_in_failures SET recorded_for = blocked_until WHERE key = $1`
	forgetGuessesSQL = `DELETE FROM sign_in_failures WHERE key = $1`
	takeBackSQL      = `
UPDATE sign_in_failures SET failures = greatest(failures - 1, 0), blocked_until = least(blocked_until, $2) WHERE key = $1`
)

// takeTurn counts an attempt as failed before it is made: attempts at the same
// time cannot slip past the count. The error is Throttled where there were too
// many.
func (a *Accounts) takeTurn(ctx context.Context, guessed, network throttled) (turn, error) {
	keys := []throttled{guessed, network}
	slices.SortFunc(keys, func(x, y throttled) int { // one order, or attempts could wait for each other for ever
		hx, hy := x.hash(), y.hash()
		return bytes.Compare(hx[:], hy[:])
	})
	var refusal *Throttled
	err := pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		var err error
		refusal, err = a.countAttempt(ctx, tx, keys)
		return err
	})
	if err != nil {
		return turn{}, err
	}
	if refusal != nil {
		return turn{}, *refusal
	}
	return turn{guessed.hash(), network.hash()}, nil
}

// countAttempt counts an attempt against all keys, or against none and says how
// long is to be waited.
func (a *Accounts) countAttempt(ctx context.Context, tx pgx.Tx, keys []throttled) (*Throttled, error) {
	now := a.moment()
	var refusal *Throttled
	var counts []func() error
	for _, k := range keys {
		wait, count, err := a.lockFailures(ctx, tx, k, now)
		if err != nil {
			return nil, err
		}
		counts = append(counts, count)
		if wait != nil && (refusal == nil || wait.RetryAfter > refusal.RetryAfter) {
			refusal = wait
		}
	}
	if refusal != nil {
		return refusal, nil
	}
	for _, count := range counts {
		if err := count(); err != nil {
			return nil, fmt.Errorf("count attempt: %w", err)
		}
	}
	return nil, nil
}

// lockFailures says how long is to be waited, nil for not at all, and returns
// what counts the attempt.
func (a *Accounts) lockFailures(ctx context.Context, tx pgx.Tx, k throttled, now time.Time) (*Throttled, func() error, error) {
	key := k.hash()
	var (
		failures      int
		lastAt, until time.Time
		recorded      bool
	)
	err := tx.QueryRow(ctx, lockFailuresSQL, key[:], now).Scan(&failures, &lastAt, &until, &recorded)
	if err != nil {
		return nil, nil, fmt.Errorf("count attempt: %w", err)
	}
	if wait := until.Sub(now); wait > 0 {
		if !recorded {
			if _, err := tx.Exec(ctx, markRecordedSQL, key[:]); err != nil {
				return nil, nil, fmt.Errorf("count attempt: %w", err)
			}
		}
		return &Throttled{RetryAfter: wait, recorded: recorded}, nil, nil
	}
	if now.Sub(lastAt) > quietTime {
		failures = 0
	}
	failures++
	return nil, func() error {
		_, err := tx.Exec(ctx, countFailureSQL, key[:], failures, now, now.Add(delayAfter(failures, k.free)))
		return err
	}, nil
}

// forgive takes back the counting of an attempt that succeeded. What was guessed
// at starts afresh; of the network only this attempt is taken back, because who
// has one account might guess at others from there.
func (a *Accounts) forgive(ctx context.Context, tx pgx.Tx, t turn) error {
	guesses := func() error { _, err := tx.Exec(ctx, forgetGuessesSQL, t.guessed[:]); return err }
	network := func() error { _, err := tx.Exec(ctx, takeBackSQL, t.network[:], a.moment()); return err }
	first, second := guesses, network
	if bytes.Compare(t.guessed[:], t.network[:]) > 0 { // in the order of takeTurn
		first, second = network, guesses
	}
	if err := first(); err != nil {
		return fmt.Errorf("forget failures: %w", err)
	}
	if err := second(); err != nil {
		return fmt.Errorf("forget failures: %w", err)
	}
	return nil
}
