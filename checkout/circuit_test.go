package checkout_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"daftar/checkout"
	"daftar/checkout/acquirer"
)

// An acquirer that fails again and again is left alone, said to be out of order,
// and tried again after a while.
func TestAnAcquirerThatDoesNotWorkIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	registry := prometheus.NewRegistry()
	config := w.config(w.acquirer).OutOfOrderFor(4 * time.Second)
	config.Registerer = registry
	c := checkout.New(config)
	w.serve(c.Handler()) // no inquiries of its own
	waiting := w.create()
	typing := w.atCode(waiting, "0912345678")

	up := func(want float64) {
		t.Helper()
		if got := measured(t, registry, "daftar_acquirer_up")["sandbox"]; got != want {
			t.Errorf("daftar_acquirer_up is %v, want %v", got, want)
		}
	}
	up(1)
	w.acquirer.beginsWith(acquirer.ErrNotSent)
	fresh := w.create()
	for range checkout.FaultsInARow {
		w.want(w.submit(w.visit(path(fresh)), wallet("0912345678")), 200, "pay")
	}
	up(0)
	w.acquirer.begin.Store(nil)
	begun := w.acquirer.begun.Load()
	page := w.want(w.visit(path(fresh)+"?lang=en"), 200, "pay")
	if len(page.document.all("form")) != 0 {
		t.Error("the page has a form although nothing can be chosen")
	}
	w.want(w.post(path(fresh)+"/attempts", wallet("0912345678")), 422, "pay")
	w.want(w.submit(typing, code("111111")), 503, "unavailable")
	if w.acquirer.begun.Load() != begun || w.acquirer.confirmed.Load() != 0 {
		t.Error("the acquirer was called all the same")
	}
	before := w.version(fresh)

	w.eventually("it is offered again", func() bool { return len(w.visit(path(fresh)).document.all("form")) > 0 })
	if w.version(fresh) == before {
		t.Error("the version of the page is the same with and without a way to pay")
	}
	w.want(w.submit(w.visit(path(fresh)), wallet("0912345678")), 200, "otp") // the one that tries
	up(1)
	w.want(w.submit(w.want(w.visit(path(waiting)), 200, "otp"), code("111111")), 200, "receipt")
	got := measured(t, registry, "daftar_acquirer_calls_total")
	for name, want := range map[string]float64{"begin not_sent": 5, "begin answered": 2, "confirm refused": 1, "confirm answered": 1} {
		if got["sandbox "+name] != want {
			t.Errorf("%s: %v, want %v; all: %v", name, got["sandbox "+name], want, got)
		}
	}
	if n := measured(t, registry, "daftar_acquirer_call_seconds")["sandbox begin"]; n != 7 {
		t.Errorf("%v calls of begin were timed, want 7", n)
	}
	if !strings.Contains(w.log.String(), "acquirer's circuit changed") {
		t.Error("the log does not tell")
	}
}

// measured are the values of a metric by its labels; of a histogram, the counts.
func measured(t *testing.T, g prometheus.Gatherer, name string) map[string]float64 {
	t.Helper()
	families, err := g.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			values[strings.Join(labels, " ")] = m.GetCounter().GetValue() + m.GetGauge().GetValue() +
				float64(m.GetHistogram().GetSampleCount())
		}
	}
	return values
}

// Where another acquirer has the method, it takes it over.
func TestAnotherAcquirerTakesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	broken := &meddler{Acquirer: w.acquirer.Acquirer}
	broken.beginsWith(acquirer.ErrNotSent)
	w.serve(checkout.New(w.config(named{broken, "broken"}, w.acquirer).OutOfOrderFor(time.Hour)).Handler())
	i := w.create()
	for range checkout.FaultsInARow {
		w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "pay")
	}
	w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "otp")
	if a := w.load(i.ID).Attempts; a[len(a)-2].Acquirer != "broken" || a[len(a)-1].Acquirer != "sandbox" {
		t.Errorf("attempts %+v", a)
	}
	w.want(w.submit(w.visit(path(i)), code("111111")), 200, "receipt")
}

