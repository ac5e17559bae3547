package accounts

import (
	"context"
	"fmt"
	"time"

	"daftar/domain"
)

// flushEvery is how coarse the times of last use are. Writing one per request
// would cost more than the request.
const flushEvery = 15 * time.Second

func (u *useLog) note(c Credential, at time.Time) {
	u.Lock()
	defer u.Unlock()
	u.tokens[c.Token] = at
	u.keys[c.Application] = at
}

func (u *useLog) drain() (map[TokenID]time.Time, map[domain.ApplicationID]time.Time) {
	u.Lock()
	defer u.Unlock()
	tokens, keys := u.tokens, u.keys
	u.tokens, u.keys = make(map[TokenID]time.Time), make(map[domain.ApplicationID]time.Time)
	return tokens, keys
}

// Run writes down, every quarter of a minute and once more at the end, when
// credentials were last used. It returns when ctx ends. What could not be
// written is lost: it is a hint for people, not a record.
func (a *Accounts) Run(ctx context.Context) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			a.flush(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			defer cancel()
			a.flush(last)
			return
		}
	}
}

func (a *Accounts) flush(ctx context.Context) {
	if err := a.FlushLastUsed(ctx); err != nil {
		a.log.Warn().Err(err).Msg("last use of credentials not written")
	}
}

const (
	flushTokensSQL = `
UPDATE access_tokens t SET last_used_at = greatest(t.last_used_at, u.at)
FROM unnest($1::uuid[], $2::timestamptz[]) AS u(uuid, at) WHERE t.uuid = u.uuid`
	flushKeysSQL = `
UPDATE applications a SET api_key_last_used_at = greatest(a.api_key_last_used_at, u.at)
FROM unnest($1::uuid[], $2::timestamptz[]) AS u(uuid, at) WHERE a.uuid = u.uuid AND u.at >= a.api_key_rolled_at`
)

// FlushLastUsed writes down when credentials were last used.
func (a *Accounts) FlushLastUsed(ctx context.Context) error {
	tokens, keys := a.uses.drain()
	if len(tokens) == 0 {
		return nil
	}
	if err := a.flushUses(ctx, flushTokensSQL, asUses(tokens)); err != nil {
		return fmt.Errorf("write last use of tokens: %w", err)
	}
	if err := a.flushUses(ctx, flushKeysSQL, asUses(keys)); err != nil {
		return fmt.Errorf("write last use of keys: %w", err)
	}
	return nil
}

type uses struct {
	ids [][16]byte
	at  []time.Time
}

func asUses[ID ~[16]byte](m map[ID]time.Time) uses {
	var u uses
	for id, at := range m {
		u.ids, u.at = append(u.ids, [16]byte(id)), append(u.at, at)
	}
	return u
}

func (a *Accounts) flushUses(ctx context.Context, sql string, u uses) error {
	_, err := a.pool.Exec(ctx, sql, u.ids, u.at)
	return err
}
