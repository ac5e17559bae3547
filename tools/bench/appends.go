package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/projections"
	"daftar/tools/bench/figures"
)

// appendConnections are for writing batches: while one writes, the next waits for its turn.
const appendConnections = 4

// appendsOn measures creates through package ledger, with no server and no groups: the decision, the event,
// the row of intents and the commit.
func (s *stage) appendsOn(ctx context.Context, there site) (r figures.Result, err error) {
	options := postgres.Options{MaxConns: appendConnections, SetServiceRole: true}
	pool, err := postgres.Open(ctx, s.cluster.URL(there.name, user), options)
	if err != nil {
		return r, err
	}
	defer pool.Close()
	intents := projections.NewIntents(pool)
	defer intents.Close()
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	l, reference := ledger.New(store, intents), s.newReferences()
	origin := ledger.Origin{Actor: "application:" + uuid.UUID(there.shop.application.ID).String()}

	measured := time.Now().Add(min(warmTime, s.time))
	end := measured.Add(s.time)
	latencies, failures := make([][]time.Duration, s.clients), make([]error, s.clients)
	var clients sync.WaitGroup
	for k := range s.clients {
		clients.Go(func() {
			for n := 0; time.Now().Before(end) && failures[k] == nil; n++ {
				began := time.Now()
				_, _, failures[k] = l.Create(ctx, newCreate(there.shop, reference(k, n), n), there.shop.namespace, origin)
				if began.After(measured) {
					latencies[k] = append(latencies[k], time.Since(began))
				}
			}
		})
	}
	clients.Wait()
	r.Latencies = slices.Sorted(slices.Values(slices.Concat(latencies...)))
	r.Operations = len(r.Latencies)
	r.Value = float64(r.Operations) / s.time.Seconds()
	return r, errors.Join(failures...)
}

func newCreate(shop merchant, reference string, n int) domain.Create {
	customer, address := fmt.Sprintf("customer-%d", n), fmt.Sprintf("https://shop.example/orders/%d", n)
	return domain.Create{
		Application: shop.application.ID, MerchantReference: domain.MerchantReference(reference),
		Amount:      domain.Money{Minor: 5000, Currency: domain.LYD},
		Description: "Order 1042: coffee machine", CustomerID: &customer, ReturnURL: &address,
	}
}

// appends measures creates on each log, in turn.
func (c *scaling) appends(ctx context.Context) error {
	for _, l := range c.logs {
		if err := intoMemory(ctx, l.pool, []string{"events", "intents"}); err != nil {
			return err
		}
	}
	found := make([][]figures.Result, len(c.logs))
	for round := range c.stage.rounds + 1 {
		fmt.Fprintf(os.Stderr, "appends, round %d of %d\n", round, c.stage.rounds)
		for n, l := range c.logs {
			r, err := c.appendsOn(ctx, l.site)
			if err != nil {
				return err
			}
			if round > 0 { // round 0 warms up: most pages have changed once since the last checkpoint
				found[n] = append(found[n], r)
			}
		}
	}
	for n := range c.logs {
		c.noteAppends(n, "creates", found[n])
	}
	return nil
}

func (c *scaling) noteAppends(n int, name string, found []figures.Result) {
	f := figures.Rounds{name: found}.Figure(figures.Spec{Name: name})
	c.note(n, name, "/s", f.Value)
	c.note(n, name+", p99", "µs", 1000*f.Latency.P99)
}
