package life_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
	"daftar/projections"
	"daftar/tools/torture/life"
)

// phones are the wallets' numbers, and how the ledger masks them.
var phones = map[rune]struct{ number, masked string }{
	life.Pays: {"0912345678", "091•••5678"}, life.Holds: {"0920000003", "092•••0003"},
	life.Hangs: {"0920000001", "092•••0001"}, life.Refuses: {"0920000004", "092•••0004"},
}

const patience = time.Minute // longer than anything takes, also on a busy machine

// Whatever clients of several servers do to an intent at a time, what each of them
// sees is what one of them after the other would have seen. SEED= repeats what
// they try, though not how their requests meet. There is a TestLong of it with more.
func TestTheLifeOfAnIntentIsLinearizable(t *testing.T) {
	t.Parallel()
	checkLives(t, effort{intents: 18, clients: 4, deeds: 5})
}

// effort is how many intents there are at least, how many clients each has, and how
// many things each client does to it.
type effort struct{ intents, clients, deeds int }

func checkLives(t *testing.T, e effort) {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("SEED=%d", seed)
	w := newWorld(t, 3)
	early := w.earlyLedger()

	happened := map[string]int{}
	missing := func() []string {
		return slices.DeleteFunc([]string{"attempt_failed", "succeeded", "expired", "late_succeeded", "duplicate_payment"},
			func(event string) bool { return happened[event] > 0 })
	}
	// Where the machine is slow, an intent expires before anybody begins to pay it:
	// then there are more, which live longer. What is rare takes more intents too.
	const rounds = 20
	for n := 0; len(missing()) > 0 && n < rounds; n++ {
		lifetime := min(250*time.Millisecond<<n, 4*time.Second)
		for _, o := range w.live(early, seed, lifetime, e) {
			o.check(life.Model(life.Created()))
			o.count(happened)
		}
		seed++
	}
	t.Logf("what happened: %v", happened)
	for _, event := range missing() {
		t.Errorf("%s never happens to %d intents: the test tries too little", event, happened["created"])
	}
}

// earlyLedger is one whose clock is behind. An intent that it creates is so old
// that it may expire while the test looks.
func (w *world) earlyLedger() *ledger.Ledger {
	return w.newLedger(w.pool, &eventstore.Clock{Offset: -domain.MinExpiry - time.Minute})
}

