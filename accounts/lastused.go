package accounts

import (
	"context"
	"fmt"
	"sync"
	"time"

	"daftar/internal/queue"
)

// flushEvery is the resolution of the times of last use. A write for each request
// would cost more than the request.
const flushEvery = 15 * time.Second

// use is a use of a credential: when, and the address of the client.
type use struct {
	at   time.Time
	from string
}

func (u *useLog) note(token TokenID, key Hash, now use) {
	u.Lock()
	defer u.Unlock()
	u.tokens[token] = now
	u.keys[key] = now
}

func (u *useLog) drain() (map[TokenID]use, map[Hash]use) {
	u.Lock()
	defer u.Unlock()
	tokens, keys := u.tokens, u.keys
	u.tokens, u.keys = make(map[TokenID]use), make(map[Hash]use)
	return tokens, keys
}

// Run stores when credentials were last used, every quarter of a minute and once
// more at the end, and regularly removes failures that no longer count. It returns when ctx ends.
// Uses that could not be stored are lost: they are a hint, not a record.
func (a *Accounts) Run(ctx context.Context) {
	var sweeping sync.WaitGroup
	defer sweeping.Wait()
	sweeping.Go(func() {
		queue.Loop{Poll: sweepEvery, Failing: "failures not removed", Log: a.log}.Repeat(ctx, a.Sweep)
	})
	loop := queue.Loop{Poll: flushEvery, Failing: "last use of credentials not written", Log: a.log}
	loop.Repeat(ctx, a.FlushLastUsed)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := a.FlushLastUsed(last); err != nil {
		a.log.Warn().Err(err).Msg(loop.Failing)
	}
}

// A server that writes late does not overwrite a later use. The rows are first locked,
// in the order of their keys, so that two servers cannot deadlock.
const (
	flushTokensSQL = `
WITH used AS MATERIALIZED (
    SELECT t.uuid, u.at, u.address
    FROM access_tokens t
         JOIN unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS u(uuid, at, address) USING (uuid)
    ORDER BY t.uuid
    FOR NO KEY UPDATE OF t
)
UPDATE access_tokens t
SET last_used_at = greatest(t.last_used_at, u.at),
    last_used_from = CASE WHEN t.last_used_at > u.at THEN t.last_used_from
                          ELSE u.address END
FROM used u
WHERE t.uuid = u.uuid`
	flushKeysSQL = `
WITH used AS MATERIALIZED (
    SELECT a.uuid, a.api_key_hash, u.at, u.address
    FROM applications a
         JOIN unnest($1::bytea[], $2::timestamptz[], $3::text[]) AS u(api_key_hash, at, address)
              USING (api_key_hash)
    ORDER BY a.uuid
    FOR NO KEY UPDATE OF a
)
UPDATE applications a
SET api_key_last_used_at = greatest(a.api_key_last_used_at, u.at),
    api_key_last_used_from = CASE WHEN a.api_key_last_used_at > u.at THEN a.api_key_last_used_from
                                  ELSE u.address END
FROM used u
WHERE a.uuid = u.uuid
  AND a.api_key_hash = u.api_key_hash`
)

// FlushLastUsed stores when credentials were last used.
func (a *Accounts) FlushLastUsed(ctx context.Context) error {
	tokens, keys := a.uses.drain()
	if len(tokens) == 0 {
		return nil
	}
	ids, at, from := unzip(tokens, func(id TokenID) TokenID { return id })
	if _, err := a.pool.Exec(ctx, flushTokensSQL, ids, at, from); err != nil {
		return fmt.Errorf("write last use of tokens: %w", err)
	}
	hashes, at, from := unzip(keys, func(h Hash) []byte { return h[:] })
	if _, err := a.pool.Exec(ctx, flushKeysSQL, hashes, at, from); err != nil {
		return fmt.Errorf("write last use of keys: %w", err)
	}
	return nil
}

// unzip turns a map into three arrays for unnest.
func unzip[K comparable, C any](m map[K]use, column func(K) C) (columns []C, at []time.Time, from []string) {
	for k, u := range m {
		columns, at, from = append(columns, column(k)), append(at, u.at), append(from, u.from)
	}
	return columns, at, from
}
