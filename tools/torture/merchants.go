package torture

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"daftar/tools/torture/history"
)

const (
	merchants = 64
	readers   = 4
	payers    = 14
)

// runClients runs all clients until ctx ends, and returns when their last requests are answered.
func (c *crowd) runClients(ctx context.Context) {
	for n := range uint64(merchants) {
		c.background.Go(func() { c.runMerchant(ctx, newDice(c.Seed, partMerchants+n), int(n)) })
	}
	for n := range uint64(readers) {
		c.background.Go(func() { c.runReader(ctx, newDice(c.Seed, partReaders+n)) })
		c.background.Go(func() { c.followWebhooks(ctx) })
	}
	c.background.Go(func() { c.runOperator(ctx) })
	c.background.Go(func() { c.runBookkeeper(ctx, newDice(c.Seed, partBookkeeper)) })
	for n := range uint64(payers) {
		c.background.Go(func() { c.runPayer(ctx, newDice(c.Seed, partPayers+n)) })
	}
	c.background.Wait()
}

// runMerchant is one merchant: it creates intents at its pace, and repeats a create that was not
// answered at another server.
func (c *crowd) runMerchant(ctx context.Context, d dice, merchant int) {
	client := c.number()
	pace := time.Duration(float64(merchants) / c.Rate * float64(time.Second))
	var last ticket
	for n := 0; wait(ctx, d.between(pace/2, pace*3/2)); n++ {
		t := c.anyTenant(d)
		reference := fmt.Sprintf("m%02d-%06d", merchant, n)
		switch {
		case last.uuid != "" && d.in(4):
			t, reference = last.tenant, last.reference // repeats it, with another amount
		case d.in(3):
			c.shortLife(ctx, d.Uint64(), pick(d, []func(context.Context, *crowd, dice){letExpire, payLate}))
			continue
		}
		q, ok := c.create(ctx, d, client, t, reference)
		if !ok {
			continue
		}
		found, ok := ticketOf(t, q.Answer)
		if !ok {
			c.complainf("create of %s answered %d without an intent", reference, q.Status)
			continue
		}
		last = found
		c.remember(found, d)
		if d.in(20) {
			c.retrieve(ctx, d, client, found)
		}
		if d.in(12) {
			select {
			case c.payable <- found:
			default: // all payers are busy
			}
		}
	}
}

func (c *crowd) anyTenant(d dice) *tenant {
	n := d.IntN(100)
	for _, t := range c.tenants {
		if n -= t.weight; n < 0 {
			return t
		}
	}
	return c.tenants[0]
}

// bodyOf is a create with everything that a merchant may send.
func bodyOf(d dice, reference string, expires time.Time) []byte {
	amount := 1000 + d.Int64N(1_000_000)
	if d.in(70) {
		amount -= amount % 10 // without a third decimal, as most prices are
	}
	fields := map[string]any{
		"merchant_reference": reference, "amount": amount, "currency": "LYD",
		"description": "طلب " + reference,
	}
	if d.in(50) {
		fields["customer"] = map[string]any{"external_id": fmt.Sprintf("customer-%d", d.IntN(1000))}
		fields["metadata"] = map[string]string{"cart": reference, "note": "كتابان"}
		fields["return_url"] = "https://shop.example/orders/" + reference
	}
	if !expires.IsZero() {
		fields["expires_at"] = expires.UTC().Format(time.RFC3339Nano)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic("torture: a request is not JSON: " + err.Error())
	}
	return text
}

// create repeats a create until there is a definite answer or patience is over.
func (c *crowd) create(
	ctx context.Context, d dice, client int, t *tenant, reference string,
) (history.Request, bool) {
	// A create that has begun is completed even if the run is over.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience+apiLimit)
	defer cancel()
	q := history.Request{
		Client: client, Kind: history.Create, Reference: reference, Sent: bodyOf(d, reference, time.Time{}),
	}
	doors := c.doors()
	at := d.IntN(len(doors))
	first := struggle{from: c.recorder.Now(), server: doors[at].name}
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 400*time.Millisecond) {
		first.tries++
		to := doors[at%len(doors)]
		if c.throughFront.Load() || d.in(5) {
			to = c.frontDoor()
		}
		answer := c.api(ctx, q, to, http.MethodPost, "/payment-intents", t)
		if c.definite(answer) {
			c.finishCreate(first, answer)
			return answer, answer.Status == http.StatusCreated || answer.Status == http.StatusOK
		}
		if c.recorder.Now()-first.from > patience || !wait(ctx, pause) {
			first.gaveUp = true
			c.finishCreate(first, answer)
			return answer, false
		}
		at++
	}
}

