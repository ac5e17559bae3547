package checker

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"daftar/tools/torture/history"
)

// webhook is the body of a webhook.
type webhook struct {
	Type string `json:"type"`
	Data struct {
		UUID              string `json:"uuid"`
		Reference         string `json:"reference"`
		MerchantReference string `json:"merchant_reference"`
		Sequence          int32  `json:"sequence"`
	} `json:"data"`
	intent uuid.UUID
	err    error // the body cannot be decoded
}

const testEvent = "webhook.test"

func readWebhook(d *history.Delivery) webhook {
	var w webhook
	if err := json.Unmarshal(d.Body, &w); err != nil {
		w.err = fmt.Errorf("body %.200q: %w", d.Body, err)
		return w
	}
	if w.Type != testEvent {
		w.intent, w.err = uuid.Parse(w.Data.UUID)
	}
	return w
}

// tolerance is the largest difference between the time of a signature and the receiver's
// clock that standard libraries accept.
const tolerance = 5 * time.Minute

// delivered is I7: each delivery for a healthy endpoint has arrived and is marked as
// delivered, none is marked that did not arrive, and every webhook is signed and matches the
// log.
func (c *checker) delivered(_ context.Context, f *finding) error {
	signers := map[uuid.UUID]*standardwebhooks.Webhook{}
	for _, a := range c.run.Applications {
		hook, err := standardwebhooks.NewWebhook(a.WebhookSecret)
		if err != nil {
			return fmt.Errorf("use webhook secret of application %s: %w", a.UUID, err)
		}
		signers[a.UUID] = hook
	}
	taken := make(map[string]bool, len(c.run.Deliveries)) // by webhook-id: answered with 2xx
	for n := range c.run.Deliveries {
		d := &c.run.Deliveries[n]
		f.looked++
		if why := c.unsound(d, c.hooks[n], signers[d.Application]); why != "" {
			f.wrongf("webhook %q at sink %s: %s", d.ID, d.Sink, why)
		}
		if d.Answered >= 200 && d.Answered < 300 {
			taken[d.ID] = true
		}
	}
	for _, d := range c.late {
		if d.Answered >= 200 && d.Answered < 300 {
			taken[d.ID] = true
		}
	}
	for _, row := range c.rows {
		app, ours := c.apps[uuid.UUID(row.application).String()]
		if !ours {
			continue
		}
		id := row.webhookID()
		switch healthy := slices.Contains(c.o.Healthy, app.Sink); {
		case healthy && !taken[id]:
			f.wrongf("version %d of intent %s never reached the sink %s (it is %s after %d tries)",
				row.sequence, uuid.UUID(row.intent), app.Sink, row.state, row.attempts)
		case healthy && row.state != "delivered":
			f.wrongf("delivery %s reached the sink %s and is %s", id, app.Sink, row.state)
		case row.state == "delivered" && !taken[id]:
			f.wrongf("delivery %s is marked as delivered and no sink took it", id)
		}
	}
	return nil
}

// unsound returns what is wrong with a webhook that arrived; empty: nothing.
func (c *checker) unsound(d *history.Delivery, w webhook, signer *standardwebhooks.Webhook) string {
	if signer == nil {
		return "of an application that is not in the run"
	}
	header := http.Header{}
	header.Set(standardwebhooks.HeaderWebhookID, d.ID)
	header.Set(standardwebhooks.HeaderWebhookTimestamp, d.Timestamp)
	header.Set(standardwebhooks.HeaderWebhookSignature, d.Signature)
	if err := signer.VerifyIgnoringTimestamp(d.Body, header); err != nil {
		return err.Error()
	}
	seconds, err := strconv.ParseInt(d.Timestamp, 10, 64)
	if err != nil {
		return err.Error()
	}
	if off := time.Unix(seconds, 0).Sub(c.run.Started.Add(d.Arrived)); off.Abs() > tolerance {
		return fmt.Sprintf("its timestamp is %v off", off)
	}
	switch {
	case w.err != nil:
		return w.err.Error()
	case w.Type == testEvent:
		return ""
	}
	return c.untrue(d.ID, w)
}