// createSoon makes an intent that expires while clients are at it, or not at all.
func (w *world) createSoon(early *ledger.Ledger, random *rand.Rand, lifetime time.Duration) domain.Intent {
	w.t.Helper()
	expires := time.Now().Add(time.Duration(random.Int64N(int64(lifetime))))
	if random.IntN(2) == 0 {
		expires = time.Now().Add(time.Hour)
	}
	created, _, err := early.Create(w.t.Context(), domain.Create{
		Application: w.app.ID, MerchantReference: domain.MerchantReference(uuid.NewString()),
		Amount:      domain.Money{Minor: domain.MinAmount + int64(random.IntN(1_000_000)), Currency: domain.LYD},
		Description: "كتابان", ExpiresAt: &expires,
	}, w.namespace, ledger.Origin{Actor: "application:" + w.app.ID.String()})
	if err != nil {
		w.t.Fatal(err)
	}
	i, err := w.servers[0].ledger.Load(w.t.Context(), created.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return i
}

// live lets clients loose on many intents, a few at a time. Those that expire do so
// within the lifetime.
func (w *world) live(early *ledger.Ledger, seed uint64, lifetime time.Duration, e effort) []*watch {
	const atOnce = 6
	watches := make([]*watch, e.intents)
	var all sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for n := range watches {
		slots <- struct{}{}
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		i := w.createSoon(early, random, lifetime)
		watches[n] = &watch{world: w, intent: i, began: time.Now()}
		all.Go(func() {
			defer func() { <-slots }()
			watches[n].live(random, e.clients, e.deeds)
		})
	}
	all.Wait()
	return watches
}

// watch records what happens to one intent.
type watch struct {
	*world
	intent domain.Intent
	began  time.Time

	mu      sync.Mutex
	history []porcupine.Operation
}

// live lets the clients loose, then brings the attempts to an end and looks once
// more.
func (o *watch) live(random *rand.Rand, clients, deeds int) {
	var all sync.WaitGroup
	for k := range clients {
		mine := rand.New(rand.NewPCG(random.Uint64(), uint64(k)))
		all.Go(func() {
			for range deeds {
				o.act(k, mine)
			}
		})
	}
	all.Wait()
	for _, a := range o.loaded(o.servers[0]).Attempts {
		if a.State == domain.AttemptStateOpen || random.IntN(5) > 0 {
			o.settleAttempt(clients, o.servers[0], a.ID, []string{"paid", "paid", "paid", "declined"}[random.IntN(4)])
			o.awaitEnd(o.servers[0], a.ID, "")
		}
	}
	o.record(clients, life.Deed{Do: "load"}, func() (life.Sight, bool) { return o.look(o.servers[1]), true })
}

// record keeps a deed and what was seen. One that certainly did nothing is left
// out.
func (o *watch) record(client int, d life.Deed, do func() (life.Sight, bool)) {
	called := time.Now()
	s, done := do()
	returned := time.Now()
	if !done {
		return
	}
	d.Intent, d.When = o.intent.ID, life.Timing(called, returned, o.intent.ExpiresAt)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.history = append(o.history, porcupine.Operation{
		ClientId: client, Input: d, Output: s, Call: int64(called.Sub(o.began)), Return: int64(returned.Sub(o.began)),
	})
}

// pick chooses one of the letters, each as often as it is there.
func pick(random *rand.Rand, letters string) rune { return rune(letters[random.IntN(len(letters))]) }

// act does one thing to the intent, on one of the servers.
func (o *watch) act(client int, random *rand.Rand) {
	in := o.servers[random.IntN(len(o.servers))]
	switch pick(random, "bbbbcccccppplluuxssn") {
	case 'b':
		wallet := pick(random, "yyyhhgrrrrr")
		o.record(client, life.Deed{Do: "begin", Wallet: wallet}, func() (life.Sight, bool) {
			o.post(in, "/attempts", map[string][]string{"method": {"wallet"}, "phone": {phones[wallet].number}})
			return life.Sight{}, true
		})
	case 'c':
		code := map[rune]string{'r': "111111", 'd': "000000", 'w': "222222"}[pick(random, "rrrddw")]
		o.record(client, life.Deed{Do: "code", Code: code}, func() (life.Sight, bool) {
			return life.Sight{Wrong: strings.Contains(o.post(in, "/code", map[string][]string{"otp": {code}}), "code=wrong")}, true
		})
	case 'p':
		o.record(client, life.Deed{Do: "page"}, func() (life.Sight, bool) { return life.Sight{Page: o.page(in)}, true })
	case 'l':
		o.record(client, life.Deed{Do: "load"}, func() (life.Sight, bool) { return o.look(in), true })
	case 'u':
		o.record(client, life.Deed{Do: "current"}, func() (life.Sight, bool) {
			i, err := in.ledger.Current(o.t.Context(), o.intent.ID, 0)
			return life.Sight{Life: life.Life{Status: i.Status, Version: i.Version}}, o.fine(err)
		})
	case 'x':
		o.record(client, life.Deed{Do: "expire"}, func() (life.Sight, bool) {
			i, err := in.ledger.Execute(o.t.Context(), o.intent.ID, domain.Expire{}, ledger.Origin{Actor: ledger.ActorExpiry})
			if refusal, refused := errors.AsType[domain.Refusal](err); refused {
				return life.Sight{Refused: string(refusal)}, true
			}
			return life.Sight{Life: life.Life{Status: i.Status, Version: i.Version}}, o.fine(err)
		})
	case 's', 'n':
		known := o.loaded(in).Attempts
		if len(known) == 0 {
			return
		}
		id := known[random.IntN(len(known))].ID
		if random.IntN(3) == 0 {
			o.record(client, life.Deed{Do: "notify", Attempt: id}, func() (life.Sight, bool) { return life.Sight{}, o.hint(id) })
			return
		}
		o.settleAttempt(client, in, id, map[rune]string{'p': "paid", 'd': "declined"}[pick(random, "ppd")])
	}
}

func checkoutPath(i domain.Intent) string { return projections.CheckoutPath(i.ID, i.CheckoutToken) }

func (o *watch) fine(err error) bool {
	if err != nil {
		o.t.Error(err)
	}
	return err == nil
}

// post sends a form of the page and returns where the answer leads.
func (o *watch) post(in *server, form string, fields map[string][]string) string {
	res, body := in.ask(o.t, http.MethodPost, checkoutPath(o.intent)+form, fields)
	if res.StatusCode != http.StatusSeeOther {
		o.t.Errorf("%s: status %d\n%s", form, res.StatusCode, body)
	}
	return res.Header.Get("Location")
}

func (o *watch) page(in *server) string {
	res, body := in.ask(o.t, http.MethodGet, checkoutPath(o.intent), nil)
	_, state, found := strings.Cut(body, `data-state="`)
	state, _, _ = strings.Cut(state, `"`)
	if res.StatusCode != http.StatusOK || !found {
		o.t.Errorf("the page: status %d, state %q", res.StatusCode, state)
	}
	return state
}

// hint sends a notification that says paid, whatever is so.
func (o *watch) hint(id domain.AttemptID) bool {
	says := fmt.Sprintf(`{"id":%q,"intent":%q,"amount":%d,"currency":"LYD","state":"paid","reference":"SB1"}`, id, o.intent.ID, o.intent.Amount.Minor)
	if got := o.notify(says); got != http.StatusNoContent {
		o.t.Errorf("notification: status %d", got)
	}
	return true
}

// settleAttempt has the bank decide. The deed lasts until the ledger knows, unless
// the bank says that there is nothing to decide.
func (o *watch) settleAttempt(client int, in *server, id domain.AttemptID, outcome string) {
	o.record(client, life.Deed{Do: "settle", Attempt: id, Outcome: outcome}, func() (life.Sight, bool) {
		res, err := http.Post(o.bankURL+"/control/payments/"+string(id)+"/settle", "application/json",
			strings.NewReader(fmt.Sprintf(`{"outcome":%q}`, outcome)))
		if !o.fine(err) {
			return life.Sight{}, false
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return life.Sight{}, false // it is paid, or not there yet
		}
		o.awaitEnd(in, id, outcome)
		return life.Sight{}, true
	})
}

// awaitEnd waits until the ledger knows the end of an attempt; that of one that
// was declined beside a payment is not told.
func (o *watch) awaitEnd(in *server, id domain.AttemptID, outcome string) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for limit := time.Now().Add(patience); ; <-tick.C {
		i := o.loaded(in)
		a, _ := i.Attempt(id)
		switch {
		case a.State == domain.AttemptStatePaid:
			return
		case outcome != "paid" && (a.State == domain.AttemptStateFailed || i.Status == domain.StatusSucceeded):
			return
		case time.Now().After(limit):
			o.t.Errorf("attempt %s is still %s, and should be %q", id, a.State, outcome)
			return
		}
		o.page(in) // who looks hurries the inquiry
	}
}

