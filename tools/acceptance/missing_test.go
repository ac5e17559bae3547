package acceptance_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

type span struct{ From, To int64 }

// missing is the answer of audit missing.
type missing struct {
	OK      bool
	Events  int64
	Same    int64 `json:"same_up_to"`
	Signed  int64
	Copy    *span
	Differs *span
	Missing *span
	Unknown []span
	Lost    []lostEvent
}

type lostEvent struct {
	Position          int64
	Intent            string `json:"intent_uuid"`
	Version           int
	Type              string
	MerchantReference string `json:"merchant_reference"`
	Amount            int64
	Currency          string
	Received          bool `json:"webhook_received"`
	Instead           int64
}

// auditMissing calls audit missing and checks that the exit code matches its answer.
func auditMissing(t *testing.T, env []string, args ...string) missing {
	t.Helper()
	r := call(t, env, append([]string{"audit", "missing", "--json"}, args...)...)
	m := parse[missing](t, r.out)
	if r.code != map[bool]int{true: 0, false: 1}[m.OK] || r.errors != "" {
		t.Errorf("audit missing %v: exit %d, %s%s", args, r.code, r.out, r.errors)
	}
	return m
}

// Unusable evidence is refused: the command never reports that nothing is missing on the basis of
// less evidence than was given.
func TestMissingWithoutEvidence(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL())
	who := newShop(t, s.env)
	s.ask(t, who, http.MethodPost, "/payment-intents", order("a"))
	note := awaitCheckpoint(t, s.env, "1")
	dir := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		env  string
		code int
		says string
	}{
		"nothing": {code: 2, says: "nothing to hold the log to"},
		"no file": {args: []string{"--webhooks", filepath.Join(dir, "absent")}, code: 2, says: "absent"},
		"no webhook": {
			args: []string{"--webhooks", write(t, dir, "words", "{\"type\":\"webhook.test\"}\n\nwords\n")},
			code: 2, says: "line 3",
		},
		"no event": {
			args: []string{"--webhooks", write(t, dir, "bare", `{"type":"payment_intent.created","data":{}}`)},
			code: 2, says: "line 1",
		},
		"no checkpoint": {
			args: []string{"--checkpoint", write(t, dir, "text", "text")},
			code: 2, says: "not a checkpoint",
		},
		"unsigned": {
			args: []string{"--checkpoint", write(t, dir, "forged", strings.Replace(note, "\n1\n", "\n7\n", 1))},
			code: 1, says: "signature does not hold",
		},
		"NATS is down": {env: "DAFTAR_NATS_URL=nats://127.0.0.1:1", code: 1, says: "NATS is out of reach"},
	} {
		r := call(t, append([]string{c.env}, s.env...), append([]string{"audit", "missing"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.errors, c.says) ||
			strings.Contains(r.out, "Nothing is missing") {
			t.Errorf("%s: exit %d, %s%s", name, r.code, r.out, r.errors)
		}
	}
}
