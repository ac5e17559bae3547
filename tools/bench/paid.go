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
	// bytesOfPaidBefore is the size of a paid intent before tables were made smaller:
	// median of three runs with 5,000 intents (6,001, 6,057, 6,074), commit 30b91da.
	bytesOfPaidBefore = 6057
	// paidPerSecond is how many intents are paid for each second of a measurement.
	paidPerSecond = 1250
	// paidBatches is the number of batches into which the intents are divided. A vacuum
	// after each frees the space of dead rows for reuse, as autovacuum does in a day.
	paidBatches = 10
	// paidLimit is how long groups and webhooks may take after a batch.
	paidLimit = 3 * time.Minute
	// payers is how many customers pay at a time.
	payers = 16
)

// paidIntents measures what intents take on disk over their lives, indexes included: each
// is created over the API, attempted and paid on the checkout page, and its webhooks
// are delivered. They have a separate database.
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
	batch := max(1, int(s.time.Seconds()*paidPerSecond)/paidBatches)
	for n := range paidBatches {
		if err := s.payBatch(ctx, batch, (n+1)*batch); err != nil {
			return r, err
		}
	}
	after, err := relationsOf(ctx, s.pool)
	if err != nil {
		return r, err
	}
	s.relations = grownBy(before, after, batch*paidBatches)
	for _, relation := range s.relations {
		r.Value += relation.Bytes
	}
	return r, nil
}

// grownBy returns the relations that have grown, each with its growth per intent.
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

// relationsSQL lists the sizes of tables, their TOAST tables included, and of indexes.
const relationsSQL = `
SELECT t.relname::text, ''::text,
       (pg_relation_size(t.oid)
        + CASE WHEN t.reltoastrelid = 0 THEN 0 ELSE pg_relation_size(t.reltoastrelid) END)::float8
FROM pg_class t
WHERE t.relkind = 'r'
  AND t.relnamespace = 'public'::regnamespace
UNION ALL
SELECT t.relname, i.relname, pg_relation_size(i.oid)::float8
FROM pg_index x
JOIN pg_class t ON t.oid = x.indrelid
JOIN pg_class i ON i.oid = x.indexrelid
WHERE t.relkind = 'r'
  AND t.relnamespace = 'public'::regnamespace
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

// startAcquirer starts the sandbox acquirer, which servers of the site use from then on.
func (s *stage) startAcquirer(ctx context.Context) (end func(), err error) {
	if s.acquirer, err = freeport.Take(ctx); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, s.daftar, "sandbox-acquirer") //nolint:gosec // the program to measure
	c.Env = append(os.Environ(),
		"DAFTAR_SANDBOX_LISTEN="+s.acquirer,
		"DAFTAR_SANDBOX_SECRET="+s.key,
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

// payBatch lets payers share a batch of intents, and waits until all intents that are
// paid so far have succeeded and their webhooks are delivered.
func (s *stage) payBatch(ctx context.Context, batch, paid int) error {
	reference, w := s.newReferences(), newWriter(s.shop.headers, payers)
	failures := make([]error, payers)
	var paying sync.WaitGroup
	for k := range payers {
		paying.Go(func() { failures[k] = s.payIntents(ctx, w, k, batch, reference) })
	}
	paying.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	// Each intent is created, processing and succeeded: three webhooks.
	const paidSQL = `
SELECT (SELECT count(*) FROM intents WHERE status = 'succeeded') = $1
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

// payIntents is one payer: it pays every payers-th intent of a batch.
func (s *stage) payIntents(
	ctx context.Context, w *writer, k, batch int, reference func(k, n int) string,
) error {
	c, err := dial(ctx, s.servers[0].address)
	if err != nil {
		return err
	}
	defer c.close()
	for n := k; n < batch && ctx.Err() == nil; n += payers {
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
		number := fmt.Sprintf("09600%04d0", n%10_000) // the last digit 0 lets the acquirer accept it
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

// form is the request by which a browser sends a form.
func form(path string, fields url.Values) []byte {
	body := fields.Encode()
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: bench\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
		path, len(body), body)
}