func (o *watch) loaded(in *server) domain.Intent {
	i, err := in.ledger.Load(o.t.Context(), o.intent.ID)
	o.fine(err)
	return i
}

// look is the state by the ledger, and what was kept of the attempts.
func (o *watch) look(in *server) life.Sight { return life.Sight{Life: lifeOf(o.loaded(in))} }

func lifeOf(i domain.Intent) life.Life {
	l := life.Life{Status: i.Status, Late: i.Late, Version: i.Version}
	for n, a := range i.Attempts {
		for wallet, phone := range phones {
			if a.Payer == phone.masked {
				l.Attempts += string(wallet)
			}
		}
		l.Attempts += string(a.State[0])
		if a.ID == i.PaidBy {
			l.PaidBy = n + 1
		}
	}
	return l
}

// checkLimit is for one intent. Most take milliseconds; an unlucky one took 1.6 s on
// a quiet machine, and over 20 s with the race detector on a busy one.
const checkLimit = 2 * time.Minute

// check asks whether some order explains what was seen.
func (o *watch) check(m porcupine.Model) {
	o.t.Helper()
	end := o.loaded(o.servers[0])
	for n, a := range end.Attempts {
		for k := range o.history {
			if d := o.history[k].Input.(life.Deed); d.Attempt == a.ID {
				d.N = n
				o.history[k].Input = d
			}
		}
		if l := lifeOf(end); l.Is(n) == 'p' && rune(l.Attempts[2*n]) == life.Hangs {
			o.history = append(o.history, porcupine.Operation{
				Input: life.Deed{Intent: o.intent.ID, Do: "bank", N: n, When: life.Timing(o.began, time.Now(), o.intent.ExpiresAt)}, Output: life.Sight{},
				Call: 0, Return: slices.MaxFunc(o.history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) }).Call,
			})
		}
	}
	if got := porcupine.CheckOperationsTimeout(m, o.history, checkLimit); got != porcupine.Ok {
		slices.SortFunc(o.history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
		var text strings.Builder
		for _, op := range o.history {
			fmt.Fprintf(&text, "  client %d, %9.3f to %9.3f ms: %s %d\n", op.ClientId, float64(op.Call)/1e6, float64(op.Return)/1e6,
				m.DescribeOperation(op.Input, op.Output), op.Input.(life.Deed).When)
		}
		o.t.Errorf("intent %s, which expires after %v: %s; events %v\n%s", o.intent.ID, o.intent.ExpiresAt.Sub(o.began), got, o.world.history(o.intent.ID), text.String())
	}
}

// count adds up what happened to intents.
func (o *watch) count(happened map[string]int) {
	happened["deeds"] += len(o.history)
	for _, event := range o.world.history(o.intent.ID) {
		happened[event]++
	}
}
