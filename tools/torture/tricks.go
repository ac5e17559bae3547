package torture

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"daftar/tools/torture/history"
)

// exhaust sends many requests at once to a server whose database answers slowly,
// so that all connections of its pools are in use.
func (n *nemesis) exhaust(ctx context.Context, s Strike, one *server) error {
	heal, err := spoilAll(one.database, badness{"latency", answers, map[string]int64{"latency": 200}})
	defer heal()
	if err != nil {
		return err
	}
	const clients = 200
	client, to := n.number(), doorOf(one)
	var all sync.WaitGroup
	for k := range uint64(clients) {
		all.Go(func() {
			d := newDice(s.Seed, k)
			t := n.anyTenant(d)
			q := history.Request{
				Client: client + int(k), Kind: history.Create, Reference: fmt.Sprintf("x-%x-%d", s.Seed, k),
			}
			if known, ok := n.someKnown(d); ok && d.in(70) {
				q.Kind, q.Reference, q.Intent, t = history.Read, known.reference, known.uuid, known.tenant
				n.definite(n.api(ctx, q, to, http.MethodGet, "/payment-intents/"+known.uuid, t))
				return
			}
			q.Sent = bodyOf(d, q.Reference, time.Time{})
			n.definite(n.api(ctx, q, to, http.MethodPost, "/payment-intents", t))
		})
	}
	all.Wait()
	return nil
}

// sendFalseNotifications sends notifications that must have no effect, or none a second time.
func (n *nemesis) sendFalseNotifications(ctx context.Context, s Strike, d dice) error {
	all, err := n.bank.payments(ctx, "")
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errAgain
	}
	if err := n.sendFalseNotices(ctx, d); err != nil {
		return err
	}
	to := "http://" + n.front.address
	for until := time.Now().Add(s.Length); time.Now().Before(until) && ctx.Err() == nil; {
		p := pick(d, all)
		wrong, unknown, opposite := p, p, p
		wrong.Amount += 1 + d.Int64N(1000)
		unknown.ID = "UNKNOWN" + randomHex(6)
		opposite.State = map[string]string{"paid": "declined", "declined": "paid", "pending": "paid"}[p.State]
		foreign := p
		foreign.Currency = "USD"
		for _, notice := range []payment{p, p, p, p, p, wrong, unknown, opposite, foreign} {
			status := n.bank.notify(ctx, to, notice, n.bank.secret)
			if status == http.StatusInternalServerError || status == http.StatusUnauthorized {
				n.complainf("a notification with a good signature was answered %d", status)
			}
		}
		status := n.bank.notify(ctx, to, p, "not the secret")
		if status != http.StatusUnauthorized && status != 0 && status != http.StatusServiceUnavailable {
			n.complainf("a forged notification was answered %d", status)
		}
		n.recorder.Count("notifications that lie", 5)
		wait(ctx, 200*time.Millisecond)
	}
	return nil
}

// raceExpiry makes payments that arrive just when their intents expire.
func (n *nemesis) raceExpiry(ctx context.Context, s Strike, d dice) {
	for range 6 {
		n.shortLife(ctx, d.Uint64(), payAtTheEnd)
	}
	for range 3 {
		n.shortLife(ctx, d.Uint64(), payLate)
		n.shortLife(ctx, d.Uint64(), letExpire)
	}
	wait(ctx, s.Length)
}

// race lets fifty clients create with one reference at the same time, at three servers, each
// with its own body (F13).
func (n *nemesis) race(ctx context.Context, d dice) error {
	const clients = 50
	t := n.anyTenant(d)
	reference := "r-" + randomHex(6)
	doors := n.doors()
	client := n.number()
	begin := make(chan struct{})
	got := make([]history.Request, clients)
	var all sync.WaitGroup
	for k := range got {
		q := history.Request{
			Client: client + k, Kind: history.Create, Reference: reference,
			Sent: bodyOf(d, reference, time.Time{}),
		}
		all.Go(func() {
			<-begin
			got[k] = n.api(ctx, q, doors[k%len(doors)], http.MethodPost, "/payment-intents", t)
			n.definite(got[k])
		})
	}
	close(begin)
	all.Wait()
	created, acknowledged, answered := 0, 0, map[string]bool{}
	for _, q := range got {
		if q.Status == http.StatusCreated {
			created++
		}
		if q.Status == http.StatusCreated || q.Status == http.StatusOK {
			acknowledged++
			answered[string(q.Answer)] = true
		}
	}
	n.acknowledged.Add(int64(acknowledged))
	if created > 1 || len(answered) > 1 {
		n.complainf("one reference from %d clients: %d times created, %d different answers",
			clients, created, len(answered))
	}
	n.recorder.Count(countRaced, int64(acknowledged))
	if acknowledged < 2 {
		return errAgain
	}
	return nil
}

