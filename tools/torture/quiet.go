package torture

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// heal ends every fault that has not ended by itself, and the bad behaviour of endpoints,
// except of those that fail for the whole run.
func (n *nemesis) heal(ctx context.Context) error {
	links := append(n.acquirerLinks(), n.front)
	for _, one := range n.all() {
		links = append(links, one.database...)
	}
	for _, l := range links {
		if err := l.reset(); err != nil {
			return err
		}
	}
	n.sinks.heal()
	if n.pair == nil { // each strike at a pair has healed it
		if err := n.revive(ctx); err != nil {
			return err
		}
	}
	for i := range n.servers {
		// A server with a crash point could still crash, so it is replaced now.
		if one := n.servers[i]; one.isArmed() {
			one.kill(0, "")
		}
	}
	return n.awaitServers(ctx)
}

// isArmed reports whether the current process or the next one may end at a crash point.
func (s *server) isArmed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.armed != "" || s.next != ""
}

const openSQL = `
SELECT i.uuid::text, e.payload::json->>'checkout_token',
       coalesce(a.attempt, ''), coalesce(a.acquirer, ''), coalesce(a.stage, '')
FROM intents i
JOIN events e ON e.stream_id = i.uuid AND e.version = 1
LEFT JOIN checkout_attempts a ON a.intent_uuid = i.uuid AND a.stage <> 'closed'
WHERE i.status = 'processing'
   OR a.stage <> 'quarantined'
LIMIT 1000`

// openAttempt is an attempt in progress.
type openAttempt struct{ intent, token, attempt, acquirer, stage string }

const unnotifiedSQL = `
SELECT uuid::text
FROM intents
WHERE uuid::text = ANY ($1)
  AND status <> 'succeeded'`

// waitingSQL describes what the servers have still to do by themselves. A failing endpoint
// does not count, because its next delivery may be half an hour away.
const waitingSQL = `
SELECT concat_ws(', ',
    (SELECT 'lag of ' || string_agg(consumer_group, ' and ')
     FROM consumer_offsets
     WHERE position < (SELECT max(position) FROM events)),
    (SELECT 'group halted: ' || string_agg(consumer_group, ' and ')
     FROM consumer_offsets
     WHERE halted_reason IS NOT NULL),
    (SELECT count(*) || ' deliveries due'
     FROM webhook_deliveries d
     JOIN webhook_endpoints e USING (application_uuid)
     WHERE d.state = 'pending'
       AND d.next_attempt_at <= clock_timestamp()
       AND e.disabled_at IS NULL
       AND (e.probe_at IS NULL OR e.probe_at <= clock_timestamp())
       AND e.failures < 10
     HAVING count(*) > 0),
    (SELECT count(*) || ' deliveries to healthy endpoints'
     FROM webhook_deliveries
     WHERE state <> 'delivered'
       AND application_uuid = ANY ($1)
     HAVING count(*) > 0),
    (SELECT count(*) || ' open attempts'
     FROM intents
     WHERE status = 'processing'
     HAVING count(*) > 0),
    (SELECT count(*) || ' rows of attempts'
     FROM checkout_attempts
     WHERE stage NOT IN ('closed', 'quarantined')
        OR ask_at <= clock_timestamp()
     HAVING count(*) > 0),
    (SELECT count(*) || ' timers due'
     FROM expiry_timers
     WHERE due_at <= clock_timestamp()
     HAVING count(*) > 0))`

// awaitQuiet waits until nothing is left to be done; past the limit it returns what is.
// Meanwhile the acquirer decides open payments and payers open their pages again, because
// the service's next inquiry may be half an hour away.
func (n *nemesis) awaitQuiet(ctx context.Context, limit time.Duration) (took time.Duration, waiting string) {
	began := time.Now()
	d := newDice(n.Seed, partQuiet)
	healthy := [][16]byte{}
	for _, t := range n.tenants {
		if behaviour(t.Sink).healthy() {
			healthy = append(healthy, t.UUID)
		}
	}
	for round := 0; ; round++ {
		if round%20 == 0 {
			n.decideOpen(ctx, d, round > 0)
		}
		err := n.pool.QueryRow(ctx, waitingSQL, healthy).Scan(&waiting)
		if err != nil {
			waiting = err.Error()
		}
		if waiting == "" || time.Since(began) > limit || !wait(ctx, 250*time.Millisecond) {
			return time.Since(began), waiting
		}
	}
}