// untrue compares a webhook with the log and returns a difference; empty: there is none.
func (c *checker) untrue(id string, w webhook) string {
	s := c.log.streams[w.intent]
	if s == nil || w.Data.Sequence < 1 || int(w.Data.Sequence) > len(s.events) {
		if c.log.parked > 0 {
			return "" // it may be of a parked event
		}
		return fmt.Sprintf("there is no version %d of intent %s", w.Data.Sequence, w.intent)
	}
	return differs([]field{
		{"webhook-id", id, "evt_" + idOf(s.id, w.Data.Sequence)},
		{"type", w.Type, webhookOf(s.events[w.Data.Sequence-1])},
		{"reference", w.Data.Reference, s.created.Reference},
		{"merchant_reference", w.Data.MerchantReference, s.created.MerchantReference},
	})
}

const doubtsSQL = `
SELECT delivery_uuid, count(*)
FROM webhook_log
WHERE error IN ('timeout', 'broken')
GROUP BY delivery_uuid`

// losing are the faults by which a server may lose the result of a try before it is stored.
var losing = []string{
	"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F16", "F19", "F20", "F21", "F22", "F23",
}

// lossLasts is how long after such a fault a try may be repeated: once the lease of the
// endpoint has ended, another server repeats it.
const lossLasts = 45 * time.Second

// arrivals are the arrivals of one delivery.
type arrivals struct {
	n, taken    int
	first, last time.Duration
}

// repeated is I8. A delivery may arrive once for each recorded try, and be accepted by the
// endpoint once. Every further arrival needs a reason: a try whose answer was lost, or a
// fault by which a server lost the result of a try.
func (c *checker) repeated(ctx context.Context, f *finding) error {
	rows, err := c.pool.Query(ctx, doubtsSQL)
	if err != nil {
		return fmt.Errorf("read tries: %w", err)
	}
	doubts := map[string]int{}
	var raw [16]byte
	var n int
	_, err = pgx.ForEachRow(rows, []any{&raw, &n}, func() error {
		doubts["evt_"+uuid.UUID(raw).String()] = n
		return nil
	})
	if err != nil {
		return fmt.Errorf("read tries: %w", err)
	}
	attempts := map[string]int{}
	for _, d := range c.rows {
		attempts[d.webhookID()] = d.attempts
	}
	duplicates, unmarked := 0, 0
	for id, a := range c.arrivals() {
		f.looked++
		if a.n <= 1 {
			continue
		}
		faults := c.faultsDuring(a.first, a.last)
		again, lost := max(a.taken-1, 0), max(a.n-attempts[id], 0)
		duplicates, unmarked = duplicates+again, unmarked+lost
		if lost > faults {
			f.wrongf("%s arrived %d times, %d tries are on record, and %d faults could have lost one",
				id, a.n, attempts[id], faults)
		}
		if again > faults+doubts[id] {
			f.wrongf("%s was taken %d times, with %d tries in doubt and %d faults", id, a.taken, doubts[id], faults)
		}
	}
	f.notef("%d taken again, %d arrivals without a record", duplicates, unmarked)
	return nil
}

// arrivals counts the arrivals by webhook-id, except test webhooks, which have no event.
func (c *checker) arrivals() map[string]arrivals {
	all := make(map[string]arrivals, len(c.run.Deliveries))
	for n, d := range c.run.Deliveries {
		if c.hooks[n].Type == testEvent {
			continue
		}
		a, seen := all[d.ID]
		if !seen || d.Arrived < a.first {
			a.first = d.Arrived
		}
		a.last = max(a.last, d.Arrived)
		a.n++
		if d.Answered >= 200 && d.Answered < 300 {
			a.taken++
		}
		all[d.ID] = a
	}
	return all
}

// faultsDuring counts how many tries faults may have lost between two arrivals. A long fault
// may lose one more try for each lease that ends during it.
func (c *checker) faultsDuring(first, last time.Duration) int {
	n := 0
	for _, x := range c.run.Faults {
		ended := max(x.Ended, x.Began)
		if slices.Contains(losing, x.Name) && x.Began <= last && ended+lossLasts >= first {
			n += 1 + int((ended-x.Began)/(30*time.Second))
		}
	}
	return n
}
