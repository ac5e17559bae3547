//go:build long

package acceptance_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/natstest"
)

// promoted is a shop whose standby was promoted before it had everything: it has three of nine
// acknowledged events.
type promoted struct {
	*pair
	kept     string   // a checkpoint over the three, as a file
	folder   string   // to which checkpoints were published
	nats     string   // the address of the server with the stream
	sandbox  []string // variables of an acquirer that is not running
	received string   // the webhooks that the merchant received, as a file
	before   string   // those of the three
	lost     []string // the uuids of the intents that were created after them; the first is being paid
	expired  string   // an intent of the three that expired after them
	last     string   // the checkpoint over the nine
}

// folderEnv are the variables of a command that uses the published checkpoints.
func (p *promoted) folderEnv() []string {
	return append([]string{"DAFTAR_CHECKPOINT_DIR=" + p.folder}, p.env...)
}

// natsEnv are the variables of a command that uses the stream.
func (p *promoted) natsEnv() []string { return append([]string{"DAFTAR_NATS_URL=" + p.nats}, p.env...) }

// serve starts a server with everything that exists outside of the database.
func (p *promoted) serve(t *testing.T) *service {
	t.Helper()
	env := slices.Concat(p.sandbox, []string{
		"DAFTAR_WEBHOOK_ALLOW_PRIVATE=true", "DAFTAR_CHECKPOINT_DIR=" + p.folder, "DAFTAR_NATS_URL=" + p.nats,
	})
	return serve(t, p.url, env...)
}

// losePositions creates payments with an asynchronous standby. The standby dies first, and then the
// primary; the standby comes back and is promoted.
func losePositions(t *testing.T) *promoted {
	t.Helper()
	p := &promoted{pair: newPair(t), folder: t.TempDir(), nats: natstest.Start(t).URL()}
	endpoint := newEndpoint(t, &p.who.secret)
	answer[map[string]any](t, p.env, "app", "set-webhook-url", p.who.app, endpoint.URL)
	if err := p.Primary.Set(t.Context(), map[string]string{"synchronous_standby_names": ""}); err != nil {
		t.Fatal(err)
	}
	p.sandbox = []string{"DAFTAR_SANDBOX_URL=" + hangingUp(t).URL, "DAFTAR_SANDBOX_SECRET=" + sandboxSecret}
	s := p.serve(t)
	create := func(reference string) (uuid, checkout string) {
		r := s.ask(t, p.who, http.MethodPost, "/payment-intents", order(reference))
		if r.status != http.StatusCreated {
			t.Fatalf("create: %d %s", r.status, r.body)
		}
		return r.data.UUID, r.data.CheckoutURL
	}
	arrived := func(events int) {
		streamOf(t, p.nats, uint64(events))
		pgtest.WaitFor(t, "the webhooks", func() bool { return len(endpoint.got()) == events })
	}
	for _, reference := range []string{"a", "b", "c"} {
		p.expired, _ = create(reference)
	}
	p.kept = write(t, t.TempDir(), "kept", awaitCheckpoint(t, s.env, "3"))
	arrived(3)
	p.before = write(t, t.TempDir(), "before", endpoint.received())
	p.findsNothing(t, s.env)
	standby := p.on(t, p.Standby)
	pgtest.WaitFor(t, "the standby to have the first three", func() bool {
		var events, signed int
		const heldSQL = `SELECT (SELECT count(*) FROM events), (SELECT max(size) FROM transparency_checkpoints)`
		err := standby.QueryRow(t.Context(), heldSQL).Scan(&events, &signed)
		return err == nil && events == 3 && signed == 3
	})

	p.Standby.Kill()
	pages := make([]string, 4)
	p.lost = make([]string, 4)
	for n := range p.lost {
		p.lost[n], pages[n] = create(fmt.Sprint("lost ", n))
	}
	r := s.ask(t, p.who, http.MethodPost, "/payment-intents/"+p.expired+"/expire", "")
	if r.status != http.StatusOK {
		t.Fatalf("expire: %d %s", r.status, r.body)
	}
	pay(t, pages[0])
	p.last = awaitCheckpoint(t, s.env, "9")
	pgtest.WaitFor(t, "the checkpoint's file", func() bool {
		text, err := os.ReadFile(filepath.Join(p.folder, "latest"))
		return err == nil && string(text) == p.last
	})
	arrived(9)
	p.received = write(t, t.TempDir(), "received", endpoint.received())
	p.Primary.Kill()
	s.Stop(t, syscall.SIGKILL)
	if err := p.Standby.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.Promote(t)
	return p
}

// findsNothing checks a log that has lost nothing against all evidence.
func (p *promoted) findsNothing(t *testing.T, env []string) {
	t.Helper()
	m := auditMissing(t, env, "--webhooks", p.before)
	want := missing{
		OK: true, Events: 3, Same: 3, Signed: 3, Copy: &span{1, 3}, Unknown: []span{}, Lost: []lostEvent{},
	}
	if !cmp.Equal(want, m) {
		t.Errorf("nothing is lost (-want +got):\n%s", cmp.Diff(want, m))
	}
	if r := call(t, env, "audit", "missing"); r.code != 0 || !strings.Contains(r.out, "Nothing is missing.") {
		t.Errorf("exit %d, %s%s", r.code, r.out, r.errors)
	}
}