// definite reports whether a request need not be repeated, and complains about a wrong
// answer.
func (c *crowd) definite(q history.Request) bool {
	switch q.Status {
	case http.StatusCreated, http.StatusOK:
		return true
	case 0:
		c.recorder.Count(countAmbiguous, 1)
		return false
	case http.StatusServiceUnavailable:
		c.recorder.Count(countUnavailable, 1)
		if strings.Contains(string(q.Answer), "not known yet") {
			c.recorder.Count(countAmbiguous, 1)
		}
		return false
	case http.StatusConflict, http.StatusTooManyRequests:
		return false
	}
	c.complainf("%s of %s on server %s: %d %s", q.Kind, q.Reference, q.Server, q.Status, q.Answer)
	return true
}

// finishCreate counts an acknowledged create and keeps its tries if it had several.
func (c *crowd) finishCreate(s struggle, q history.Request) {
	s.to = q.Ended
	switch q.Status {
	case http.StatusCreated:
		c.acknowledged.Add(1)
	case http.StatusOK:
		c.acknowledged.Add(1)
		c.recorder.Count(countDuplicates, 1)
		if s.tries > 1 {
			c.recorder.Count(countRecovered, 1)
		}
	}
	if s.tries > 1 || s.gaveUp {
		c.mu.Lock()
		c.struggles = append(c.struggles, s)
		c.mu.Unlock()
	}
}

// retrieve gets an intent that was acknowledged.
func (c *crowd) retrieve(ctx context.Context, d dice, client int, t ticket) (intent, bool) {
	q := history.Request{Client: client, Kind: history.Read, Reference: t.reference, Intent: t.uuid}
	q = c.api(ctx, q, pick(d, c.doors()), http.MethodGet, "/payment-intents/"+t.uuid, t.tenant)
	switch q.Status {
	case http.StatusOK:
		return intentOf(q.Answer), true
	case 0, http.StatusServiceUnavailable:
	default:
		c.complainf("%s was acknowledged and server %s answers %d %s", t.uuid, q.Server, q.Status, q.Answer)
	}
	return intent{}, false
}

// runReader retrieves intents that others have created, and now and then one with the
// credentials of another application, which must be refused.
func (c *crowd) runReader(ctx context.Context, d dice) {
	client := c.number()
	for wait(ctx, d.between(20*time.Millisecond, 120*time.Millisecond)) {
		t, ok := c.someKnown(d)
		if !ok {
			continue
		}
		if !d.in(8) {
			c.retrieve(ctx, d, client, t)
			continue
		}
		stranger := c.anyTenant(d)
		if stranger == t.tenant {
			continue
		}
		q := history.Request{Client: client, Kind: history.Read, Reference: t.reference, Intent: t.uuid}
		q = c.api(ctx, q, pick(d, c.doors()), http.MethodGet, "/payment-intents/"+t.uuid, stranger)
		if q.Status != http.StatusForbidden && q.Status != http.StatusServiceUnavailable && q.Status != 0 {
			c.complainf("a stranger asks for %s: %d %s", t.uuid, q.Status, q.Answer)
		}
		c.recorder.Count(countStrangers, 1)
	}
}

// webhookArrived passes webhooks to a merchant that retrieves the intent: all but half of
// the created ones.
func (c *crowd) webhookArrived(at behaviour, d history.Delivery) {
	var body struct {
		Type string `json:"type"`
		Data struct {
			UUID      string `json:"uuid"`
			Reference string `json:"merchant_reference"`
		} `json:"data"`
	}
	if err := json.Unmarshal(d.Body, &body); err != nil {
		c.complainf("a webhook to %s is not JSON", at)
		return
	}
	if len(body.Data.UUID) == 0 || body.Data.UUID[0]&1 == 0 && body.Type == "payment_intent.created" {
		return
	}
	for _, t := range c.tenants {
		if behaviour(t.Sink) == at {
			select {
			case c.received <- webhook{t, body.Type, body.Data.UUID, body.Data.Reference}:
			default: // all followers are busy
			}
		}
	}
}

// followWebhooks retrieves the intent when a webhook arrives, as the specification requires of a
// merchant. The state that the webhook reports must be visible.
func (c *crowd) followWebhooks(ctx context.Context) {
	client := c.number()
	d := newDice(c.Seed, partReaders+uint64(100+client))
	for {
		select {
		case <-ctx.Done():
			return
		case w := <-c.received:
			got, ok := c.retrieve(ctx, d, client, ticket{tenant: w.tenant, reference: w.reference, uuid: w.uuid})
			if !ok {
				continue
			}
			c.recorder.Count(countFollowed, 1)
			switch w.kind {
			case "payment_intent.succeeded":
				if got.Status != "succeeded" {
					c.complainf("the webhook says that %s succeeded, and a server says %s", w.uuid, got.Status)
				}
			case "payment_intent.canceled":
				if got.Status != "canceled" && got.Status != "succeeded" {
					c.complainf("the webhook says that %s was canceled, and a server says %s", w.uuid, got.Status)
				}
			}
		}
	}
}