// Answers in words of ours, and our own going away, say nothing against the
// acquirer.
func TestWhatIsNoFault(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stuck := make(chan struct{}, 1)
	for name, hook := range map[string]func(context.Context) error{
		"undecided": func(context.Context) error { return acquirer.ErrUndecided },
		"cut short": func(ctx context.Context) error {
			stuck <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		},
	} {
		w.acquirer.inquires(hook)
		guarded := checkout.Guarded(w.acquirer, time.Hour)
		for range 3 * checkout.FaultsInARow {
			ctx, cancel := context.WithCancel(t.Context())
			var asking sync.WaitGroup
			asking.Go(func() {
				if _, err := guarded.Inquire(ctx, "0123456789abcdefghjkmnpqrs"); errors.Is(err, acquirer.ErrNotSent) {
					t.Errorf("%s: refused", name)
				}
			})
			if name == "cut short" {
				<-stuck
			}
			cancel()
			asking.Wait()
		}
	}
	// A time-out is a fault.
	w.acquirer.inquires(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	guarded := checkout.Guarded(w.acquirer, time.Hour)
	for n := range checkout.FaultsInARow + 1 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, err := guarded.Inquire(ctx, "0123456789abcdefghjkmnpqrs")
		cancel()
		if refused := errors.Is(err, acquirer.ErrNotSent); refused != (n == checkout.FaultsInARow) {
			t.Errorf("question %d: %v", n+1, err)
		}
	}
	w.acquirer.inquire.Store(nil)
}

// A question takes no longer than the acquirer says that it may.
func TestAQuestionTakesNoLongerThanAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.capable(func(c *capability) { c.Timeout = 50 * time.Millisecond })
	limits := make(chan time.Duration, 1)
	f := func(ctx context.Context, _ acquirer.Payment) (acquirer.Begun, error) {
		until, _ := ctx.Deadline()
		limits <- time.Until(until)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	w.acquirer.begin.Store(&f)
	i := w.create()
	w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "processing")
	if d := <-limits; d > 50*time.Millisecond {
		t.Errorf("the question may take %v", d)
	}
	w.acquirer.capable(func(c *capability) { c.Timeout = time.Hour })
	g := func(ctx context.Context, p acquirer.Payment) (acquirer.Begun, error) {
		until, _ := ctx.Deadline()
		limits <- time.Until(until)
		return w.acquirer.Acquirer.Begin(ctx, p)
	}
	w.acquirer.begin.Store(&g)
	w.atCode(w.create(), "0912345678")
	if d := <-limits; d > 10*time.Second {
		t.Errorf("the question may take %v; the claims count on 10 s", d)
	}
}

// An acquirer that hangs, with more attempts than there is room for, keeps no
// other's waiting.
func TestOneThatHangsKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hanging := &meddler{Acquirer: w.acquirer.Acquirer}
	stuck := make(chan struct{}, 100)
	hanging.inquires(func(ctx context.Context) error {
		stuck <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	})
	c := checkout.New(w.config(named{hanging, "hanging"}, w.acquirer))
	w.serve(c.Handler())
	for range 2 * checkout.InquiriesAtOnce {
		i := w.create()
		w.crashed(i, "wallet", 2*time.Minute, true)
	}
	w.halt() // who does not know them would settle them
	w.exec(`UPDATE checkout_attempts SET acquirer = 'hanging', stage = 'asking', ask_at = stage_since, busy_until = NULL`)
	w.start(0)
	ctx, cancel := context.WithCancel(t.Context())
	c = checkout.New(w.config(named{hanging, "hanging"}, w.acquirer))
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	for range checkout.InquiriesAtOnce {
		<-stuck
	}
	w.serve(c.Handler())
	i := w.create()
	good := w.crashed(i, "wallet", 2*time.Minute, true)
	c.Wake()
	w.until(i, "pay")
	w.wantStage(good, "closed")
	cancel()
	running.Wait()
	if s := w.visit(path(i)); s.status != http.StatusOK {
		t.Errorf("status %d", s.status)
	}
}

// The attempts that are not settled are counted.
func TestUnsettledAttemptsAreCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.atCode(w.create(), "0912345678")
	w.atBank(w.create())
	w.pendingAtTheBank()
	registry := prometheus.NewRegistry()
	config := w.config(w.acquirer)
	config.Registerer = registry
	c := checkout.New(config)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	want := map[string]float64{"open": 2, "unknown": 1, "quarantined": 0}
	w.eventually("the gauge says so", func() bool {
		return cmp.Equal(measured(t, registry, "daftar_checkout_attempts"), want)
	})
	cancel()
	running.Wait()
}