// all returns the six lost events, at their positions.
func (p *promoted) all() []lostEvent {
	var all []lostEvent
	for n, id := range p.lost {
		all = append(all, lostEvent{
			Position: int64(4 + n), Intent: id, Version: 1, Type: "intent.created",
			MerchantReference: fmt.Sprint("lost ", n), Amount: 5000, Currency: "LYD",
		})
	}
	return append(all, lostEvent{
		Position: 8, Intent: p.expired, Version: 2, Type: "intent.expired", MerchantReference: "c",
	}, lostEvent{
		Position: 9, Intent: p.lost[0], Version: 2, Type: "intent.attempt_started",
		MerchantReference: "lost 0",
	})
}

var webhookOf = map[string]string{
	"intent.created": "payment_intent.created", "intent.expired": "payment_intent.canceled",
	"intent.attempt_started": "payment_intent.processing",
}

// sortByIntent sorts events, because webhooks come in any order.
func sortByIntent(all []lostEvent) {
	slices.SortFunc(all, func(a, b lostEvent) int {
		return strings.Compare(fmt.Sprint(a.MerchantReference, a.Version),
			fmt.Sprint(b.MerchantReference, b.Version))
	})
}

// reportsWhatIsMissing checks that each source reports what is missing, as far as it can know, and
// that a server refuses to start.
func (p *promoted) reportsWhatIsMissing(t *testing.T) {
	t.Helper()
	listening := []string{"DAFTAR_LISTEN=" + address(t), "DAFTAR_OPS_LISTEN=" + address(t)}
	r := call(t, append(listening, p.folderEnv()...), "serve")
	if r.code != 1 || !strings.Contains(r.errors, "9 events were published, the log has 3") ||
		!strings.Contains(r.errors, "daftar audit missing") {
		t.Errorf("a server on a log older than what was published: exit %d, %s", r.code, r.errors)
	}
	told := func(change func(*lostEvent)) []lostEvent {
		all := p.all()
		for n := range all {
			change(&all[n])
		}
		return all
	}
	positions := []span{{4, 9}}
	for _, c := range []struct {
		name string
		env  []string
		args []string
		want missing
	}{
		{"checkpoints", p.folderEnv(), []string{"--checkpoint", p.kept}, missing{
			Events: 3, Same: 3, Signed: 9, Missing: &span{4, 9}, Unknown: positions, Lost: []lostEvent{},
		}},
		{"the export", p.natsEnv(), nil, missing{
			Events: 3, Same: 3, Copy: &span{1, 9}, Missing: &span{4, 9}, Unknown: []span{}, Lost: p.all(),
		}},
		{"webhooks", p.env, []string{"--webhooks", p.received}, missing{
			Events: 3, Unknown: []span{},
			Lost: told(func(e *lostEvent) {
				e.Position, e.Amount, e.Currency, e.Received = 0, 0, "", true
				e.Type = webhookOf[e.Type]
			}),
		}},
		{
			"all of it", append(p.folderEnv(), "DAFTAR_NATS_URL="+p.nats),
			[]string{"--checkpoint", p.kept, "--webhooks", p.received}, missing{
				Events: 3, Same: 3, Signed: 9, Copy: &span{1, 9}, Missing: &span{4, 9}, Unknown: []span{},
				Lost: told(func(e *lostEvent) { e.Received = true }),
			},
		},
	} {
		m := auditMissing(t, c.env, c.args...)
		sortByIntent(m.Lost)
		sortByIntent(c.want.Lost)
		if diff := cmp.Diff(c.want, m); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	for _, says := range []string{"MISSING: positions 4 to 9 (6 events).", "lost 3", "5.000 LYD", p.expired} {
		if r := call(t, p.natsEnv(), "audit", "missing"); r.code != 1 || !strings.Contains(r.out, says) {
			t.Errorf("for people it does not say %q: exit %d, %s%s", says, r.code, r.out, r.errors)
		}
	}
	if m := auditMissing(t, p.env, "--checkpoint", p.kept, "--webhooks", p.before); !m.OK {
		t.Errorf("what the standby had: %+v", m)
	}
}

// A server without checkpoints has started: the positions are assigned again, and the merchant has
// created one intent again.
func TestLongMissingPositionsThatWereGivenAgain(t *testing.T) {
	t.Parallel()
	p := losePositions(t)
	s := serve(t, p.url)
	for n := range 7 {
		r := s.ask(t, p.who, http.MethodPost, "/payment-intents", order(fmt.Sprint("lost ", 3+n)))
		if r.status != http.StatusCreated {
			t.Fatalf("create: %d %s", r.status, r.body)
		}
	}
	awaitCheckpoint(t, s.env, "10")
	m := auditMissing(t, p.folderEnv(), "--checkpoint", p.kept)
	if m.Differs == nil || m.Differs.From != 4 || m.Differs.To < 4 || m.Differs.To > 9 ||
		m.Missing == nil || *m.Missing != (span{4, 9}) || m.Same != 3 {
		t.Errorf("by checkpoints: %+v", m)
	}
	want := missing{Events: 10, Same: 3, Copy: &span{1, 9}, Differs: &span{4, 4}, Missing: &span{4, 9},
		Unknown: []span{}, Lost: p.all()}
	want.Lost[3].Instead = 4
	if diff := cmp.Diff(want, auditMissing(t, p.natsEnv())); diff != "" {
		t.Errorf("by the export (-want +got):\n%s", diff)
	}
	r := call(t, p.natsEnv(), "audit", "missing")
	if !strings.Contains(r.out, "DIFFERS: at position 4") || !strings.Contains(r.out, "at position 4\n") {
		t.Errorf("for people: %s%s", r.out, r.errors)
	}
}
