//go:build long

package acceptance_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// releaseBefore is the version from which an upgrade works without downtime: before the first
// release, the newest commit before the last migration that changed what servers write (28). A
// migration that servers of this commit cannot work with fails the test: it has to be split over
// two releases. With each release, this becomes the previous one.
const releaseBefore = "5583dc4c854568fdc6d55be2f422785d637d2c6e"

// upgrade is a database that servers of two versions use.
type upgrade struct {
	who      shop
	endpoint *endpoint
	trades   int
	ended    map[string]string // the final status of each intent
}

// version is the servers of one version: the clock of one of them is behind, so that it can create
// an intent that expires soon.
type version struct{ front, slowClock *service }

func (v version) stop(t *testing.T) {
	t.Helper()
	v.front.Stop(t, syscall.SIGTERM)
	v.slowClock.Stop(t, syscall.SIGTERM)
}

// Servers of the previous release and of this one work together on the new schema, then the old
// ones alone, then the new ones. A merchant and payers switch between them in the middle of each
// payment; timers expire and webhooks arrive; each version reads what the other wrote, and the
// ledger, its tree and its read models are right.
func TestLongUpgradeWithoutAStop(t *testing.T) {
	t.Parallel()
	before := programtest.At(t, releaseBefore)
	db := pgtest.EmptyDatabase(t)
	owner := []string{"DAFTAR_DATABASE_URL=" + db.URL()}
	migrate := exec.CommandContext(t.Context(), before, "migrate", "up")
	migrate.Env = append(os.Environ(), owner...)
	if out, err := migrate.CombinedOutput(); err != nil {
		t.Fatalf("migrate up by the release before: %v: %s", err, out)
	}
	acquirer := &sandboxed{listen: address(t)}
	acquirer.demonstration = &demonstration{sandbox: "http://" + acquirer.listen}
	acquirer.startAcquirer(t)
	variables := []string{
		"DAFTAR_SANDBOX_URL=" + acquirer.sandbox, "DAFTAR_SANDBOX_SECRET=" + sandboxSecret,
		"DAFTAR_WEBHOOK_ALLOW_PRIVATE=true",
	}
	by := func(program string) version {
		early := slices.Concat(variables, []string{"DAFTAR_CLOCK_OFFSET=-6m"})
		return version{
			serveAt(t, program, address(t), address(t), db.ServiceURL(), variables...),
			serveAt(t, program, address(t), address(t), db.ServiceURL(), early...),
		}
	}
	old := by(before)

	if r := call(t, owner, "migrate", "up"); r.code != 0 || !strings.Contains(r.out, "Applied 00028") {
		t.Fatalf("migrate up: exit %d, %s%s", r.code, r.out, r.errors)
	}
	u := &upgrade{who: newShop(t, old.front.env), ended: map[string]string{}}
	u.endpoint = newEndpoint(t, &u.who.secret)
	answer[map[string]any](t, old.front.env, "app", "set-webhook-url", u.who.app, u.endpoint.URL)
	u.trade(t, "old on the new schema", old, old)
	present := by(programtest.Daftar(t))
	u.trade(t, "old to new", old, present)
	u.trade(t, "new to old", present, old)
	u.reads(t, old.front, present.front)
	present.stop(t)
	u.trade(t, "old alone", old, old)
	u.reads(t, old.front)
	old.stop(t)
	present = by(programtest.Daftar(t))
	u.trade(t, "new alone", present, present)
	u.reads(t, present.front)
	// What the old servers wrote has no search terms: the release notes name this step.
	if r := call(t, owner, "projections", "rebuild", "payments", "--accept-drift"); r.code != 0 {
		t.Errorf("rebuild payments: exit %d, %s%s", r.code, r.out, r.errors)
	}
	u.isWhole(t, present.front)
}

// eventsOfTrade are created, processing and succeeded; created, processing and
// payment_failed; created and canceled.
const eventsOfTrade = 8

