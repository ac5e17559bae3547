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

const patience = time.Minute // longer than anything takes, also on a busy machine

// Whatever clients of several servers do to an intent at a time, what each of them
// sees is what one of them after the other would have seen. SEED= repeats what
// they try, though not how their requests meet. There is a TestLong of it with more.
func TestTheLifeOfAnIntentIsLinearizable(t *testing.T) {
	t.Parallel()
	checkLifecycles(t, effort{intents: 18, clients: 4, operations: 5})
}

// effort is how many intents there are at least, how many clients each has, and how
// many things each client does to it.
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
		return slices.DeleteFunc([]string{"attempt_failed", "succeeded", "expired", "late_succeeded",
			"duplicate_payment"},
			func(event string) bool { return happened[event] > 0 })
	}
	// Where the machine is slow, an intent expires before anybody begins to pay it:
	// then there are more, which live longer. What is rare takes more intents too.
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

// run lets clients loose on many intents, a few at a time. Those that expire do so
// within the lifetime.
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

// run lets the clients loose, then brings the attempts to an end and looks once
// more.
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
			o.settleAttempt(clients, o.servers[0], a.ID, []string{"paid", "paid", "paid", "declined"}[random.IntN(4)])
			o.awaitEnd(o.servers[0], a.ID, "")
		}
	}
	o.record(clients, lifecycle.Operation{Do: "load"}, func() (lifecycle.Observation, bool) {
		return o.look(o.servers[1]), true
	})
}

// record keeps an operation and what was seen. One that certainly did nothing is left
// out.
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
		ClientId: client, Input: d, Output: s, Call: int64(called.Sub(o.began)),
		Return: int64(returned.Sub(o.began)),
	})
}

// checkLimit is for one intent. Most take milliseconds; an unlucky one took 1.6 s on
// a quiet machine, and over 20 s with the race detector on a busy one.
const checkLimit = 2 * time.Minute

// byItself is what no client did, at some time.
func (o *watch) byItself(d lifecycle.Operation, from, to int64) {
	d.Intent = o.intent.ID
	d.When = lifecycle.Timing(o.began.Add(time.Duration(from)), o.began.Add(time.Duration(to)),
		o.intent.ExpiresAt)
	o.history = append(o.history, porcupine.Operation{Input: d, Output: lifecycle.Observation{},
		Call: from, Return: to})
}

// check asks whether some order explains what was seen.
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
			fmt.Fprintf(&text, "  client %d, %9.3f to %9.3f ms: %s %d\n", op.ClientId, float64(op.Call)/1e6,
				float64(op.Return)/1e6,
				m.DescribeOperation(op.Input, op.Output), op.Input.(lifecycle.Operation).When)
		}
		o.t.Errorf("intent %s, which expires after %v: %s; events %v\n%s", o.intent.ID,
			o.intent.ExpiresAt.Sub(o.began), got, o.world.history(o.intent.ID), text.String())
	}
}

// count adds up what happened to intents.
func (o *watch) count(happened map[string]int) {
	happened["operations"] += len(o.history)
	for _, event := range o.world.history(o.intent.ID) {
		happened[event]++
	}
}
