package checkout_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"daftar/domain"
	"daftar/payments"
	"daftar/payments/acquirer"
)

// An acquirer that keeps failing is not called, and is shown as out of order, until it is
// tried again after a pause.
func TestAnAcquirerThatDoesNotWorkIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	registry := w.serveCircuit(time.Hour)
	waiting := w.create()
	typing := w.atCode(waiting, "0912345678")
	wantUp(t, registry, 1)
	fresh := w.create()
	w.breakDown(fresh)
	wantUp(t, registry, 0)
	begun := w.acquirer.begun.Load()
	page := w.want(w.visit(path(fresh)+"?lang=en"), 200, "pay")
	if len(page.document.all("form")) != 0 {
		t.Error("the page has a form although nothing can be chosen")
	}
	w.want(w.post(path(fresh)+"/attempts", wallet("0912345678")), 422, "pay")
	w.want(w.submit(typing, code("111111")), 503, "unavailable")
	if w.acquirer.begun.Load() != begun || w.acquirer.confirmed.Load() != 0 {
		t.Error("the acquirer was called although its circuit is open")
	}
	without := w.version(fresh)
	wantCalls(t, registry, map[string]float64{"begin not_sent": 5, "begin answered": 1, "confirm refused": 1}, 6)

	// In another server the pause is over at once.
	registry = w.serveCircuit(time.Millisecond)
	if w.version(fresh) == without {
		t.Error("the version of the page is the same with and without a way to pay")
	}
	w.breakDown(fresh)
	wantUp(t, registry, 0)
	w.eventually("it is offered again", func() bool {
		return len(w.visit(path(fresh)).document.all("form")) > 0
	})
	w.want(w.submit(w.visit(path(fresh)), wallet("0912345678")), 200, "otp") // the trial call
	wantUp(t, registry, 1)
	w.want(w.submit(w.want(w.visit(path(waiting)), 200, "otp"), code("111111")), 200, "receipt")
	wantCalls(t, registry, map[string]float64{
		"begin not_sent": 5, "begin answered": 1, "confirm answered": 1,
	}, 6)
	if !strings.Contains(w.log.String(), "acquirer's circuit changed") {
		t.Error("the log has no line about it")
	}
}

// serveCircuit serves with an engine whose circuit stays open for the pause, and which makes
// no inquiries by itself.
func (w *world) serveCircuit(pause time.Duration) *prometheus.Registry {
	w.t.Helper()
	registry := prometheus.NewRegistry()
	config := w.config(w.acquirer)
	config.OutOfOrderFor, config.Registerer = pause, registry
	w.serve(serverOf(config).Handler())
	return registry
}

// breakDown makes the acquirer fail until its circuit is open. After that it works again.
func (w *world) breakDown(i domain.Intent) {
	w.t.Helper()
	w.acquirer.failBegin(acquirer.ErrNotSent)
	for range payments.FaultThreshold {
		w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "pay")
	}
	w.acquirer.begin.Store(nil)
}

func wantUp(t *testing.T, g prometheus.Gatherer, want float64) {
	t.Helper()
	if got := measured(t, g, "daftar_acquirer_up")["sandbox"]; got != want {
		t.Errorf("daftar_acquirer_up is %v, want %v", got, want)
	}
}

// wantCalls checks how often the acquirer was called, by name and outcome, and how
// many calls of begin were timed.
func wantCalls(t *testing.T, g prometheus.Gatherer, want map[string]float64, timed float64) {
	t.Helper()
	got := measured(t, g, "daftar_acquirer_calls_total")
	for name, n := range want {
		if got["sandbox "+name] != n {
			t.Errorf("%s: %v, want %v; all: %v", name, got["sandbox "+name], n, got)
		}
	}
	if n := measured(t, g, "daftar_acquirer_call_seconds")["sandbox begin"]; n != timed {
		t.Errorf("%v calls of begin were timed, want %v", n, timed)
	}
}

// measured reads the values of a metric by its labels; of a histogram, the counts.
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

// While an acquirer is out of order, another one with the method is used.
func TestAnotherAcquirerTakesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	broken := &faultyAcquirer{Acquirer: w.acquirer.Acquirer}
	broken.failBegin(acquirer.ErrNotSent)
	config := w.config(named{broken, "broken"}, w.acquirer)
	config.OutOfOrderFor = time.Hour
	w.serve(serverOf(config).Handler())
	i := w.create()
	for range payments.FaultThreshold {
		w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "pay")
	}
	w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "otp")
	if a := w.load(i.ID).Attempts; a[len(a)-2].Acquirer != "broken" || a[len(a)-1].Acquirer != "sandbox" {
		t.Errorf("attempts %+v", a)
	}
	w.want(w.submit(w.visit(path(i)), code("111111")), 200, "receipt")
}

// A call takes no longer than the timeout in the acquirer's capability.
func TestACallTakesNoLongerThanAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.setCapability(func(c *capability) { c.Timeout = 50 * time.Millisecond })
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
		t.Errorf("the call may take %v", d)
	}
	w.acquirer.setCapability(func(c *capability) { c.Timeout = time.Hour })
	g := func(ctx context.Context, p acquirer.Payment) (acquirer.Begun, error) {
		until, _ := ctx.Deadline()
		limits <- time.Until(until)
		return w.acquirer.Acquirer.Begin(ctx, p)
	}
	w.acquirer.begin.Store(&g)
	w.atCode(w.create(), "0912345678")
	if d := <-limits; d > 25*time.Second {
		t.Errorf("the call may take %v; the server ends the request after 30 s", d)
	}
}

// An acquirer that hangs, with more attempts than it may have inquiries at a time, does not delay
// those of others.
func TestOneThatHangsKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hanging := &faultyAcquirer{Acquirer: w.acquirer.Acquirer}
	stuck := make(chan struct{}, 100)
	hanging.failInquire(func(ctx context.Context) error {
		stuck <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	})
	c := w.newServer(named{hanging, "hanging"}, w.acquirer)
	w.serve(c.Handler())
	for range 2 * payments.InquiriesEach {
		i := w.create()
		w.insertCrashed(i, "wallet", 2*time.Minute, true)
	}
	w.halt() // its engine, without that acquirer, would settle them
	w.exec(`
		UPDATE checkout_attempts
		SET acquirer = 'hanging', stage = 'asking', ask_at = stage_since, busy_until = NULL`)
	w.start(0)
	ctx, cancel := context.WithCancel(t.Context())
	c = w.newServer(named{hanging, "hanging"}, w.acquirer)
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	for range payments.InquiriesEach {
		<-stuck
	}
	w.serve(c.Handler())
	i := w.create()
	good := w.insertCrashed(i, "wallet", 2*time.Minute, true)
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
	c := payments.New(config)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	want := map[string]float64{"open": 2, "unknown": 1, "quarantined": 0}
	w.eventually("the gauge has the counts", func() bool {
		return cmp.Equal(measured(t, registry, "daftar_checkout_attempts"), want)
	})
	byMethod := map[string]float64{
		"sandbox card open": 1, "sandbox card unknown": 0, "sandbox card quarantined": 0,
		"sandbox wallet open": 1, "sandbox wallet unknown": 1, "sandbox wallet quarantined": 0,
	}
	if got := measured(t, registry, "daftar_method_attempts"); !cmp.Equal(got, byMethod) {
		t.Errorf("by method %v, want %v", got, byMethod)
	}
	cancel()
	running.Wait()
}
