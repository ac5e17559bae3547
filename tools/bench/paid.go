package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/freeport"
	"daftar/tools/bench/figures"
)

const (
	// bytesOfPaidBefore is what a paid intent took before anything was done about it:
	// median of three runs with 5,000 intents (6,001, 6,057, 6,074), commit 30b91da.
	bytesOfPaidBefore = 6057
	// paidPerSecond is how many intents are paid for each second of a measurement.
	paidPerSecond = 1250
	// paidLots is into how many lots they are divided. What is dead after one is taken
	// away, as autovacuum does in a day, and its place is used again.
	paidLots = 10
	// paidLimit is how long what follows a lot may take.
	paidLimit = 3 * time.Minute
	// payers pay at a time.
	payers = 16
)

// paidIntents finds what intents take on disk over their lives, indexes included: each
// is created over the API, attempted and paid on the checkout page, and its webhooks
// are delivered. They are alone in a database of their own.
func (s *stage) paidIntents(ctx context.Context) (r figures.Result, err error) {
	there, err := s.newSite(ctx, database+"_paid", "http://"+s.sink.address+"/")
	if err != nil {
		return r, err
	}
	leave := s.enter(there)
	defer func() { err = errors.Join(err, leave(ctx)) }()
	closeAcquirer, err := s.startAcquirer(ctx)
	if err != nil {
		return r, err
	}
	defer closeAcquirer()
	if err := s.startServer(ctx); err != nil {
		return r, err
	}
	before, err := relationsOf(ctx, s.pool)
	if err != nil {
		return r, err
	}
	lot := max(1, int(s.time.Seconds()*paidPerSecond)/paidLots)
	for n := range paidLots {
		if err := s.payLot(ctx, lot, (n+1)*lot); err != nil {
			return r, err
		}
	}
	after, err := relationsOf(ctx, s.pool)
	if err != nil {
		return r, err
	}
	s.relations = grownBy(before, after, lot*paidLots)
	for _, relation := range s.relations {
		r.Value += relation.Bytes
	}
	return r, nil
}

// grownBy is what each of the intents takes of the relations that have grown.
func grownBy(before, after []figures.Relation, intents int) []figures.Relation {
	type name struct{ table, index string }
	sizes := map[name]float64{}
	for _, r := range before {
		sizes[name{r.Table, r.Index}] = r.Bytes
	}
	var grown []figures.Relation
	for _, r := range after {
		r.Bytes = (r.Bytes - sizes[name{r.Table, r.Index}]) / float64(intents)
		if r.Bytes > 0 {
			grown = append(grown, r)
		}
	}
	return grown
}

// relationsSQL lists tables with what they keep elsewhere, and their indexes.
const relationsSQL = `
SELECT t.relname::text, ''::text, (pg_relation_size(t.oid) + CASE WHEN t.reltoastrelid = 0 THEN 0 ELSE pg_relation_size(t.reltoastrelid) END)::float8
FROM pg_class t WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace
UNION ALL
SELECT t.relname, i.relname, pg_relation_size(i.oid)::float8
FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace
ORDER BY 1, 2`

func relationsOf(ctx context.Context, pool *pgxpool.Pool) ([]figures.Relation, error) {
	rows, err := pool.Query(ctx, relationsSQL)
	if err != nil {
		return nil, fmt.Errorf("weigh relations: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[figures.Relation])
	if err != nil {
		return nil, fmt.Errorf("weigh relations: %w", err)
	}
	return all, nil
}

// startAcquirer starts the sandbox acquirer, which servers of the site ask from then on.
func (s *stage) startAcquirer(ctx context.Context) (end func(), err error) {
	if s.acquirer, err = freeport.Take(ctx); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, s.daftar, "sandbox-acquirer") //nolint:gosec // the program to measure
	c.Env = append(os.Environ(), "DAFTAR_SANDBOX_LISTEN="+s.acquirer, "DAFTAR_SANDBOX_SECRET="+s.key,
		"DAFTAR_LOG_LEVEL=warn")
	c.Stderr = os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", s.daftar, err)
	}
	ended := endOf(c)
	end = func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		<-ended
	}
	if err := awaitAnswer(ctx, "http://"+s.acquirer+"/control/ledger", ended); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// payLot has payers share a lot of intents, and waits until everything that follows
// from them is done, for all that are paid so far.
func (s *stage) payLot(ctx context.Context, lot, paid int) error {
	reference, w := s.newReferences(), newWriter(s.shop.headers, payers)
	failures := make([]error, payers)
	var paying sync.WaitGroup
	for k := range payers {
		paying.Go(func() { failures[k] = s.payIntents(ctx, w, k, lot, reference) })
	}
	paying.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	// Each intent is created, processing and succeeded: three webhooks.
	const paidSQL = `SELECT (SELECT count(*) FROM intents WHERE status = 'succeeded') = $1
		AND (SELECT count(*) FROM webhook_deliveries WHERE state <> 'pending') = 3 * $1`
	err := until(ctx, paidLimit, func() (done bool, err error) {
		if err := awaitGroups(ctx, s.pool); err != nil {
			return false, err
		}
		err = s.pool.QueryRow(ctx, paidSQL, paid).Scan(&done)
		return done, err
	})
	if err != nil {
		return fmt.Errorf("wait until %d intents are paid: %w", paid, err)
	}
	if _, err := s.pool.Exec(ctx, `VACUUM`); err != nil {
		return fmt.Errorf("take away what is dead: %w", err)
	}
	return nil
}

// payIntents is one payer: every payers-th intent of a lot.
func (s *stage) payIntents(ctx context.Context, w *writer, k, lot int,
	reference func(k, n int) string,
) error {
	c, err := dial(ctx, s.servers[0].address)
	if err != nil {
		return err
	}
	defer c.close()
	for n := k; n < lot && ctx.Err() == nil; n += payers {
		body, err := c.expect(http.StatusCreated, w.create(k, reference(k, n), n))
		if err != nil {
			return fmt.Errorf("create: %w", err)
		}
		var answer struct {
			Data struct {
				CheckoutURL string `json:"checkout_url"`
			} `json:"data"`
		}
		if err := json.Unmarshal(body, &answer); err != nil {
			return fmt.Errorf("create: %w", err)
		}
		page := strings.TrimPrefix(answer.Data.CheckoutURL, "http://"+s.servers[0].address)
		number := fmt.Sprintf("09600%04d0", n%10_000) // its last digit has the acquirer behave
		for _, step := range []struct {
			path   string
			fields url.Values
		}{
			{page + "/attempts", url.Values{"method": {"wallet"}, "phone": {number}}},
			{page + "/code", url.Values{"otp": {"111111"}}},
		} {
			if _, err := c.expect(http.StatusSeeOther, form(step.path, step.fields)); err != nil {
				return fmt.Errorf("pay: %s: %w", step.path, err)
			}
		}
	}
	return ctx.Err()
}

// form is what a browser sends.
func form(path string, fields url.Values) []byte {
	body := fields.Encode()
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
		path, len(body), body)
}