// decideOpen lets the acquirer decide its open payments, and opens the pages of all open
// attempts. again is false in the first call only.
func (n *nemesis) decideOpen(ctx context.Context, d dice, again bool) {
	open := map[string]bool{}
	all := n.paymentsOf(ctx, "")
	for _, p := range all {
		if p.State != "pending" {
			continue
		}
		outcome := "declined"
		if d.in(50) {
			outcome = "paid"
		}
		if err := n.bank.settle(ctx, p.ID, outcome); err != nil && !strings.Contains(err.Error(), "409") {
			n.complainf("the acquirer cannot be set up: %v", err)
		}
	}
	rows, err := n.pool.Query(ctx, openSQL)
	if err != nil {
		n.complainf("open attempts cannot be listed: %v", err)
		return
	}
	attempts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (o openAttempt, err error) {
		err = row.Scan(&o.intent, &o.token, &o.attempt, &o.acquirer, &o.stage)
		return o, err
	})
	if err != nil {
		n.complainf("open attempts cannot be listed: %v", err)
		return
	}
	client := n.number()
	for _, o := range attempts {
		t := ticket{tenant: n.tenants[0], uuid: o.intent, path: fmt.Sprintf("/pay/%s/%s", o.intent, o.token)}
		if known, ok := n.ticketOfIntent(ctx, o.intent); ok {
			t.tenant, t.reference = known.tenant, known.reference
		}
		n.visitOpen(ctx, d, client, t, o, again)
		open[o.intent] = true
	}
	n.settleQuarantined(ctx)
	n.renotify(ctx, all, open)
}

// visitOpen opens the page of an open attempt as its payer, who pays or gives up if the page
// lets them. An attempt whose answer a fault has lost would wait a minute or longer, so the
// operator settles it by the acquirer's books. LYPay limits inquiries per minute, and a long
// run leaves more attempts open than that, so after one try its books decide, too.
func (n *nemesis) visitOpen(ctx context.Context, d dice, client int, t ticket, o openAttempt, again bool) {
	switch o.acquirer {
	case n.plutu.name:
		if books, err := n.plutu.books(ctx); err == nil && o.stage == stageAsking {
			n.settle(ctx, o.attempt, books)
			return
		}
		n.finish(ctx, d, client, t, func() { n.enter(ctx, d, client, t, "1111") })
	case n.lypay.name:
		books, err := n.lypay.books(ctx)
		switch {
		case err == nil && (again || o.stage == stageAsking && !took(books, o.attempt)):
			n.settle(ctx, o.attempt, books)
		case err == nil && took(books, o.attempt):
			n.command(ctx, "attempts", "ask", o.attempt)
		default:
			n.finish(ctx, d, client, t, func() { n.scan(ctx, d, client, t) })
		}
	default:
		n.form(ctx, client, t, n.frontDoor(), t.path, nil)
	}
}

// finish pays, or gives up.
func (n *nemesis) finish(ctx context.Context, d dice, client int, t ticket, pay func()) {
	if d.in(50) {
		pay()
		return
	}
	n.submit(ctx, d, client, t, "/give-up", url.Values{})
}

// renotify repeats the acquirer's notifications that no server accepted: the sandbox gives
// up after half a minute, a real acquirer after hours or days.
func (n *nemesis) renotify(ctx context.Context, all []payment, open map[string]bool) {
	var paid []string
	for _, p := range all {
		if p.State == "paid" {
			paid = append(paid, p.Intent)
		}
	}
	rows, err := n.pool.Query(ctx, unnotifiedSQL, paid)
	if err != nil {
		n.complainf("unpaid intents cannot be listed: %v", err)
		return
	}
	unnotified, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		n.complainf("unpaid intents cannot be listed: %v", err)
	}
	for _, intent := range unnotified {
		open[intent] = true
	}
	for _, p := range all {
		if open[p.Intent] {
			n.bank.notify(ctx, "http://"+n.front.address, p, n.bank.secret)
		}
	}
}

const ownerSQL = `
SELECT application_uuid, merchant_reference
FROM intents
WHERE uuid = $1::uuid`

// ticketOfIntent finds the merchant and the reference of an intent.
func (n *nemesis) ticketOfIntent(ctx context.Context, uuid string) (ticket, bool) {
	var application [16]byte
	var reference string
	if err := n.pool.QueryRow(ctx, ownerSQL, uuid).Scan(&application, &reference); err != nil {
		return ticket{}, false
	}
	for _, t := range n.tenants {
		if t.UUID == application {
			return ticket{tenant: t, reference: reference, uuid: uuid}, true
		}
	}
	return ticket{}, false
}
