package acceptance_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/transparency"
)

// Auditors read who did what, page by page; flags filter the list.
func TestOrgAuditTrail(t *testing.T) {
	t.Parallel()
	env := []string{
		"DAFTAR_DATABASE_URL=" + pgtest.Database(t).ServiceURL(),
		"DAFTAR_SECRET_KEY=" + secretKey,
		"LOGNAME=salma",
	}
	who, other := newShop(t, env), newShop(t, env)
	began := time.Now().UTC()
	answer[struct{}](t, env, "app", "roll-key", who.app)
	type trail struct {
		Organization string `json:"organization_uuid"`
		Records      []struct {
			Position  int64
			At        time.Time
			Actor     string
			Action    string
			Outcome   string
			Subject   string
			SubjectID *string `json:"subject_uuid"`
			UserID    *string `json:"user_uuid"`
			Detail    map[string]any
			Address   *string
		}
	}
	all := answer[trail](t, env, "org", "audit-trail", who.org)
	var actions []string
	for _, r := range all.Records {
		actions = append(actions, r.Action)
		if !strings.HasPrefix(r.Actor, "operator:") || r.Outcome != "done" || r.UserID != nil || r.Address == nil ||
			r.At.IsZero() || r.Detail == nil {
			t.Errorf("record %+v", r)
		}
	}
	got := strings.Join(actions, " ")
	if got != "api_key.roll access_token.create application.create organization.create" ||
		all.Organization != who.org {
		t.Errorf("the trail of %s has %s", all.Organization, got)
	}
	if r := all.Records[0]; r.Subject != "application" || r.SubjectID == nil || *r.SubjectID != who.app {
		t.Errorf("the key was rolled of %+v", r)
	}
	for flags, want := range map[string]int{
		"--since " + began.Format(time.RFC3339Nano): 1,
		"--until " + began.Format(time.RFC3339Nano): 3,
		"--action api_key.roll":                     1,
		"--actor nobody@shop.ly":                    0,
		"--outcome denied":                          0,
		"--limit 2":                                 2,
	} {
		got := answer[trail](t, env, append([]string{"org", "audit-trail", who.org}, strings.Fields(flags)...)...)
		if len(got.Records) != want {
			t.Errorf("%s: %d records, want %d", flags, len(got.Records), want)
		}
	}
	text := call(t, env, "org", "audit-trail", who.org)
	lines := strings.Split(strings.TrimSpace(text.out), "\n")
	if len(lines) != 5 || !strings.Contains(lines[1], "api_key.roll") || !strings.Contains(lines[1], who.app) {
		t.Errorf("for people: %s", text.out)
	}
	if strings.Contains(text.out, other.app) || strings.Contains(text.out, who.key) {
		t.Errorf("it has what is another's, or a secret: %s", text.out)
	}
	for args, code := range map[string]int{
		"org audit-trail " + who.app:                        1, // there is no such organisation
		"org audit-trail nonsense":                          2,
		"org audit-trail " + who.org + " --since yesterday": 2,
		"org audit-trail " + who.org + " --outcome maybe":   2,
		"org audit-trail " + who.org + " --limit 0":         2,
	} {
		if r := call(t, env, strings.Fields(args)...); r.code != code {
			t.Errorf("%s: exit %d, want %d: %s", args, r.code, code, r.errors)
		}
	}
}

// A command deletes old deliveries, and requires an age that rules out a typing mistake.
func TestWebhooksPrune(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	_, err := db.OwnerPool(t).Exec(t.Context(), `
		INSERT INTO webhook_deliveries (uuid, application_uuid, event, occurred_at, state)
		SELECT gen_random_uuid(), $1, 'webhook.test', now() - n * interval '20 days', 'delivered'
		FROM generate_series(0, 3) n`, who.app)
	if err != nil {
		t.Fatal(err)
	}
	type pruned struct {
		DryRun bool `json:"dry_run"`
		Pruned struct{ Deliveries, Tries int }
		Before time.Time
	}
	got := answer[pruned](t, env, "webhooks", "prune", "--older-than", "720h", "--dry-run")
	if got.Pruned.Deliveries != 2 || !got.DryRun || got.Before.IsZero() {
		t.Errorf("a dry run: %+v", got)
	}
	r := call(t, env, "webhooks", "prune", "--older-than", "720h")
	if r.code != 0 || !strings.HasPrefix(r.out, "2 deliveries and 0 tries") {
		t.Errorf("pruned: %s%s", r.out, r.errors)
	}
	got = answer[pruned](t, env, "webhooks", "prune", "--older-than", "720h")
	if got.Pruned.Deliveries != 0 || got.DryRun {
		t.Errorf("pruned again: %+v", got)
	}
	for _, args := range []string{"", "--older-than 1h", "--older-than -720h", "--older-than soon"} {
		if r := call(t, env, append([]string{"webhooks", "prune"}, strings.Fields(args)...)...); r.code != 2 {
			t.Errorf("prune %s: exit %d", args, r.code)
		}
	}
}

// The offset of a disabled group can be dropped. The offset of a group that every server runs
// cannot.
func TestFeedForget(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL()}
	_, err := db.OwnerPool(t).Exec(t.Context(),
		`INSERT INTO consumer_offsets VALUES ('nats', 0, now()), ('dashboard', 0, now())`)
	if err != nil {
		t.Fatal(err)
	}
	for group, code := range map[string]int{"dashboard": 2, "nats": 0, "never": 1} {
		if r := call(t, env, "feed", "forget", group); r.code != code {
			t.Errorf("forget %s: exit %d, want %d: %s", group, r.code, code, r.errors)
		}
	}
	r := call(t, env, "feed", "status")
	if strings.Contains(r.out, "nats") || !strings.Contains(r.out, "dashboard") {
		t.Errorf("left are %s", r.out)
	}
}

// The doctor checks the transparency log: how far it is signed, and with which key.
func TestDoctorOnTransparency(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	super := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	_, private, err := transparency.NewKey("pay.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, db.ServiceURL(), "DAFTAR_TRANSPARENCY_KEY="+private)
	if f := examined(t, s.env, "transparency"); !f.OK || f.Detail != "nothing has been signed yet" {
		t.Errorf("of an empty log: %+v", f)
	}
	s.ask(t, newShop(t, s.env), http.MethodPost, "/payment-intents", order("one"))
	pgtest.WaitFor(t, "a checkpoint", func() bool {
		f := examined(t, s.env, "transparency")
		return f.OK && strings.Contains(f.Detail, "covers 1 and is signed by pay.example.ly+")
	})
	_, other, err := transparency.NewKey("pay.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	env := append(slices.DeleteFunc(slices.Clone(s.env), func(v string) bool {
		return strings.HasPrefix(v, "DAFTAR_TRANSPARENCY_KEY=")
	}),
		"DAFTAR_TRANSPARENCY_KEY="+other)
	f := examined(t, env, "transparency")
	if f.OK || !strings.Contains(f.Detail, "not signed with DAFTAR_TRANSPARENCY_KEY") {
		t.Errorf("with another key: %+v", f)
	}
	_, err = super.Exec(t.Context(),
		`UPDATE transparency_tiles SET hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1)`)
	if err != nil {
		t.Fatal(err)
	}
	if f := examined(t, s.env, "transparency"); f.OK || !strings.Contains(f.Detail, "root") {
		t.Errorf("of a tree that was changed: %+v", f)
	}
}
