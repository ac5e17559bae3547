//go:build long

package checkout_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
)

// takenAt is the entry of a reference in an acquirer's books.
type takenAt struct {
	Reference string `json:"reference"`
	Amount    int64  `json:"amount"`
	Taken     int64  `json:"taken"`
}

// standing is an attempt with its amount in the ledger.
type standing struct {
	Attempt, Stage string
	Paid           int64
}

const standingSQL = `
SELECT c.attempt, c.stage, coalesce(e.amount, 0)
FROM checkout_attempts c
LEFT JOIN (
    SELECT stream_id, payload::json->>'attempt' AS attempt,
           sum((payload::json->>'amount')::bigint)::bigint AS amount
    FROM events
    WHERE type IN ('intent.succeeded', 'intent.late_succeeded', 'intent.duplicate_payment')
    GROUP BY 1, 2
) e ON e.stream_id = c.intent_uuid AND e.attempt = c.attempt`

// unaccounted compares the books with the ledger. Wrong is money that is neither in the ledger nor
// of an attempt that waits for a decision, and money in the ledger that no acquirer took.
func (c *crowd) unaccounted() (taken, recorded, waiting int64, wrong []string) {
	c.t.Helper()
	rows, err := c.pool.Query(context.Background(), standingSQL)
	if err != nil {
		c.t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[standing])
	if err != nil {
		c.t.Fatal(err)
	}
	byReference := make(map[string]*standing, 2*len(all))
	for n := range all {
		byReference[all[n].Attempt], byReference[all[n].Attempt[:25]] = &all[n], &all[n]
		recorded += all[n].Paid
	}
	seen := map[string]bool{}
	for name, books := range c.books() {
		for _, b := range books {
			s := byReference[b.Reference]
			if b.Taken == 0 {
				continue
			}
			sum := b.Amount * b.Taken
			taken += sum
			switch {
			case s == nil:
				wrong = append(wrong, fmt.Sprintf("%s: %d taken for an unknown attempt", name, sum))
			case s.Paid != sum && s.Stage != "quarantined":
				wrong = append(wrong, fmt.Sprintf("%s %s: %d taken, %d in the ledger, stage %s",
					name, s.Attempt, sum, s.Paid, s.Stage))
			default:
				waiting += sum - s.Paid
			}
			if s != nil {
				seen[s.Attempt] = true
			}
		}
	}
	for _, s := range all {
		if s.Paid > 0 && !seen[s.Attempt] {
			wrong = append(wrong, fmt.Sprintf("%s: %d in the ledger, nothing taken", s.Attempt, s.Paid))
		}
	}
	return taken, recorded, waiting, wrong
}

// books are the acquirers' own books, with the sandbox's.
func (c *crowd) books() map[string][]takenAt {
	all := map[string][]takenAt{}
	for name := range c.fakes {
		var books struct{ Payments []takenAt }
		c.getJSON(c.fakes[name].URL+"/control/ledger", &books)
		all[name] = books.Payments
	}
	var sandbox []struct {
		ID     string
		Amount int64
		State  string
	}
	c.control(http.MethodGet, "/control/payments", "", &sandbox)
	for _, p := range sandbox {
		if p.State == "paid" {
			all["sandbox"] = append(all["sandbox"], takenAt{p.ID, p.Amount, 1})
		}
	}
	return all
}

// The money that the acquirers took is in the ledger or waits for a decision, to the dirham,
// whatever call went wrong. Forged messages change nothing.
//
//nolint:paralleltest // a crowd takes the whole machine
func TestLongMoneyOverAllAcquirers(t *testing.T) {
	payments, forgeries := 1_000, 10_500
	if more, err := strconv.Atoi(os.Getenv("PAYMENTS")); err == nil {
		payments = more // docs/reliability.md has a run of 20,000
	}
	c := newCrowd(t)
	var serial atomic.Int64
	var paying sync.WaitGroup
	began := time.Now()
	for n := range 24 {
		paying.Go(func() {
			random := rand.New(rand.NewPCG(uint64(began.UnixNano()), uint64(n)))
			for k := serial.Add(1); k <= int64(payments); k = serial.Add(1) {
				i := c.createFor(10 * (100 + random.Int64N(100_000)))
				address := fmt.Sprintf("10.%d.%d.%d", k>>16, k>>8&255, k&255)
				p := &payer{
					crowd: c, random: random, page: path(i),
					from: http.Header{"X-Forwarded-For": {address}},
				}
				p.pays()
			}
		})
	}
	paying.Wait()
	t.Logf("%d payments in %s, %d faults", payments, time.Since(began).Round(time.Second), c.faults.Load())
	c.forge(forgeries)
	c.settleAll()
	taken, recorded, waiting, wrong := c.unaccounted()
	for n, w := range wrong {
		if n < 20 {
			t.Error(w)
		}
	}
	if len(wrong) > 0 || taken != recorded+waiting || recorded == 0 || waiting == 0 {
		t.Errorf("%d wrong; taken %d, recorded %d, waiting for a decision %d",
			len(wrong), taken, recorded, waiting)
	}
	t.Logf("taken %s, in the ledger %s, waiting for a decision %s", lyd(taken), lyd(recorded), lyd(waiting))
}

func lyd(minor int64) domain.Money { return domain.Money{Minor: minor, Currency: domain.LYD} }

// settleAll moves the clock past the expiry of all intents, and makes the server inquire about every
// attempt until the books and the ledger agree.
func (c *crowd) settleAll() {
	c.t.Helper()
	c.stopSecond()
	c.later(domain.DefaultExpiry + time.Hour)
	// A closed attempt that is asked about again keeps of an inquiry only that it closed once more.
	const (
		notAsked = ` ask_at IS NOT NULL AND coalesce(asked_at, stage_since) < $1`
		leftSQL  = `SELECT count(*) FROM checkout_attempts WHERE` + notAsked
	)
	for round := range 20 { // planned faults still occur
		start := c.ledger.Now()
		c.eventually("the acquirers are asked", func() bool {
			c.shift.Add(int64(time.Minute)) // LYPay limits the inquiries a minute
			_, err := c.pool.Exec(context.Background(), `
				UPDATE checkout_attempts
				SET ask_at = stage_since
				WHERE ask_at > stage_since
				  AND`+notAsked+`
				  AND (busy_until IS NULL OR busy_until < $1)`, start)
			if err != nil {
				c.t.Fatal(err)
			}
			c.Wake()
			var left int
			err = c.pool.QueryRow(context.Background(), leftSQL, start).Scan(&left)
			return err == nil && left == 0
		})
		if _, _, _, wrong := c.unaccounted(); len(wrong) == 0 {
			c.t.Logf("settled after %d rounds", round+1)
			return
		}
	}
}
