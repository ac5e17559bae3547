//go:build long

package acceptance_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer/fake"
)

// The answers to confirmations are lost in each of these ways, equally often. A hanging call is not
// among them: the server would wait for 40 s.
var (
	lostTaken = []fake.Fault{
		fake.DropAfter, fake.ErrorAfter, fake.WrongStatus, fake.EmptyErrorAfter, fake.HTMLAfter, fake.PageAfter,
		fake.Empty, fake.Half,
	}
	lostUntaken = []fake.Fault{fake.DropBefore, fake.Error, fake.EmptyError, fake.HTML, fake.Page}
)

const (
	takenOnBadDay   = 120
	untakenOnBadDay = 80
	allOnBadDay     = takenOnBadDay + untakenOnBadDay
	// refusedOnStatement are payments that were not taken, and that the statement has as not approved; it
	// does not have the others at all.
	refusedOnStatement = untakenOnBadDay / 2
	// payersAtOnce are fewer than the faults in a row after which an acquirer is out of order: before the
	// next confirmation of a payer, the beginning of a payment succeeds.
	payersAtOnce = 4
)

// sale is a payment that a customer tried to make.
type sale struct {
	intent, attempt string
	amount          int64 // in dirhams
}

// badDay is a shop with an account at Plutu, whose answers are lost.
type badDay struct {
	t        *testing.T
	random   *rand.Rand
	gateways *gateways
	served   *service
	who      shop
	began    time.Time
	db       *pgtest.DB
	sales    []sale
}

func newBadDay(t *testing.T) *badDay {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	d := &badDay{t: t, random: rand.New(rand.NewPCG(seed, 0)), gateways: newGateways(t), began: time.Now()}
	d.db = pgtest.Database(t)
	d.served = serve(t, d.db.ServiceURL(), d.gateways.env...)
	d.who = newShop(t, d.served.env)
	d.gateways.set(t, d.served.env, d.who.app, "plutu")
	for range allOnBadDay {
		// Plutu takes whole hundredths of a dinar.
		d.sales = append(d.sales, sale{amount: 10 * (100 + d.random.Int64N(50_000))})
	}
	return d
}

// sell has all customers pay, and waits until the server leaves every outcome to people: Plutu cannot be
// asked.
func (d *badDay) sell() {
	d.t.Helper()
	d.loseAnswers()
	todo := make(chan int, len(d.sales))
	for n := range d.sales {
		todo <- n
	}
	close(todo)
	var payers sync.WaitGroup
	for range payersAtOnce {
		payers.Go(func() {
			v := (&search{t: d.t}).visitor("checkout")
			for n := range todo {
				d.pay(v, n)
			}
		})
	}
	payers.Wait()
	if d.t.Failed() {
		d.t.FailNow()
	}
	var unknown attempts
	pgtest.WaitFor(d.t, "every outcome to be left to people", func() bool {
		unknown = d.unknown("--state", "quarantined")
		return len(unknown.Attempts) == len(d.sales)
	})
	for _, a := range unknown.Attempts {
		n := slices.IndexFunc(d.sales, func(s sale) bool { return s.intent == a.Intent })
		d.sales[n].attempt = a.ID
	}
	if taken := d.taken(); len(taken) != takenOnBadDay {
		d.t.Fatalf("Plutu took %d payments, want %d", len(taken), takenOnBadDay)
	}
	d.passDay()
}

// passDay lets the attempts be of the day before: until then a line of theirs may still come.
func (d *badDay) passDay() {
	d.t.Helper()
	_, err := d.db.Pool(d.t).Exec(d.t.Context(),
		`UPDATE checkout_attempts SET created_at = created_at - interval '25 hours'`)
	if err != nil {
		d.t.Fatal(err)
	}
}

// loseAnswers plans how the answer to each confirmation is lost, in random order.
func (d *badDay) loseAnswers() {
	d.t.Helper()
	var faults []fake.Fault
	for range takenOnBadDay / len(lostTaken) {
		faults = append(faults, lostTaken...)
	}
	for range untakenOnBadDay / len(lostUntaken) {
		faults = append(faults, lostUntaken...)
	}
	d.random.Shuffle(len(faults), func(a, b int) { faults[a], faults[b] = faults[b], faults[a] })
	d.gateways.control(d.t, "plutu", "faults", map[string]any{"call": "edfali/confirm", "faults": faults})
}

// pay is one customer's way to the right code. Each has a separate number, which the fake treats as any
// other.
func (d *badDay) pay(v *visitor, n int) {
	d.t.Helper()
	s := &d.sales[n]
	r := d.served.ask(d.t, d.who, http.MethodPost, "/payment-intents", fmt.Sprintf(
		`{"merchant_reference":"bad-day-%d","amount":%d,"currency":"LYD","description":"Coffee"}`, n, s.amount))
	if r.status != http.StatusCreated {
		d.t.Fatalf("create: %d %s", r.status, r.body)
	}
	s.intent = r.data.UUID
	phone := fmt.Sprintf("0912%06d", n)
	v.must(http.StatusSeeOther, http.MethodPost, r.data.CheckoutURL+"/attempts",
		url.Values{"method": {"adfali"}, "phone": {phone}})
	v.must(http.StatusSeeOther, http.MethodPost, r.data.CheckoutURL+"/code", url.Values{"otp": {"1111"}})
}

// unknown are the attempts that a person may have to decide.
func (d *badDay) unknown(flags ...string) attempts {
	d.t.Helper()
	return answer[attempts](d.t, d.served.env, append([]string{"attempts", "list"}, flags...)...)
}

// taken is the money in Plutu's books: dirhams by attempt.
func (d *badDay) taken() map[string]int64 {
	d.t.Helper()
	books := parse[struct{ Payments []fake.Payment }](d.t,
		fetch(d.t, "http://"+d.gateways.host(d.t, "plutu")+"/control/ledger"))
	taken := map[string]int64{}
	for _, p := range books.Payments {
		if p.State != fake.Paid || p.Taken != 1 {
			d.t.Errorf("the books have %+v", p)
		}
		taken[p.Reference] = p.Amount
	}
	return taken
}

// transaction is Plutu's number of a payment on the statement.
func transaction(attempt string) string { return "T-" + attempt[len(attempt)-12:] }

// statement is Plutu's list of the day's payments. The fake's books have only what was taken; Plutu's own
// list has refused requests, too.
func (d *badDay) statement() string {
	d.t.Helper()
	taken, refused := d.taken(), 0
	lines := []string{"invoice_no,transaction_id,amount,created_at,approved"}
	for _, a := range d.unknown().Attempts {
		amount, approved := taken[a.ID]
		switch {
		case approved:
		case refused < refusedOnStatement:
			amount, refused = a.Amount, refused+1
		default:
			continue
		}
		lines = append(lines, fmt.Sprintf("%s,%s,%d.%03d,%s,%t", a.ID, transaction(a.ID),
			amount/1000, amount%1000, a.StartedAt.Format(time.RFC3339), approved))
	}
	return strings.Join(lines, "\n") + "\n"
}
