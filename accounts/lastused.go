package accounts

import (
	"context"
	"fmt"
	"time"
)

// flushEvery is how coarse the times of last use are. Writing one per request
// would cost more than the request.
const flushEvery = 15 * time.Second

func (u *useLog) note(token TokenID, key hash, at time.Time) {
	u.Lock()
	defer u.Unlock()
	u.tokens[token] = at
	u.keys[key] = at
}

func (u *useLog) drain() (map[TokenID]time.Time, map[hash]time.Time) {
	u.Lock()
	defer u.Unlock()
	tokens, keys := u.tokens, u.keys
	u.tokens, u.keys = make(map[TokenID]time.Time), make(map[hash]time.Time)
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
			a.flushLast(ctx)
			return
		}
	}
}

func (a *Accounts) flushLast(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	a.flush(ctx)
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
FROM unnest($1::bytea[], $2::timestamptz[]) AS u(key_hash, at) WHERE a.api_key_hash = u.key_hash`
)

// FlushLastUsed writes down when credentials were last used.
func (a *Accounts) FlushLastUsed(ctx context.Context) error {
	tokens, keys := a.uses.drain()
	if len(tokens) == 0 {
		return nil
	}
	ids, at := unzip(tokens, func(id TokenID) [16]byte { return id })
	if _, err := a.pool.Exec(ctx, flushTokensSQL, ids, at); err != nil {
		return fmt.Errorf("write last use of tokens: %w", err)
	}
	hashes, at := unzip(keys, func(h hash) []byte { return h[:] })
	if _, err := a.pool.Exec(ctx, flushKeysSQL, hashes, at); err != nil {
		return fmt.Errorf("write last use of keys: %w", err)
	}
	return nil
}

// unzip turns a map into two arrays that unnest puts together again.
func unzip[K comparable, C any](m map[K]time.Time, column func(K) C) ([]C, []time.Time) {
	columns, at := make([]C, 0, len(m)), make([]time.Time, 0, len(m))
	for k, when := range m {
		columns, at = append(columns, column(k)), append(at, when)
	}
	return columns, at
}
