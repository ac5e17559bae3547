package acceptance_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"daftar/internal/postgres/pgtest"
)

// hostileText sets a terminal's title, fills its clipboard, clears its screen and reverses the
// direction of the following text. Its Arabic word must be shown.
const (
	hostileText = "قهوة\x1b]0;owned\x07\x1b]52;c;cm0gLXJm\x07\u009b2J\u202eexe\x7f"
	shownText   = `قهوة\x1b]0;owned\a\x1b]52;c;cm0gLXJm\a\u009b2J\u202eexe\x7f`
)

// hostileSQL writes the text wherever a command prints third-party text.
var hostileSQL = []string{
	`UPDATE organizations SET name = $1`,
	`UPDATE applications SET name = $1, webhook_url = 'https://shop.example/' || $1`,
	`UPDATE users SET email = $1`,
	`INSERT INTO checkout_attempts
	 (attempt, intent_uuid, acquirer, method, stage, stage_since, payer, trouble, created_at, updated_at)
	 SELECT '0123456789abcdefghjkmnpqrs', uuid, $1, $1, 'quarantined', now(), $1, $1, now(), now()
	 FROM intents`,
	`INSERT INTO parked_events VALUES ('webhooks', 7, $1, 1, now())`,
	`INSERT INTO consumer_offsets VALUES ($1, 0, now(), $1, now())`,
	`UPDATE intents SET description = $1`,
	`INSERT INTO webhook_deliveries
	 (uuid, application_uuid, event, intent_uuid, sequence, occurred_at, state)
	 SELECT gen_random_uuid(), application_uuid, $1, uuid, 9, now(), 'held'
	 FROM intents`,
	`INSERT INTO audit_records
	 (organization_uuid, at, actor, action, outcome, subject, detail, address, request_id)
	 SELECT uuid, now(), $1, $1, 'done', $1, json_build_object('name', $1::text), $1, $1
	 FROM organizations`,
}

// Every command shows the text of merchants, payers and acquirers, and no terminal obeys it; with
// --json a program reads it unchanged.
func TestTerminalsAreNotCommanded(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL())
	who := newShop(t, s.env)
	body, err := json.Marshal(map[string]any{
		"merchant_reference": hostileText, "amount": 5000, "currency": "LYD", "description": "x",
		"metadata": map[string]string{"note": hostileText},
	})
	if err != nil {
		t.Fatal(err)
	}
	intent := s.ask(t, who, http.MethodPost, "/payment-intents", string(body)).data.UUID
	awaitCheckpoint(t, s.env, "1")
	callWith(t, s.env, "seven grey camels\n", "user", "create", "--org", who.org,
		"--email", "salma@shop.example", "--role", "owner", "--password-stdin")
	proof := write(t, t.TempDir(), "printed", call(t, s.env, "audit", "prove", intent).out)
	file := filepath.Join(t.TempDir(), "written")
	call(t, s.env, "audit", "prove", intent, "--out", file)
	for _, made := range []string{proof, file} {
		if r := call(t, nil, "audit", "check", "--proof", made); r.code != 0 {
			t.Errorf("the proof in %s: exit %d: %s%s", made, r.code, r.out, r.errors)
		}
	}
	for _, statement := range hostileSQL {
		var args []any
		if strings.Contains(statement, "$1") {
			args = []any{hostileText}
		}
		if _, err := db.OwnerPool(t).Exec(t.Context(), statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, hostileText, http.StatusForbidden)
	}))
	t.Cleanup(refusing.Close)
	env := append([]string{
		"DAFTAR_API_URL=" + refusing.URL, "DAFTAR_API_KEY=x", "DAFTAR_ACCESS_TOKEN=x",
	}, s.env...)

	for _, args := range [][]string{
		{"org", "audit-trail", who.org},
		{"app", "activate", who.app},
		{"user", "list", "--org", who.org},
		{"user", "set-password", "salma@shop.example", "--password-stdin"},
		{"attempts", "list"},
		{"events", "history", intent},
		{"events", "replay", intent},
		{"events", "replay", intent, "--at-version", "1"},
		{"events", "tail"},
		{"events", "export"},
		{"webhooks", "deliveries"},
		{"webhooks", "listen", "--forward-to", "http://localhost:1"},
		{"feed", "status"},
		{"feed", "parked"},
		{"projections", "verify", "intents"},
		{"doctor"},
		{"audit", "prove", intent},
		{"audit", "check", "--proof", proof},
		{"audit", "check", "--proof", hostileText},
		{"user", "reset-second-factor", hostileText},
		{"org", "create", "--name", hostileText},
		{hostileText},
	} {
		for _, form := range []string{"", "--json"} {
			called := append(slices.Clone(args), strings.Fields(form)...)
			r := callWith(t, env, "another seven camels\n", called...)
			wantHarmless(t, called, r)
		}
	}
}

// wantHarmless fails if the output would control a terminal, or if the text is missing.
func wantHarmless(t *testing.T, args []string, r run) {
	t.Helper()
	for _, c := range r.out + r.errors {
		if c != '\n' && !unicode.IsPrint(c) {
			t.Errorf("daftar %q prints %U raw:\n%s\n%s", args, c, r.out, r.errors)
			return
		}
	}
	all := r.out + r.errors // a payload is JSON, which has some escapes already
	shown := strings.Contains(all, shownText) ||
		strings.Contains(all, `قهوة\u001b]0;owned\u0007\u001b]52;c;cm0gLXJm\u0007\u009b2J\u202eexe\x7f`)
	for line := range strings.Lines(r.out) {
		var v any
		if json.Unmarshal([]byte(line), &v) == nil && containsText(v, hostileText) {
			shown = true
		}
	}
	// Some commands refuse an operator's input, and do not repeat it.
	if typed := slices.Contains(args, hostileText); !shown && !typed && args[0] != "audit" {
		t.Errorf("daftar %q does not show the text:\n%s\n%s", args, r.out, r.errors)
	}
}

// containsText reports whether a text is among the values of a JSON document, or of JSON that is stored as
// text.
func containsText(v any, text string) bool {
	switch v := v.(type) {
	case string:
		var inner any
		return strings.Contains(v, text) ||
			strings.HasPrefix(v, "{") && json.Unmarshal([]byte(v), &inner) == nil && containsText(inner, text)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return containsText(e, text) })
	case map[string]any:
		for _, e := range v {
			if containsText(e, text) {
				return true
			}
		}
	}
	return false
}
