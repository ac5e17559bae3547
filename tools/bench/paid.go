package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"daftar/tools/bench/figures"
)

const (
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

// enterPaying moves the stage to a separate database, whose server has the sandbox acquirer and whose
// merchant has the sink.
func (s *stage) enterPaying(ctx context.Context) (leave func(context.Context) error, err error) {
	if err := s.theSink(ctx); err != nil {
		return nil, err
	}
	back, err := s.enterOnce(ctx, "paid", s.sink.URL+"/")
	if err != nil {
		return nil, err
	}
	acquirer, err := s.startAcquirer(ctx)
	if err != nil {
		return nil, errors.Join(err, back(ctx))
	}
	return func(ctx context.Context) error {
		defer acquirer.stop()
		return back(ctx)
	}, nil
}

// paidIntents measures what intents take on disk over their lives, indexes included: each
// is created over the API, attempted and paid on the checkout page, and its webhooks
// are delivered.
func (s *stage) paidIntents(ctx context.Context) (r figures.Result, err error) {
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

// relationsOf lists the sizes of tables, their TOAST tables included, and of indexes.
func relationsOf(ctx context.Context, pool *pgxpool.Pool) ([]figures.Relation, error) {
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
	rows, _ := pool.Query(ctx, relationsSQL) // CollectRows returns the error
	return pgx.CollectRows(rows, pgx.RowToStructByPos[figures.Relation])
}

// payBatch lets payers share a batch of intents, and waits until all intents that are
// paid so far have succeeded and their webhooks are delivered.
func (s *stage) payBatch(ctx context.Context, batch, paid int) error {
	reference := s.newReferences()
	paying, payCtx := errgroup.WithContext(ctx)
	for k := range payers {
		paying.Go(func() error { return s.payIntents(payCtx, k, batch, reference) })
	}
	if err := paying.Wait(); err != nil {
		return err
	}
	if err := s.awaitPaid(ctx, paid); err != nil {
		return err
	}
	return execute(ctx, s.pool, `VACUUM`)
}

// awaitPaid waits until all intents, which are so many, have succeeded and their webhooks are delivered.
func (s *stage) awaitPaid(ctx context.Context, paid int) error {
	// Each intent is created, processing and succeeded: three webhooks.
	const paidSQL = `
SELECT (SELECT count(*) FROM intents WHERE status = 'succeeded') = $1
   AND (SELECT count(*) FROM webhook_deliveries WHERE state <> 'pending') = 3 * $1`
	done := isTrue(ctx, s.pool, paidSQL, paid)
	err := until(ctx, paidLimit, func() (bool, error) {
		if err := awaitGroups(ctx, s.pool); err != nil {
			return false, err
		}
		return done()
	})
	if err != nil {
		return fmt.Errorf("wait until %d intents are paid: %w", paid, err)
	}
	return nil
}

// checkouts measures customers who pay on the checkout page what merchants have created. What the groups,
// the read models and the webhooks do about it counts until it is done.
func (s *stage) checkouts(ctx context.Context) (r figures.Result, err error) {
	var payers []*client
	defer func() {
		for _, c := range payers {
			c.close()
		}
	}()
	for range s.clients {
		c, err := dial(ctx, s.servers[0].address)
		if err != nil {
			return r, err
		}
		payers = append(payers, c)
	}
	reference := s.newReferences()
	var paid atomic.Int64
	l := s.load(ctx, func(_ context.Context, k, n int) error {
		paid.Add(1)
		return s.pay(payers[k], reference(k, n), n*s.clients+k)
	})
	// What the warm-up leaves to do must not count, and the planner must know the tables.
	warmed, failure := l.warmed, error(nil)
	l.warmed = func() {
		failure = errors.Join(s.awaitPaid(ctx, int(paid.Load())), execute(ctx, s.pool, `VACUUM ANALYZE`))
		warmed()
	}
	if r, err = l.run(ctx); err != nil {
		return r, err
	}
	return r, errors.Join(failure, s.awaitPaid(ctx, int(paid.Load())))
}

// payIntents is one payer: it pays every payers-th intent of a batch.
func (s *stage) payIntents(ctx context.Context, k, batch int, reference func(k, n int) string) error {
	c, err := dial(ctx, s.servers[0].address)
	if err != nil {
		return err
	}
	defer c.close()
	for n := k; n < batch && ctx.Err() == nil; n += payers {
		if err := s.pay(c, reference(k, n), n); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// pay creates an intent and pays it as customer n.
func (s *stage) pay(c *client, reference string, n int) error {
	body, err := c.expect(http.StatusCreated, s.shop.create(nil, reference, n))
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
	attempt := form(page+"/attempts", url.Values{"method": {"wallet"}, "phone": {number}})
	code := form(page+"/code", url.Values{"otp": {"111111"}})
	for _, step := range [][]byte{attempt, code} {
		if _, err := c.expect(http.StatusSeeOther, step); err != nil {
			return fmt.Errorf("pay: %w", err)
		}
	}
	return nil
}

// form is the request by which a browser sends a form.
func form(path string, fields url.Values) []byte {
	body := fields.Encode()
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: bench\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
		path, len(body), body)
}
