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

// live lets everybody loose until ctx ends, and returns when the last has got its
// answer.
func (c *crowd) live(ctx context.Context) {
	for n := range uint64(merchants) {
		c.background.Go(func() { c.trade(ctx, throwing(c.Seed, partMerchants+n), int(n)) })
	}
	for n := range uint64(readers) {
		c.background.Go(func() { c.read(ctx, throwing(c.Seed, partReaders+n)) })
		c.background.Go(func() { c.follow(ctx) })
	}
	c.background.Go(func() { c.operate(ctx) })
	for n := range uint64(payers) {
		c.background.Go(func() { c.payAll(ctx, throwing(c.Seed, partPayers+n)) })
	}
	c.background.Wait()
}

// trade is the life of one merchant's server: it creates intents at its pace, and
// sends a create that was not answered again, to another server of ours.
func (c *crowd) trade(ctx context.Context, d dice, merchant int) {
	client := c.number()
	pace := time.Duration(float64(merchants) / c.Rate * float64(time.Second))
	var last ticket
	for n := 0; wait(ctx, d.between(pace/2, pace*3/2)); n++ {
		t := c.anyTenant(d)
		reference := fmt.Sprintf("m%02d-%06d", merchant, n)
		switch {
		case last.uuid != "" && d.in(4):
			t, reference = last.tenant, last.reference // used already, with another amount
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
			c.look(ctx, d, client, found)
		}
		if d.in(12) {
			select {
			case c.payable <- found:
			default: // there are as many payers as there are
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
		amount -= amount % 10 // as most prices are: no third decimal
	}
	fields := map[string]any{
		"merchant_reference": reference, "amount": amount, "currency": "LYD", "description": "طلب " + reference,
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

// create sends a create until there is a definite answer, or patience ends.
func (c *crowd) create(ctx context.Context, d dice, client int, t *tenant,
	reference string,
) (history.Request, bool) {
	// A create that has begun is seen through, also when the run is over.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience+apiLimit)
	defer cancel()
	q := history.Request{Client: client, Kind: history.Create, Reference: reference,
		Sent: bodyOf(d, reference, time.Time{})}
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
			c.settled(first, answer)
			return answer, answer.Status == http.StatusCreated || answer.Status == http.StatusOK
		}
		if c.recorder.Now()-first.from > patience || !wait(ctx, pause) {
			first.gaveUp = true
			c.settled(first, answer)
			return answer, false
		}
		at++
	}
}

// definite says whether an answer ends the asking, and complains about one that
// must not be.
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

func (c *crowd) settled(s struggle, q history.Request) {
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

// look retrieves an intent that was acknowledged.
func (c *crowd) look(ctx context.Context, d dice, client int, t ticket) (intent, bool) {
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

// read looks at what others have created, and now and then at what is not the
// reader's business.
func (c *crowd) read(ctx context.Context, d dice) {
	client := c.number()
	for wait(ctx, d.between(20*time.Millisecond, 120*time.Millisecond)) {
		t, ok := c.someKnown(d)
		if !ok {
			continue
		}
		if !d.in(8) {
			c.look(ctx, d, client, t)
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

// webhookArrived passes one in eight webhooks on to a merchant who retrieves the intent.
func (c *crowd) webhookArrived(at behaviour, d history.Delivery) {
	var said struct {
		Type string `json:"type"`
		Data struct {
			UUID      string `json:"uuid"`
			Reference string `json:"merchant_reference"`
		} `json:"data"`
	}
	if err := json.Unmarshal(d.Body, &said); err != nil {
		c.complainf("a webhook to %s is not JSON", at)
		return
	}
	if len(said.Data.UUID) == 0 || said.Data.UUID[0]&1 == 0 && said.Type == "payment_intent.created" {
		return
	}
	for _, t := range c.tenants {
		if behaviour(t.Sink) == at {
			select {
			case c.hearsay <- news{t, said.Type, said.Data.UUID, said.Data.Reference}:
			default: // nobody has time
			}
		}
	}
}

// follow does what the specification wants of a merchant: retrieve when a webhook
// arrives. What the webhook said must be visible.
func (c *crowd) follow(ctx context.Context) {
	client := c.number()
	d := throwing(c.Seed, partReaders+uint64(100+client))
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-c.hearsay:
			got, ok := c.look(ctx, d, client, ticket{tenant: n.tenant, reference: n.ref, uuid: n.uuid})
			if !ok {
				continue
			}
			c.recorder.Count(countFollowed, 1)
			switch n.kind {
			case "payment_intent.succeeded":
				if got.Status != "succeeded" {
					c.complainf("the webhook says that %s succeeded, and a server says %s", n.uuid, got.Status)
				}
			case "payment_intent.canceled":
				if got.Status != "canceled" && got.Status != "succeeded" {
					c.complainf("the webhook says that %s was canceled, and a server says %s", n.uuid, got.Status)
				}
			}
		}
	}
}
