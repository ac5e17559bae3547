package lifecycle_test

import (
	"fmt"
	"math/rand/v2"
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
	"daftar/tools/torture/lifecycle"
)

const patience = time.Minute // longer than anything takes, even on a busy machine

// Clients of several servers that use an intent at the same time see what they would see if
// they used it one after the other. SEED repeats their operations, but not how these overlap.
// TestLongTheLifeOfAnIntentIsLinearizable does more of the same.
func TestTheLifeOfAnIntentIsLinearizable(t *testing.T) {
	t.Parallel()
	checkLifecycles(t, effort{intents: 18, clients: 4, operations: 5})
}

// effort is the least number of intents, the number of clients of each, and the number of
// operations of each client.
type effort struct{ intents, clients, operations int }

func checkLifecycles(t *testing.T, e effort) {
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
		events := []string{"attempt_failed", "succeeded", "expired", "late_succeeded", "duplicate_payment"}
		return slices.DeleteFunc(events, func(event string) bool { return happened[event] > 0 })
	}
	// On a slow machine an intent expires before a payment begins. Then more intents are made,
	// which live longer. Rare events take more intents, too.
	const rounds = 20
	for n := 0; len(missing()) > 0 && n < rounds; n++ {
		lifetime := min(250*time.Millisecond<<n, 4*time.Second)
		for _, o := range w.run(early, seed, lifetime, e) {
			o.check(lifecycle.Model(lifecycle.Created()))
			o.count(happened)
		}
		seed++
	}
	t.Logf("what happened: %v", happened)
	for _, event := range missing() {
		t.Errorf("%s never happened to %d intents: the test does too little", event, happened["created"])
	}
}

// earlyLedger is a ledger whose clock is behind, so that its intents may expire during the
// test.
func (w *world) earlyLedger() *ledger.Ledger {
	return w.newLedger(w.pool, &eventstore.Clock{Offset: -domain.MinExpiry - time.Minute})
}

// createSoon makes an intent that expires while clients use it, or only after the test.
func (w *world) createSoon(early *ledger.Ledger, random *rand.Rand, lifetime time.Duration) domain.Intent {
	w.t.Helper()
	expires := time.Now().Add(time.Duration(random.Int64N(int64(lifetime))))
	if random.IntN(2) == 0 {
		expires = time.Now().Add(time.Hour)
	}
	order := domain.Create{ExpiresAt: &expires, Terms: domain.Terms{
		Application: w.app.ID, MerchantReference: domain.MerchantReference(uuid.NewString()),
		Amount:      domain.Money{Minor: domain.MinAmount + int64(random.IntN(1_000_000)), Currency: domain.LYD},
		Description: "كتابان",
	}}
	origin := ledger.Origin{Actor: "application:" + w.app.ID.String()}
	created, _, err := early.Create(w.t.Context(), order, w.namespace, origin)
	if err != nil {
		w.t.Fatal(err)
	}
	i, err := w.servers[0].ledger.Load(w.t.Context(), created.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return i
}

// run runs clients on many intents, a few intents at a time. Those that expire do so within
// the lifetime.
func (w *world) run(early *ledger.Ledger, seed uint64, lifetime time.Duration, e effort) []*watch {
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
			watches[n].run(random, e.clients, e.operations)
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

// run runs the clients, then settles the attempts and reads the intent once more.
func (o *watch) run(random *rand.Rand, clients, operations int) {
	var all sync.WaitGroup
	for k := range clients {
		mine := rand.New(rand.NewPCG(random.Uint64(), uint64(k)))
		all.Go(func() {
			for range operations {
				o.act(k, mine)
			}
		})
	}
	all.Wait()
	for _, a := range o.loaded(o.servers[0]).Attempts {
		if a.State == domain.AttemptStateOpen || random.IntN(5) > 0 {
			outcome := []string{"paid", "paid", "paid", "declined"}[random.IntN(4)]
			o.settleAttempt(clients, o.servers[0], a.ID, outcome)
			o.awaitEnd(o.servers[0], a.ID, "")
		}
	}
	o.record(clients, lifecycle.Operation{Do: "load"}, func() (lifecycle.Observation, bool) {
		return o.look(o.servers[1]), true
	})
}

// record records an operation and its observation, unless it certainly had no effect.
func (o *watch) record(client int, d lifecycle.Operation, do func() (lifecycle.Observation, bool)) {
	called := time.Now()
	s, done := do()
	returned := time.Now()
	if !done {
		return
	}
	d.Intent, d.When = o.intent.ID, lifecycle.Timing(called, returned, o.intent.ExpiresAt)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.history = append(o.history, porcupine.Operation{
		ClientId: client, Input: d, Output: s,
		Call: int64(called.Sub(o.began)), Return: int64(returned.Sub(o.began)),
	})
}

// checkLimit is for one intent. Most take milliseconds; one took 1.6 s on a quiet machine,
// and over 20 s with the race detector on a busy one.
const checkLimit = 2 * time.Minute

// byItself records an operation that no client made, at some time in a period.
func (o *watch) byItself(d lifecycle.Operation, from, to int64) {
	start, end := o.began.Add(time.Duration(from)), o.began.Add(time.Duration(to))
	d.Intent = o.intent.ID
	d.When = lifecycle.Timing(start, end, o.intent.ExpiresAt)
	o.history = append(o.history, porcupine.Operation{
		Input: d, Output: lifecycle.Observation{}, Call: from, Return: to,
	})
}

// check checks that some order of the operations explains the observations.
func (o *watch) check(m porcupine.Model) {
	o.t.Helper()
	end := o.loaded(o.servers[0])
	last := slices.MaxFunc(o.history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) }).Call
	for n, a := range end.Attempts {
		for k := range o.history {
			if d := o.history[k].Input.(lifecycle.Operation); d.Attempt == a.ID {
				d.N = n
				o.history[k].Input = d
			}
		}
		if l := stateOf(end); l.Is(n) == 'p' && rune(l.Attempts[2*n]) == lifecycle.Hangs {
			o.byItself(lifecycle.Operation{Do: "bank", N: n}, 0, last)
		}
	}
	if over := int64(o.intent.ExpiresAt.Sub(o.began)); over < last {
		o.byItself(lifecycle.Operation{Do: "over"}, max(0, over-int64(lifecycle.Slack)), last)
	}
	if got := porcupine.CheckOperationsTimeout(m, o.history, checkLimit); got != porcupine.Ok {
		slices.SortFunc(o.history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
		var text strings.Builder
		for _, op := range o.history {
			fmt.Fprintf(&text, "  client %d, %9.3f to %9.3f ms: %s %d\n",
				op.ClientId, float64(op.Call)/1e6, float64(op.Return)/1e6,
				m.DescribeOperation(op.Input, op.Output), op.Input.(lifecycle.Operation).When)
		}
		o.t.Errorf("intent %s, which expires after %v: %s; events %v\n%s",
			o.intent.ID, o.intent.ExpiresAt.Sub(o.began), got, o.world.history(o.intent.ID), text.String())
	}
}

// count counts the operations on the intent and its events.
func (o *watch) count(happened map[string]int) {
	happened["operations"] += len(o.history)
	for _, event := range o.world.history(o.intent.ID) {
		happened[event]++
	}
}
