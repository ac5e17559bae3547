//go:build long

package acceptance_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/postgres/pgtest"
)

// An asynchronous standby is promoted without the last commits. Each source reports what is
// missing. Before any server starts, the export restores the log byte for byte: servers start on
// it, every intent is what the merchant was answered, its webhooks come again with the same
// identity, and the log continues.
func TestLongRestoreAfterAPromotion(t *testing.T) {
	t.Parallel()
	p := losePositions(t)
	p.reportsWhatIsMissing(t)
	env := append(p.folderEnv(), "DAFTAR_NATS_URL="+p.nats)
	if r := call(t, p.natsEnv(), "events", "restore", "--checkpoint", p.kept); r.code != 1 ||
		!strings.Contains(r.errors, "no kept checkpoint covers the events from position 4 to 9") {
		t.Errorf("without a checkpoint over them: exit %d, %s%s", r.code, r.out, r.errors)
	}
	if r := call(t, p.folderEnv(), "events", "restore"); r.code != 2 ||
		!strings.Contains(r.errors, "DAFTAR_NATS_URL") {
		t.Errorf("without a stream: exit %d, %s%s", r.code, r.out, r.errors)
	}
	p.restoresFromLines(t)
	type restored struct {
		Restored       *span
		Events, Proven int64
		Missing        *span
		Processing     []string
	}
	diff := cmp.Diff(restored{&span{6, 9}, 9, 9, nil, p.lost[:1]}, answer[restored](t, env, "events", "restore"))
	if diff != "" {
		t.Errorf("restore (-want +got):\n%s", diff)
	}
	if r := call(t, env, "events", "restore"); r.code != 0 || !strings.Contains(r.out, "Nothing is missing.") {
		t.Errorf("again: exit %d, %s%s", r.code, r.out, r.errors)
	}
	if m := auditMissing(t, env, "--webhooks", p.received); !m.OK || m.Same != 9 {
		t.Errorf("after it: %+v", m)
	}

	endpoint := newEndpoint(t, &p.who.secret)
	answer[map[string]any](t, p.env, "app", "set-webhook-url", p.who.app, endpoint.URL)
	s := p.serve(t)
	for n, id := range p.lost {
		r := s.ask(t, p.who, http.MethodPost, "/payment-intents", order(fmt.Sprint("lost ", n)))
		if r.status != http.StatusOK || r.data.UUID != id || r.header.Get("Idempotent-Replayed-Differs") != "" {
			t.Errorf("the create repeated: %d %s", r.status, r.body)
		}
	}
	p.continuesPayment(t, s)
	if r := s.ask(t, p.who, http.MethodGet, "/payment-intents/"+p.expired, ""); r.data.Status != "canceled" {
		t.Errorf("what was ended: %d %s", r.status, r.body)
	}
	r := s.ask(t, p.who, http.MethodPost, "/payment-intents", order("continues"))
	if r.status != http.StatusCreated {
		t.Errorf("create: %d %s", r.status, r.body)
	}
	streamOf(t, p.nats, 10)
	awaitCheckpoint(t, s.env, "10")
	v := answer[verified](t, s.env, "audit", "verify", "--checkpoint", write(t, t.TempDir(), "last", p.last))
	if !v.OK || v.Size != 10 {
		t.Errorf("audit verify: %+v", v)
	}
	for _, name := range []string{"intents", "payments", "turnover", "books"} {
		pgtest.WaitFor(t, name, func() bool { return call(t, s.env, "projections", "verify", name).code == 0 })
	}
	before := strings.Split(strings.TrimSpace(read(t, p.received)), "\n")
	pgtest.WaitFor(t, "the webhooks of what was restored", func() bool {
		again := strings.Split(strings.TrimSpace(endpoint.received()), "\n")
		return !slices.ContainsFunc(before[3:], func(body string) bool { return !slices.Contains(again, body) })
	})
}

// continuesPayment checks that the acquirer is asked about the attempt, whose row was lost, after the
// intent's page is opened.
func (p *promoted) continuesPayment(t *testing.T, s *service) {
	t.Helper()
	if n := len(answer[attempts](t, s.env, "attempts", "list").Attempts); n != 0 {
		t.Fatalf("%d attempts have rows: the test shows nothing", n)
	}
	r := s.ask(t, p.who, http.MethodGet, "/payment-intents/"+p.lost[0], "")
	page := fetch(t, r.data.CheckoutURL)
	if r.data.Status != "processing" || !strings.Contains(page, `data-state="processing"`) {
		t.Errorf("%s, whose page is %s", r.body, page)
	}
	all := answer[attempts](t, s.env, "attempts", "list").Attempts
	if len(all) != 1 || all[0].Intent != p.lost[0] {
		t.Errorf("asked about are %+v", all)
	}
}

// restoresFromLines restores a part from what a follower kept: without a checkpoint of that size,
// the command requires a flag.
func (p *promoted) restoresFromLines(t *testing.T) {
	t.Helper()
	var lines strings.Builder
	for _, m := range streamOf(t, p.nats, 5) {
		lines.WriteString(string(m.Data()) + "\n")
	}
	file := write(t, t.TempDir(), "lines", lines.String())
	m := auditMissing(t, p.folderEnv(), "--events", file)
	if m.Copy == nil || *m.Copy != (span{1, 5}) || len(m.Lost) != 2 || !slices.Equal(m.Unknown, []span{{6, 9}}) {
		t.Errorf("by lines up to 5: %+v", m)
	}
	r := call(t, p.folderEnv(), "events", "restore", "--events", file, "--unproven", "--checkpoint", p.kept)
	if r.code != 1 || !strings.Contains(r.out, "Restored: positions 4 to 5 (2 events).") ||
		!strings.Contains(r.out, "STILL MISSING: positions 6 to 9") {
		t.Errorf("by lines up to 5: exit %d, %s%s", r.code, r.out, r.errors)
	}
	for _, bad := range []string{strings.Replace(lines.String(), `"position":2`, `"position":3`, 1), "words\n"} {
		r := call(t, p.folderEnv(), "events", "restore", "--events", write(t, t.TempDir(), "bad", bad))
		if r.code != 2 || !strings.Contains(r.errors, "line ") {
			t.Errorf("from no lines of an export: exit %d, %s%s", r.code, r.out, r.errors)
		}
	}
}