// rebuild rebuilds the read model of the intents while clients write and read. It kills about
// half of the rebuilds midway and starts them again (F15).
func (n *nemesis) rebuild(ctx context.Context, s Strike, d dice) error {
	log, err := n.logFile(fmt.Sprintf("rebuild-%x", s.Seed))
	if err != nil {
		return err
	}
	environment := []string{"DAFTAR_DATABASE_URL=" + n.url(owner)}
	until := time.Now().Add(s.Length)
	killed := 0
	for round := 0; ctx.Err() == nil && (round < 2 || time.Now().Before(until)); round++ {
		at := ""
		if points := n.pointsOf("rebuild"); len(points) > 0 && d.in(30) {
			at = "DAFTAR_CRASH_AT=" + pick(d, points)
		}
		arguments := []string{"projections", "rebuild", "intents", "--json"}
		p, err := startProcess(n.Daftar, arguments, append(environment, at), log)
		if err != nil {
			return err
		}
		limit := 20 * time.Second
		if round == 0 || d.in(50) {
			limit = d.between(20*time.Millisecond, 400*time.Millisecond)
		}
		wait(contextOf(ctx, p), limit)
		if !p.gone() {
			p.kill()
		}
		switch code := p.exitCode(); code {
		case 0:
			n.recorder.Count("rebuilds", 1)
		case -1:
			killed++
			n.recorder.Count("rebuilds killed", 1)
		case unreachable: // a fault of another track
			n.recorder.Count("rebuilds without database", 1)
		default:
			// A fault of another track may have ended PostgreSQL midway.
			n.recorder.Count("rebuilds interrupted", 1)
		}
	}
	if killed == 0 {
		return errAgain
	}
	return nil
}

// contextOf ends with the process.
func contextOf(parent context.Context, p *process) context.Context {
	ctx, cancel := context.WithCancel(parent)
	go func() {
		defer cancel()
		select {
		case <-p.done:
		case <-parent.Done():
		}
	}()
	return ctx
}

// pointsOf are the crash points whose names contain a word.
func (n *nemesis) pointsOf(part string) []string {
	return slices.DeleteFunc(slices.Clone(n.points), func(p string) bool { return !strings.Contains(p, part) })
}

// hostile sends malicious requests and watches the server's memory (F18).
func (n *nemesis) hostile(ctx context.Context, s Strike, one *server) error {
	p := one.process()
	if p == nil {
		return errAgain
	}
	before, _ := p.memory()
	ctx, cancel := context.WithTimeout(ctx, s.Length+2*time.Second)
	defer cancel()
	var worst atomic.Int64
	worst.Store(before)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { dribble(ctx, one.listen) })
	}
	t := n.tenants[0]
	for range 3 {
		all.Go(func() { n.sendHuge(ctx, one.listen, t) })
		all.Go(func() { n.sendDeep(ctx, one, t) })
	}
	watching, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() {
		for wait(watching, 100*time.Millisecond) {
			if now, _ := p.memory(); now > worst.Load() {
				worst.Store(now)
			}
		}
	})
	all.Wait()
	stop()
	watch.Wait()
	const most = 256 << 20
	if grown := worst.Load() - before; before > 0 && grown > most {
		n.complainf("hostile requests made server %s grow by %d MiB", one.name, grown>>20)
	}
	if p.gone() {
		return errAgain // killed by another track
	}
	return nil
}