// trade makes three payments: one succeeds, one fails, one expires. Each step goes to the other of
// the two versions.
func (u *upgrade) trade(t *testing.T, name string, a, b version) {
	t.Helper()
	u.trades++
	create := func(s *service, what, more string) reply {
		t.Helper()
		order := fmt.Sprintf(`{"merchant_reference":"%s, %s","amount":5000,"currency":"LYD",`+
			`"description":"Two coffees"%s}`, name, what, more)
		r := s.ask(t, u.who, http.MethodPost, "/payment-intents", order)
		if r.status != http.StatusCreated {
			t.Fatalf("%s, %s: create: %d %s", name, what, r.status, r.body)
		}
		return r
	}
	short := create(a.slowClock, "expires",
		fmt.Sprintf(`,"expires_at":%q`, time.Now().Add(2*time.Second).UTC().Format(time.RFC3339Nano)))
	paid := create(a.front, "paid", "")
	again := b.front.ask(t, u.who, http.MethodPost, "/payment-intents", order(name+", paid"))
	if again.status != http.StatusOK || again.data.UUID != paid.data.UUID ||
		again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%s: the create repeated at the other version: %d %s", name, again.status, again.body)
	}
	phone := fmt.Sprintf("09123456%02d", u.trades)
	fill(t, paid, a.front, b.front, "attempts", "otp", url.Values{"method": {"wallet"}, "phone": {phone}})
	fill(t, paid, a.front, a.front, "code", "receipt", url.Values{"otp": {"111111"}})
	failed := create(b.front, "fails", "")
	fill(t, failed, b.front, a.front, "attempts", "otp", url.Values{"method": {"wallet"}, "phone": {phone}})
	fill(t, failed, b.front, b.front, "code", "pay", url.Values{"otp": {"000000"}})
	u.ended[paid.data.UUID], u.ended[failed.data.UUID], u.ended[short.data.UUID] = "succeeded",
		"requires_payment_method", "canceled"
	pgtest.WaitFor(t, name+": the webhooks and the timer", func() bool {
		return len(u.events()) >= eventsOfTrade*u.trades
	})
	pgtest.WaitFor(t, name+": what came of the webhooks", func() bool {
		return delivered(t, a.front.env, paid, failed, short)
	})
}

// events are the events of which webhooks have come, each once.
func (u *upgrade) events() []string {
	all := u.endpoint.got()
	slices.Sort(all)
	return slices.Compact(all)
}

// fill sends a form of an intent's checkout page from one server to another.
func fill(t *testing.T, intent reply, of, to *service, form, state string, fields url.Values) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	address := strings.Replace(intent.data.CheckoutURL, of.host(), to.host(), 1) + "/" + form
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(fields.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	page, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(page), `data-state="`+state+`"`) {
		t.Fatalf("the form %s leads to %d %s (%v), want the state %s", form, response.StatusCode, page, err, state)
	}
}

// reads checks that each server returns every intent in its final state, with the same bytes.
func (u *upgrade) reads(t *testing.T, servers ...*service) {
	t.Helper()
	for id, status := range u.ended {
		var first string
		for _, s := range servers {
			r := s.ask(t, u.who, http.MethodGet, "/payment-intents/"+id, "")
			if r.data.Status != status {
				t.Errorf("%s is %d %s, want %s", id, r.status, r.body, status)
			}
			body := strings.ReplaceAll(r.body, s.host(), "host")
			if first == "" {
				first = body
			}
			if body != first {
				t.Errorf("one version reads\n%s\nand the other\n%s", first, body)
			}
		}
	}
}

// isWhole checks the ledger, the read models and the deliveries against what happened.
func (u *upgrade) isWhole(t *testing.T, s *service) {
	t.Helper()
	s.caughtUp(t)
	events := eventsOfTrade * u.trades
	awaitCheckpoint(t, s.env, fmt.Sprint(events))
	if v := answer[verified](t, s.env, "audit", "verify"); !v.OK || v.Size != int64(events) {
		t.Errorf("audit verify: %+v, want %d events", v, events)
	}
	projections := answer[struct{ Projections []struct{ Name string } }](t, s.env, "projections", "status")
	for _, m := range projections.Projections {
		if v := answer[struct{ OK bool }](t, s.env, "projections", "verify", m.Name); !v.OK {
			t.Errorf("%s differs from its events", m.Name)
		}
	}
	if got := u.events(); len(got) != events {
		t.Errorf("webhooks came of %d events, want %d", len(got), events)
	}
}

// delivered reports whether the outcome of each webhook of some intents was stored.
func delivered(t *testing.T, env []string, intents ...reply) bool {
	t.Helper()
	for _, i := range intents {
		listed := answer[struct{ Deliveries []struct{ State string } }](t, env,
			"webhooks", "deliveries", "--intent", i.data.UUID)
		for _, d := range listed.Deliveries {
			if d.State != "delivered" {
				return false
			}
		}
	}
	return true
}
